//! A network of two layers for a batch of 256: `X·W₁ + b₁`, layer norm, GELU, `·W₂ + b₂`, mean of squares / 2, all layers
//! 512 wide. The matrix product is a primitive with a rule by hand, over `ndarray`'s; everything else is generated.

use std::hint::black_box;

use coenzyme::prelude::*;
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};

use crate::measure::{Bench, Gradient, Workload, numbers};

const ROWS: usize = 256;
const WIDE: usize = 512;

fn view(x: &[f64], rows: usize) -> ArrayView2<'_, f64> {
    ArrayView2::from_shape((rows, x.len() / rows), x).expect("whole rows")
}

fn view_mut(x: &mut [f64], rows: usize) -> ArrayViewMut2<'_, f64> {
    let columns = x.len() / rows;
    ArrayViewMut2::from_shape((rows, columns), x).expect("whole rows")
}

/// `c ← a·b` for `a: (rows, inner)`, `b: (inner, columns)`.
#[primitive]
fn matmul(c: &mut [f64], a: &[f64], b: &[f64], inner: usize) {
    let rows = a.len() / inner;
    general_mat_mul(
        1.0,
        &view(a, rows),
        &view(b, inner),
        0.0,
        &mut view_mut(c, rows),
    );
}

impl<R, C, A, B, N, const W: usize> ForwardRule<R, (C, A, B, N), W> for matmul
where
    R: ForwardReturn<W, Out = ()>,
    C: ForwardArgMut<[f64], W>,
    A: ForwardArg<[f64], W>,
    B: ForwardArg<[f64], W>,
    N: ForwardArg<usize, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (c, a, b, n): (&mut C, &mut A, &mut B, &mut N),
    ) -> R::Forward {
        let inner = *n.primal();
        let rows = a.primal().len() / inner;
        matmul(c.primal_mut(), a.primal(), b.primal(), inner);
        c.assign(|lane, _, dc| {
            dc.fill(0.0);
            let mut dc = view_mut(dc, rows);
            if let Some(da) = a.tangent(lane) {
                general_mat_mul(1.0, &view(da, rows), &view(b.primal(), inner), 1.0, &mut dc);
            }
            if let Some(db) = b.tangent(lane) {
                general_mat_mul(1.0, &view(a.primal(), rows), &view(db, inner), 1.0, &mut dc);
            }
        });
        R::forward(config, || (), |_| ())
    }
}

impl<R, C, A, B, N, const W: usize> ReverseRule<R, (C, A, B, N), W> for matmul
where
    R: ReverseReturn<W, Out = ()>,
    C: ReverseArgMut<[f64], W>,
    A: ReverseArg<[f64], W>,
    B: ReverseArg<[f64], W>,
    N: ReverseArg<usize, W>,
{
    type Tape = (Saved<[f64]>, Saved<[f64]>);

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (c, a, b, n): (&mut C, &mut A, &mut B, &mut N),
    ) -> AugmentedReturn<(), R::Shadow, Self::Tape> {
        matmul(c.primal_mut(), a.primal(), b.primal(), *n.primal());
        let tape = (
            Saved::new(a.primal(), b.is_active() && config.overwritten(1)),
            Saved::new(b.primal(), a.is_active() && config.overwritten(2)),
        );
        R::augmented(config, (), tape)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        _: R::Cotangent,
        (saved_a, saved_b): Self::Tape,
        (c, a, b, n): (&mut C, &mut A, &mut B, &mut N),
    ) -> (C::Gradient, A::Gradient, B::Gradient, N::Gradient) {
        let inner = *n.primal();
        let rows = a.primal().len() / inner;
        // Ā += C̄·Bᵀ, B̄ += Aᵀ·C̄
        let da = a.accumulate(|lane, _, mut da| {
            let Some(dc) = c.cotangent(lane) else { return };
            let b = view(saved_b.get(b.primal()), inner);
            da.accumulate_with(|da| {
                general_mat_mul(1.0, &view(dc, rows), &b.t(), 1.0, &mut view_mut(da, rows));
            });
        });
        let db = b.accumulate(|lane, _, mut db| {
            let Some(dc) = c.cotangent(lane) else { return };
            let a = view(saved_a.get(a.primal()), rows);
            db.accumulate_with(|db| {
                general_mat_mul(1.0, &a.t(), &view(dc, rows), 1.0, &mut view_mut(db, inner));
            });
        });
        (c.consume(), da, db, n.no_gradient())
    }
}

