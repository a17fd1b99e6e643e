//! Calls that `#[differentiable]` cannot make.

use coenzyme::{differentiable, inactive};

fn unmarked(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn calls_an_unmarked_function(x: f64) -> f64 {
    unmarked(x) * x
}

struct Unmarked {
    k: f64,
}

impl Unmarked {
    fn scaled(&self, x: f64) -> f64 {
        self.k * x
    }
}

#[differentiable]
fn calls_an_unmarked_method(x: f64, u: &Unmarked) -> f64 {
    u.scaled(x)
}

#[inactive]
fn counted(x: f64) -> usize {
    x as usize
}

#[differentiable]
fn wrong_number_of_arguments(x: f64) -> f64 {
    counted(x, 2) as f64 * x
}

#[differentiable]
fn returns_the_wrong_type(x: f64) -> usize {
    x * x
}

#[differentiable]
fn unknown_name(x: f64) -> f64 {
    x * y
}

#[differentiable]
fn no_derivative_of_this_type(x: &[u8], k: f64) -> f64 {
    x[0] * k
}

#[derive(Clone, Copy, coenzyme::Tangent)]
struct Celsius {
    degrees: f64,
}

impl From<f64> for Celsius {
    fn from(kelvin: f64) -> Self {
        Celsius {
            degrees: kelvin - 273.15,
        }
    }
}

#[differentiable]
fn converts_by_an_unmarked_block(x: f64) -> f64 {
    Celsius::from(x).degrees
}

fn main() {}
