//! Jacobians of functions from a vector to a vector.

use super::NaturalReturn;
use crate::activity::{BatchDuplicated, BatchDuplicatedNoNeed};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{ForwardRule, Function, Outcome, ReverseReturn, ReverseRule};
use crate::tangent::Tangent;

/// A Jacobian: `rows` outputs by `columns` inputs, row after row.
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

impl Jacobian {
    fn zeros(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            entries: vec![0.0; rows * columns],
        }
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
/// # Panics
/// As `f` and its rules do.
pub fn jacobian_forward<const W: usize, F, Out>(f: &F, x: &[f64]) -> Jacobian
where
    F: for<'a> Function<(&'a [f64],), Output = Out>,
    Out: Outcome<Value = Out, Of<[Out; W]> = [Out; W]> + Tangent,
    F: for<'a> ForwardRule<
            BatchDuplicatedNoNeed<Out, Out, W>,
            (BatchDuplicated<&'a [f64], Vec<f64>, W>,),
            W,
        >,
{
    let columns = x.len();
    let mut jacobian = None;
    for start in (0..columns).step_by(W) {
        let one_hot = |lane| {
            let mut seed = vec![0.0; columns];
            if let Some(entry) = seed.get_mut(start + lane) {
                *entry = 1.0;
            }
            seed
        };
        let mut arg = BatchDuplicated::from_parts(x, std::array::from_fn(one_hot));
        let tangents: [Out; W] = f.forward(&ForwardConfig::new(false), (&mut arg,));
        for (column, tangent) in (start..columns).zip(&tangents) {
            let tangent = tangent.flatten();
            let jacobian = jacobian.get_or_insert_with(|| Jacobian::zeros(tangent.len(), columns));
            for (i, entry) in tangent.into_iter().enumerate() {
                jacobian.entries[i * columns + column] = entry;
            }
        }
    }
    jacobian.unwrap_or_else(|| Jacobian::zeros(f.call((x,)).flatten().len(), 0))
}

/// The return activity by which reverse mode returns an `Out`.
type Returned<Out, const W: usize> =
    <<Out as NaturalReturn>::Reverse as super::returning::Tag<Out, W>>::R;

/// The Jacobian of `f` at `x`, by reverse mode in chunks of `W` rows: one primal and one pass of width `W` per chunk. Choose
/// it when there are fewer outputs than inputs.
///
/// # Panics
/// As `f` and its rules do.
pub fn jacobian_reverse<const W: usize, F, Out>(f: &F, x: &[f64]) -> Jacobian
where
    F: for<'a> Function<(&'a [f64],), Output = Out>,
    Out: Outcome<Value = Out>
        + Tangent<Owned = Out>
        + NaturalReturn<Reverse: super::returning::Tag<Out, W>>,
    Returned<Out, W>: ReverseReturn<W, Out = Out, Cotangent = [Out; W]>,
    F: for<'a> ReverseRule<Returned<Out, W>, (BatchDuplicated<&'a [f64], Vec<f64>, W>,), W>,
{
    let columns = x.len();
    let zero = f.call((x,)).zero_like();
    let rows = zero.flatten().len();
    let mut jacobian = Jacobian::zeros(rows, columns);
    let config = ReverseConfig::new(false);
    for start in (0..rows).step_by(W) {
        let mut arg = BatchDuplicated::from_parts(x, std::array::from_fn(|_| vec![0.0; columns]));
        let augmented = f.augmented_primal(&config, (&mut arg,));
        let seeds = std::array::from_fn(|lane| {
            let mut flat = vec![0.0; rows];
            if let Some(entry) = flat.get_mut(start + lane) {
                *entry = 1.0;
            }
            let mut seed = zero.zero_like();
            seed.unflatten(&flat);
            seed
        });
        let mut tape = None;
        Out::map_of(augmented, |a| tape = Some(a.tape));
        f.reverse(
            &config,
            seeds,
            tape.expect("an outcome without error has a tape"),
            (&mut arg,),
        );
        let (_, shadows) = arg.into_parts();
        for (row, shadow) in (start..rows).zip(&shadows) {
            jacobian.entries[row * columns..][..columns].copy_from_slice(shadow);
        }
    }
    jacobian
}
