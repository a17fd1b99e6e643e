//! Loops and chains that `#[differentiable]` refuses.

use coenzyme::differentiable;

#[differentiable]
fn an_argument_shrinks(x: &mut Vec<f64>) -> f64 {
    let mut s = 0.0;
    while let Some(v) = x.pop() {
        s += v;
    }
    s
}

#[differentiable]
fn unknown_iterator(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.iter().scan(0.0, |a, v| Some(*a + v)) {
        s += v;
    }
    s
}

#[differentiable]
fn chunks_from_the_end(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for c in x.rchunks(2) {
        s += c[0];
    }
    s
}

#[differentiable]
fn enumerated_after_filter(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().filter(|v| **v > 0.0).enumerate() {
        s += v * i as f64;
    }
    s
}

#[differentiable]
fn collected_after_filter(x: &[f64]) -> f64 {
    let y: Vec<f64> = x.iter().filter(|v| **v > 0.0).map(|v| v * 2.0).collect();
    y[0]
}

#[differentiable]
fn reversed_chain(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.iter().chain(y.iter()).rev() {
        s = s * v;
    }
    s
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

#[differentiable]
fn largest_of_some(x: &[f64]) -> f64 {
    *x.iter().filter(|v| **v < 9.0).max_by(|a, b| a.total_cmp(b)).unwrap()
}

#[differentiable]
fn scanned_sum(x: &[f64]) -> f64 {
    x.iter().take_while(|v| **v > 0.0).sum()
}

fn main() {}
