//! Log-likelihood of a Gaussian mixture with a Wishart prior (ADBench): weights `alpha[K]`, means `mu[K, d]`, log-diagonals
//! `q[K, d]`, strictly lower triangles by columns `l[K, d(d−1)/2]`, points `x[N, d]`.

use std::hint::black_box;

use coenzyme::prelude::*;
use coenzyme::{AsActive, autodiff};

use crate::measure::{Bench, Gradient, Workload, numbers};

#[differentiable]
pub(crate) fn log_sum_exp(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for i in 1..x.len() {
        largest = largest.max(x[i]);
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] - largest).exp();
    }
    largest + sum.ln()
}

#[differentiable]
fn gmm(alpha: &[f64], mu: &[f64], q: &[f64], l: &[f64], #[constant] x: &[f64], d: usize) -> f64 {
    let k = alpha.len();
    let below = d * (d - 1) / 2;
    let n = x.len() / d;
    let mut diagonal = vec![0.0; k * d];
    let mut log_det = vec![0.0; k];
    let mut wishart = 0.0;
    for c in 0..k {
        for j in 0..d {
            diagonal[c * d + j] = q[c * d + j].exp();
            log_det[c] += q[c * d + j];
            wishart += diagonal[c * d + j] * diagonal[c * d + j];
        }
    }
    for p in 0..k * below {
        wishart += l[p] * l[p];
    }
    let mut centered = vec![0.0; d];
    let mut product = vec![0.0; d];
    let mut terms = vec![0.0; k];
    let mut total = 0.0;
    for i in 0..n {
        for c in 0..k {
            for j in 0..d {
                centered[j] = x[i * d + j] - mu[c * d + j];
                product[j] = diagonal[c * d + j] * centered[j];
            }
            for j in 0..d {
                let column = c * below + j * (2 * d - 1 - j) / 2;
                for r in j + 1..d {
                    product[r] += l[column + r - j - 1] * centered[j];
                }
            }
            let mut square = 0.0;
            for j in 0..d {
                square += product[j] * product[j];
            }
            terms[c] = alpha[c] + log_det[c] - 0.5 * square;
        }
        total += log_sum_exp(&terms);
    }
    total - n as f64 * log_sum_exp(alpha) + 0.5 * wishart
}

pub(crate) struct Mixture {
    pub(crate) d: usize,
    pub(crate) alpha: Vec<f64>,
    pub(crate) mu: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) l: Vec<f64>,
    pub(crate) x: Vec<f64>,
}

impl Mixture {
    pub(crate) fn new(d: usize, k: usize, n: usize) -> Self {
        Self {
            d,
            alpha: numbers(10, k, -1.0, 1.0),
            mu: numbers(11, k * d, -1.0, 1.0),
            q: numbers(12, k * d, -0.5, 0.5),
            l: numbers(13, k * d * (d - 1) / 2, -0.3, 0.3),
            x: numbers(14, n * d, -1.0, 1.0),
        }
    }
}

/// An active argument.
type Slices<'a> = Duplicated<&'a [f64], &'a mut [f64]>;

impl Mixture {
    /// The arguments of a likelihood over slices, with the shadows of the active ones.
    pub(crate) fn slices<'a>(
        &'a self,
        gradient: &'a mut Gradient,
    ) -> (
        Slices<'a>,
        Slices<'a>,
        Slices<'a>,
        Slices<'a>,
        Const<&'a [f64]>,
        Const<usize>,
    ) {
        let [dalpha, dmu, dq, dl] = &mut gradient[..] else {
            panic!("a gradient of four arguments")
        };
        (
            Duplicated(&self.alpha[..], &mut dalpha[..]),
            Duplicated(&self.mu[..], &mut dmu[..]),
            Duplicated(&self.q[..], &mut dq[..]),
            Duplicated(&self.l[..], &mut dl[..]),
            Const(&self.x[..]),
            Const(self.d),
        )
    }

    /// A gradient to begin with.
    pub(crate) fn zeros(&self) -> Gradient {
        self.lengths().into_iter().map(|n| vec![0.0; n]).collect()
    }
}

impl Workload for Mixture {
    fn lengths(&self) -> Vec<usize> {
        vec![self.alpha.len(), self.mu.len(), self.q.len(), self.l.len()]
    }

    fn primal(&self) -> f64 {
        let Self {
            d,
            alpha,
            mu,
            q,
            l,
            x,
        } = black_box(self);
        gmm(alpha, mu, q, l, x, *d)
    }

