//! Parameters with references inside of their types: what they lead to is constant, as if they were marked so.

use coenzyme::prelude::*;

use crate::subject::judge;

static TERMS: &[&[f64; 3]] = &[&[0.5, 1.5, -0.25], &[0.125, -2.0, 0.75]];

#[differentiable]
fn series(terms: &[&[f64; 3]], t: f64) -> f64 {
    let mut sum = 0.0;
    for term in terms {
        sum += term[0] * (term[1] + term[2] * t).cos();
    }
    sum
}

#[differentiable]
fn of_a_table(x: &[f64]) -> f64 {
    series(TERMS, x[0] * x[1]) * series(&[&[1.0, 0.5, 2.0]], x[1])
}

struct Surface {
    albedo: f64,
    layers: Vec<f64>,
}

#[differentiable]
fn reflected(light: f64, surface: Option<&Surface>) -> f64 {
    match surface {
        Some(surface) => light * surface.albedo + light * light * surface.layers[1],
        None => light.sin(),
    }
}

#[derive(Clone, Tangent)]
struct Lamp {
    power: f64,
}

#[differentiable]
impl Lamp {
    fn on(&self, distance: f64, surface: Option<&Surface>) -> f64 {
        reflected(self.power / (distance * distance), surface)
    }
}

#[differentiable]
fn lit(x: &[f64]) -> f64 {
    let surface = Surface {
        albedo: 0.5,
        layers: vec![0.25, 1.75],
    };
    let lamp = Lamp { power: x[0] };
    lamp.on(x[1], Some(&surface)) + lamp.on(x[1] * x[0], None)
}

#[differentiable]
fn weighted(rows: &[&[f64]], out: &mut [f64], x: &[f64]) {
    for (o, row) in out.iter_mut().zip(rows) {
        for j in 0..x.len() {
            *o += row[j] * x[j] * x[j];
        }
    }
}

#[differentiable]
fn in_memory(x: &[f64]) -> f64 {
    let (first, second) = ([1.0, -2.0], [0.5, 3.0]);
    let mut out = [x[0], x[1]];
    weighted(&[&first[..], &second[..]], &mut out, x);
    out[0] * out[1]
}

judge! {
    of_a_table (&[0.7, 1.3]);
    lit (&[0.7, 1.3]);
    in_memory (&[0.7, 1.3]);
}
