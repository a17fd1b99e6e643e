//! Blocks of marked traits in which some methods have no derivative: the others have theirs.

use coenzyme::prelude::*;

use crate::subject::judge;

#[differentiable]
pub(crate) trait Shape {
    fn area(&self, k: f64) -> f64;
    fn winding(&self, x: f64) -> i32;
    fn contains(&self, x: &[f64]) -> bool;
    fn rounded(&self, x: f64) -> f64;
    fn middle(&self, of: Corner) -> Corner;

    fn doubled(&self, k: f64) -> f64 {
        2.0 * self.area(k)
    }
}

#[derive(Clone, Tangent)]
pub struct Corner {
    x: f64,
}

#[derive(Clone, Tangent)]
pub struct Square {
    side: f64,
}

#[differentiable]
impl Shape for Square {
    fn area(&self, k: f64) -> f64 {
        k * self.side * self.side
    }

    #[inactive]
    fn winding(&self, x: f64) -> i32 {
        if x < self.side { 1 } else { 3 }
    }

    #[inactive]
    fn contains(&self, x: &[f64]) -> bool {
        x.iter().all(|x| *x < self.side)
    }

    #[inactive]
    fn rounded(&self, x: f64) -> f64 {
        (x * self.side).floor()
    }

    #[inactive]
    fn middle(&self, of: Corner) -> Corner {
        Corner {
            x: of.x + self.side,
        }
    }
}

#[differentiable]
fn of_any<S: Shape>(s: &S, x: &[f64]) -> f64 {
    let factor = if s.contains(x) { x[1] } else { x[0] * x[0] };
    s.doubled(factor) * s.winding(x[0]) as f64 + s.rounded(x[1]) * x[0]
}

#[differentiable]
fn through_the_trait(x: &[f64]) -> f64 {
    of_any(&Square { side: x[2] }, x)
}

#[differentiable]
fn on_the_type(x: &[f64]) -> f64 {
    let s = Square { side: x[2] };
    s.area(x[0]) * s.rounded(x[1]) + s.winding(x[0]) as f64 * x[1]
}

judge! {
    through_the_trait (&[0.5, 0.7, 1.3]) (&[1.7, 0.7, 1.3]);
    on_the_type (&[0.5, 0.7, 1.9]) (&[2.5, 0.7, 1.9]);
}
