//! Loops and chains that `#[differentiable]` refuses.

use coenzyme::differentiable;

#[differentiable]
fn run_through_by_hand(x: &[f64]) -> f64 {
    let mut entries = x.iter();
    let first = entries.next().unwrap();
    first * 2.0
}

#[differentiable]
fn advanced_with_a_closure_that_changes(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut sums = x.iter().map(|v| {
        s += v;
        s
    });
    sums.next().unwrap() * s
}

#[differentiable]
fn backwards_through_parts(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.chunks(2).flat_map(|c| c.iter()).rev() {
        s = s * v;
    }
    s
}

#[differentiable]
fn chain_with_another_name_in_it(x: &[f64]) -> f64 {
    let k = 2.0;
    let scaled = x.iter().map(|v| v * k);
    let k = x[0];
    scaled.sum::<f64>() * k
}

#[differentiable]
fn zipped_after_filter(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (v, i) in x.iter().filter(|v| **v > 0.0).zip((0..).filter(|k| k % 2 == 0)) {
        s += v * i as f64;
    }
    s
}

#[differentiable]
fn changes_inside_an_expression(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let n = x.iter().filter(|v| { s += **v; true }).count();
    s / n as f64
}

#[differentiable]
fn folded_by_a_call(x: &[f64]) -> f64 {
    x.iter().copied().fold(0.0, step(2.0))
}

fn step(k: f64) -> impl Fn(f64, f64) -> f64 {
    move |a, b| a * b * k
}

#[differentiable]
fn pattern_of_a_loop_variable(n: usize, x: f64) -> f64 {
    let mut s = x;
    for (i, j) in 0..n {
        s *= x;
    }
    s
}

fn main() {}
