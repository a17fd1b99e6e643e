//! Jacobians of functions from a vector to a vector.

use super::{NaturalReturn, chunks};
use crate::activity::{BatchDuplicated, BatchDuplicatedNoNeed};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{AugmentedReturn, ForwardRule, Function, Outcome, ReverseReturn, ReverseRule};
use crate::tangent::Tangent;

/// A Jacobian: `rows` outputs by `columns` inputs, row after row.
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

impl Jacobian {
    pub(super) fn zeros(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            entries: vec![0.0; rows * columns],
        }
    }

    /// Writes the derivatives by input `j`; the first column says how many outputs there are.
    pub(super) fn set_column(&mut self, j: usize, column: &[f64]) {
        if self.rows == 0 {
            *self = Self::zeros(column.len(), self.columns);
        }
        for (i, entry) in column.iter().enumerate() {
            self.entries[i * self.columns + j] = *entry;
        }
    }

    /// Writes the derivatives of output `i`.
    pub(super) fn set_row(&mut self, i: usize, row: &[f64]) {
        self.entries[i * self.columns..][..self.columns].copy_from_slice(row);
    }

    /// The number of outputs.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of inputs.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The derivatives of output `i`.
    ///
    /// # Panics
    /// If there is no such output.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.columns..][..self.columns]
    }

    /// All entries, row after row.
    pub fn as_slice(&self) -> &[f64] {
        &self.entries
    }
}

impl std::ops::Index<(usize, usize)> for Jacobian {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.row(i)[j]
    }
}

#[cfg(feature = "ndarray")]
impl From<Jacobian> for ndarray::Array2<f64> {
    fn from(j: Jacobian) -> Self {
        ndarray::Array2::from_shape_vec((j.rows, j.columns), j.entries)
            .expect("rows × columns entries")
    }
}

/// The Jacobian of `f` at `x`, by forward mode in chunks of `W` columns: one pass of width `W` per chunk. Choose it when
/// there are fewer inputs than outputs.
///
/// If `f` returns `Result` or `Option`, so does this.
///
/// ```
/// use coenzyme::{jacobian_forward};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// let jacobian = jacobian_forward::<4, _, _>(&cubes {}, &[1.0, 2.0]);
/// assert_eq!((jacobian.rows(), jacobian.columns()), (1, 2));
/// assert_eq!(jacobian[(0, 1)], 12.0);
/// # }
/// ```
///
/// # Panics
/// As `f` and its rules do.
pub fn jacobian_forward<const W: usize, F, Out>(f: &F, x: &[f64]) -> Out::Of<Jacobian>
where
    F: for<'a> Function<(&'a [f64],), Output = Out>,
    Out: Outcome,
    F: for<'a> ForwardRule<
            BatchDuplicatedNoNeed<Out, Out, W>,
            (BatchDuplicated<&'a [f64], Vec<f64>, W>,),
            W,
        >,
{
    let columns = x.len();
    let config = ForwardConfig::new(false);
    let mut jacobian = Jacobian::zeros(0, columns);
    let outcome = chunks::<Out>(columns, W, |start| {
        let seeds = std::array::from_fn(|lane| one_hot(columns, start + lane));
        let mut arg = BatchDuplicated::from_parts(x, seeds);
        let tangents = f.forward(&config, (&mut arg,));
        Out::map_of(tangents, |tangents: [Out::Value; W]| {
            for (column, tangent) in (start..columns).zip(&tangents) {
                jacobian.set_column(column, &Tangent::to_flat(tangent));
            }
        })
    });
    match outcome {
        Some(outcome) => Out::map_of(outcome, |()| jacobian),
        None => Outcome::map_value(f.call((x,)), |y| {
            Jacobian::zeros(Tangent::to_flat(&y).len(), 0)
        }),
    }
}

/// The return activity by which reverse mode returns an `Out`.
type Returned<Out, const W: usize> =
    <<<Out as Outcome>::Value as NaturalReturn>::Reverse as super::returning::Tag<Out, W>>::R;

/// The Jacobian of `f` at `x`, by reverse mode in chunks of `W` rows: one primal and one pass of width `W` per chunk. Choose
/// it when there are fewer outputs than inputs.
///
/// If `f` returns `Result` or `Option`, so does this.
///
/// ```
/// use coenzyme::{jacobian_reverse};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// let jacobian = jacobian_reverse::<1, _, _>(&cubes {}, &[1.0, 2.0]);
/// assert_eq!(jacobian.row(0), [3.0, 12.0]);
/// # }
/// ```
///
/// # Panics
/// As `f` and its rules do.
pub fn jacobian_reverse<const W: usize, F, Out>(f: &F, x: &[f64]) -> Out::Of<Jacobian>
where
    F: for<'a> Function<(&'a [f64],), Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: super::returning::Tag<Out, W>>>,
    Returned<Out, W>: ReverseReturn<W, Out = Out, Cotangent = [Out::Value; W]>,
    F: for<'a> ReverseRule<Returned<Out, W>, (BatchDuplicated<&'a [f64], Vec<f64>, W>,), W>,
{
    let columns = x.len();
    let config = ReverseConfig::new(false);
    let y = f.call((x,));
    let Some(zero) = Outcome::value(&y).map(Tangent::zero_like) else {
        return Outcome::map_value(y, |_| Jacobian::zeros(0, columns));
    };
    let rows = Tangent::to_flat(&zero).len();
    let mut jacobian = Jacobian::zeros(rows, columns);
    let outcome = chunks::<Out>(rows, W, |start| {
        let mut arg = BatchDuplicated::from_parts(x, std::array::from_fn(|_| vec![0.0; columns]));
        let augmented = f.augmented_primal(&config, (&mut arg,));
        Out::map_of(augmented, |AugmentedReturn { tape, .. }| {
            let seeds = std::array::from_fn(|lane| {
                let mut seed = Tangent::zero_like(&zero);
                Tangent::unflatten(&mut seed, &one_hot(rows, start + lane));
                seed
            });
            f.reverse(&config, seeds, tape, (&mut arg,));
            let (_, shadows) = arg.into_parts();
            for (row, shadow) in (start..rows).zip(&shadows) {
                jacobian.set_row(row, shadow);
            }
        })
    });
    match outcome {
        Some(outcome) => Out::map_of(outcome, |()| jacobian),
        None => Outcome::map_value(y, |_| jacobian),
    }
}

