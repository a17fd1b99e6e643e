//! Sparse Jacobians and Hessians: columns that share no row are found in one pass, by colours.

use super::{chunks, hvp};
use crate::activity::{Active, BatchDuplicated, BatchDuplicatedNoNeed, Duplicated};
use crate::config::ForwardConfig;
use crate::dual::Dual;
use crate::real::Real;
use crate::rule::{ForwardRule, Function, Outcome, ReverseRule};
use crate::tangent::Tangent;

/// Which entries of a matrix may be other than zero.
///
/// ```
/// use coenzyme::Pattern;
///
/// // tridiagonal: three colours, whatever the size
/// let rows = (0..100_usize).map(|i| (i.saturating_sub(1)..(i + 2).min(100)).collect());
/// let pattern = Pattern::new(100, rows);
/// assert_eq!(pattern.colours(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The columns of each row.
    rows: Vec<Vec<usize>>,
    /// The colour of each column.
    colour: Vec<usize>,
    colours: usize,
}

impl Pattern {
    /// From the columns of each row. Columns get the first colour that no column with a row in common has, in order (Curtis, Powell and Reid,
    /// *On the estimation of sparse Jacobian matrices*, 1974).
    ///
    /// # Panics
    /// If a row names a column that there is not.
    #[track_caller]
    pub fn new(columns: usize, rows: impl IntoIterator<Item = Vec<usize>>) -> Self {
        let rows: Vec<Vec<usize>> = rows.into_iter().collect();
        let mut rows_of = vec![Vec::new(); columns];
        for (i, row) in rows.iter().enumerate() {
            for &j in row {
                assert!(
                    j < columns,
                    "row {i} of the pattern names column {j} of {columns}"
                );
                rows_of[j].push(i);
            }
        }
        let (mut colour, mut colours) = (vec![usize::MAX; columns], 0);
        // the column that last ruled a colour out
        let mut ruled_out = vec![usize::MAX; columns + 1];
        for j in 0..columns {
            for &i in &rows_of[j] {
                for &other in rows[i].iter().filter(|&&other| colour[other] != usize::MAX) {
                    ruled_out[colour[other]] = j;
                }
            }
            let free = (0..=columns).find(|&c| ruled_out[c] != j);
            colour[j] = free.expect("there are more colours than columns");
            colours = colours.max(colour[j] + 1);
        }
        Self {
            rows,
            colour,
            colours,
        }
    }

    /// Of the entries of a dense matrix, given by its rows, that are not zero: what is found at one point serves at all others whose
    /// entries are zero where these are. An entry may be zero by chance: take a point where none is, at random, and unite what is found
    /// at two or three if branches or tables decide which there are.
    ///
    /// ```
    /// use coenzyme::prelude::*;
    /// use coenzyme::{Pattern, hessian, hessian_sparse};
    ///
    /// #[differentiable(order = 2)]
    /// fn chain(x: &[f64]) -> f64 {
    ///     x.windows(2).map(|w| (w[1] - w[0]).powi(4)).sum()
    /// }
    ///
    /// let x: Vec<f64> = (0..50).map(|i| f64::from(i * i)).collect();
    /// let pattern = Pattern::of_nonzeros(50, &hessian!(chain, &x));
    /// // three products for a Hessian of fifty columns, wherever it is wanted
    /// assert_eq!(pattern.colours(), 3);
    /// let x = vec![1.0; 50];
    /// assert_eq!(hessian_sparse(&chain {}, &x, &pattern).len(), 148);
    /// ```
    ///
    /// # Panics
    /// If a row has not as many entries as there are columns.
    #[track_caller]
    pub fn of_nonzeros<R: AsRef<[f64]>>(columns: usize, rows: impl IntoIterator<Item = R>) -> Self {
        let nonzeros = |(i, row): (usize, R)| {
            let (row, n) = (row.as_ref(), row.as_ref().len());
            assert_eq!(
                n, columns,
                "row {i} has {n} entries, the pattern {columns} columns"
            );
            (0..n).filter(|&j| row[j] != 0.0).collect()
        };
        Self::new(columns, rows.into_iter().enumerate().map(nonzeros))
    }

    /// The entries of either pattern.
    ///
    /// ```
    /// use coenzyme::Pattern;
    ///
    /// let (left, right) = (Pattern::new(2, [vec![0]]), Pattern::new(2, [vec![0, 1]]));
    /// assert_eq!(left.union(&right), right);
    /// ```
    ///
    /// # Panics
    /// If they have not one shape.
    #[track_caller]
    pub fn union(&self, other: &Self) -> Self {
        let shape = |p: &Self| (p.rows.len(), p.colour.len());
        let (left, right) = (shape(self), shape(other));
        assert_eq!(
            left, right,
            "the patterns are of {left:?} and {right:?} rows and columns"
        );
        let both = |(left, right): (&Vec<usize>, &Vec<usize>)| {
            let mut row = [&left[..], &right[..]].concat();
            row.sort_unstable();
            row.dedup();
            row
        };
        Self::new(left.1, self.rows.iter().zip(&other.rows).map(both))
    }

