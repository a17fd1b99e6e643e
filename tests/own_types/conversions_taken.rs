//! `.into()` where the type stands beside it: of what a function of the file takes, and of what arms give.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Copy, Debug, Tangent)]
struct Celsius(f64);
#[derive(Clone, Copy, Debug, Tangent)]
struct Kelvin(f64);
#[differentiable]
impl From<Celsius> for Kelvin {
    fn from(c: Celsius) -> Self {
        Kelvin(c.0 * c.0 + 2.7)
    }
}
#[differentiable]
impl From<f64> for Celsius {
    fn from(v: f64) -> Self {
        Celsius(v * v)
    }
}
#[differentiable]
fn radiate(t: Kelvin, k: f64) -> f64 {
    (t.0 / 3.0).powi(4) * k
}
#[differentiable]
impl Kelvin {
    fn mixed(self, other: Kelvin, w: f64) -> f64 {
        self.0 * w + other.0 * other.0 * (1.0 - w)
    }
    fn above(t: Kelvin, floor: f64) -> f64 {
        t.0 - floor
    }
}
#[differentiable]
fn as_arguments(x: f64, y: f64) -> f64 {
    let k = Kelvin(x);
    radiate(Celsius(y).into(), x)
        + k.mixed(Celsius(x * y).into(), y) * Kelvin::above(Celsius(x).into(), y)
}
#[differentiable]
fn kelvin(x: f64, cold: bool) -> Kelvin {
    if cold {
        Celsius(x).into()
    } else {
        Kelvin(x * x)
    }
}
#[differentiable]
fn in_arms(x: f64, y: f64) -> f64 {
    let t: Kelvin = match x > y {
        true => Kelvin(x),
        false => Celsius(x * y).into(),
    };
    t.0 * kelvin(x, true).0 + kelvin(y, false).0
}
judge! { as_arguments(0.9, 1.1); in_arms(0.9, 1.1) (1.3, 0.4); }
