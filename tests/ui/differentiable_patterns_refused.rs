//! Bindings and patterns that `#[differentiable]` refuses.

use coenzyme::{Tangent, differentiable, primitive};

#[differentiable]
fn parts_of_entries_in_a_slice_pattern(x: &[(f64, [f64; 2])]) -> f64 {
    match x {
        [(a, [b, _]), ..] => a * b,
        _ => 0.0,
    }
}

#[differentiable]
fn bound_by_reference(x: f64) -> f64 {
    let ref y = x;
    y * y
}

#[differentiable]
fn rest_in_the_middle(x: f64) -> f64 {
    let (a, .., b) = (x, x * x, 2.0, x);
    a * b
}

#[derive(Clone, Debug, Tangent)]
enum Shape {
    Circle(f64),
    Path { sides: Vec<f64> },
}

#[differentiable]
fn part_of_a_variant_grows(s: &mut Shape, k: f64) {
    match s {
        Shape::Circle(r) => *r *= k,
        Shape::Path { sides } => sides.push(k),
    }
}

#[differentiable]
fn part_and_whole_are_changed_at_once(s: &mut Shape, k: f64) {
    if let Shape::Circle(r) = s {
        *s = Shape::Circle({
            *r *= k;
            *r
        });
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
fn halve(x: &mut f64) -> Result<f64, String> {
    *x *= 0.5;
    if *x > 1.0 { Ok(*x) } else { Err("small".to_owned()) }
}

#[differentiable]
fn error_of_a_call_that_changes(x: &mut f64) -> f64 {
    match halve(x) {
        Ok(r) => r * *x,
        Err(e) => e.len() as f64,
    }
}

#[primitive]
fn maybe(x: f64) -> Option<f64> {
    Some(x)
}

#[differentiable]
fn option_from_what_is_not_known(x: f64) -> f64 {
    let mut o = Some(x);
    o = maybe(x);
    o.unwrap()
}

#[differentiable]
fn assigned_to_a_call(x: f64, y: &mut [f64]) {
    *y.iter_mut().last().unwrap() = x;
}

fn main() {}