    /// How many passes the matrix takes.
    pub fn colours(&self) -> usize {
        self.colours
    }

    /// The sum of the unit vectors of a colour.
    fn direction<T: Real>(&self, colour: usize) -> Vec<T> {
        let entry = |&c: &usize| if c == colour { T::one() } else { T::zero() };
        self.colour.iter().map(entry).collect()
    }

    /// Takes the entries out of the product of the matrix with the direction of a colour.
    fn entries<T: Copy>(&self, colour: usize, product: &[T], found: &mut Vec<(usize, usize, T)>) {
        for (i, row) in self.rows.iter().enumerate() {
            let columns = row.iter().filter(|&&j| self.colour[j] == colour);
            found.extend(columns.map(|&j| (i, j, product[i])));
        }
    }

    #[track_caller]
    fn check(&self, outputs: usize) {
        let rows = self.rows.len();
        assert_eq!(
            rows, outputs,
            "the pattern has {rows} rows, the derivative {outputs}"
        );
    }
}

/// The entries of the Jacobian of `f` at `x` that `pattern` has, as `(row, column, value)`, by forward mode with `W` colours a pass. An entry that
/// the pattern leaves out and that is not zero spoils others: compare with [`jacobian_forward`](super::jacobian_forward) once.
///
/// If `f` returns `Result` or `Option`, so does this.
///
/// # Panics
/// If the pattern has not the shape of the Jacobian; as `f` and its rules do.
#[track_caller]
pub fn jacobian_sparse<const W: usize, F, Out>(
    f: &F,
    x: &[f64],
    pattern: &Pattern,
) -> Out::Of<Vec<(usize, usize, f64)>>
where
    F: for<'a> Function<(&'a [f64],), Output = Out>,
    Out: Outcome,
    F: for<'a> ForwardRule<
            BatchDuplicatedNoNeed<Out, Out, W>,
            (BatchDuplicated<&'a [f64], Vec<f64>, W>,),
            W,
        >,
{
    let (n, m) = (x.len(), pattern.colour.len());
    assert_eq!(n, m, "the point has {n} entries, the pattern {m} columns");
    let mut found = Vec::new();
    let config = ForwardConfig::new(false);
    let outcome = chunks::<Out>(pattern.colours, W, |start| {
        let seeds = std::array::from_fn(|lane| pattern.direction(start + lane));
        let mut arg = BatchDuplicated::from_parts(x, seeds);
        let tangents = f.forward(&config, (&mut arg,));
        Out::map_of(tangents, |tangents: [Out::Value; W]| {
            for (colour, tangent) in (start..pattern.colours).zip(&tangents) {
                let product = Tangent::to_flat(tangent);
                pattern.check(product.len());
                pattern.entries(colour, &product, &mut found);
            }
        })
    });
    let outcome = outcome.unwrap_or_else(|| Outcome::map_value(f.call((x,)), drop));
    Out::map_of(outcome, |()| found)
}

/// The entries of the Hessian of `f` at `x` that `pattern` has, as `(row, column, value)`: a Hessian-vector product for each colour. As for
/// [`jacobian_sparse`], the pattern has all entries that are not zero.
///
/// # Panics
/// If the pattern has not the shape of the Hessian; as `f` and its rules do.
#[track_caller]
pub fn hessian_sparse<F, T, Out>(
    f: &F,
    x: &[T],
    pattern: &Pattern,
) -> Out::Of<Vec<(usize, usize, T)>>
where
    T: Real,
    Out: Outcome<Value = Dual<T>>,
    F: for<'a> Function<(&'a [Dual<T>],), Output = Out>,
    F: for<'a> ReverseRule<Active<Out>, (Duplicated<&'a [Dual<T>], Vec<Dual<T>>>,), 1>,
{
    let (n, m) = (x.len(), pattern.colour.len());
    assert_eq!(n, m, "the point has {n} entries, the pattern {m} columns");
    pattern.check(n);
    let mut found = Vec::new();
    let outcome = chunks::<Out>(pattern.colours, 1, |colour| {
        let product = hvp(f, x, &pattern.direction(colour));
        Out::map_of(product, |product| {
            pattern.entries(colour, &product, &mut found)
        })
    });
    let outcome = outcome.unwrap_or_else(|| Outcome::map_value(f.call((&[],)), drop));
    Out::map_of(outcome, |()| found)
}
