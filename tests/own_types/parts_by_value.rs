//! Parts of parameters that are values of own types without `Copy`: lists of references to them, and what a search finds.

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Image {
    data: Vec<f64>,
}

#[differentiable]
impl Image {
    fn sum(&self) -> f64 {
        self.data.iter().map(|v| v * v).sum()
    }
}

#[derive(Clone, Debug, Tangent)]
struct Flow {
    u: Image,
    v: Image,
    more: Vec<Image>,
}

#[differentiable]
impl Flow {
    fn smooth(&self, k: f64) -> f64 {
        [&self.u, &self.v].iter().map(|f| f.sum() * k).sum()
    }

    fn total(&self) -> f64 {
        let mut total = 0.0;
        for image in [&self.u, &self.v, &self.more[0]] {
            total += image.sum() * image.data[0];
        }
        total
    }
}

#[differentiable]
fn of_fields(x: &[f64]) -> f64 {
    let flow = Flow {
        u: Image { data: x.to_vec() },
        v: Image { data: vec![x[0]] },
        more: vec![Image { data: x.to_vec() }],
    };
    flow.smooth(x[1]) * flow.total()
}

#[derive(Clone, Debug, Tangent)]
struct Layer {
    base: f64,
    slope: f64,
}

#[differentiable]
fn at(layer: &Layer, h: f64) -> f64 {
    layer.slope * (h - layer.base)
}

#[differentiable]
fn density(layers: &[Layer], h: f64) -> Option<f64> {
    let layer = layers.iter().rev().find(|l| h >= l.base)?;
    Some(at(layer, h) * layer.slope)
}

#[differentiable]
fn found(h: f64, t: f64) -> f64 {
    let layers = vec![
        Layer {
            base: 0.0,
            slope: t,
        },
        Layer {
            base: 1.0,
            slope: t * t,
        },
    ];
    density(&layers, h).unwrap()
}

judge! {
    of_fields(&any(3));
    found(0.7, 1.1) (1.7, 1.1);
}
