//! Losses of a prediction and a target, entry by entry: the mean over the entries, or over the rows.

use std::marker::PhantomData;

use coenzyme::{Inactive, primitive};
use ndarray::{Array2, ArrayRef, ArrayRef2, Dimension, Zip};

use crate::array::{log_softmax, softmax};
use crate::class::{At2, Binary, Linear, Reads, Scalar, Transposed};
use crate::scalar::{logistic, softplus};
use crate::{binary_rule, unary_rule};

/// The loss of one entry, with a parameter that has no derivative.
trait PairLoss<T> {
    /// What the parameter is.
    type Parameter: Copy;
    /// The mean is over the rows, along the last axis, and not over the entries.
    const BY_ROWS: bool;

    /// The loss of the prediction `x` where `y` was wanted.
    fn value(x: T, y: T, parameter: Self::Parameter) -> T;

    /// The partials in `x` and in `y`.
    fn partials(x: T, y: T, parameter: Self::Parameter) -> (T, T);
}

/// The mean of a [`PairLoss`].
#[derive(Debug)]
pub struct MeanOf<F>(PhantomData<F>);

impl<F> MeanOf<F> {
    /// One over the number of what the mean is over.
    fn share<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> T
    where
        F: PairLoss<T>,
    {
        let row = if F::BY_ROWS {
            x.shape().last().copied().unwrap_or(1)
        } else {
            1
        };
        let rows = x.len().checked_div(row).unwrap_or(0);
        T::lit(rows as f64).recip()
    }

    #[track_caller]
    fn mean<T: Scalar, D: Dimension>(
        name: &str,
        x: &ArrayRef<T, D>,
        y: &ArrayRef<T, D>,
        parameter: F::Parameter,
    ) -> T
    where
        F: PairLoss<T>,
    {
        assert!(
            x.shape() == y.shape(),
            "{name}: {:?} with {:?}",
            x.shape(),
            y.shape()
        );
        let add = |sum: T, &x: &T, &y: &T| sum + F::value(x, y, parameter);
        Zip::from(x).and(y).fold(T::zero(), add) * Self::share(x)
    }
}

type Pair<'a, T, D> = At2<'a, ArrayRef<T, D>, ArrayRef<T, D>, T, ()>;

/// The function, and its rules.
macro_rules! pair_losses {
    ($($(#[$doc:meta])* $name:ident($($parameter:ident: $P:ty)?);)+) => {$(
        $(#[$doc])*
        ///
        /// **Panics** if the shapes differ. NaN for nothing.
        #[primitive]
        #[track_caller]
        pub fn $name<T: Scalar, D: Dimension>(
            x: &ArrayRef<T, D>,
            y: &ArrayRef<T, D>
            $(, $parameter: $P)?
        ) -> T {
            MeanOf::<$name>::mean(stringify!($name), x, y, ($($parameter,)?))
        }

        impl<T: Scalar, D: Dimension> Binary<ArrayRef<T, D>, ArrayRef<T, D>> for MeanOf<$name> {
            type Out = T;
            type Attrs<'a> = ($(&'a $P,)?);
            type Residual = ();

            const READS: [Reads; 2] = [Reads::X.and(Reads::Y); 2];

            #[track_caller]
            fn value(x: &ArrayRef<T, D>, y: &ArrayRef<T, D>, ($($parameter,)?): Self::Attrs<'_>) -> T {
                Self::mean(stringify!($name), x, y, ($(*$parameter,)?))
            }
            fn pushforward(
                at: &Pair<'_, T, D>,
                dx: Option<&ArrayRef<T, D>>,
                dy: Option<&ArrayRef<T, D>>,
                ($($parameter,)?): Self::Attrs<'_>,
            ) -> T {
                let partials = |x: T, y: T| <$name as PairLoss<T>>::partials(x, y, ($(*$parameter,)?));
                let along = |d: Option<&ArrayRef<T, D>>, which: fn((T, T)) -> T| {
                    d.map_or(T::zero(), |d| {
                        let add = |sum: T, &x: &T, &y: &T, &d: &T| sum + which(partials(x, y)) * d;
                        Zip::from(at.x).and(at.y).and(d).fold(T::zero(), add)
                    })
                };
                Self::share(at.x) * (along(dx, |p| p.0) + along(dy, |p| p.1))
            }
            fn pullback_x(at: &Pair<'_, T, D>, dz: &T, dx: &mut ArrayRef<T, D>, ($($parameter,)?): Self::Attrs<'_>) {
                let factor = *dz * Self::share(at.x);
                Zip::from(dx).and(at.x).and(at.y).for_each(|dx, &x, &y| {
                    *dx += factor * <$name as PairLoss<T>>::partials(x, y, ($(*$parameter,)?)).0;
                });
            }
            fn pullback_y(at: &Pair<'_, T, D>, dz: &T, dy: &mut ArrayRef<T, D>, ($($parameter,)?): Self::Attrs<'_>) {
                let factor = *dz * Self::share(at.x);
                Zip::from(dy).and(at.x).and(at.y).for_each(|dy, &x, &y| {
                    *dy += factor * <$name as PairLoss<T>>::partials(x, y, ($(*$parameter,)?)).1;
                });
            }
        }

        binary_rule!(
            $name[T: Scalar, D: Dimension](x: ArrayRef<T, D>, y: ArrayRef<T, D> $(; $parameter: $P)?) = MeanOf<$name>
        );
    )+};
}

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