#[differentiable]
fn loss(
    w1: &[f64],
    b1: &[f64],
    g: &[f64],
    beta: &[f64],
    w2: &[f64],
    b2: &[f64],
    #[constant] x: &[f64],
) -> f64 {
    let n = b1.len();
    let rows = x.len() / n;
    let mut hidden = vec![0.0; rows * n];
    matmul(&mut hidden, x, w1, n);
    let mut active = vec![0.0; rows * n];
    for row in 0..rows {
        let mut mean = 0.0;
        for j in 0..n {
            mean += hidden[row * n + j] + b1[j];
        }
        mean /= n as f64;
        let mut var = 0.0;
        for j in 0..n {
            let c = hidden[row * n + j] + b1[j] - mean;
            var += c * c;
        }
        let scale = 1.0 / (var / n as f64 + 1e-5).sqrt();
        for j in 0..n {
            let y = (hidden[row * n + j] + b1[j] - mean) * scale * g[j] + beta[j];
            let t = (0.797_884_560_802_865_4 * (y + 0.044_715 * y * y * y)).tanh();
            active[row * n + j] = 0.5 * y * (1.0 + t);
        }
    }
    let mut out = vec![0.0; rows * n];
    matmul(&mut out, &active, w2, n);
    let mut sum = 0.0;
    for row in 0..rows {
        for j in 0..n {
            let e = out[row * n + j] + b2[j];
            sum += e * e;
        }
    }
    sum / (2.0 * (rows * n) as f64)
}

struct Network {
    w1: Vec<f64>,
    b1: Vec<f64>,
    g: Vec<f64>,
    beta: Vec<f64>,
    w2: Vec<f64>,
    b2: Vec<f64>,
    x: Vec<f64>,
}

impl Network {
    fn new() -> Self {
        Self {
            w1: numbers(40, WIDE * WIDE, -0.1, 0.1),
            b1: numbers(41, WIDE, -0.1, 0.1),
            g: numbers(42, WIDE, 0.5, 1.5),
            beta: numbers(43, WIDE, -0.1, 0.1),
            w2: numbers(44, WIDE * WIDE, -0.1, 0.1),
            b2: numbers(45, WIDE, -0.1, 0.1),
            x: numbers(46, ROWS * WIDE, -1.0, 1.0),
        }
    }
}

impl Workload for Network {
    fn lengths(&self) -> Vec<usize> {
        vec![self.w1.len(), WIDE, WIDE, WIDE, self.w2.len(), WIDE]
    }

    fn primal(&self) -> f64 {
        let Self {
            w1,
            b1,
            g,
            beta,
            w2,
            b2,
            x,
        } = black_box(self);
        loss(w1, b1, g, beta, w2, b2, x)
    }

