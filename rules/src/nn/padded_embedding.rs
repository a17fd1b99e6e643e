//! Rows of a table, one of which stands for nothing.

use coenzyme::primitive;
use ndarray::{Array2, ArrayRef2};

use crate::class::{Linear, Scalar, Transposed};
use crate::unary_rule;

/// The rows `ids` of `table` (`(v, d)`), as [`embedding()`](super::embedding()), but zeros where the id is `padding`, whatever the table holds there: that
/// row has no derivative. `padding` need not be a row. **Panics** if another id is not a row.
///
/// Reverse: `W̄[idᵢ] += Ȳ[i]` for the other ids.
///
/// ```
/// # use ndarray::array;
/// let y = coenzyme_rules::nn::embedding_padded(&array![[1.0, 2.0], [3.0, 4.0]], &[1, 0], 0);
/// assert_eq!(y, array![[3.0, 4.0], [0.0, 0.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn embedding_padded<T: Scalar>(
    table: &ArrayRef2<T>,
    ids: &[usize],
    padding: usize,
) -> Array2<T> {
    let mut y = Array2::zeros((ids.len(), table.ncols()));
    for (mut y, &id) in y
        .rows_mut()
        .into_iter()
        .zip(ids)
        .filter(|(_, id)| **id != padding)
    {
        assert!(
            id < table.nrows(),
            "embedding_padded: row {id} of a table {:?}",
            table.shape()
        );
        y.assign(&table.row(id));
    }
    y
}

impl<T: Scalar> Linear<ArrayRef2<T>> for embedding_padded {
    type Out = Array2<T>;
    type Attrs<'a> = (&'a [usize], &'a usize);

    #[track_caller]
    fn apply(table: &ArrayRef2<T>, (ids, &padding): (&[usize], &usize)) -> Array2<T> {
        embedding_padded(table, ids, padding)
    }
    fn transpose(dy: &Array2<T>, dtable: &mut ArrayRef2<T>, (ids, padding): (&[usize], &usize)) {
        for (dy, &id) in dy
            .rows()
            .into_iter()
            .zip(ids)
            .filter(|(_, id)| *id != padding)
        {
            let mut row = dtable.row_mut(id);
            row += &dy;
        }
    }
}

unary_rule!(
    embedding_padded[T: Scalar](table: ArrayRef2<T>; ids: [usize], padding: usize) = Transposed<embedding_padded>
);
