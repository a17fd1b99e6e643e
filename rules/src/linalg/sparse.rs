//! Sparse matrices by rows.
//!
//! The values are an ordinary array and have derivatives; the [`Pattern`] (which entries there are) is an attribute, shared and
//! without derivative. The cotangent of a sparse matrix so has its pattern.
//!
//! Source: the rules of [`matvec()`](super::matvec()), Giles 2008, with what is not stored left out.

use std::sync::Arc;

use coenzyme::{Tangent, primitive};
use ndarray::{Array1, ArrayRef1};

use crate::binary_rule;
use crate::class::{Bilinear, Product, Scalar};

/// Which entries of a sparse matrix are stored, in compressed rows. Clones share it.
#[derive(Clone, Debug, PartialEq, Eq, Tangent)]
pub struct Pattern(#[tangent(inactive)] Arc<Rows>);

impl crate::class::Attribute for Pattern {}

#[derive(Debug, PartialEq, Eq)]
struct Rows {
    columns: usize,
    /// Row `i` holds the entries `starts[i]..starts[i + 1]`.
    starts: Vec<usize>,
    indices: Vec<usize>,
}

impl Pattern {
    /// The pattern of a matrix with this number of `columns`, of which row `i` holds the entries `starts[i]..starts[i + 1]`,
    /// in the columns `indices`. **Panics** if `starts` does not begin at 0, decreases or does not end at the number of
    /// indices, or an index is not a column.
    #[must_use]
    #[track_caller]
    pub fn new(columns: usize, starts: Vec<usize>, indices: Vec<usize>) -> Self {
        assert!(
            starts.first() == Some(&0)
                && starts.is_sorted()
                && starts.last() == Some(&indices.len()),
            "row starts {starts:?} of {} entries",
            indices.len()
        );
        if let Some(j) = indices.iter().find(|j| **j >= columns) {
            panic!("column {j} of a pattern with {columns} columns");
        }
        Self(Arc::new(Rows {
            columns,
            starts,
            indices,
        }))
    }

    /// Rows and columns.
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        (self.0.starts.len() - 1, self.0.columns)
    }

    /// The number of stored entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.0.indices.len()
    }

    /// Row, column and number of each stored entry.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let rows = self.0.starts.windows(2).enumerate();
        rows.flat_map(move |(i, w)| (w[0]..w[1]).map(move |e| (i, self.0.indices[e], e)))
    }
}

/// The product `y = A·x` of a sparse matrix and a vector: `A` has the `values` of the entries of a [`Pattern`]. **Panics** if
/// there is not one value for each entry, or one entry of `x` for each column. An entry that is stored twice counts twice.
///
/// Forward `ẏ = Ȧ·x + A·ẋ`, reverse `āᵢⱼ += ȳᵢ·xⱼ` for stored entries only, `x̄ += Aᵀ·ȳ`: two flops an entry each.
///
/// ```
/// # use ndarray::array;
/// use coenzyme_rules::linalg::{Pattern, sparse_matvec};
/// let pattern = Pattern::new(3, vec![0, 2, 3], vec![0, 2, 1]);
/// let y = sparse_matvec(&array![1.0, 2.0, 3.0], &array![1.0, 10.0, 100.0], &pattern);
/// assert_eq!(y, array![201.0, 30.0]);
/// ```
#[primitive]
#[track_caller]
pub fn sparse_matvec<T: Scalar>(
    values: &ArrayRef1<T>,
    x: &ArrayRef1<T>,
    pattern: &Pattern,
) -> Array1<T> {
    assert!(
        values.len() == pattern.entries() && x.len() == pattern.shape().1,
        "sparse_matvec: {:?} values of {} entries, of shape {:?}, times {:?}",
        values.shape(),
        pattern.entries(),
        pattern.shape(),
        x.shape()
    );
    let mut y = Array1::zeros(pattern.shape().0);
    sparse_matvec::product_add(&mut y, values, x, (pattern,));
    y
}

impl<T: Scalar> Bilinear<ArrayRef1<T>, ArrayRef1<T>> for sparse_matvec {
    type Out = Array1<T>;
    type Attrs<'a> = (&'a Pattern,);

    fn product(values: &ArrayRef1<T>, x: &ArrayRef1<T>, (pattern,): (&Pattern,)) -> Array1<T> {
        sparse_matvec(values, x, pattern)
    }
    fn product_add(
        y: &mut Array1<T>,
        values: &ArrayRef1<T>,
        x: &ArrayRef1<T>,
        (pattern,): (&Pattern,),
    ) {
        pattern
            .each()
            .for_each(|(i, j, e)| y[i] += values[e] * x[j]);
    }
    fn transpose_x(
        dy: &Array1<T>,
        x: &ArrayRef1<T>,
        da: &mut ArrayRef1<T>,
        (pattern,): (&Pattern,),
    ) {
        pattern.each().for_each(|(i, j, e)| da[e] += dy[i] * x[j]);
    }
    fn transpose_y(
        dy: &Array1<T>,
        values: &ArrayRef1<T>,
        dx: &mut ArrayRef1<T>,
        (pattern,): (&Pattern,),
    ) {
        pattern
            .each()
            .for_each(|(i, j, e)| dx[j] += dy[i] * values[e]);
    }
}

binary_rule!(
    sparse_matvec[T: Scalar](values: ArrayRef1<T>, x: ArrayRef1<T>; pattern: Pattern) = Product<sparse_matvec>
);

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    #[should_panic(expected = "sparse_matvec: [1] values of 2 entries, of shape (1, 3), times [3]")]
    fn shapes_that_do_not_fit_are_named() {
        let pattern = Pattern::new(3, vec![0, 2], vec![0, 2]);
        let _ = sparse_matvec(&array![1.0], &array![1.0, 2.0, 3.0], &pattern);
    }

    #[test]
    #[should_panic(expected = "column 3 of a pattern with 3 columns")]
    fn a_column_that_is_not_there_is_named() {
        let _ = Pattern::new(3, vec![0, 1], vec![3]);
    }

    #[test]
    #[should_panic(expected = "row starts [0, 2, 1] of 1 entries")]
    fn starts_that_decrease_are_named() {
        let _ = Pattern::new(3, vec![0, 2, 1], vec![0]);
    }
}
