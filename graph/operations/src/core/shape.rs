//! Changes of shape and order.

use std::sync::Arc;

use coenzyme_rules::array::*;
use ndarray::{Array1, ArrayD};

use super::dynamic::{broadcast_to, reshape};
use super::outlines::{along, batch, classified, read, same, shaped};
use crate::call::{Attrs, Operation, Outline, Signature};
use crate::erase::{Any, Axes, Axis, Lengths, NewAxis, Widths};
use crate::error::OpError;
use crate::operation;
use crate::value::{Shape, Spec};

pub(super) fn all() -> Vec<Arc<dyn Operation>> {
    vec![
        operation!("core::reshape" = reshape[x: Any<T>; shape: Lengths] -> ArrayD<T>, for [f64 f32 linear], |s, x, a| {
            let shape = read::<Lengths>(s, x, a, "shape")?;
            classified::<coenzyme_rules::array::reshape, 1>(s, x, a, &shape)
        }, batch batch::shape),
        operation!("core::broadcast_to" = broadcast_to[x: Any<T>; shape: Lengths] -> ArrayD<T>, for [f64 f32 linear],
        |s, x, a| {
            let shape = read::<Lengths>(s, x, a, "shape")?;
            classified::<coenzyme_rules::array::broadcast_to, 1>(s, x, a, &shape)
        }),
        operation!("core::flatten" = flatten[x: Any<T>] -> Array1<T>, for [f64 f32 linear],
            |s, x, a| classified::<flatten, 1>(s, x, a, ())),
        operation!("core::transpose" = transpose[x: Any<T>] -> ArrayD<T>, for [f64 f32 linear],
            |s, x, a| classified::<transpose, 1>(s, x, a, ())),
        operation!("core::permute" = permute[x: Any<T>; axes: Axes] -> ArrayD<T>, for [f64 f32 linear], |s, x, a| {
            let axes = read::<Axes>(s, x, a, "axes")?;
            classified::<permute, 1>(s, x, a, &axes)
        }, batch batch::permutation),
        operation!("core::flip" = flip[x: Any<T>; axis: Axis] -> ArrayD<T>, for [f64 f32 linear], moved, batch batch::axis),
        operation!("core::roll" = roll[x: Any<T>; shift: isize, axis: Axis] -> ArrayD<T>, for [f64 f32 linear], moved,
            batch batch::axis),
        operation!("core::insert_axis" = insert_axis[x: Any<T>; axis: NewAxis] -> ArrayD<T>, for [f64 f32 linear],
            |s, x, a| {
                let axis = read::<NewAxis>(s, x, a, "axis")?;
                let mut shape = x[0].shape.clone();
                shape.insert(axis, 1);
                Ok(Outline::shaped(x, shape).costing(0.0).linear())
            }, batch batch::axis),
        operation!("core::repeat" = repeat[x: Any<T>; times: usize, axis: Axis] -> ArrayD<T>, for [f64 f32 linear],
            |s, x, a| {
                let (times, axis) = (read::<usize>(s, x, a, "times")?, read::<Axis>(s, x, a, "axis")?);
                let mut shape = x[0].shape.clone();
                shape[axis] = shape[axis].saturating_mul(times);
                possible(s, x, a, shape)
            }, batch batch::axis),
        operation!("core::pad" = pad[x: Any<T>; widths: Widths] -> ArrayD<T>, for [f64 f32 linear], padded,
            batch batch::widths),
        operation!("core::pad_edge" = pad_edge[x: Any<T>; widths: Widths] -> ArrayD<T>, for [f64 f32 linear], |s, x, a| {
            within(s, x, a, |n| if n == 0 { 0 } else { usize::MAX })
        }, batch batch::widths),
        operation!("core::pad_reflect" = pad_reflect[x: Any<T>; widths: Widths] -> ArrayD<T>, for [f64 f32 linear],
            |s, x, a| within(s, x, a, |n| n.saturating_sub(1)), batch batch::widths),
    ]
}

fn moved(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    along(s, x, a)?;
    Ok(same(s, x, a)?.costing(0.0).linear())
}

/// An output that may be too large to be.
fn possible(s: &Signature, x: &[Spec], a: &Attrs, shape: Shape) -> Result<Outline, OpError> {
    let outline = Outline::shaped(x, shape).costing(0.0).linear();
    match outline.outputs[0].is_possible() {
        true => Ok(outline),
        false => Err(s.misfit(x, a, "the value is too large")),
    }
}

fn padded(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let widths = read::<Widths>(s, x, a, "widths")?;
    if widths.len() != x[0].rank() {
        return shaped(s, x, a, None);
    }
    let lengths = x[0].shape.iter().zip(&widths);
    possible(s, x, a, lengths.map(|(n, [a, b])| n + a + b).collect())
}

/// Padding with entries of the array, of which each end has so many.
fn within(
    s: &Signature,
    x: &[Spec],
    a: &Attrs,
    available: fn(usize) -> usize,
) -> Result<Outline, OpError> {
    let outline = padded(s, x, a)?;
    let widths = read::<Widths>(s, x, a, "widths")?;
    let mut lengths = x[0].shape.iter().zip(&widths);
    match lengths.all(|(n, [a, b])| *a.max(b) <= available(*n)) {
        true => Ok(outline),
        false => Err(s.misfit(x, a, "the padding is wider than the entries it is made of")),
    }
}
