//! Normalization along the last axis: each row is brought to a fixed size, then scaled entry by entry.
//!
//! | value | shape | layer norm | RMS norm |
//! |---|---|---|---|
//! | `x` | `(…, n)` | | |
//! | `r` | `(…)` | `1/√(mean((x − x̄)²) + ε)` | `1/√(mean(x²) + ε)` |
//! | `x̂` | `(…, n)` | `r·(x − x̄)` | `r·x` |
//! | `w`, `b` | `(n)` | | no `b` |
//! | `y` | `(…, n)` | `x̂∘w + b` | `x̂∘w` |
//!
//! The map `ẋ ↦ x̂̇` is symmetric in each row: `N(d) = r·(d − mean(d) − x̂·mean(x̂∘d))`, for RMS norm without `mean(d)`. So
//! forward `ẏ = N(ẋ)∘w + x̂∘ẇ + ḃ`, reverse `x̄ += N(ȳ∘w)`, `w̄ += Σ ȳ∘x̂`, `b̄ += Σ ȳ`, the sums over the rows. The tape holds
//! `x̂` and `r`, where an active operand needs them.
//!
//! Sources: Ba, Kiros, Hinton 2016, *Layer Normalization*, arXiv:1607.06450; Zhang and Sennrich 2019, *Root Mean Square Layer
//! Normalization*, arXiv:1910.07467.

use coenzyme::{ForwardArg, Inactive, Lanes, ReverseArg, ReverseConfig, Saved};
use ndarray::{Array, ArrayRef, ArrayRef1, ArrayView1, ArrayViewMut1, Dimension, Zip};

use crate::class::{Scalar, effective};

/// Rows of fixed size, and what they were multiplied by.
#[derive(Debug)]
pub(super) struct Normalized<T, D: Dimension> {
    x: Array<T, D>,
    factor: Array<T, D::Smaller>,
}

/// `1/n`
fn share<T: Scalar>(n: usize) -> T {
    T::lit(n as f64).recip()
}

fn mean<T: Scalar>(x: ArrayView1<'_, T>) -> T {
    x.sum() * share(x.len())
}

impl<T: Scalar, D: Dimension> Normalized<T, D> {
    /// Normalizes each row, around its mean if `CENTERED`.
    pub(super) fn new<const CENTERED: bool>(x: &ArrayRef<T, D>, eps: Inactive<f64>) -> Self {
        let mut x = x.as_standard_layout().into_owned();
        let factor = Zip::from(x.rows_mut()).map_collect(|mut row| {
            if CENTERED {
                let mean = mean(row.view());
                row.mapv_inplace(|x| x - mean);
            }
            let square = row.dot(&row) * share(row.len());
            let factor = (square + T::lit(eps.0)).sqrt().recip();
            row.mapv_inplace(|x| x * factor);
            factor
        });
        Self { x, factor }
    }

    /// `x̂∘w + b`
    pub(super) fn scaled(&self, w: &ArrayRef1<T>, b: Option<&ArrayRef1<T>>) -> Array<T, D> {
        let mut y = self.x.clone();
        for row in y.rows_mut() {
            let row = Zip::from(row).and(w);
            match b {
                Some(b) => row.and(b).for_each(|y, &w, &b| *y = *y * w + b),
                None => row.for_each(|y, &w| *y *= w),
            }
        }
        y
    }

    /// `z += N(d∘w)∘v`, in each row; no `w` or `v` stands for ones.
    fn derivative<const CENTERED: bool>(
        &self,
        d: &ArrayRef<T, D>,
        w: Option<&ArrayRef1<T>>,
        v: Option<&ArrayRef1<T>>,
        z: &mut ArrayRef<T, D>,
    ) {
        let mut weighted = vec![T::zero(); self.x.shape().last().copied().unwrap_or(0)];
        Zip::from(z.rows_mut())
            .and(d.rows())
            .and(self.x.rows())
            .and(&self.factor)
            .for_each(|mut z: ArrayViewMut1<'_, T>, d, x, &factor| {
                let row = Zip::from(ArrayViewMut1::from(&mut weighted[..])).and(d);
                match w {
                    Some(w) => row.and(w).for_each(|g, &d, &w| *g = d * w),
                    None => row.for_each(|g, &d| *g = d),
                }
                let d = ArrayView1::from(&weighted[..]);
                let center = if CENTERED { mean(d) } else { T::zero() };
                let along = d.dot(&x) * share(x.len());
                let add = |d: T, x: T| factor * (d - center - x * along);
                let rows = Zip::from(&mut z).and(d).and(x);
                match v {
                    Some(v) => rows.and(v).for_each(|z, &d, &x, &v| *z += v * add(d, x)),
                    None => rows.for_each(|z, &d, &x| *z += add(d, x)),
                }
            });
    }

    /// `dw += Σ dy∘x̂`
    fn add_to_weight(&self, dy: &ArrayRef<T, D>, dw: &mut ArrayRef1<T>) {
        for (dy, x) in dy.rows().into_iter().zip(self.x.rows()) {
            Zip::from(&mut *dw)
                .and(dy)
                .and(x)
                .for_each(|dw, &dy, &x| *dw += dy * x);
        }
    }
}

