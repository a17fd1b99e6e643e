//! Bindings and patterns that `#[differentiable]` refuses.

use coenzyme::{Tangent, differentiable};

#[differentiable]
fn slice_pattern(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [a] => *a,
        [a, .., b] => a * b,
    }
}

#[differentiable]
fn bound_by_reference(x: f64) -> f64 {
    let ref y = x;
    y * y
}

#[differentiable]
fn bound_with_at(x: f64) -> f64 {
    let y @ z = x;
    y * z
}

#[differentiable]
fn rest_in_the_middle(x: f64) -> f64 {
    let [a, .., b] = [x, x * x, 2.0];
    a * b
}

#[differentiable]
fn chain_of_lets(x: f64, n: Option<usize>) -> f64 {
    if let Some(n) = n && n > 2 {
        x * n as f64
    } else {
        x
    }
}

#[derive(Clone, Debug, Tangent)]
enum Shape {
    Circle(f64),
    Square { side: f64 },
}

#[differentiable]
fn variant_from_active_values(x: f64) -> f64 {
    let _s = Shape::Circle(x * x);
    let _t = Shape::Square { side: x };
    let _o = Some(x);
    x
}

#[differentiable]
fn part_of_a_variant_is_changed(s: &mut Shape, k: f64) {
    match s {
        Shape::Circle(r) => *r *= k,
        Shape::Square { side } => *side += k,
    }
}

#[differentiable]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err("negative".to_owned());
    }
    Ok(x.sqrt())
}

#[differentiable]
fn result_of_a_call(x: f64) -> f64 {
    match root(x) {
        Ok(r) => r * x,
        Err(_) => 0.0,
    }
}

#[differentiable]
fn assigned_to_a_call(x: f64, y: &mut [f64]) {
    *y.first_mut().unwrap() = x;
}

fn main() {}
