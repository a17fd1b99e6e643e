//! Arrays somewhere in memory.

use coenzyme::ndarray::{Array, ArrayView, ArrayViewMut, Dim, Dimension, IntoDimension, Slice};
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::Strategy;
use std::ops::Range;

use super::coordinate;
use crate::canary::{canary, is_canary};

/// Steps between neighbouring entries of an axis, from the simplest.
const STEPS: [isize; 5] = [1, 2, 3, -1, -2];

/// An array somewhere in memory: at an offset, with a step along each axis, among canaries.
#[derive(Clone, Debug)]
pub struct Placed<const N: usize>
where
    Dim<[usize; N]>: Dimension,
{
    parent: Array<f64, Dim<[usize; N]>>,
    axes: Vec<(usize, isize)>,
}

impl<const N: usize> Placed<N>
where
    Dim<[usize; N]>: Dimension,
    [usize; N]: IntoDimension<Dim = Dim<[usize; N]>>,
{
    /// Puts numbers, in row-major order, into memory where `axes` say: the offset and the step of each axis.
    fn new(shape: [usize; N], axes: Vec<(usize, isize)>, numbers: &[f64]) -> Self {
        let whole = |axis: usize| {
            let (offset, step) = axes[axis];
            // An axis of `n` entries spans one step less: nothing lies behind the last.
            let span =
                shape[axis].saturating_sub(1) * step.unsigned_abs() + usize::from(shape[axis] > 0);
            offset + span
        };
        let parent = Array::from_elem(std::array::from_fn::<_, N, _>(whole), canary());
        let mut placed = Placed { parent, axes };
        placed
            .view_mut()
            .iter_mut()
            .zip(numbers)
            .for_each(|(entry, number)| *entry = *number);
        placed
    }

    /// The array.
    pub fn view(&self) -> ArrayView<'_, f64, Dim<[usize; N]>> {
        let axes = &self.axes;
        self.parent
            .slice_each_axis(|axis| slice(axes[axis.axis.index()]))
    }

    /// The array, to be written.
    pub fn view_mut(&mut self) -> ArrayViewMut<'_, f64, Dim<[usize; N]>> {
        let axes = &self.axes;
        self.parent
            .slice_each_axis_mut(|axis| slice(axes[axis.axis.index()]))
    }

    /// Whether nothing was written beside the array.
    pub fn is_untouched_beside(&self) -> bool {
        let mut rest = self.clone();
        rest.view_mut().fill(canary());
        rest.parent.iter().all(|entry| is_canary(*entry))
    }
}

fn slice((offset, step): (usize, isize)) -> Slice {
    Slice::new(offset as isize, None, step)
}

/// An array of this shape, of [`coordinate`]s, at any offset and with any steps; it shrinks to contiguous memory.
///
/// ```
/// use coenzyme_testutils::strategies;
/// use proptest::prelude::*;
///
/// proptest!(|(mut x in strategies::shape::<2>(40).prop_flat_map(|shape| strategies::placed(shape, -3.0..3.0)))| {
///     x.view_mut().mapv_inplace(|x| 2.0 * x);
///     prop_assert!(x.is_untouched_beside());
/// });
/// ```
///
/// **Panics** if `range` is empty or infinite.
#[track_caller]
pub fn placed<const N: usize>(
    shape: [usize; N],
    range: Range<f64>,
) -> impl Strategy<Value = Placed<N>>
where
    Dim<[usize; N]>: Dimension,
    [usize; N]: IntoDimension<Dim = Dim<[usize; N]>>,
{
    let axes = vec((0..3_usize, select(STEPS.as_slice())), N);
    let numbers = vec(coordinate(range), shape.iter().product::<usize>());
    (axes, numbers).prop_map(move |(axes, numbers)| Placed::new(shape, axes, &numbers))
}
