//! Fields that are `Option`s of numbers: mapped into others, and filled where they are empty.

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[derive(Clone, Debug, Default, Tangent)]
struct Fit {
    x: Vec<f64>,
    norm: Option<f64>,
    shift: Option<f64>,
}

#[differentiable]
fn halved(x: f64) -> f64 {
    0.5 * x * x
}

#[differentiable]
impl Fit {
    fn scale(&mut self, k: f64) {
        self.norm = self.norm.map(|n| n * k);
        self.shift = self.norm.map(halved);
    }

    fn scaled(&self, k: f64) -> Fit {
        Fit {
            x: self.x.clone(),
            norm: self.norm.as_ref().map(|n| n * k * k),
            shift: self.shift.map(|s| s - k),
        }
    }

    fn norm(&mut self) -> f64 {
        *self
            .norm
            .get_or_insert_with(|| self.x.iter().map(|x| x * x).sum::<f64>())
    }
}

#[differentiable]
fn mapped(x: &[f64], k: f64) -> f64 {
    let mut fit = Fit {
        x: x.to_vec(),
        norm: Some(x[0] * x[1]),
        shift: None,
    };
    fit.scale(k);
    let scaled = fit.scaled(x[2]);
    scaled.norm.unwrap_or(1.0) * scaled.shift.unwrap_or(2.0) * fit.shift.unwrap_or(3.0)
}

#[differentiable]
fn of_a_call(x: &[f64], k: f64) -> f64 {
    let fit = Fit {
        x: x.to_vec(),
        norm: Some(x[0] * x[1]),
        shift: None,
    };
    fit.scaled(k).norm.unwrap_or(0.0) + fit.scaled(k * k).shift.map_or(k, |s| s * k)
}

#[differentiable]
fn filled(x: &[f64]) -> f64 {
    let mut fit = Fit {
        x: x.to_vec(),
        ..Default::default()
    };
    let first = fit.norm();
    fit.x[0] = 0.0;
    // it is kept
    first * fit.norm()
}

judge! {
    mapped(&any(3), 0.7);
    of_a_call(&any(3), 0.7);
    filled(&any(3));
}
