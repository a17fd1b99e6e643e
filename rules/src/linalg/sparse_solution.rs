//! Sparse systems.
//!
//! Rows and columns are numbered anew by the reverse Cuthill–McKee order, which brings the entries of a matrix of neighbourhoods (a
//! mesh, a chain) near to the diagonal, and the rest is a [banded](super::solve_banded()) system.
//!
//! Source: George & Liu 1981, *Computer Solution of Large Sparse Positive Definite Systems*, chapter 4.

use std::collections::VecDeque;

use coenzyme::primitive;
use ndarray::{Array, Array2, ArrayRef, ArrayRef1, Dimension};

use super::banded::BandLu;
use super::triangular::{columns, like};
use super::{Error, Pattern};
use crate::class::{Scalar, several_rule};

/// The factors in the new order, and the place of each row and column in it.
#[derive(Debug)]
pub struct SparseLu<T> {
    lu: BandLu<T>,
    place: Vec<usize>,
    pattern: Pattern,
}

/// The numbers of the rows in reverse Cuthill–McKee order: breadth first, from a row with the fewest neighbours, those with
/// fewer neighbours first; backwards.
fn order(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let degree = |i: &usize| neighbours[*i].len();
    let mut starts: Vec<usize> = (0..neighbours.len()).collect();
    starts.sort_by_key(degree);
    let mut seen = vec![false; neighbours.len()];
    let mut order = Vec::with_capacity(neighbours.len());
    for start in starts {
        let mut queue = VecDeque::new();
        if !seen[start] {
            seen[start] = true;
            queue.push_back(start);
        }
        while let Some(i) = queue.pop_front() {
            order.push(i);
            let mut next: Vec<usize> = neighbours[i]
                .iter()
                .copied()
                .filter(|j| !seen[*j])
                .collect();
            next.sort_by_key(degree);
            next.iter().for_each(|j| seen[*j] = true);
            queue.extend(next);
        }
    }
    order.reverse();
    order
}

impl<T: Scalar> SparseLu<T> {
    fn new(values: &ArrayRef1<T>, pattern: &Pattern) -> Result<Self, Error> {
        let n = pattern.shape().0;
        let mut neighbours = vec![Vec::new(); n];
        for (i, j, _) in pattern.each().filter(|(i, j, _)| i != j) {
            neighbours[i].push(j);
            neighbours[j].push(i);
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let mut place = vec![0; n];
        for (to, from) in order(&neighbours).into_iter().enumerate() {
            place[from] = to;
        }
        let distance = |from: fn(usize, usize) -> usize| {
            let each = pattern.each().map(|(i, j, _)| from(place[i], place[j]));
            each.max().unwrap_or(0)
        };
        let below = distance(|i, j| i.saturating_sub(j));
        let above = distance(|i, j| j.saturating_sub(i));
        let mut band = Array2::zeros((n, below + above + 1));
        for (i, j, e) in pattern.each() {
            band[(place[i], below + place[j] - place[i])] += values[e];
        }
        let lu = BandLu::new(n, [below, above], |i, j| band[(i, below + j - i)]);
        let lu = lu.map_err(|error| match error {
            Error::Singular { column } => Error::Singular {
                column: place
                    .iter()
                    .position(|&to| to == column)
                    .expect("each has a place"),
            },
            other => other,
        })?;
        Ok(Self {
            lu,
            place,
            pattern: pattern.clone(),
        })
    }

    /// The rows of `b` in the new order, solved with, and back.
    fn through(&self, b: &Array2<T>, solve: impl Fn(Array2<T>) -> Array2<T>) -> Array2<T> {
        let mut ordered = Array2::zeros(b.raw_dim());
        for (&to, row) in self.place.iter().zip(b.rows()) {
            ordered.row_mut(to).assign(&row);
        }
        solve(ordered).select(ndarray::Axis(0), &self.place)
    }
}

/// The solution `X` of `A·X = B` for a sparse square matrix, which has the `values` of the entries of a [`Pattern`]; an entry that is
/// stored twice counts twice. `B` has shape `(n)` or `(n, k)`. `O(n·w²)` flops, where `w` is the band width in reverse Cuthill–McKee
/// order: 1 for a chain, `√n` for a mesh of the plane. **Panics** if the shapes do not fit.
///
/// Forward `Ẋ = A⁻¹(Ḃ − Ȧ·X)`; reverse with `S = A⁻ᵀX̄`: `B̄ += S`, `āᵢⱼ −= ⟨Sᵢ, Xⱼ⟩` for stored entries only. The factors are on the
/// tape.
///
/// # Errors
/// [`Error::Singular`] if no pivot is left in a column, in the order of the elimination.
///
/// ```
/// # use ndarray::array;
/// use coenzyme_rules::linalg::{Pattern, sparse_solve};
/// // [[0, 2], [4, 0]]
/// let pattern = Pattern::new(2, vec![0, 1, 2], vec![1, 0]);
/// assert_eq!(sparse_solve(&array![2.0, 4.0], &array![2.0, 12.0], &pattern), Ok(array![3.0, 1.0]));
/// ```
#[primitive]
#[track_caller]
pub fn sparse_solve<T: Scalar, D: Dimension>(
    values: &ArrayRef1<T>,
    b: &ArrayRef<T, D>,
    pattern: &Pattern,
) -> Result<Array<T, D>, Error> {
    Ok(sparse_solve::evaluate(values, b, pattern)?.0)
}

/// The right-hand side as a matrix.
fn matrix<T: Scalar, D: Dimension>(b: &ArrayRef<T, D>) -> Array2<T> {
    columns("sparse_solve", b.shape(), b)
}

impl sparse_solve {
    #[track_caller]
    fn evaluate<T: Scalar, D: Dimension>(
        values: &ArrayRef1<T>,
        b: &ArrayRef<T, D>,
        pattern: &Pattern,
    ) -> Result<(Array<T, D>, SparseLu<T>), Error> {
        let (m, n) = pattern.shape();
        assert!(
            m == n && values.len() == pattern.entries(),
            "sparse_solve: {:?} values of {} entries of a square matrix, of shape {:?}",
            values.shape(),
            pattern.entries(),
            pattern.shape()
        );
        let right = columns("sparse_solve", &[m, n], b);
        let kept = SparseLu::new(values, pattern)?;
        let x = kept.through(&right, |b| kept.lu.solve(b));
        Ok((like(x, b.raw_dim()), kept))
    }

