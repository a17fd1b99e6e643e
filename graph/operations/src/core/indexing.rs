//! Parts of arrays, and positions.

use std::sync::Arc;

use coenzyme_rules::array::*;
use ndarray::{Array1, Array2, ArrayD};
use smallvec::smallvec;

use super::dynamic::gather;
use super::outlines::{alike, along, batch, positions, read, scalar, shaped, without_axis};
use super::plain::Plain;
use crate::call::{AttrKind, Attrs, Operation, Outline, Parameter, Signature};
use crate::erase::{Any, Axis, Matrix, Span, Text, Vector};
use crate::error::OpError;
use crate::operation;
use crate::value::{DType, Shape, Spec, Value};

pub(super) fn all() -> Vec<Arc<dyn Operation>> {
    let mut all = vec![
        operation!("core::slice_axis" = slice_axis[x: Any<T>; axis: Axis, range: Span] -> ArrayD<T>, for [f64 f32 linear],
            |s, x, a| {
                let (axis, range) = (read::<Axis>(s, x, a, "axis")?, read::<Span>(s, x, a, "range")?);
                if range.end > x[0].shape[axis] {
                    return Err(s.misfit(x, a, "the range is out of bounds"));
                }
                let mut shape = x[0].shape.clone();
                shape[axis] = range.len();
                Ok(Outline::shaped(x, shape).costing(0.0).linear())
            }, batch batch::axis),
        operation!("core::gather" = gather[x: Any<T>, indices: [usize]; axis: Axis] -> ArrayD<T>, for [f64 f32 linear],
        |s, x, a| {
            let axis = read::<Axis>(s, x, a, "axis")?;
            let mut shape = x[0].shape.clone();
            shape[axis] = x[1].shape[0];
            Ok(Outline::shaped(x, shape).costing(0.0))
        }),
        operation!("core::take_along_axis" = take_along_axis[x: Any<T>, positions: ndarray::ArrayRef<usize, ndarray::IxDyn>; axis: Axis]
            -> ArrayD<T>, for [f64 f32 linear], |s, x, a| {
                let axis = read::<Axis>(s, x, a, "axis")?;
                let mut lengths = x[0].shape.iter().zip(&x[1].shape).enumerate();
                let fits = x[0].rank() == x[1].rank() && lengths.all(|(i, (n, m))| i == axis || n == m);
                shaped(s, x, a, fits.then(|| x[1].shape.clone()))
            }, batch batch::axis),
        operation!("core::diagonal" = diagonal[x: Matrix<T>] -> Array1<T>, for [f64 f32 linear],
            |_, x, _| Ok(Outline::shaped(x, x[0].shape.iter().min().copied()).costing(0.0).linear())),
        operation!("core::from_diagonal" = from_diagonal[x: Vector<T>] -> Array2<T>, for [f64 f32 linear],
            |_, x, _| Ok(Outline::shaped(x, [x[0].shape[0]; 2]).costing(0.0).linear())),
        operation!("core::trace" = trace[x: Matrix<T>] -> T, for [f64 f32 linear], |s, x, a| Ok(scalar(s, x, a)?.linear())),
        operation!("core::lower_triangle" = lower_triangle[x: Matrix<T>] -> Array2<T>, for [f64 f32 linear],
            |s, x, a| Ok(alike(s, x, a)?.costing(0.0).linear())),
        operation!("core::upper_triangle" = upper_triangle[x: Matrix<T>] -> Array2<T>, for [f64 f32 linear],
            |s, x, a| Ok(alike(s, x, a)?.costing(0.0).linear())),
        operation!("core::choose" = choose[x: Any<T>, y: Any<T>, mask: ndarray::ArrayRef<bool, ndarray::IxDyn>] -> ArrayD<T>,
            for [f64 f32 linear], alike),
        operation!("core::einsum" = einsum[x: Any<T>, y: Any<T>; subscripts: Text] -> ArrayD<T>, for [f64 f32 second], subscripts),
        operation!("core::einsum_one" = einsum_one[x: Any<T>; subscripts: Text] -> ArrayD<T>, for [f64 f32 linear], subscripts),
    ];
    let axis = || {
        vec![Parameter {
            name: "axis".into(),
            kind: AttrKind::Int,
            default: None,
        }]
    };
    let of = |name, outline, value| Plain::operation(name, &["x"], axis(), outline, value);
    all.push(of(
        "core::argmax",
        |s, x, a| nonempty(s, x, a).and_then(|()| Ok(positions(without_axis(s, x, a)?))),
        |x, a| at(x, a, |x, axis| argmax(x, axis)),
    ));
    all.push(of(
        "core::argmin",
        |s, x, a| nonempty(s, x, a).and_then(|()| Ok(positions(without_axis(s, x, a)?))),
        |x, a| at(x, a, |x, axis| argmin(x, axis)),
    ));
    all.push(of(
        "core::argsort",
        |s, x, a| Ok(positions(along(s, x, a)?)),
        |x, a| at(x, a, |x, axis| argsort(x, axis)),
    ));
    all
}

fn nonempty(s: &Signature, x: &[Spec], a: &Attrs) -> Result<(), OpError> {
    let axis = read::<Axis>(s, x, a, "axis")?;
    match x[0].shape[axis] {
        0 => Err(s.misfit(x, a, "the axis has no entries")),
        _ => Ok(()),
    }
}

fn at(
    x: &[&Value],
    a: &Attrs,
    f: fn(&Any<f64>, usize) -> ArrayD<usize>,
) -> Result<crate::call::Outputs, String> {
    let x = x[0].cast(DType::F64);
    let axis = match a.get("axis") {
        Some(crate::call::Attr::Int(n)) => crate::erase::axis(*n, x.shape().len()),
        _ => None,
    };
    let (x, axis) = (x.get::<f64>(), axis.ok_or("no such axis")?);
    let positions = f(x.ok_or("not a number")?, axis);
    Ok(smallvec![Value::from(positions.mapv(|i| i as i64))])
}

/// `ij,jk->ik`: the lengths of the letters behind the arrow.
fn subscripts(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let text = read::<Text>(s, x, a, "subscripts")?;
    let wrong = || s.misfit(x, a, "the subscripts do not fit");
    let (from, to) = text.split_once("->").ok_or_else(wrong)?;
    let operands: Vec<&str> = from.split(',').collect();
    if operands.len() != x.len() || !text.is_ascii() {
        return Err(wrong());
    }
    let mut lengths = std::collections::BTreeMap::new();
    for (letters, spec) in operands.iter().zip(x) {
        if letters.len() != spec.rank() {
            return Err(wrong());
        }
        for (letter, n) in letters.chars().zip(&spec.shape) {
            let fits = letter.is_ascii_alphabetic() && *lengths.entry(letter).or_insert(*n) == *n;
            if !fits {
                return Err(wrong());
            }
        }
    }
    let each_once = to.chars().enumerate().all(|(i, c)| !to[..i].contains(c));
    let shape: Option<Shape> = to.chars().map(|c| lengths.get(&c).copied()).collect();
    let flops = lengths.values().map(|n| *n as f64).product::<f64>();
    match shape.filter(|_| each_once) {
        Some(shape) => Ok(Outline::shaped(x, shape).costing(2.0 * flops)),
        None => Err(wrong()),
    }
}
