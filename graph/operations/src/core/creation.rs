//! Arrays from attributes alone; numbers of another type; values that derivatives do not pass.

use std::sync::Arc;

use coenzyme::Inactive;
use coenzyme_rules::array;
use ndarray::ArrayD;
use smallvec::smallvec;

use super::plain::Plain;
use crate::call::{
    Attr, AttrKind, Attrs, Call, Cotangents, Modes, Operand, Operation, Outline, Outputs,
    Parameter, Shadows, Signature, Tangents, Tape,
};
use crate::error::OpError;
use crate::value::{DType, Spec, Value};

fn parameter(name: &'static str, kind: AttrKind, default: Option<Attr>) -> Parameter {
    Parameter {
        name: name.into(),
        kind,
        default,
    }
}

fn dtype_parameter() -> Parameter {
    parameter("dtype", AttrKind::Text, Some("f64".into()))
}

fn float(a: &Attrs, name: &str) -> f64 {
    match a.get(name) {
        Some(Attr::Float(x)) => *x,
        _ => 0.0,
    }
}

fn int(a: &Attrs, name: &str) -> i64 {
    match a.get(name) {
        Some(Attr::Int(n)) => *n,
        _ => 0,
    }
}

/// The type that an attribute names.
fn dtype(s: &Signature, a: &Attrs) -> Result<DType, OpError> {
    let all = [
        DType::F32,
        DType::F64,
        DType::I64,
        DType::Bool,
        DType::Complex,
    ];
    let given = match a.get("dtype") {
        Some(Attr::Text(name)) => name,
        _ => "f64",
    };
    all.into_iter()
        .find(|t| t.name() == given)
        .ok_or_else(|| s.bad_attribute("dtype", format!("there is no type '{given}'")))
}

/// An array that can be, of the shape that an attribute names.
fn created(s: &Signature, _: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let lengths = match a.get("shape") {
        Some(Attr::Ints(n)) => n.iter().map(|n| crate::erase::length(*n)).collect(),
        _ => crate::erase::length(int(a, "n")).map(|n| smallvec![n]),
    };
    let lengths: Option<crate::value::Shape> = lengths;
    let shape = lengths.ok_or_else(|| s.bad_attribute("shape", "is not a list of lengths"))?;
    let dtype = dtype(s, a)?;
    let spec = Spec { dtype, shape };
    match spec.is_possible() {
        true => Ok(Outline::new(&[], spec)),
        false => Err(s.bad_attribute("shape", "no array is as large")),
    }
}

fn filled(a: &Attrs, x: f64) -> Result<Outputs, String> {
    let signature = Signature::default();
    let outline = created(&signature, &[], a).map_err(|e| e.to_string())?;
    Ok(smallvec![Value::full(&outline.outputs[0], x)])
}

/// The same numbers as another type. Tangents and cotangents are converted likewise; those of integers are dropped.
struct Cast(Signature);

impl Cast {
    fn to(&self, a: &Attrs) -> Result<DType, OpError> {
        dtype(&self.0, a)
    }
}

