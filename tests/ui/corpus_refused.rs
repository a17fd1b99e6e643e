//! Functions of the corpus (`tests/corpus`) that the compiler does not accept, and what it says of them.

use coenzyme::{Tangent, differentiable};

// refused: the elements of `successors` do not come from memory
#[differentiable]
pub fn newton_sqrt(a: f64) -> Option<f64> {
    std::iter::successors(Some(0.5 * (a + 1.0)), |x| Some(0.5 * (x + a / x)))
        .take(8)
        .last()
}

#[derive(Debug, Clone, Copy, Tangent)]
pub struct Pid {
    pub kp: f64,
    pub kd: f64,
    last: Option<f64>,
}

// refused: an `Option` in a field is another variant after the assignment
#[differentiable]
impl Pid {
    pub fn update(&mut self, error: f64, dt: f64) -> f64 {
        let derivative = match self.last {
            Some(last) => (error - last) / dt,
            None => 0.0,
        };
        self.last = Some(error);
        self.kp * error + self.kd * derivative
    }
}

#[derive(Clone, Debug, Tangent)]
pub enum Shape {
    Circle { radius: f64 },
    Rect { w: f64, h: f64 },
}

// refused: a branch that gives an enum
#[differentiable]
impl Shape {
    pub fn scaled(&self, k: f64) -> Shape {
        match self {
            Shape::Circle { radius } => Shape::Circle { radius: radius * k },
            Shape::Rect { w, h } => Shape::Rect { w: w * k, h: h * k },
        }
    }
}

fn main() {}