/// **Panics** unless the weights have one entry for each entry of a row.
#[track_caller]
pub(super) fn check_weights<T, D: Dimension>(
    name: &str,
    x: &ArrayRef<T, D>,
    weights: &[&ArrayRef1<T>],
) {
    for w in weights {
        assert!(
            x.shape().last() == Some(&w.len()),
            "{name}: rows of shape {:?} and weights of shape {:?}",
            x.shape(),
            w.shape()
        );
    }
}

/// What the reverse pass reads again: `x̂` and the factors if `x` or `w` is active, `w` if `x` is.
#[derive(Debug)]
pub struct NormTape<T: Scalar, D: Dimension> {
    normalized: Option<Normalized<T, D>>,
    w: Saved<ArrayRef1<T>>,
}

/// The tangent of either norm, from handles.
pub(super) fn tangent<const CENTERED: bool, T, D, X, K, const W: usize>(
    n: &Normalized<T, D>,
    x: &X,
    w: &K,
    lane: usize,
    strong_zero: bool,
) -> Array<T, D>
where
    T: Scalar,
    D: Dimension,
    X: ForwardArg<ArrayRef<T, D>, W>,
    K: ForwardArg<ArrayRef1<T>, W>,
{
    let mut dy = effective(w.tangent(lane), strong_zero)
        .map_or_else(|| Array::zeros(n.x.raw_dim()), |dw| n.scaled(dw, None));
    if let Some(dx) = effective(x.tangent(lane), strong_zero) {
        n.derivative::<CENTERED>(dx, None, Some(w.primal()), &mut dy);
    }
    dy
}

/// The value of either norm and the tape, from handles.
pub(super) fn begin<const CENTERED: bool, T, D, X, K, const W: usize>(
    config: &ReverseConfig,
    returns_active: bool,
    x: &X,
    w: &K,
    b: Option<&ArrayRef1<T>>,
    eps: Inactive<f64>,
) -> (Array<T, D>, NormTape<T, D>)
where
    T: Scalar,
    D: Dimension,
    X: ReverseArg<ArrayRef<T, D>, W>,
    K: ReverseArg<ArrayRef1<T>, W>,
{
    let normalized = Normalized::new::<CENTERED>(x.primal(), eps);
    let y = normalized.scaled(w.primal(), b);
    let active = returns_active && (x.is_active() || w.is_active());
    let tape = NormTape {
        normalized: active.then_some(normalized),
        w: Saved::new(
            w.primal(),
            returns_active && x.is_active() && config.overwritten(1),
        ),
    };
    (y, tape)
}

/// The cotangents of `x` and `w` in either norm.
pub(super) fn finish<const CENTERED: bool, T, D, X, K, L, const W: usize>(
    config: &ReverseConfig,
    dret: &L,
    tape: &NormTape<T, D>,
    x: &mut X,
    w: &mut K,
) -> (X::Gradient, K::Gradient)
where
    T: Scalar,
    D: Dimension,
    X: ReverseArg<ArrayRef<T, D>, W>,
    K: ReverseArg<ArrayRef1<T>, W>,
    L: Lanes<Array<T, D>>,
{
    let of_x = x.accumulate(|lane, _, mut dx| {
        let dy = effective(dret.lane(lane), config.strong_zero());
        if let (Some(dy), Some(n)) = (dy, &tape.normalized) {
            let w = tape.w.get(w.primal());
            dx.accumulate_with(|dx| n.derivative::<CENTERED>(dy, Some(w), None, dx));
        }
    });
    let of_w = w.accumulate(|lane, _, mut dw| {
        let dy = effective(dret.lane(lane), config.strong_zero());
        if let (Some(dy), Some(n)) = (dy, &tape.normalized) {
            dw.accumulate_with(|dw| n.add_to_weight(dy, dw));
        }
    });
    (of_x, of_w)
}
