//! Functions that differentiated code calls, and that are not marked: of another crate by its path, of a type, and a conversion.

use coenzyme::{Tangent, differentiable};

#[derive(Clone, Copy, Tangent)]
struct Disc<T> {
    radius: T,
}

impl<T: num_traits::Float> Disc<T> {
    fn of_diameter(diameter: T) -> Self {
        Disc {
            radius: diameter / (T::one() + T::one()),
        }
    }
}

#[derive(Clone, Copy, Tangent)]
struct Ring {
    radius: f64,
}

impl Ring {
    fn new(radius: f64) -> Self {
        Ring { radius }
    }

    fn of_area(area: f64) -> Self {
        Ring { radius: area.sqrt() }
    }
}

#[differentiable]
fn rings(area: f64) -> f64 {
    Ring::new(area).radius + Ring::of_area(area).radius
}

#[differentiable]
fn area(diameter: f64) -> f64 {
    let disc = Disc { radius: diameter };
    3.0 * disc.radius * disc.radius
}

#[differentiable]
fn reduced(angle: f64) -> f64 {
    let (rest, _) = libm::remquo(angle, 90.0);
    rest * angle
}

#[differentiable]
fn converted<T: num_traits::Float>(x: f64, y: T) -> T {
    y * num_traits::cast::<f64, T>(x).unwrap()
}

fn main() {}