    fn hand(&self, d: &mut Gradient) {
        let Self {
            w1,
            b1,
            g,
            beta,
            w2,
            b2,
            x,
        } = black_box(self);
        let n = WIDE;
        let [dw1, db1, dg, dbeta, dw2, db2] = &mut d[..] else {
            return;
        };
        let mut hat = vec![0.0; ROWS * n];
        matmul(&mut hat, x, w1, n);
        let (mut active, mut slope) = (vec![0.0; ROWS * n], vec![0.0; ROWS * n]);
        let mut scales = vec![0.0; ROWS];
        let rows = hat
            .chunks_exact_mut(n)
            .zip(active.chunks_exact_mut(n))
            .zip(slope.chunks_exact_mut(n));
        for (((hat, active), slope), scale) in rows.zip(&mut scales) {
            hat.iter_mut().zip(b1).for_each(|(h, b)| *h += b);
            let mean = hat.iter().sum::<f64>() / n as f64;
            let var = hat.iter().map(|h| (h - mean) * (h - mean)).sum::<f64>() / n as f64;
            *scale = 1.0 / (var + 1e-5).sqrt();
            let outputs = hat.iter_mut().zip(active).zip(slope);
            for (((h, active), slope), (g, beta)) in outputs.zip(g.iter().zip(beta)) {
                *h = (*h - mean) * *scale;
                let y = *h * g + beta;
                let t = (0.797_884_560_802_865_4 * (y + 0.044_715 * y * y * y)).tanh();
                *active = 0.5 * y * (1.0 + t);
                let inner = 0.797_884_560_802_865_4 * (1.0 + 3.0 * 0.044_715 * y * y);
                *slope = 0.5 * (1.0 + t) + 0.5 * y * (1.0 - t * t) * inner;
            }
        }
        let mut out = vec![0.0; ROWS * n];
        matmul(&mut out, &active, w2, n);
        for out in out.chunks_exact_mut(n) {
            for ((out, b2), db2) in out.iter_mut().zip(b2).zip(db2.iter_mut()) {
                *out = (*out + b2) / (ROWS * n) as f64;
                *db2 += *out;
            }
        }
        let dout = view(&out, ROWS);
        general_mat_mul(
            1.0,
            &view(&active, ROWS).t(),
            &dout,
            1.0,
            &mut view_mut(dw2, n),
        );
        let mut dhidden = active;
        general_mat_mul(
            1.0,
            &dout,
            &view(w2, n).t(),
            0.0,
            &mut view_mut(&mut dhidden, ROWS),
        );
        let rows = dhidden
            .chunks_exact_mut(n)
            .zip(hat.chunks_exact(n))
            .zip(slope.chunks_exact(n));
        for (((d, hat), slope), scale) in rows.zip(&scales) {
            let (mut total, mut along) = (0.0, 0.0);
            let parameters = g.iter().zip(dg.iter_mut().zip(dbeta.iter_mut()));
            for (((d, hat), slope), (g, (dg, dbeta))) in
                d.iter_mut().zip(hat).zip(slope).zip(parameters)
            {
                let dy = *d * slope;
                *dg += dy * hat;
                *dbeta += dy;
                *d = dy * g;
                total += *d;
                along += *d * hat;
            }
            let (total, along) = (total / n as f64, along / n as f64);
            for ((d, hat), db1) in d.iter_mut().zip(hat).zip(db1.iter_mut()) {
                *d = scale * (*d - total - hat * along);
                *db1 += *d;
            }
        }
        let dhidden = view(&dhidden, ROWS);
        general_mat_mul(
            1.0,
            &view(x, ROWS).t(),
            &dhidden,
            1.0,
            &mut view_mut(dw1, n),
        );
    }

    fn generated(&self, d: &mut Gradient) {
        let Self {
            w1,
            b1,
            g,
            beta,
            w2,
            b2,
            x,
        } = black_box(self);
        let [dw1, db1, dg, dbeta, dw2, db2] = &mut d[..] else {
            return;
        };
        autodiff!(
            Reverse,
            loss,
            Active,
            Duplicated(&w1[..], &mut dw1[..]),
            Duplicated(&b1[..], &mut db1[..]),
            Duplicated(&g[..], &mut dg[..]),
            Duplicated(&beta[..], &mut dbeta[..]),
            Duplicated(&w2[..], &mut dw2[..]),
            Duplicated(&b2[..], &mut db2[..]),
            Const(&x[..])
        );
    }

    fn tape_bytes(&self) -> usize {
        let Self {
            w1,
            b1,
            g,
            beta,
            w2,
            b2,
            x,
        } = self;
        let mut d: Gradient = self.lengths().iter().map(|n| vec![0.0; *n]).collect();
        let [dw1, db1, dg, dbeta, dw2, db2] = &mut d[..] else {
            return 0;
        };
        let args = &mut (
            Duplicated(&w1[..], &mut dw1[..]),
            Duplicated(&b1[..], &mut db1[..]),
            Duplicated(&g[..], &mut dg[..]),
            Duplicated(&beta[..], &mut dbeta[..]),
            Duplicated(&w2[..], &mut dw2[..]),
            Duplicated(&b2[..], &mut db2[..]),
            Const(&x[..]),
        );
        Thunk::<_, Active<f64>>::new(loss {})
            .augmented(args)
            .tape
            .bytes()
    }
}

pub(crate) fn run(bench: &Bench) {
    bench.run("mlp 256x512x512x512", &Network::new());
}
