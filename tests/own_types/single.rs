//! Single precision, and conversions between precisions.

use coenzyme::{Real, differentiable};

use crate::subject::judge_single;

#[differentiable]
fn product(x: f32, y: f32) -> f32 {
    x * y + x.sin()
}

#[differentiable]
fn literals(x: f32) -> f32 {
    let k = 0.5_f32;
    x * 2.0 + k * x * x + 1.0
}

#[differentiable]
fn summed(x: &[f32], k: f32) -> f32 {
    let mut s = 0.0;
    for v in x {
        s += v * v * k;
    }
    s + x.iter().sum::<f32>()
}

#[differentiable]
fn written(y: &mut [f32], x: &[f32]) {
    for i in 0..x.len() {
        y[i] = y[i] * x[i] + 0.5;
    }
}

#[differentiable]
fn widened(x: f32) -> f64 {
    let y = x as f64;
    y * y + f64::from(x)
}

#[differentiable]
fn narrowed(x: f64, y: f32) -> f32 {
    let z = x as f32 * y;
    z * z
}

#[differentiable]
fn accumulated_in_double(x: &[f32]) -> f32 {
    let mut s = 0.0_f64;
    for i in 0..x.len() {
        let v = x[i] as f64;
        s += v * v;
    }
    s.sqrt() as f32
}

#[differentiable]
fn counted(x: f32, n: usize) -> f32 {
    let mut s = x;
    for i in 1..n {
        s = s * 0.5 + x / i as f32;
    }
    s
}

#[differentiable]
fn early(x: &[f32], cap: f32) -> f32 {
    let mut s = 1.0;
    for i in 0..x.len() {
        s *= x[i];
        if s > cap {
            return s * 2.0;
        }
    }
    s
}

#[differentiable]
fn generic<T: Real>(x: T, y: T) -> T {
    x * y.exp() + T::lit(0.5)
}

judge_single! {
    product(0.7, -0.4);
    literals(0.7);
    summed(&vec![0.7, -0.4], 0.3);
    written(&mut vec![0.7, -0.4], &vec![0.3, 0.9]);
    widened(0.7);
    narrowed(0.7, 0.4);
    accumulated_in_double(&vec![0.7, -0.4]);
    counted(0.7, 3);
    early(&vec![1.2, 1.4, 0.7], 1.5) (&vec![1.2], 9.0);
    generic(0.7_f32, 0.4_f32);
}
