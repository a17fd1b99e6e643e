//! Losses: one number for a batch, the mean over its rows or entries.

use coenzyme::primitive;
use ndarray::{Array2, ArrayRef, ArrayRef2, Dimension, Zip};

use crate::class::{At, At2, Binary, Reads, Scalar, Unary};
use crate::{binary_rule, unary_rule};

/// The cross entropy of `softmax` of each row of `logits` (`(n, c)`) against one label per row, in nats; the mean over the rows.
/// **Panics** if there is not one label for each row, or a label is not below `c`. NaN for no rows.
///
/// `y = mean(ln Σⱼ e^(xᵢⱼ) − x[i, labelᵢ])`; derivative `G = (softmax(x) − onehot)/n`: forward `ẏ = ⟨G, ẋ⟩`, reverse
/// `x̄ += ȳ·G`. `G` is computed with the value, and is the tape.
///
/// ```
/// # use ndarray::array;
/// let loss = coenzyme_rules::nn::softmax_cross_entropy(&array![[0.0_f64, 0.0]], &[1]);
/// assert!((loss - 2.0_f64.ln()).abs() < 1e-15);
/// ```
#[primitive]
#[track_caller]
pub fn softmax_cross_entropy<T: Scalar>(logits: &ArrayRef2<T>, labels: &[usize]) -> T {
    check_labels(logits, labels);
    let sum: T = logits
        .rows()
        .into_iter()
        .zip(labels)
        .map(|(row, &label)| {
            let top = row.iter().fold(T::neg_infinity(), |a, &b| a.max(b));
            let sum: T = row.iter().map(|&x| (x - top).exp()).sum();
            sum.ln() + (top - row[label])
        })
        .sum();
    sum / T::lit(logits.nrows() as f64)
}

/// **Panics** unless there is a label for each row.
#[track_caller]
fn check_labels<T>(logits: &ArrayRef2<T>, labels: &[usize]) {
    assert!(
        labels.len() == logits.nrows(),
        "softmax_cross_entropy: {} labels for logits of shape {:?}",
        labels.len(),
        logits.shape()
    );
    if let Some(label) = labels.iter().find(|label| **label >= logits.ncols()) {
        panic!(
            "softmax_cross_entropy: label {label} for logits of shape {:?}",
            logits.shape()
        );
    }
}

impl softmax_cross_entropy {
    /// `(softmax(x) − onehot)/n`
    fn gradient<T: Scalar>(logits: &ArrayRef2<T>, labels: &[usize]) -> Array2<T> {
        let share = T::lit(logits.nrows() as f64).recip();
        let mut g = logits.to_owned();
        for (mut row, &label) in g.rows_mut().into_iter().zip(labels) {
            let top = row.iter().fold(T::neg_infinity(), |a, &b| a.max(b));
            row.mapv_inplace(|x| (x - top).exp());
            let factor = share / row.sum();
            row.mapv_inplace(|e| e * factor);
            row[label] -= share;
        }
        g
    }
}

impl<T: Scalar> Unary<ArrayRef2<T>> for softmax_cross_entropy {
    type Out = T;
    type Attrs<'a> = (&'a [usize],);
    /// The derivative.
    type Residual = Array2<T>;

    const READS: Reads = Reads::RESIDUAL;

    fn value(logits: &ArrayRef2<T>, (labels,): (&[usize],)) -> T {
        softmax_cross_entropy(logits, labels)
    }
    fn linearize(logits: &ArrayRef2<T>, (labels,): (&[usize],)) -> (T, Array2<T>) {
        let value = softmax_cross_entropy(logits, labels);
        (value, Self::gradient(logits, labels))
    }
    fn pushforward(
        at: &At<'_, ArrayRef2<T>, T, Array2<T>>,
        dx: &ArrayRef2<T>,
        _: (&[usize],),
    ) -> T {
        Zip::from(at.residual)
            .and(dx)
            .fold(T::zero(), |sum, &g, &dx| sum + g * dx)
    }
    fn pullback(
        at: &At<'_, ArrayRef2<T>, T, Array2<T>>,
        dy: &T,
        dx: &mut ArrayRef2<T>,
        _: (&[usize],),
    ) {
        dx.scaled_add(*dy, at.residual);
    }
}

