//! Sums of values of own types, where only the type beside them tells: of what is returned, of what a function of the file takes.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct Meters(pub f64);
#[differentiable]
impl std::ops::Add for Meters {
    type Output = Meters;
    fn add(self, o: Meters) -> Meters {
        Meters(self.0 + o.0)
    }
}
#[differentiable]
impl std::ops::Mul<f64> for Meters {
    type Output = Meters;
    fn mul(self, o: f64) -> Meters {
        Meters(self.0 * o)
    }
}
#[differentiable]
impl std::iter::Sum for Meters {
    fn sum<I: Iterator<Item = Meters>>(it: I) -> Meters {
        it.fold(Meters(0.0), |a, b| a + b)
    }
}
#[differentiable]
fn tail(legs: &[Meters], boost: f64) -> Meters {
    legs.iter().map(|d| *d * boost).sum()
}
#[differentiable]
fn arms(legs: &[Meters], boost: f64) -> Meters {
    if boost > 1.0 {
        legs.iter().map(|d| *d * boost).sum()
    } else {
        return legs.iter().copied().sum();
    }
}
#[differentiable]
fn length(m: Meters, k: f64) -> f64 {
    m.0 * m.0 * k
}
#[differentiable]
fn all(x: f64, y: f64) -> f64 {
    let legs = [Meters(x), Meters(x * y), Meters(y)];
    let t: Meters = legs.iter().map(|d| *d * y).sum();
    let u = legs.iter().copied().sum::<Meters>();
    tail(&legs, x).0 * t.0
        + length(legs.iter().map(|d| *d * x).sum(), y)
        + arms(&legs, y).0
        + arms(&legs, x).0 * u.0
}
judge! { all(0.9, 1.3); }