/// The cross entropy `−Σ yⱼ·ln softmax(x)ⱼ` of each row of logits `x` (`(n, c)`) and weights `y` of the classes, such as smoothed
/// labels or another network's probabilities; the mean over the rows. **Panics** if the shapes differ. NaN for no rows.
///
/// Forward and reverse with the partials `(softmax(x)·Σy − y)/n` and `−ln softmax(x)/n`. See
/// [`softmax_cross_entropy()`](super::softmax_cross_entropy()) for labels.
///
/// ```
/// # use ndarray::array;
/// let loss = coenzyme_rules::nn::soft_cross_entropy(&array![[0.0_f64, 0.0]], &array![[0.3, 0.7]]);
/// assert!((loss - 2.0_f64.ln()).abs() < 1e-15);
/// ```
#[primitive]
#[track_caller]
pub fn soft_cross_entropy<T: Scalar>(x: &ArrayRef2<T>, y: &ArrayRef2<T>) -> T {
    assert!(
        x.shape() == y.shape(),
        "soft_cross_entropy: {:?} with {:?}",
        x.shape(),
        y.shape()
    );
    -dot(&log_softmax(x, 1), y) / T::lit(x.nrows() as f64)
}

/// `Σ xᵢⱼ·yᵢⱼ`
fn dot<T: Scalar>(x: &ArrayRef2<T>, y: &ArrayRef2<T>) -> T {
    let add = |sum: T, &x: &T, &y: &T| sum + x * y;
    Zip::from(x).and(y).fold(T::zero(), add)
}

impl soft_cross_entropy {
    /// `factor·∂/∂x`
    fn of_x<T: Scalar>(x: &ArrayRef2<T>, y: &ArrayRef2<T>, factor: T) -> Array2<T> {
        let mut g = softmax(x, 1);
        for (mut g, y) in g.rows_mut().into_iter().zip(y.rows()) {
            let sum = y.sum();
            g.zip_mut_with(&y, |g, &y| *g = factor * (*g * sum - y));
        }
        g
    }
}

impl<T: Scalar> Binary<ArrayRef2<T>, ArrayRef2<T>> for soft_cross_entropy {
    type Out = T;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: [Reads; 2] = [Reads::X.and(Reads::Y), Reads::X];

    #[track_caller]
    fn value(x: &ArrayRef2<T>, y: &ArrayRef2<T>, (): ()) -> T {
        soft_cross_entropy(x, y)
    }
    fn pushforward(
        at: &At2<'_, ArrayRef2<T>, ArrayRef2<T>, T, ()>,
        dx: Option<&ArrayRef2<T>>,
        dy: Option<&ArrayRef2<T>>,
        (): (),
    ) -> T {
        let share = T::lit(at.x.nrows() as f64).recip();
        let of_x = dx.map_or(T::zero(), |dx| dot(&Self::of_x(at.x, at.y, share), dx));
        let of_y = dy.map_or(T::zero(), |dy| share * dot(&log_softmax(at.x, 1), dy));
        of_x - of_y
    }
    fn pullback_x(
        at: &At2<'_, ArrayRef2<T>, ArrayRef2<T>, T, ()>,
        dz: &T,
        dx: &mut ArrayRef2<T>,
        (): (),
    ) {
        *dx += &Self::of_x(at.x, at.y, *dz / T::lit(at.x.nrows() as f64));
    }
    fn pullback_y(
        at: &At2<'_, ArrayRef2<T>, ArrayRef2<T>, T, ()>,
        dz: &T,
        dy: &mut ArrayRef2<T>,
        (): (),
    ) {
        let factor = -*dz / T::lit(at.x.nrows() as f64);
        dy.scaled_add(factor, &log_softmax(at.x, 1));
    }
}

binary_rule!(soft_cross_entropy[T: Scalar](x: ArrayRef2<T>, y: ArrayRef2<T>) = soft_cross_entropy);

/// The negative log-likelihood `−x[i, labelᵢ]` of one label for each row of log-probabilities `x` (`(n, c)`), the mean over the rows.
/// **Panics** if there is not one label for each row, or a label is not below `c`. NaN for no rows.
///
/// Linear: reverse `x̄[i, labelᵢ] −= ȳ/n`.
///
/// ```
/// # use ndarray::array;
/// assert_eq!(coenzyme_rules::nn::negative_log_likelihood(&array![[-1.0, -2.0], [-3.0, -5.0]], &[1, 0]), 2.5);
/// ```
#[primitive]
#[track_caller]
pub fn negative_log_likelihood<T: Scalar>(x: &ArrayRef2<T>, labels: &[usize]) -> T {
    assert!(
        labels.len() == x.nrows() && labels.iter().all(|label| *label < x.ncols()),
        "negative_log_likelihood: labels {labels:?} for log-probabilities of shape {:?}",
        x.shape()
    );
    let sum: T = x
        .rows()
        .into_iter()
        .zip(labels)
        .map(|(x, &label)| x[label])
        .sum();
    -sum / T::lit(x.nrows() as f64)
}

impl<T: Scalar> Linear<ArrayRef2<T>> for negative_log_likelihood {
    type Out = T;
    type Attrs<'a> = (&'a [usize],);

    #[track_caller]
    fn apply(x: &ArrayRef2<T>, (labels,): (&[usize],)) -> T {
        negative_log_likelihood(x, labels)
    }
    fn transpose(dy: &T, dx: &mut ArrayRef2<T>, (labels,): (&[usize],)) {
        let share = *dy / T::lit(dx.nrows() as f64);
        for (mut dx, &label) in dx.rows_mut().into_iter().zip(labels) {
            dx[label] -= share;
        }
    }
}

unary_rule!(
    negative_log_likelihood[T: Scalar](x: ArrayRef2<T>; labels: [usize]) = Transposed<negative_log_likelihood>
);
