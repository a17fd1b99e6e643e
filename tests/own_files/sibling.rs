use coenzyme::differentiable;

use crate::lerp::{lerp, twice};
use crate::math::deep::{count, deep, inner};
use crate::math::gain;

#[differentiable]
pub fn many(x: f64) -> f64 {
    deep(x) + lerp(x, x * 2.0, 0.5) * twice(x) + gain(x) * inner(x) + count(x) as f64
}

#[differentiable]
pub fn renamed(x: f64) -> f64 {
    use crate::lerp as mix;
    mix(x, x * x, 0.5)
}

#[derive(Clone, Debug, coenzyme::Tangent)]
pub struct Point(pub f64, pub f64);

/// Promises of linear methods name what they call.
#[differentiable]
impl Point {
    pub fn middle(&self) -> f64 {
        lerp(self.0, self.1, 0.5) + crate::math::sum(self.0, self.1)
    }
}

#[differentiable]
impl std::ops::Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point(self.0 + other.0, self.1 + other.1)
    }
}

#[differentiable]
pub fn of_points(x: f64) -> f64 {
    let sum = Point(x, x * x) + Point(2.0, x);
    sum.middle() * x
}
