//! Cells of recurrent networks: one step, for a batch.
//!
//! | value | shape | |
//! |---|---|---|
//! | `X` | `(n, k)` | the input of this step |
//! | `H`, `C` | `(n, h)` | the state before |
//! | `W`, `U`, `b` | `(k, g·h)`, `(h, g·h)`, `(g·h)` | weights of the input, of the state, offsets; `g` gates beside each other |
//!
//! The tape holds the operands of the products and what the gates let through; a sequence of steps is a loop over the cell.

use coenzyme::primitive;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayRef1, ArrayRef2, ArrayView2, Axis, Zip, concatenate, s};

use crate::class::{Scalar, several_rule};
use crate::scalar::logistic;

/// `X·W`, or zeros of its shape.
fn times<T: Scalar>(x: Option<&ArrayRef2<T>>, w: &ArrayRef2<T>, shape: [usize; 2]) -> Array2<T> {
    x.map_or_else(|| Array2::zeros(shape), |x| x.dot(w))
}

/// `c += a·b`
fn add_product<T: Scalar>(a: ArrayView2<'_, T>, b: ArrayView2<'_, T>, c: &mut ArrayRef2<T>) {
    general_mat_mul(T::one(), &a, &b, T::one(), c);
}

/// `b += Σ rows of g`
fn add_rows<T: Scalar>(g: &Array2<T>, b: &mut ArrayRef1<T>) {
    g.rows().into_iter().for_each(|row| *b += &row);
}

/// Gate `i` of several beside each other.
fn gate<T>(all: &Array2<T>, i: usize, h: usize) -> ArrayView2<'_, T> {
    all.slice(s![.., i * h..(i + 1) * h])
}

/// Gates beside each other.
fn beside<T: Scalar, const G: usize>(gates: [Array2<T>; G]) -> Array2<T> {
    let views: Vec<_> = gates.iter().map(|g| g.view()).collect();
    concatenate(Axis(1), &views).expect("gates of one shape")
}

/// **Panics** unless the shapes fit a cell of `g` gates.
#[track_caller]
fn check<T>(
    name: &str,
    g: usize,
    x: &ArrayRef2<T>,
    h: &ArrayRef2<T>,
    (w, u, b): (&ArrayRef2<T>, &ArrayRef2<T>, &ArrayRef1<T>),
) {
    let wide = g * h.ncols();
    assert!(
        x.nrows() == h.nrows()
            && w.dim() == (x.ncols(), wide)
            && u.dim() == (h.ncols(), wide)
            && b.len() == wide,
        "{name}: inputs {:?}, state {:?}, weights {:?} and {:?}, offsets {:?}",
        x.shape(),
        h.shape(),
        w.shape(),
        u.shape(),
        b.shape()
    );
}

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

/// What the derivative of a cell reads: the operands of its products, and what its gates let through.
#[derive(Debug)]
pub struct Cell<T> {
    x: Array2<T>,
    h: Array2<T>,
    w: Array2<T>,
    u: Array2<T>,
    /// LSTM: `C`. GRU: the candidate's part of the state, `H·Uₙ`.
    inner: Array2<T>,
    /// After the logistic function and the tangent, beside each other.
    gates: Array2<T>,
}

impl<T: Scalar> Cell<T> {
    fn pull_x(&self, g: &Array2<T>, dx: &mut ArrayRef2<T>) {
        add_product(g.view(), self.w.t(), dx);
    }
    fn pull_w(&self, g: &Array2<T>, dw: &mut ArrayRef2<T>) {
        add_product(self.x.t(), g.view(), dw);
    }
    fn pull_u(&self, g: &Array2<T>, du: &mut ArrayRef2<T>) {
        add_product(self.h.t(), g.view(), du);
    }
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
