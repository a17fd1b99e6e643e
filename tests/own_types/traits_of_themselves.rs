//! Traits of the user's whose methods take and give values of the type itself: `fn lerp(self, other: Self, t: f64) -> Self`.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
trait Tween: Copy {
    fn lerp(self, other: Self, t: f64) -> Self;

    fn distance(&self, other: &Self) -> f64;

    fn midpoint_of(self, other: Self) -> Self;
}

#[differentiable]
impl Tween for f64 {
    fn lerp(self, other: Self, t: f64) -> Self {
        self + (other - self) * t * t
    }

    fn distance(&self, other: &Self) -> f64 {
        (self - other).powi(2)
    }

    fn midpoint_of(self, other: Self) -> Self {
        self.lerp(other, 0.5)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Tween for Point {
    fn lerp(self, other: Point, t: f64) -> Point {
        Point {
            x: self.x.lerp(other.x, t),
            y: self.y * (1.0 - t) + other.y * t,
        }
    }

    fn distance(&self, other: &Self) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    fn midpoint_of(self, other: Self) -> Self {
        Point {
            x: (self.x * other.x).sqrt(),
            y: (self.y * other.y).sqrt(),
        }
    }
}

#[differentiable]
fn ease<V: Tween>(from: V, to: V, t: f64) -> V {
    let late = t * t * (3.0 - 2.0 * t);
    from.lerp(to, late)
}

#[differentiable]
fn bezier<V: Tween>(a: V, b: V, c: V, t: f64) -> V {
    let left = a.lerp(b, t);
    let right = ease(b, c, t);
    left.lerp(right, t)
}

#[differentiable]
fn of_numbers(a: f64, b: f64, c: f64, t: f64) -> f64 {
    bezier(a, b, c, t) + a.midpoint_of(c)
}

#[differentiable]
fn of_points(a: Point, b: Point, t: f64) -> Point {
    bezier(a, b, a.midpoint_of(b), t)
}

const A: Point = Point { x: 0.4, y: 1.3 };
const B: Point = Point { x: 1.2, y: 0.8 };
const C: Point = Point { x: 0.9, y: 2.1 };

judge! {
    of_numbers (0.3, 1.1, 0.7, 0.4);
    of_points (A, B, 0.3);
}
