//! Methods on active values that `#[differentiable]` refuses.

use coenzyme::{Tangent, differentiable};

#[differentiable]
fn pushed_inside_of_another(rows: &mut [Vec<f64>], y: f64) {
    rows[0].push(y);
}

#[differentiable]
fn popped_inside_of_another(rows: &mut [Vec<f64>]) -> f64 {
    rows[0].pop().unwrap() * 2.0
}

#[differentiable]
fn concatenated(rows: &[Vec<f64>]) -> Vec<f64> {
    rows.concat()
}

#[differentiable]
fn copy_of_a_value(y: &mut [f64], x: f64) {
    y.copy_from_slice(&[x, x * x]);
}

#[differentiable]
fn last_of_some(x: &[f64]) -> f64 {
    x.iter().copied().filter(|v| *v > 0.0).last().unwrap()
}

#[differentiable]
fn taken_out_of_a_part(x: &[f64]) -> f64 {
    let mut rows = vec![x.to_vec(), x.to_vec()];
    let first = std::mem::take(&mut rows[0]);
    first[0] * rows[1][0]
}

#[derive(Clone, Debug, Tangent)]
struct Arrow {
    x: f64,
    y: f64,
}

impl Arrow {
    fn len(&self) -> f64 {
        self.x.hypot(self.y)
    }
}

#[differentiable]
fn length_that_is_no_count(v: &Arrow, k: f64) -> f64 {
    v.len() * k
}

#[differentiable]
fn selected(x: &mut [f64]) {
    unsafe { *x.get_unchecked_mut(0) = 1.0 }
}

/// A caller of a function that was refused has no error of its own.
#[differentiable]
fn calls_the_refused(x: &mut [f64], y: f64) -> f64 {
    selected(x);
    y * x[0]
}

fn main() {}
