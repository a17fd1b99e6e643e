//! Dropout with a given mask, and rows of a table.
//!
//! | function | forward | reverse |
//! |---|---|---|
//! | [`dropout()`] | `ẏ = ẋ∘m/keep` | `x̄ += ȳ∘m/keep` |
//! | [`embedding()`] | rows of `Ẇ` | `W̄[idᵢ] += Ȳ[i]`, in the order of the ids |
//!
//! Source: Srivastava et al. 2014, *Dropout*, JMLR 15, scaled in training (inverted dropout).

use coenzyme::{Inactive, primitive};
use ndarray::{Array, Array2, ArrayRef, ArrayRef2, Axis, Dimension, Zip};

use crate::class::{Linear, Scalar, Transposed};
use crate::unary_rule;

/// `x/keep` where the mask is true and 0 elsewhere, where `keep` is the probability of true. **Panics** if the shapes differ.
///
/// The mask is drawn by the caller, whose random numbers it is a matter of; its type has no derivative, nor has `keep`.
///
/// ```
/// # use ndarray::array;
/// use coenzyme::Inactive;
///
/// let y = coenzyme_rules::nn::dropout(&array![1.0, 2.0], &array![true, false], Inactive(0.5));
/// assert_eq!(y, array![2.0, 0.0]);
/// ```
#[primitive]
#[track_caller]
pub fn dropout<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    mask: &ArrayRef<bool, D>,
    keep: Inactive<f64>,
) -> Array<T, D> {
    assert!(
        x.shape() == mask.shape(),
        "dropout: {:?} with a mask {:?}",
        x.shape(),
        mask.shape()
    );
    let by = T::lit(keep.0.recip());
    Zip::from(x)
        .and(mask)
        .map_collect(|&x, &m| if m { x * by } else { T::zero() })
}

impl<T: Scalar, D: Dimension + 'static> Linear<ArrayRef<T, D>> for dropout {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a ArrayRef<bool, D>, &'a Inactive<f64>);

    fn apply(x: &ArrayRef<T, D>, (mask, keep): Self::Attrs<'_>) -> Array<T, D> {
        dropout(x, mask, *keep)
    }
    fn transpose(dy: &Array<T, D>, dx: &mut ArrayRef<T, D>, (mask, keep): Self::Attrs<'_>) {
        let by = T::lit(keep.0.recip());
        Zip::from(dx).and(dy).and(mask).for_each(|dx, &dy, &m| {
            if m {
                *dx += dy * by;
            }
        });
    }
}

unary_rule!(
    dropout[T: Scalar, D: Dimension + 'static](x: ArrayRef<T, D>; mask: ArrayRef<bool, D>, keep: Inactive<f64>)
        = Transposed<dropout>
);

/// The rows `ids` of `table` (`(v, d)`), as `(ids, d)`. **Panics** if there is no such row.
///
/// ```
/// # use ndarray::array;
/// let y = coenzyme_rules::nn::embedding(&array![[1.0, 2.0], [3.0, 4.0]], &[1, 1]);
/// assert_eq!(y, array![[3.0, 4.0], [3.0, 4.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn embedding<T: Scalar>(table: &ArrayRef2<T>, ids: &[usize]) -> Array2<T> {
    if let Some(id) = ids.iter().find(|id| **id >= table.nrows()) {
        panic!("embedding: row {id} of a table {:?}", table.shape());
    }
    table.select(Axis(0), ids)
}

impl<T: Scalar> Linear<ArrayRef2<T>> for embedding {
    type Out = Array2<T>;
    type Attrs<'a> = (&'a [usize],);

    fn apply(table: &ArrayRef2<T>, (ids,): (&[usize],)) -> Array2<T> {
        embedding(table, ids)
    }
    fn transpose(dy: &Array2<T>, dx: &mut ArrayRef2<T>, (ids,): (&[usize],)) {
        for (&id, dy) in ids.iter().zip(dy.rows()) {
            let mut row = dx.row_mut(id);
            row += &dy;
        }
    }
}

unary_rule!(embedding[T: Scalar](table: ArrayRef2<T>; ids: [usize]) = Transposed<embedding>);

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    #[should_panic(expected = "embedding: row 2 of a table [2, 1]")]
    fn a_row_that_is_not_there_is_named() {
        let _ = embedding(&array![[1.0], [2.0]], &[0, 2]);
    }

    #[test]
    #[should_panic(expected = "dropout: [2] with a mask [3]")]
    fn a_mask_of_another_shape_is_named() {
        let _ = dropout(
            &array![1.0, 2.0],
            &ndarray::Array1::from_elem(3, true),
            Inactive(0.5),
        );
    }
}