/// Lanes of a Jacobian whose mode is chosen.
const LANES: usize = 4;

/// The Jacobian of `f` at `x`, by forward mode if there are as many outputs as inputs or more, else by reverse mode; four lanes a pass. How many
/// outputs there are is known from one call of `f` more.
///
/// If `f` returns `Result` or `Option`, so does this.
///
/// ```
/// use coenzyme::jacobian;
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// assert_eq!(jacobian(&cubes {}, &[1.0, 2.0]).row(0), [3.0, 12.0]);
/// # }
/// ```
///
/// # Panics
/// As `f` and its rules do.
pub fn jacobian<F, Out>(f: &F, x: &[f64]) -> Out::Of<Jacobian>
where
    F: for<'a> Function<(&'a [f64],), Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: super::returning::Tag<Out, LANES>>>,
    F: for<'a> ForwardRule<
            BatchDuplicatedNoNeed<Out, Out, LANES>,
            (BatchDuplicated<&'a [f64], Vec<f64>, LANES>,),
            LANES,
        >,
    Returned<Out, LANES>: ReverseReturn<LANES, Out = Out, Cotangent = [Out::Value; LANES]>,
    F: for<'a> ReverseRule<
            Returned<Out, LANES>,
            (BatchDuplicated<&'a [f64], Vec<f64>, LANES>,),
            LANES,
        >,
{
    Out::map_of(value_and_jacobian(f, x), |(_, jacobian)| jacobian)
}

/// The value of `f` at `x` and its Jacobian: see [`jacobian`].
///
/// ```
/// use coenzyme::value_and_jacobian;
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// let (value, jacobian) = value_and_jacobian(&cubes {}, &[1.0, 2.0]);
/// assert_eq!((value, jacobian.row(0)), (9.0, &[3.0, 12.0][..]));
/// # }
/// ```
///
/// # Panics
/// As `f` and its rules do.
pub fn value_and_jacobian<F, Out>(f: &F, x: &[f64]) -> Out::Of<(Out::Value, Jacobian)>
where
    F: for<'a> Function<(&'a [f64],), Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: super::returning::Tag<Out, LANES>>>,
    F: for<'a> ForwardRule<
            BatchDuplicatedNoNeed<Out, Out, LANES>,
            (BatchDuplicated<&'a [f64], Vec<f64>, LANES>,),
            LANES,
        >,
    Returned<Out, LANES>: ReverseReturn<LANES, Out = Out, Cotangent = [Out::Value; LANES]>,
    F: for<'a> ReverseRule<
            Returned<Out, LANES>,
            (BatchDuplicated<&'a [f64], Vec<f64>, LANES>,),
            LANES,
        >,
{
    let y = f.call((x,));
    let rows = Outcome::value(&y).map_or(0, |y| Tangent::to_flat(y).len());
    let mut found = None;
    let by_columns = x.len() <= rows;
    let outcome = match by_columns {
        true => jacobian_forward::<LANES, F, Out>(f, x),
        false => jacobian_reverse::<LANES, F, Out>(f, x),
    };
    let outcome = Out::map_of(outcome, |jacobian| found = Some(jacobian));
    let (mut value, mut jacobian) = (None, found);
    Outcome::map_value(y, |y| value = Some(y));
    Out::map_of(outcome, |()| {
        let both = value.take().zip(jacobian.take());
        both.expect("a function that has derivatives at a point has a value there")
    })
}

/// The product of the Jacobian of `f` at `x` with `v`: the derivative along `v`, in the shape of what `f` returns. One forward pass.
///
/// ```
/// use coenzyme::jvp;
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// assert_eq!(jvp(&cubes {}, &[1.0, 2.0], &[1.0, -1.0]), -9.0);
/// # }
/// ```
///
/// # Panics
/// If `v` has not the length of `x`; as `f` and its rules do.
#[track_caller]
pub fn jvp<F, Out>(f: &F, x: &[f64], v: &[f64]) -> Out::Of<Out::Value>
where
    F: for<'a> Function<(&'a [f64],), Output = Out>,
    Out: Outcome,
    F: for<'a> ForwardRule<
            BatchDuplicatedNoNeed<Out, Out, 1>,
            (BatchDuplicated<&'a [f64], Vec<f64>, 1>,),
            1,
        >,
{
    let (n, m) = (x.len(), v.len());
    assert_eq!(n, m, "jvp: the point has {n} entries, the direction {m}");
    let mut arg = BatchDuplicated::from_parts(x, [v.to_vec()]);
    let tangents = f.forward(&ForwardConfig::new(false), (&mut arg,));
    Out::map_of(tangents, |[tangent]: [Out::Value; 1]| tangent)
}

/// The product of the transposed Jacobian of `f` at `x` with `seed`, a cotangent in the shape of what `f` returns. One reverse pass.
///
/// ```
/// use coenzyme::vjp;
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// assert_eq!(vjp(&cubes {}, &[1.0, 2.0], 0.5), [1.5, 6.0]);
/// # }
/// ```
///
/// # Panics
/// As `f` and its rules do.
pub fn vjp<F, Out>(f: &F, x: &[f64], seed: Out::Value) -> Out::Of<Vec<f64>>
where
    F: for<'a> Function<(&'a [f64],), Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: super::returning::Tag<Out, 1>>>,
    Returned<Out, 1>: ReverseReturn<1, Out = Out, Cotangent = [Out::Value; 1]>,
    F: for<'a> ReverseRule<Returned<Out, 1>, (BatchDuplicated<&'a [f64], Vec<f64>, 1>,), 1>,
{
    let config = ReverseConfig::new(false);
    let mut arg = BatchDuplicated::from_parts(x, [vec![0.0; x.len()]]);
    let augmented = f.augmented_primal(&config, (&mut arg,));
    Out::map_of(augmented, |AugmentedReturn { tape, .. }| {
        f.reverse(&config, [seed], tape, (&mut arg,));
        let (_, [shadow]) = arg.into_parts();
        shadow
    })
}

/// The unit vector along `axis`; zero if there is no such axis, which fills up the last chunk.
pub(super) fn one_hot(len: usize, axis: usize) -> Vec<f64> {
    (0..len).map(|i| f64::from(i == axis)).collect()
}
