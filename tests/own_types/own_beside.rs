//! Methods of a type's own beside a trait's methods of their names.

use coenzyme::prelude::*;

use crate::subject::judge;

#[differentiable]
pub(crate) trait Statistics {
    fn mean(&self, k: f64) -> f64;

    fn doubled(&self, k: f64) -> f64 {
        2.0 * self.mean(k)
    }
}

#[derive(Clone, Tangent)]
pub struct Moments {
    sum: f64,
    count: f64,
}

#[differentiable]
impl Moments {
    pub fn mean(&self, k: f64) -> f64 {
        k * self.sum / self.count
    }

    pub fn new(sum: f64) -> Self {
        Self { sum, count: 3.0 }
    }
}

/// Not what the type's own does.
#[differentiable]
impl Statistics for Moments {
    fn mean(&self, k: f64) -> f64 {
        self.sum * self.sum + k
    }
}

pub(crate) trait Made {
    fn new(sum: f64, count: f64) -> Self;
}

#[differentiable]
impl Made for Moments {
    fn new(sum: f64, count: f64) -> Self {
        Self { sum, count }
    }
}

#[differentiable]
fn of_the_type(x: &[f64]) -> f64 {
    Moments::new(x[0]).mean(x[1]) * x[0]
}

#[differentiable]
fn of_any<S: Statistics>(s: &S, k: f64) -> f64 {
    s.mean(k) * s.doubled(k)
}

#[differentiable]
fn of_the_trait(x: &[f64]) -> f64 {
    let m = Moments::new(x[0]);
    of_any(&m, x[1]) * m.mean(x[1])
}

judge! {
    of_the_type (&[0.4, 1.3]);
    of_the_trait (&[0.4, 1.3]);
}
