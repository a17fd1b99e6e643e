//! How unlikely classes are: of each row of logits or log-probabilities, the mean over the rows.

use coenzyme::primitive;
use ndarray::{Array2, ArrayRef2, Zip};

use crate::array::{log_softmax, softmax};
use crate::class::{At2, Binary, Linear, Reads, Scalar, Transposed};
use crate::{binary_rule, unary_rule};

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
