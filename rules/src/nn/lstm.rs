//! A cell of long short-term memory. The shapes are those of `cells.rs`.

use coenzyme::primitive;
use ndarray::{Array2, ArrayRef1, ArrayRef2, Axis, Zip};

use super::cells::{Cell, add_product, add_rows, beside, check, gate, times};
use crate::class::{Scalar, several_rule};
use crate::scalar::logistic;

/// One step of long short-term memory, `(H', C')` from `(H, C)`: with the gates `i`, `f`, `g`, `o` beside each other in
/// `X·W + H·U + b`, `C' = σ(f)∘C + σ(i)∘tanh(g)` and `H' = σ(o)∘tanh(C')`. **Panics** if the shapes do not fit.
///
/// `8n(k + h)h` flops, in reverse twice as many.
///
/// Source: Hochreiter & Schmidhuber 1997, *Long short-term memory*, Neural Computation 9, with the forget gate of Gers,
/// Schmidhuber & Cummins 2000.
///
/// ```
/// # use ndarray::{Array1, Array2, array};
/// let (x, h, c) = (array![[1.0]], array![[0.5]], array![[2.0]]);
/// let (w, u, b) = (Array2::zeros((1, 4)), Array2::zeros((1, 4)), Array1::zeros(4));
/// let (h, c) = coenzyme_rules::nn::lstm_cell(&x, &h, &c, &w, &u, &b);
/// assert_eq!((h, c), (array![[0.5 * 1.0_f64.tanh()]], array![[1.0]]));
/// ```
#[primitive]
#[track_caller]
pub fn lstm_cell<T: Scalar>(
    x: &ArrayRef2<T>,
    h: &ArrayRef2<T>,
    c: &ArrayRef2<T>,
    w: &ArrayRef2<T>,
    u: &ArrayRef2<T>,
    b: &ArrayRef1<T>,
) -> (Array2<T>, Array2<T>) {
    lstm_cell::evaluate(x, h, c, w, u, b).0
}

type States<T> = (Array2<T>, Array2<T>);

impl lstm_cell {
    #[track_caller]
    fn evaluate<T: Scalar>(
        x: &ArrayRef2<T>,
        h: &ArrayRef2<T>,
        c: &ArrayRef2<T>,
        w: &ArrayRef2<T>,
        u: &ArrayRef2<T>,
        b: &ArrayRef1<T>,
    ) -> (States<T>, Cell<T>) {
        check("lstm_cell", 4, x, h, (w, u, b));
        assert!(
            c.dim() == h.dim(),
            "lstm_cell: states {:?} and {:?}",
            h.shape(),
            c.shape()
        );
        let n = h.ncols();
        let mut gates = x.dot(w) + h.dot(u) + b.view();
        for (i, mut gate) in gates.axis_chunks_iter_mut(Axis(1), n.max(1)).enumerate() {
            gate.mapv_inplace(|p| if i == 2 { p.tanh() } else { logistic(p) });
        }
        let next_c = &gate(&gates, 1, n) * &c.view() + &gate(&gates, 0, n) * &gate(&gates, 2, n);
        let next_h = &gate(&gates, 3, n) * &next_c.mapv(|c| c.tanh());
        let kept = Cell {
            x: x.to_owned(),
            h: h.to_owned(),
            w: w.to_owned(),
            u: u.to_owned(),
            inner: c.to_owned(),
            gates,
        };
        ((next_h, next_c), kept)
    }

    /// The derivative of each gate in its argument.
    fn slopes<T: Scalar>(kept: &Cell<T>) -> Array2<T> {
        let n = kept.inner.ncols();
        let mut slopes = kept.gates.clone();
        for (i, mut gate) in slopes.axis_chunks_iter_mut(Axis(1), n.max(1)).enumerate() {
            let slope = |s: T| {
                if i == 2 {
                    T::one() - s * s
                } else {
                    s * (T::one() - s)
                }
            };
            gate.mapv_inplace(slope);
        }
        slopes
    }

