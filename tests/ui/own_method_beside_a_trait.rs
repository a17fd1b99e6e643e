//! A method of the type's own that needs no attribute hides the method of a marked trait.

use coenzyme::{Tangent, differentiable};

#[derive(Clone, Tangent)]
struct Square {
    side: f64,
}

impl Square {
    fn area(&self) -> f64 {
        self.side * self.side
    }
}

trait Area {
    fn area(&self) -> f64;
}

#[differentiable]
impl Area for Square {
    fn area(&self) -> f64 {
        5.0 * self.side
    }
}

#[differentiable]
fn area_of(square: &Square) -> f64 {
    square.area()
}

fn main() {}