impl Operation for Cast {
    fn signature(&self) -> &Signature {
        &self.0
    }
    fn outline(&self, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
        self.0.check(x)?;
        let dtype = self.to(a)?;
        let shape = x[0].shape.clone();
        Ok(Outline::new(x, Spec { dtype, shape }).linear())
    }
    fn value(&self, x: &[&Value], a: &Attrs) -> Result<Outputs, OpError> {
        Ok(smallvec![x[0].cast(self.to(a)?)])
    }
    fn modes(&self) -> Modes {
        Modes::ALL
    }
    fn pushforward(
        &self,
        x: &[&Value],
        dx: &[Tangents<'_>],
        c: &Call,
    ) -> Result<(Outputs, Vec<Outputs>), OpError> {
        let to = self.to(&c.attrs)?;
        let y = x[0].cast(to);
        let tangent = |dx: &Tangents<'_>| match dx.first().copied().flatten() {
            Some(dx) if to.is_float() => smallvec![dx.cast(to)],
            _ => smallvec![y.zeros_like()],
        };
        let tangents = dx.iter().map(tangent).collect();
        Ok((smallvec![y], tangents))
    }
    fn augmented(&self, x: &[&Value], c: &Call) -> Result<(Outputs, Tape), OpError> {
        Ok((self.value(x, &c.attrs)?, Box::new(())))
    }
    fn pullback(
        &self,
        x: &[&Value],
        dy: Vec<Cotangents>,
        _: Tape,
        dx: &mut [Shadows],
        _: &Call,
    ) -> Result<(), OpError> {
        for (dy, dx) in dy.into_iter().zip(dx) {
            if let (Some(dy), Some(dx)) = (&dy[0], &mut dx[0])
                && dy.dtype().is_float()
            {
                dx.accumulate(&dy.cast(x[0].dtype()));
            }
        }
        Ok(())
    }
    fn pullback_tangent(
        &self,
        _: &[&Value],
        _: &Tangents<'_>,
        _: &Cotangents,
        _: &mut Shadows,
        _: &Call,
    ) -> Result<(), OpError> {
        Ok(())
    }
    fn batched(&self, _: &[usize], attrs: &Attrs) -> Option<Attrs> {
        Some(attrs.clone())
    }
}

pub(super) fn all() -> Vec<Arc<dyn Operation>> {
    let shape = || parameter("shape", AttrKind::Ints, None);
    let number = |name| parameter(name, AttrKind::Float, None);
    let count = |name| parameter(name, AttrKind::Int, None);
    let cast = Cast(Signature {
        name: "core::cast".into(),
        operands: vec![Operand {
            name: "x".into(),
            dtypes: Vec::new(),
        }],
        variadic: false,
        attributes: vec![parameter("dtype", AttrKind::Text, None)],
    });
    vec![
        Arc::new(cast),
        Plain::operation(
            "core::detach",
            &["x"],
            Vec::new(),
            super::outlines::same,
            |x, _| Ok(smallvec![x[0].clone()]),
        ),
        Plain::operation(
            "core::zeros",
            &[],
            vec![shape(), dtype_parameter()],
            created,
            |_, a| filled(a, 0.0),
        ),
        Plain::operation(
            "core::ones",
            &[],
            vec![shape(), dtype_parameter()],
            created,
            |_, a| filled(a, 1.0),
        ),
        Plain::operation(
            "core::full",
            &[],
            vec![shape(), number("value"), dtype_parameter()],
            created,
            |_, a| filled(a, float(a, "value")),
        ),
        Plain::operation(
            "core::identity",
            &[],
            vec![count("n")],
            |s, x, a| {
                let n = created(s, x, a)?.outputs[0].shape[0];
                let spec = Spec::f64(&[n, n]);
                match spec.is_possible() {
                    true => Ok(Outline::new(&[], spec)),
                    false => Err(s.bad_attribute("n", "no array is as large")),
                }
            },
            |_, a| Ok(smallvec![array::identity(int(a, "n") as usize).into()]),
        ),
        Plain::operation(
            "core::linspace",
            &[],
            vec![number("start"), number("end"), count("n")],
            created,
            |_, a| {
                let (start, end) = (Inactive(float(a, "start")), Inactive(float(a, "end")));
                Ok(smallvec![
                    array::linspace(start, end, int(a, "n") as usize).into()
                ])
            },
        ),
        Plain::operation(
            "core::uniform",
            &[],
            vec![
                shape(),
                count("seed"),
                parameter("stream", AttrKind::Int, Some(Attr::Int(0))),
            ],
            created,
            |_, a| {
                let signature = Signature::default();
                let spec = created(&signature, &[], a)
                    .map_err(|e| e.to_string())?
                    .outputs
                    .remove(0);
                let (seed, stream) = (
                    int(a, "seed").cast_unsigned(),
                    int(a, "stream").cast_unsigned(),
                );
                let entries = array::uniform([spec.entries()], seed, stream);
                let entries: ArrayD<f64> = entries.into_dyn();
                Value::from(entries)
                    .reshaped(&spec.shape)
                    .map(|x| smallvec![x])
                    .ok_or_else(|| "a shape".into())
            },
        ),
    ]
}
