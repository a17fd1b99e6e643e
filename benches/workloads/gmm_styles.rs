//! The Gaussian mixture of [`gmm`](crate::gmm) in two other styles, against the same adjoint by hand: with iterators, and with
//! dimensions that are constants.

use std::hint::black_box;

use coenzyme::prelude::*;
use coenzyme::{AsActive, autodiff};

use crate::gmm::{Mixture, log_sum_exp};
use crate::measure::{Bench, Gradient, Workload};

/// A likelihood with iterators, under options of `differentiable`, and its workload.
macro_rules! by_iterators {
    ($name:ident, $Workload:ident, $log_sum_exp:ident, #[$options:meta]) => {
        #[$options]
        fn $name(
            alpha: &[f64],
            mu: &[f64],
            q: &[f64],
            l: &[f64],
            #[constant] x: &[f64],
            d: usize,
        ) -> f64 {
            let below = d * (d - 1) / 2;
            let diagonal: Vec<f64> = q.iter().map(|q| q.exp()).collect();
            let mut log_det = vec![0.0; alpha.len()];
            for (log_det, q) in log_det.iter_mut().zip(q.chunks_exact(d)) {
                *log_det = q.iter().sum();
            }
            let wishart: f64 = diagonal.iter().chain(l).map(|v| v * v).sum();
            let mut centered = vec![0.0; d];
            let mut product = vec![0.0; d];
            let mut terms = vec![0.0; alpha.len()];
            let mut total = 0.0;
            for x in x.chunks_exact(d) {
                for (c, term) in terms.iter_mut().enumerate() {
                    let (mu, diagonal) = (&mu[c * d..][..d], &diagonal[c * d..][..d]);
                    for ((z, x), mu) in centered.iter_mut().zip(x).zip(mu) {
                        *z = x - mu;
                    }
                    for ((y, s), z) in product.iter_mut().zip(diagonal).zip(&centered) {
                        *y = s * z;
                    }
                    for j in 0..d {
                        let column = &l[c * below + j * (2 * d - 1 - j) / 2..][..d - 1 - j];
                        for (y, l) in product[j + 1..].iter_mut().zip(column) {
                            *y += l * centered[j];
                        }
                    }
                    let square: f64 = product.iter().map(|y| y * y).sum();
                    *term = alpha[c] + log_det[c] - 0.5 * square;
                }
                total += $log_sum_exp(&terms);
            }
            let n = (x.len() / d) as f64;
            total - n * $log_sum_exp(alpha) + 0.5 * wishart
        }

        struct $Workload(Mixture);

        impl Workload for $Workload {
            fn lengths(&self) -> Vec<usize> {
                self.0.lengths()
            }

            fn primal(&self) -> f64 {
                let m = black_box(&self.0);
                $name(&m.alpha, &m.mu, &m.q, &m.l, &m.x, m.d)
            }

            fn hand(&self, gradient: &mut Gradient) {
                self.0.hand(gradient);
            }

            fn generated(&self, gradient: &mut Gradient) {
                let arguments = black_box(&self.0).slices(gradient);
                autodiff(Reverse, &$name {}, AsActive, arguments);
            }

            fn tape_bytes(&self) -> usize {
                let thunk = Thunk::<_, Active<f64>>::new($name {});
                let mut gradient = self.0.zeros();
                thunk
                    .augmented(&mut self.0.slices(&mut gradient))
                    .tape
                    .bytes()
            }
        }
    };
}

