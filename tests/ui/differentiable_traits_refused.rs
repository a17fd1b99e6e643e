//! Traits that `#[differentiable]` refuses, and what lacks the attribute.

use coenzyme::{Tangent, differentiable, inactive};

#[differentiable]
trait Grid<const FINE: bool> {
    fn spacing(&self, x: f64) -> f64;
}

#[differentiable(order = 2)]
trait Twice {
    fn value(&self, x: f64) -> f64;
}

#[inactive]
trait Counted {
    fn count(&self) -> usize;
}

#[differentiable]
trait Area {
    fn area(&self) -> f64;
    fn perimeter(&self) -> f64;
}

#[derive(Clone, Tangent)]
struct Square(f64);

impl Area for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }

    fn perimeter(&self) -> f64 {
        4.0 * self.0
    }
}

trait Plain {
    fn value(&self) -> f64;
}

#[differentiable]
fn twice<P: Plain>(p: &P) -> f64 {
    2.0 * p.value()
}

/// Its rules are those of its implementations.
#[differentiable(expand)]
trait Shown {
    fn shown(&self, x: f64) -> f64;
}

fn main() {}
