//! Outlines that serve many functions.

use coenzyme_rules::class::{self, Classified, Misfit, Number, Outlined};
use smallvec::smallvec;

use crate::call::{Attr, Attrs, Mask, Outline, Reads, Signature};
use crate::erase::{Attribute, Axis, Failure};
use crate::error::OpError;
use crate::value::{DType, Shape, Spec};

/// The number type of the library's own outlines.
fn number(x: &[Spec]) -> Number {
    match x.first().map(|x| x.dtype) {
        Some(DType::F32) => Number::F32,
        _ => Number::F64,
    }
}

fn reads(reads: class::Reads) -> Reads {
    Reads {
        operands: Mask::of([reads.x, reads.y]),
        outputs: reads.out,
        residual: reads.residual,
    }
}

/// The outline of a function whose class tells it.
pub(super) fn classified<F: Classified<Class: Outlined<N>>, const N: usize>(
    signature: &Signature,
    x: &[Spec],
    attrs: &Attrs,
    own: <F::Class as Outlined<N>>::Attrs<'_>,
) -> Result<Outline, OpError> {
    let shapes: [&[usize]; N] = std::array::from_fn(|i| &x[i].shape[..]);
    let shape = F::Class::shape(shapes, own)
        .map_err(|misfit| signature.misfit(x, attrs, reason(&misfit)))?;
    let flops = F::Class::flops(shapes, &shape);
    let mut outline = Outline::shaped(x, shape).costing(flops);
    outline.reads = F::Class::READS.iter().map(|r| reads(*r)).collect();
    outline.residual = F::Class::residual(shapes, number(x));
    Ok(outline)
}

/// What does not fit; the operands are named beside it.
fn reason(misfit: &Misfit) -> String {
    match misfit {
        Misfit::Shapes(..) => "the shapes do not fit".into(),
        other => other.to_string(),
    }
}

/// One output of the shape of the first operand.
pub(super) fn same(_: &Signature, x: &[Spec], _: &Attrs) -> Result<Outline, OpError> {
    Ok(Outline::new(x, x[0].clone()))
}

/// A number.
pub(super) fn scalar(_: &Signature, x: &[Spec], _: &Attrs) -> Result<Outline, OpError> {
    let entries = x[0].entries() as f64;
    Ok(Outline::shaped(x, []).costing(entries))
}

/// A number of several operands of one shape.
pub(super) fn scalar_of_alike(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    alike(s, x, a)?;
    scalar(s, x, a)
}

/// The operands have one shape.
pub(super) fn alike(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    match x.iter().all(|y| y.shape == x[0].shape) {
        true => same(s, x, a),
        false => Err(s.misfit(x, a, "the shapes differ")),
    }
}

/// The value of an attribute, read as the rule will read it.
pub(super) fn read<A: Attribute>(
    s: &Signature,
    x: &[Spec],
    a: &Attrs,
    name: &'static str,
) -> Result<A::Held, OpError> {
    // Attributes look at shapes alone: an array without entries stands for the operand.
    let ranks = crate::value::Value::of_rank(x.first().map_or(0, Spec::rank));
    let given = [crate::erase::Given {
        value: &ranks,
        tangent: None,
    }];
    A::read(a, name, &given).map_err(|failure| match failure {
        Failure::Attribute(name, why) if why.starts_with("out of bounds") => {
            let value = a.get(name).map(ToString::to_string).unwrap_or_default();
            s.misfit(x, a, format!("{name} {value} is out of bounds"))
        }
        Failure::Attribute(name, why) => s.bad_attribute(name, why),
        _ => s.misfit(x, a, "the attributes do not fit"),
    })
}

/// The shape without an axis.
pub(super) fn without_axis(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let axis = read::<Axis>(s, x, a, "axis")?;
    let kept = x[0].shape.iter().enumerate().filter(|(i, _)| *i != axis);
    let outline = Outline::shaped(x, kept.map(|(_, n)| *n));
    Ok(outline.costing(x[0].entries() as f64))
}

/// The shape of the operand, if it has the axis.
pub(super) fn along(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    read::<Axis>(s, x, a, "axis")?;
    same(s, x, a)
}

