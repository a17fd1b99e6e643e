//! Structs with constant texts beside their numbers.

use coenzyme::prelude::*;

use crate::subject::judge;

#[derive(Clone, Copy, Tangent)]
struct Unit {
    name: &'static str,
    plural: Option<&'static str>,
    scale: f64,
}

#[derive(Clone, Tangent)]
enum Measured {
    Length { unit: Unit, value: f64 },
    Ratio(f64),
}

#[differentiable]
impl Unit {
    fn scaled(self, by: f64) -> Self {
        Self {
            scale: self.scale * by * by,
            ..self
        }
    }

    fn of(&self, x: f64) -> f64 {
        if self.name == "metre" && self.plural.is_some() {
            x * x * self.scale
        } else {
            x / self.scale
        }
    }
}

#[differentiable]
fn metre(scale: f64) -> Unit {
    Unit {
        name: "metre",
        plural: Some("metres"),
        scale,
    }
}

#[differentiable]
fn measured(x: &[f64]) -> f64 {
    let metre = metre(x[0]);
    let foot = Unit {
        name: "foot",
        ..metre
    };
    metre.scaled(x[1]).of(x[0]) + foot.of(x[1])
}

#[differentiable]
fn by_kind(of: &Measured, x: f64) -> f64 {
    match of {
        Measured::Length { unit, value } => value * unit.scale * x,
        Measured::Ratio(ratio) => ratio * ratio * x,
    }
}

#[differentiable]
fn of_kinds(x: &[f64]) -> f64 {
    let unit = Unit {
        name: "foot",
        plural: None,
        scale: x[1],
    };
    let (a, b) = (
        Measured::Length { unit, value: x[0] },
        Measured::Ratio(x[0] * x[1]),
    );
    by_kind(&a, x[0]) * by_kind(&b, x[1])
}

judge! {
    measured (&[0.7, 1.3]);
    of_kinds (&[0.7, 1.3]);
}
