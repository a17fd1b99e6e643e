//! Cells of recurrent networks: one step, for a batch.
//!
//! | value | shape | |
//! |---|---|---|
//! | `X` | `(n, k)` | the input of this step |
//! | `H`, `C` | `(n, h)` | the state before |
//! | `W`, `U`, `b` | `(k, g·h)`, `(h, g·h)`, `(g·h)` | weights of the input, of the state, offsets; `g` gates beside each other |
//!
//! The tape holds the operands of the products and what the gates let through; a sequence of steps is a loop over the cell.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayRef1, ArrayRef2, ArrayView2, Axis, concatenate, s};

use crate::class::Scalar;

/// `X·W`, or zeros of its shape.
pub(super) fn times<T: Scalar>(
    x: Option<&ArrayRef2<T>>,
    w: &ArrayRef2<T>,
    shape: [usize; 2],
) -> Array2<T> {
    x.map_or_else(|| Array2::zeros(shape), |x| x.dot(w))
}

/// `c += a·b`
pub(super) fn add_product<T: Scalar>(
    a: ArrayView2<'_, T>,
    b: ArrayView2<'_, T>,
    c: &mut ArrayRef2<T>,
) {
    general_mat_mul(T::one(), &a, &b, T::one(), c);
}

/// `b += Σ rows of g`
pub(super) fn add_rows<T: Scalar>(g: &Array2<T>, b: &mut ArrayRef1<T>) {
    g.rows().into_iter().for_each(|row| *b += &row);
}

/// Gate `i` of several beside each other.
pub(super) fn gate<T>(all: &Array2<T>, i: usize, h: usize) -> ArrayView2<'_, T> {
    all.slice(s![.., i * h..(i + 1) * h])
}

/// Gates beside each other.
pub(super) fn beside<T: Scalar, const G: usize>(gates: [Array2<T>; G]) -> Array2<T> {
    let views: Vec<_> = gates.iter().map(|g| g.view()).collect();
    concatenate(Axis(1), &views).expect("gates of one shape")
}

/// **Panics** unless the shapes fit a cell of `g` gates.
#[track_caller]
pub(super) fn check<T>(
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

/// What the derivative of a cell reads: the operands of its products, and what its gates let through.
#[derive(Debug)]
pub struct Cell<T> {
    pub(super) x: Array2<T>,
    pub(super) h: Array2<T>,
    pub(super) w: Array2<T>,
    pub(super) u: Array2<T>,
    /// LSTM: `C`. GRU: the candidate's part of the state, `H·Uₙ`.
    pub(super) inner: Array2<T>,
    /// After the logistic function and the tangent, beside each other.
    pub(super) gates: Array2<T>,
}

impl<T: Scalar> Cell<T> {
    pub(super) fn pull_x(&self, g: &Array2<T>, dx: &mut ArrayRef2<T>) {
        add_product(g.view(), self.w.t(), dx);
    }
    pub(super) fn pull_w(&self, g: &Array2<T>, dw: &mut ArrayRef2<T>) {
        add_product(self.x.t(), g.view(), dw);
    }
    pub(super) fn pull_u(&self, g: &Array2<T>, du: &mut ArrayRef2<T>) {
        add_product(self.h.t(), g.view(), du);
    }
}
