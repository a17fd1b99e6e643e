//! A struct that borrows active memory would have a shadow that borrows.

use coenzyme::{Tangent, differentiable};

#[derive(Clone, Copy, Tangent)]
struct View<'a> {
    #[tangent(inactive)]
    data: &'a [f64],
    gain: f64,
}

#[differentiable]
impl View<'_> {
    fn get(&self, i: usize) -> f64 {
        self.data[i] * self.gain
    }
}

#[differentiable]
fn of_a_parameter(x: &[f64]) -> f64 {
    let view = View { data: x, gain: 2.0 };
    view.get(1)
}

#[differentiable]
fn of_a_part(x: &[f64]) -> f64 {
    let view = View {
        data: &x[1..],
        gain: 2.0,
    };
    view.get(0)
}

#[differentiable]
fn of_a_local(x: &[f64]) -> f64 {
    let squares: Vec<f64> = x.iter().map(|x| x * x).collect();
    let view = View {
        data: &squares,
        gain: x[0],
    };
    view.get(0)
}

fn main() {}