    fn hand(&self, gradient: &mut Gradient) {
        let Self {
            d,
            alpha,
            mu,
            q,
            l,
            x,
        } = black_box(self);
        let (d, k) = (*d, alpha.len());
        let below = d * (d - 1) / 2;
        let [dalpha, dmu, dq, dl] = &mut gradient[..] else {
            return;
        };
        let diagonal: Vec<f64> = q.iter().map(|q| q.exp()).collect();
        let log_det: Vec<f64> = q.chunks_exact(d).map(|q| q.iter().sum()).collect();
        let mut ddiagonal = vec![0.0; k * d];
        let mut weights = vec![0.0; k];
        let (mut centered, mut product) = (vec![0.0; k * d], vec![0.0; k * d]);
        let mut terms = vec![0.0; k];
        let mut dcentered = vec![0.0; d];
        for x in x.chunks_exact(d) {
            for c in 0..k {
                let (own, l) = (c * d..(c + 1) * d, &l[c * below..(c + 1) * below]);
                let (centered, product) = (&mut centered[own.clone()], &mut product[own.clone()]);
                let inputs = x.iter().zip(&mu[own.clone()]).zip(&diagonal[own]);
                for ((z, y), ((x, mu), diagonal)) in
                    centered.iter_mut().zip(product.iter_mut()).zip(inputs)
                {
                    *z = x - mu;
                    *y = diagonal * *z;
                }
                let mut rest = l;
                for j in 0..d {
                    let (column, next) = rest.split_at(d - 1 - j);
                    rest = next;
                    for (y, l) in product[j + 1..].iter_mut().zip(column) {
                        *y += l * centered[j];
                    }
                }
                let square: f64 = product.iter().map(|y| y * y).sum();
                terms[c] = alpha[c] + log_det[c] - 0.5 * square;
            }
            let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            terms.iter_mut().for_each(|t| *t = (*t - largest).exp());
            let sum: f64 = terms.iter().sum();
            for c in 0..k {
                let w = terms[c] / sum;
                weights[c] += w;
                let own = c * d..(c + 1) * d;
                let (z, y) = (&centered[own.clone()], &mut product[own.clone()]);
                y.iter_mut().for_each(|y| *y *= -w);
                let (mut l, mut dl) = (&l[c * below..][..below], &mut dl[c * below..][..below]);
                for j in 0..d {
                    let (column, next) = l.split_at(d - 1 - j);
                    let (dcolumn, dnext) = dl.split_at_mut(d - 1 - j);
                    (l, dl) = (next, dnext);
                    let mut sum = 0.0;
                    for ((y, l), dl) in y[j + 1..].iter().zip(column).zip(dcolumn) {
                        *dl += y * z[j];
                        sum += y * l;
                    }
                    dcentered[j] = sum;
                }
                let sums = dmu[own.clone()].iter_mut().zip(&mut ddiagonal[own.clone()]);
                let inputs = dcentered.iter().zip(&diagonal[own]).zip(y.iter().zip(z));
                for ((dmu, ddiagonal), ((dz, diagonal), (y, z))) in sums.zip(inputs) {
                    *dmu -= dz + diagonal * y;
                    *ddiagonal += y * z;
                }
            }
        }
        let n = (x.len() / d) as f64;
        let largest = alpha.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = alpha.iter().map(|a| (a - largest).exp()).sum();
        for c in 0..k {
            dalpha[c] += weights[c] - n * (alpha[c] - largest).exp() / sum;
            for j in c * d..(c + 1) * d {
                dq[j] += weights[c] + (ddiagonal[j] + diagonal[j]) * diagonal[j];
            }
        }
        dl.iter_mut().zip(l).for_each(|(dl, l)| *dl += l);
    }

    fn generated(&self, gradient: &mut Gradient) {
        autodiff(Reverse, &gmm {}, AsActive, black_box(self).slices(gradient));
    }

    fn tape_bytes(&self) -> usize {
        let thunk = Thunk::<_, Active<f64>>::new(gmm {});
        let mut gradient = self.zeros();
        thunk
            .augmented(&mut self.slices(&mut gradient))
            .tape
            .bytes()
    }
}

pub(crate) fn run(bench: &Bench) {
    for (d, k) in [(10, 25), (20, 50), (64, 10)] {
        bench.run(
            &format!("gmm d={d} K={k} N=1000"),
            &Mixture::new(d, k, 1000),
        );
    }
}