unary_rule!(
    softmax_cross_entropy[T: Scalar](logits: ArrayRef2<T>; labels: [usize]) = softmax_cross_entropy
);

/// The mean of `(x − y)²` over all entries. **Panics** if the shapes differ. NaN for no entries.
///
/// Forward `ż = 2/n·⟨x − y, ẋ − ẏ⟩`, reverse `x̄ += 2z̄/n·(x − y)`, `ȳ −= 2z̄/n·(x − y)`.
#[primitive]
#[track_caller]
pub fn mean_squared_error<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, y: &ArrayRef<T, D>) -> T {
    assert!(
        x.shape() == y.shape(),
        "mean_squared_error: {:?} with {:?}",
        x.shape(),
        y.shape()
    );
    let sum = Zip::from(x)
        .and(y)
        .fold(T::zero(), |sum, &x, &y| sum + (x - y) * (x - y));
    sum / T::lit(x.len() as f64)
}

impl mean_squared_error {
    /// `target += factor·2/n·(x − y)`
    fn add<T: Scalar, D: Dimension>(
        factor: T,
        x: &ArrayRef<T, D>,
        y: &ArrayRef<T, D>,
        target: &mut ArrayRef<T, D>,
    ) {
        let factor = factor * T::lit(2.0 / x.len() as f64);
        Zip::from(target)
            .and(x)
            .and(y)
            .for_each(|t, &x, &y| *t += factor * (x - y));
    }
}

/// The point at which it is differentiated.
type Pair<'a, T, D> = At2<'a, ArrayRef<T, D>, ArrayRef<T, D>, T, ()>;

impl<T: Scalar, D: Dimension> Binary<ArrayRef<T, D>, ArrayRef<T, D>> for mean_squared_error {
    type Out = T;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: [Reads; 2] = [Reads::X.and(Reads::Y); 2];

    fn value(x: &ArrayRef<T, D>, y: &ArrayRef<T, D>, (): ()) -> T {
        mean_squared_error(x, y)
    }
    fn pushforward(
        at: &Pair<'_, T, D>,
        dx: Option<&ArrayRef<T, D>>,
        dy: Option<&ArrayRef<T, D>>,
        (): (),
    ) -> T {
        let along = |d: Option<&ArrayRef<T, D>>| {
            d.map_or(T::zero(), |d| {
                Zip::from(at.x)
                    .and(at.y)
                    .and(d)
                    .fold(T::zero(), |sum, &x, &y, &d| sum + (x - y) * d)
            })
        };
        T::lit(2.0 / at.x.len() as f64) * (along(dx) - along(dy))
    }
    fn pullback_x(at: &Pair<'_, T, D>, dz: &T, dx: &mut ArrayRef<T, D>, (): ()) {
        Self::add(*dz, at.x, at.y, dx);
    }
    fn pullback_y(at: &Pair<'_, T, D>, dz: &T, dy: &mut ArrayRef<T, D>, (): ()) {
        Self::add(-*dz, at.x, at.y, dy);
    }
}

binary_rule!(
    mean_squared_error[T: Scalar, D: Dimension](x: ArrayRef<T, D>, y: ArrayRef<T, D>) = mean_squared_error
);

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn cross_entropy_does_not_overflow() {
        assert_eq!(softmax_cross_entropy(&array![[1000.0, 0.0]], &[1]), 1000.0);
        let g = softmax_cross_entropy::gradient(&array![[1000.0, 0.0]], &[1]);
        assert_eq!(g, array![[1.0, -1.0]]);
    }

    #[test]
    #[should_panic(expected = "softmax_cross_entropy: 1 labels for logits of shape [2, 3]")]
    fn a_label_for_each_row_is_wanted() {
        let _ = softmax_cross_entropy(&Array2::<f64>::zeros((2, 3)), &[0]);
    }

    #[test]
    #[should_panic(expected = "softmax_cross_entropy: label 3 for logits of shape [1, 3]")]
    fn a_label_that_does_not_exist_is_named() {
        let _ = softmax_cross_entropy(&Array2::<f64>::zeros((1, 3)), &[3]);
    }

    #[test]
    #[should_panic(expected = "mean_squared_error: [2] with [1]")]
    fn shapes_that_differ_are_named() {
        let _ = mean_squared_error(&array![1.0, 2.0], &array![1.0]);
    }
}