by_iterators!(by_iterators, Iterators, log_sum_exp, #[differentiable]);
by_iterators!(vectorized, Vectorized, fast_log_sum_exp, #[differentiable(math = fast)]);

#[differentiable(math = fast)]
fn fast_log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(x[0], f64::max);
    largest + x.iter().map(|x| (x - largest).exp()).sum::<f64>().ln()
}

#[differentiable]
fn const_dimensions<const D: usize, const BELOW: usize>(
    alpha: &[f64],
    mu: &[[f64; D]],
    q: &[[f64; D]],
    l: &[[f64; BELOW]],
    #[constant] x: &[[f64; D]],
) -> f64 {
    let k = alpha.len();
    let mut diagonal = vec![[0.0; D]; k];
    let mut log_det = vec![0.0; k];
    let mut wishart = 0.0;
    for c in 0..k {
        for j in 0..D {
            diagonal[c][j] = q[c][j].exp();
            log_det[c] += q[c][j];
            wishart += diagonal[c][j] * diagonal[c][j];
        }
        for p in 0..BELOW {
            wishart += l[c][p] * l[c][p];
        }
    }
    let mut centered = [0.0; D];
    let mut product = [0.0; D];
    let mut terms = vec![0.0; k];
    let mut total = 0.0;
    for i in 0..x.len() {
        for c in 0..k {
            for j in 0..D {
                centered[j] = x[i][j] - mu[c][j];
                product[j] = diagonal[c][j] * centered[j];
            }
            for j in 0..D {
                let column = j * (2 * D - 1 - j) / 2;
                for r in j + 1..D {
                    product[r] += l[c][column + r - j - 1] * centered[j];
                }
            }
            let mut square = 0.0;
            for j in 0..D {
                square += product[j] * product[j];
            }
            terms[c] = alpha[c] + log_det[c] - 0.5 * square;
        }
        total += log_sum_exp(&terms);
    }
    total - x.len() as f64 * log_sum_exp(alpha) + 0.5 * wishart
}

/// With `D` dimensions.
struct Constants<const D: usize, const BELOW: usize>(Mixture);

/// An active argument of rows.
type Rows<'a, const N: usize> = Duplicated<&'a [[f64; N]], &'a mut [[f64; N]]>;

/// The arguments of the likelihood.
type Arguments<'a, const D: usize, const BELOW: usize> = (
    Duplicated<&'a [f64], &'a mut [f64]>,
    Rows<'a, D>,
    Rows<'a, D>,
    Rows<'a, BELOW>,
    Const<&'a [[f64; D]]>,
);

impl<const D: usize, const BELOW: usize> Constants<D, BELOW> {
    /// The arguments of the likelihood, with the shadows of the active ones.
    fn rows<'a>(&'a self, gradient: &'a mut Gradient) -> Arguments<'a, D, BELOW> {
        let m = &self.0;
        let [dalpha, dmu, dq, dl] = &mut gradient[..] else {
            panic!("a gradient of four arguments")
        };
        (
            Duplicated(&m.alpha[..], &mut dalpha[..]),
            Duplicated(m.mu.as_chunks().0, dmu.as_chunks_mut().0),
            Duplicated(m.q.as_chunks().0, dq.as_chunks_mut().0),
            Duplicated(m.l.as_chunks().0, dl.as_chunks_mut().0),
            Const(m.x.as_chunks().0),
        )
    }
}

impl<const D: usize, const BELOW: usize> Workload for Constants<D, BELOW> {
    fn lengths(&self) -> Vec<usize> {
        self.0.lengths()
    }

    fn primal(&self) -> f64 {
        let m = black_box(&self.0);
        let ((mu, _), (q, _)) = (m.mu.as_chunks(), m.q.as_chunks());
        let ((l, _), (x, _)) = (m.l.as_chunks(), m.x.as_chunks());
        const_dimensions::<D, BELOW>(&m.alpha, mu, q, l, x)
    }

    fn hand(&self, gradient: &mut Gradient) {
        self.0.hand(gradient);
    }

    fn generated(&self, gradient: &mut Gradient) {
        let arguments = black_box(self).rows(gradient);
        autodiff(Reverse, &const_dimensions {}, AsActive, arguments);
    }

    fn tape_bytes(&self) -> usize {
        let thunk = Thunk::<_, Active<f64>>::new(const_dimensions {});
        let mut gradient = self.0.zeros();
        thunk.augmented(&mut self.rows(&mut gradient)).tape.bytes()
    }
}

pub(crate) fn run(bench: &Bench) {
    let mixture = |d, k| Mixture::new(d, k, 1000);
    for (d, k) in [(10, 25), (20, 50), (64, 10)] {
        let name = format!("gmm d={d} K={k} N=1000 iterators");
        bench.run(&name, &Iterators(mixture(d, k)));
        let name = format!("gmm d={d} K={k} N=1000 math=fast");
        bench.run(&name, &Vectorized(mixture(d, k)));
    }
    bench.run(
        "gmm d=10 K=25 N=1000 const",
        &Constants::<10, 45>(mixture(10, 25)),
    );
    bench.run(
        "gmm d=20 K=50 N=1000 const",
        &Constants::<20, 190>(mixture(20, 50)),
    );
    bench.run(
        "gmm d=64 K=10 N=1000 const",
        &Constants::<64, 2016>(mixture(64, 10)),
    );
}