    fn pushforward<T: Scalar, D: Dimension>(
        x: &Array<T, D>,
        kept: &SparseLu<T>,
        dvalues: Option<&ArrayRef1<T>>,
        db: Option<&ArrayRef<T, D>>,
    ) -> Array<T, D> {
        let value = matrix(x);
        let mut right = db.map_or_else(|| Array2::zeros(value.raw_dim()), |db| matrix(db));
        if let Some(dvalues) = dvalues {
            for (i, j, e) in kept.pattern.each() {
                right.row_mut(i).scaled_add(-dvalues[e], &value.row(j));
            }
        }
        like(kept.through(&right, |b| kept.lu.solve(b)), x.raw_dim())
    }

    fn pull<T: Scalar, D: Dimension>(
        _: &Array<T, D>,
        kept: &SparseLu<T>,
        dx: &Array<T, D>,
    ) -> Array2<T> {
        kept.through(&matrix(dx), |b| kept.lu.solve_transposed(b))
    }
    fn pull_values<T: Scalar, D: Dimension>(
        x: &Array<T, D>,
        kept: &SparseLu<T>,
        s: &Array2<T>,
        dvalues: &mut ArrayRef1<T>,
    ) {
        let x = matrix(x);
        for (i, j, e) in kept.pattern.each() {
            dvalues[e] -= s.row(i).dot(&x.row(j));
        }
    }
    fn pull_b<T: Scalar, D: Dimension>(
        _: &Array<T, D>,
        _: &SparseLu<T>,
        s: &Array2<T>,
        db: &mut ArrayRef<T, D>,
    ) {
        *db += &like(s.clone(), db.raw_dim());
    }
}

several_rule!(
    sparse_solve[T: Scalar, D: Dimension + 'static](
        values: ArrayRef1<T> => pull_values, b: ArrayRef<T, D> => pull_b; pattern: Pattern
    ) -> Result<Array<T, D>, Error>, keeps SparseLu<T>, pulls Array2<T>
);
