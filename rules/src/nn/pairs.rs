//! Losses of a prediction and a target, entry by entry: the mean over the entries, or over the rows.

use coenzyme::{Inactive, primitive};
use ndarray::{ArrayRef, Dimension, Zip};

use super::pair_class::{MeanOf, Pair, PairLoss, pair_losses};
use crate::binary_rule;
use crate::class::{Binary, Reads, Scalar};
use crate::scalar::{logistic, softplus};

pair_losses! {
    /// The mean of `½(x − y)²` where `|x − y| ≤ δ`, and `δ(|x − y| − ½δ)` elsewhere. Partials `±max(−δ, min(x − y, δ))`.
    ///
    /// Source: Huber 1964, *Robust estimation of a location parameter*, Ann. Math. Statist. 35.
    ///
    /// ```
    /// # use ndarray::array;
    /// use coenzyme::Inactive;
    /// let y = coenzyme_rules::nn::huber(&array![0.5, 3.0], &array![0.0, 0.0], Inactive(1.0));
    /// assert_eq!(y, (0.125 + 2.5) / 2.0);
    /// ```
    huber(delta: Inactive<f64>);
    /// The mean of `|x − y|`. Partials `±sign(x − y)`, and 0 where they are equal.
    ///
    /// ```
    /// # use ndarray::array;
    /// assert_eq!(coenzyme_rules::nn::mean_absolute_error(&array![1.0, -2.0], &array![0.0, 0.0]), 1.5);
    /// ```
    mean_absolute_error();
    /// The mean of the binary cross entropy `ln(1 + eˣ) − x·y` of logits `x` and probabilities `y`, without overflow. Partials
    /// `σ(x) − y` and `−x`.
    ///
    /// ```
    /// # use ndarray::array;
    /// let y = coenzyme_rules::nn::bce_with_logits(&array![0.0_f64, 800.0], &array![1.0, 1.0]);
    /// assert!((y - 0.5 * 2.0_f64.ln()).abs() < 1e-15);
    /// ```
    bce_with_logits();
    /// The divergence `Σ y(ln y − x)` of log-probabilities `x` from probabilities `y` along the last axis, the mean over the rows.
    /// Partials `−y` and `ln y + 1 − x`. An entry of `y` that is 0 contributes 0, also beside an infinite `x`; its partial is −∞.
    ///
    /// ```
    /// # use ndarray::array;
    /// let half = 0.5_f64.ln();
    /// let y = coenzyme_rules::nn::kl_divergence(&array![[half, half]], &array![[1.0, 0.0]]);
    /// assert!((y - 2.0_f64.ln()).abs() < 1e-15);
    /// ```
    kl_divergence();
}

impl<T: Scalar> PairLoss<T> for huber {
    type Parameter = (Inactive<f64>,);
    const BY_ROWS: bool = false;

    fn value(x: T, y: T, (Inactive(delta),): Self::Parameter) -> T {
        let (half, delta, far) = (T::lit(0.5), T::lit(delta), (x - y).abs());
        if far <= delta {
            half * far * far
        } else {
            delta * (far - half * delta)
        }
    }
    fn partials(x: T, y: T, (Inactive(delta),): Self::Parameter) -> (T, T) {
        let (delta, far) = (T::lit(delta), x - y);
        let p = if far > delta {
            delta
        } else if far < -delta {
            -delta
        } else {
            far
        };
        (p, -p)
    }
}

impl<T: Scalar> PairLoss<T> for mean_absolute_error {
    type Parameter = ();
    const BY_ROWS: bool = false;

    fn value(x: T, y: T, (): ()) -> T {
        (x - y).abs()
    }
    fn partials(x: T, y: T, (): ()) -> (T, T) {
        let p = coenzyme::ops::abs::partial(x - y, (x - y).abs());
        (p, -p)
    }
}

impl<T: Scalar> PairLoss<T> for bce_with_logits {
    type Parameter = ();
    const BY_ROWS: bool = false;

    fn value(x: T, y: T, (): ()) -> T {
        // ln(1 + eˣ) − x·y, where both are large
        if x > T::zero() {
            softplus(-x) + x * (T::one() - y)
        } else {
            softplus(x) - x * y
        }
    }
    fn partials(x: T, y: T, (): ()) -> (T, T) {
        (logistic(x) - y, -x)
    }
}

impl<T: Scalar> PairLoss<T> for kl_divergence {
    type Parameter = ();
    const BY_ROWS: bool = true;

    fn value(x: T, y: T, (): ()) -> T {
        if y.is_zero() {
            T::zero()
        } else {
            y * (y.ln() - x)
        }
    }
    fn partials(x: T, y: T, (): ()) -> (T, T) {
        (-y, y.ln() + T::one() - x)
    }
}