/// The same with positions as value.
pub(super) fn positions(mut outline: Outline) -> Outline {
    for output in &mut outline.outputs {
        output.dtype = DType::I64;
    }
    outline.linear()
}

/// A shape, or a misfit.
pub(super) fn shaped(
    s: &Signature,
    x: &[Spec],
    a: &Attrs,
    shape: Option<Shape>,
) -> Result<Outline, OpError> {
    match shape {
        Some(shape) => Ok(Outline::shaped(x, shape)),
        None => Err(s.misfit(x, a, "the shapes do not fit")),
    }
}

/// Several outputs of the type of the first operand, or a misfit.
pub(super) fn several<const N: usize>(
    s: &Signature,
    x: &[Spec],
    a: &Attrs,
    shapes: Option<[Shape; N]>,
) -> Result<Outline, OpError> {
    let shapes = shapes.ok_or_else(|| s.misfit(x, a, "the shapes do not fit"))?;
    let dtype = x[0].dtype;
    let outputs = shapes.map(|shape| Spec { dtype, shape });
    let flops = x.iter().map(|x| x.entries() as f64).sum();
    Ok(Outline::of(x, outputs.into_iter().collect(), flops))
}

/// The order of a square matrix.
pub(super) fn order(x: &Spec) -> Option<usize> {
    match x.shape[..] {
        [m, n] if m == n => Some(n),
        _ => None,
    }
}

/// How attributes change with axes in front.
pub(super) mod batch {
    use super::{Attr, Attrs};

    fn map(attrs: &Attrs, name: &str, f: impl FnOnce(&Attr) -> Option<Attr>) -> Attrs {
        match attrs.get(name).and_then(f) {
            Some(value) => attrs.clone().with(name, value),
            None => attrs.clone(),
        }
    }

    fn moved(n: i64, by: usize) -> i64 {
        if n < 0 { n } else { n + by as i64 }
    }

    /// They stay.
    pub(crate) fn same(_: &[usize], attrs: &Attrs) -> Attrs {
        attrs.clone()
    }

    /// The axis moves, unless it is counted from the end.
    pub(crate) fn axis(batch: &[usize], attrs: &Attrs) -> Attrs {
        map(attrs, "axis", |value| match value {
            Attr::Int(n) => Some(Attr::Int(moved(*n, batch.len()))),
            _ => None,
        })
    }

    /// Likewise several.
    pub(crate) fn axes(batch: &[usize], attrs: &Attrs) -> Attrs {
        map(attrs, "axes", |value| match value {
            Attr::Ints(n) => Some(Attr::Ints(
                n.iter().map(|n| moved(*n, batch.len())).collect(),
            )),
            _ => None,
        })
    }

    /// Likewise a permutation, which begins with the new axes.
    pub(crate) fn permutation(batch: &[usize], attrs: &Attrs) -> Attrs {
        map(attrs, "axes", |value| match value {
            Attr::Ints(n) => {
                let old = n.iter().map(|n| moved(*n, batch.len()));
                Some(Attr::Ints((0..batch.len() as i64).chain(old).collect()))
            }
            _ => None,
        })
    }

    /// The shape begins with the lengths of the batch.
    pub(crate) fn shape(batch: &[usize], attrs: &Attrs) -> Attrs {
        map(attrs, "shape", |value| match value {
            Attr::Ints(n) => {
                let front = batch.iter().map(|n| *n as i64);
                Some(Attr::Ints(front.chain(n.iter().copied()).collect()))
            }
            _ => None,
        })
    }

    /// No widths on the new axes.
    pub(crate) fn widths(batch: &[usize], attrs: &Attrs) -> Attrs {
        map(attrs, "widths", |value| match value {
            Attr::Pairs(n) => {
                let front = batch.iter().map(|_| [0, 0]);
                Some(Attr::Pairs(front.chain(n.iter().copied()).collect()))
            }
            _ => None,
        })
    }
}

/// One output.
pub(super) fn one(x: &[Spec], output: Spec) -> Outline {
    Outline::of(x, smallvec![output], 0.0)
}