    #[allow(clippy::too_many_arguments)]
    fn pushforward<T: Scalar>(
        (_, next_c): &States<T>,
        kept: &Cell<T>,
        dx: Option<&ArrayRef2<T>>,
        dh: Option<&ArrayRef2<T>>,
        dc: Option<&ArrayRef2<T>>,
        dw: Option<&ArrayRef2<T>>,
        du: Option<&ArrayRef2<T>>,
        db: Option<&ArrayRef1<T>>,
    ) -> States<T> {
        let (n, shape) = (kept.inner.ncols(), [kept.gates.nrows(), kept.gates.ncols()]);
        let mut d = times(dx, &kept.w, shape) + times(dh, &kept.u, shape);
        if let Some(dw) = dw {
            d += &kept.x.dot(dw);
        }
        if let Some(du) = du {
            d += &kept.h.dot(du);
        }
        if let Some(db) = db {
            d += &db.view();
        }
        d *= &Self::slopes(kept);
        let g = |i| gate(&kept.gates, i, n);
        let dg = |i| gate(&d, i, n);
        let mut next_dc = &dg(1) * &kept.inner + &dg(0) * &g(2) + &g(0) * &dg(2);
        if let Some(dc) = dc {
            Zip::from(&mut next_dc)
                .and(g(1))
                .and(dc)
                .for_each(|next, &f, &dc| *next += f * dc);
        }
        let mut next_dh = &dg(3) * &next_c.mapv(|c| c.tanh());
        Zip::from(&mut next_dh)
            .and(g(3))
            .and(next_c)
            .and(&next_dc)
            .for_each(|dh, &o, &c, &dc| {
                let t = c.tanh();
                *dh += o * (T::one() - t * t) * dc;
            });
        (next_dh, next_dc)
    }

    /// The cotangents of the gates' arguments, and of `C'` with what comes through `H'`.
    fn pull<T: Scalar>((_, next_c): &States<T>, kept: &Cell<T>, (dh, dc): &States<T>) -> States<T> {
        let n = kept.inner.ncols();
        let g = |i| gate(&kept.gates, i, n);
        let through = next_c.mapv(|c| c.tanh());
        let mut of_c = dc.clone();
        Zip::from(&mut of_c)
            .and(&through)
            .and(g(3))
            .and(dh)
            .for_each(|dc, &t, &o, &dh| *dc += dh * o * (T::one() - t * t));
        let of_gates = beside([
            &of_c * &g(2),
            &of_c * &kept.inner,
            &of_c * &g(0),
            dh * &through,
        ]);
        (of_gates * Self::slopes(kept), of_c)
    }

    fn pull_x<T: Scalar>(_: &States<T>, k: &Cell<T>, p: &States<T>, dx: &mut ArrayRef2<T>) {
        k.pull_x(&p.0, dx);
    }
    fn pull_h<T: Scalar>(_: &States<T>, k: &Cell<T>, p: &States<T>, dh: &mut ArrayRef2<T>) {
        add_product(p.0.view(), k.u.t(), dh);
    }
    fn pull_c<T: Scalar>(_: &States<T>, k: &Cell<T>, p: &States<T>, dc: &mut ArrayRef2<T>) {
        let forget = gate(&k.gates, 1, k.inner.ncols());
        Zip::from(dc)
            .and(forget)
            .and(&p.1)
            .for_each(|dc, &f, &d| *dc += f * d);
    }
    fn pull_w<T: Scalar>(_: &States<T>, k: &Cell<T>, p: &States<T>, dw: &mut ArrayRef2<T>) {
        k.pull_w(&p.0, dw);
    }
    fn pull_u<T: Scalar>(_: &States<T>, k: &Cell<T>, p: &States<T>, du: &mut ArrayRef2<T>) {
        k.pull_u(&p.0, du);
    }
    fn pull_b<T: Scalar>(_: &States<T>, _: &Cell<T>, p: &States<T>, db: &mut ArrayRef1<T>) {
        add_rows(&p.0, db);
    }
}

several_rule!(
    lstm_cell[T: Scalar](
        x: ArrayRef2<T> => pull_x, h: ArrayRef2<T> => pull_h, c: ArrayRef2<T> => pull_c,
        w: ArrayRef2<T> => pull_w, u: ArrayRef2<T> => pull_u, b: ArrayRef1<T> => pull_b
    ) -> (Array2<T>, Array2<T>), keeps Cell<T>, pulls (Array2<T>, Array2<T>)
);
