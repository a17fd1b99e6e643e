//! Structs with type parameters of which nothing is said: what they hold is known where they are used.

use coenzyme::prelude::*;

use crate::subject::judge;

#[derive(Clone, Copy, Tangent)]
struct Spring {
    stiffness: f64,
}

#[differentiable]
trait Force {
    fn at(&self, x: f64) -> f64;
}

#[differentiable]
impl Force for Spring {
    fn at(&self, x: f64) -> f64 {
        -self.stiffness * x + 0.1 * self.stiffness * self.stiffness
    }
}

#[derive(Clone, Copy, Tangent)]
struct Scaled<S> {
    source: S,
    scale: f64,
    bias: f64,
}

#[differentiable]
impl<S> Scaled<S> {
    fn new(source: S) -> Self {
        Self {
            source,
            scale: 2.0,
            bias: 0.0,
        }
    }

    fn with_scale(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    fn with_bias(self, bias: f64) -> Self {
        Self { bias, ..self }
    }

    fn with_source(self, source: S) -> Self {
        Self { source, ..self }
    }

    fn stretch(&self, x: f64) -> f64 {
        self.scale * x + self.bias * self.scale
    }
}

#[differentiable]
impl<S: Force> Scaled<S> {
    fn at(&self, x: f64) -> f64 {
        self.source.at(x) * self.scale + self.bias
    }

    fn after(self, x: f64) -> f64 {
        self.source.at(self.source.at(x)) * self.scale
    }
}

#[differentiable]
fn built(x: &[f64]) -> f64 {
    let spring = Spring { stiffness: x[0] };
    let force = Scaled::new(spring).with_scale(x[1] * x[0]).with_bias(x[1]);
    force.at(x[0]) + force.stretch(x[1])
}

#[differentiable]
fn replaced(x: &[f64]) -> f64 {
    let force = Scaled::new(Spring { stiffness: 3.0 }).with_bias(x[1]);
    let other = force.with_source(Spring {
        stiffness: x[0] * x[1],
    });
    other.at(x[0]) * force.at(x[1]) + other.after(x[1])
}

#[differentiable]
fn of_numbers(x: &[f64]) -> f64 {
    let pair = Scaled::new((x[0] * x[1], x[1])).with_scale(x[0].sin());
    pair.source.0 * pair.scale + pair.source.1 * pair.stretch(2.0)
}

judge! {
    built (&[0.7, 1.3]) (&[-0.4, 2.1]);
    replaced (&[0.7, 1.3]) (&[-0.4, 2.1]);
    of_numbers (&[0.7, 1.3]) (&[-0.4, 2.1]);
}
