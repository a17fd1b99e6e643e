//! A gated recurrent unit. The shapes are those of `cells.rs`.

use coenzyme::primitive;
use ndarray::{Array2, ArrayRef1, ArrayRef2, ArrayView2, Zip};

use super::cells::{Cell, add_product, add_rows, beside, check, gate, times};
use crate::class::{Scalar, several_rule};
use crate::scalar::logistic;

/// One step of a gated recurrent unit, `H'` from `H`: with `r`, `z`, `n` beside each other in `X·W + b` and in `H·U`,
/// `R = σ(r + r')`, `Z = σ(z + z')`, `N = tanh(n + R∘n')`, `H' = (1 − Z)∘N + Z∘H`. **Panics** if the shapes do not fit.
///
/// `6n(k + h)h` flops, in reverse twice as many.
///
/// Source: Cho et al. 2014, arXiv:1406.1078, with the reset gate after the product with `U`, as cuDNN and PyTorch have it.
///
/// ```
/// # use ndarray::{Array1, Array2, array};
/// let (w, u, b) = (Array2::zeros((1, 3)), Array2::zeros((1, 3)), Array1::zeros(3));
/// assert_eq!(coenzyme_rules::nn::gru_cell(&array![[1.0]], &array![[0.5]], &w, &u, &b), array![[0.25]]);
/// ```
#[primitive]
#[track_caller]
pub fn gru_cell<T: Scalar>(
    x: &ArrayRef2<T>,
    h: &ArrayRef2<T>,
    w: &ArrayRef2<T>,
    u: &ArrayRef2<T>,
    b: &ArrayRef1<T>,
) -> Array2<T> {
    gru_cell::evaluate(x, h, w, u, b).0
}

impl gru_cell {
    #[track_caller]
    fn evaluate<T: Scalar>(
        x: &ArrayRef2<T>,
        h: &ArrayRef2<T>,
        w: &ArrayRef2<T>,
        u: &ArrayRef2<T>,
        b: &ArrayRef1<T>,
    ) -> (Array2<T>, Cell<T>) {
        check("gru_cell", 3, x, h, (w, u, b));
        let n = h.ncols();
        let (of_x, of_h) = (x.dot(w) + b.view(), h.dot(u));
        let logistic_of = |i| (&gate(&of_x, i, n) + &gate(&of_h, i, n)).mapv(logistic);
        let (reset, keep) = (logistic_of(0), logistic_of(1));
        let inner = gate(&of_h, 2, n).to_owned();
        let new = (&gate(&of_x, 2, n) + &(&reset * &inner)).mapv(|n| n.tanh());
        let next = Zip::from(&new)
            .and(&keep)
            .and(h)
            .map_collect(|&n, &z, &h| n + z * (h - n));
        let kept = Cell {
            x: x.to_owned(),
            h: h.to_owned(),
            w: w.to_owned(),
            u: u.to_owned(),
            inner,
            gates: beside([reset, keep, new]),
        };
        (next, kept)
    }

    /// `R`, `Z` and `N`.
    fn gates<T>(kept: &Cell<T>) -> [ArrayView2<'_, T>; 3] {
        [0, 1, 2].map(|i| gate(&kept.gates, i, kept.inner.ncols()))
    }

    fn pushforward<T: Scalar>(
        _: &Array2<T>,
        kept: &Cell<T>,
        dx: Option<&ArrayRef2<T>>,
        dh: Option<&ArrayRef2<T>>,
        dw: Option<&ArrayRef2<T>>,
        du: Option<&ArrayRef2<T>>,
        db: Option<&ArrayRef1<T>>,
    ) -> Array2<T> {
        let (n, shape) = (kept.inner.ncols(), [kept.gates.nrows(), kept.gates.ncols()]);
        let (mut of_x, mut of_h) = (times(dx, &kept.w, shape), times(dh, &kept.u, shape));
        if let Some(dw) = dw {
            of_x += &kept.x.dot(dw);
        }
        if let Some(db) = db {
            of_x += &db.view();
        }
        if let Some(du) = du {
            of_h += &kept.h.dot(du);
        }
        let [reset, keep, new] = Self::gates(kept);
        let one = T::one();
        let mut next = Array2::zeros(new.raw_dim());
        for ((i, j), next) in next.indexed_iter_mut() {
            let (r, z, c) = (reset[(i, j)], keep[(i, j)], new[(i, j)]);
            let d = |gate: usize| of_x[(i, gate * n + j)] + of_h[(i, gate * n + j)];
            let (dr, dz) = (d(0) * r * (one - r), d(1) * z * (one - z));
            let inside = of_x[(i, 2 * n + j)] + dr * kept.inner[(i, j)] + r * of_h[(i, 2 * n + j)];
            *next = (one - z) * (one - c * c) * inside + dz * (kept.h[(i, j)] - c);
        }
        if let Some(dh) = dh {
            Zip::from(&mut next)
                .and(keep)
                .and(dh)
                .for_each(|next, &z, &dh| *next += z * dh);
        }
        next
    }

    /// The cotangents of `X·W + b`, of `H·U`, and of `H` beside those.
    fn pull<T: Scalar>(_: &Array2<T>, kept: &Cell<T>, dy: &Array2<T>) -> [Array2<T>; 3] {
        let [reset, keep, new] = Self::gates(kept);
        let one = T::one();
        let of_new = Zip::from(dy)
            .and(keep)
            .and(new)
            .map_collect(|&dy, &z, &n| dy * (one - z) * (one - n * n));
        let of_reset = Zip::from(&of_new)
            .and(&kept.inner)
            .and(reset)
            .map_collect(|&g, &inner, &r| g * inner * r * (one - r));
        let of_keep = Zip::from(dy)
            .and(&kept.h)
            .and(new)
            .and(keep)
            .map_collect(|&dy, &h, &n, &z| dy * (h - n) * z * (one - z));
        let of_inner = &of_new * &reset;
        let of_h = beside([of_reset.clone(), of_keep.clone(), of_inner]);
        [beside([of_reset, of_keep, of_new]), of_h, dy * &keep]
    }

    fn pull_x<T: Scalar>(_: &Array2<T>, k: &Cell<T>, p: &[Array2<T>; 3], dx: &mut ArrayRef2<T>) {
        k.pull_x(&p[0], dx);
    }
    fn pull_h<T: Scalar>(_: &Array2<T>, k: &Cell<T>, p: &[Array2<T>; 3], dh: &mut ArrayRef2<T>) {
        add_product(p[1].view(), k.u.t(), dh);
        *dh += &p[2];
    }
    fn pull_w<T: Scalar>(_: &Array2<T>, k: &Cell<T>, p: &[Array2<T>; 3], dw: &mut ArrayRef2<T>) {
        k.pull_w(&p[0], dw);
    }
    fn pull_u<T: Scalar>(_: &Array2<T>, k: &Cell<T>, p: &[Array2<T>; 3], du: &mut ArrayRef2<T>) {
        k.pull_u(&p[1], du);
    }
    fn pull_b<T: Scalar>(_: &Array2<T>, _: &Cell<T>, p: &[Array2<T>; 3], db: &mut ArrayRef1<T>) {
        add_rows(&p[0], db);
    }
}

several_rule!(
    gru_cell[T: Scalar](
        x: ArrayRef2<T> => pull_x, h: ArrayRef2<T> => pull_h,
        w: ArrayRef2<T> => pull_w, u: ArrayRef2<T> => pull_u, b: ArrayRef1<T> => pull_b
    ) -> Array2<T>, keeps Cell<T>, pulls [Array2<T>; 3]
);
