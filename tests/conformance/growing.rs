//! Vectors that grow: `push` and `pop`.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn pushed(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    for i in 0..x.len() {
        v.push(x[i] * x[i]);
    }
    let last = v.pop().unwrap();
    v.iter().sum::<f64>() * last
}

#[differentiable]
fn stack(x: &[f64]) -> f64 {
    let mut stack = vec![x[0]];
    let mut total = 0.0;
    for i in 1..x.len() {
        if i % 3 == 0 {
            let a = stack.pop().unwrap();
            let b = stack.pop().unwrap();
            stack.push(a * b);
        } else {
            stack.push(x[i] * stack[stack.len() - 1]);
        }
        total += stack.len() as f64 * stack.iter().map(|v| v * v).sum::<f64>();
    }
    total * stack.last().unwrap()
}

#[differentiable]
fn history(x: f64, n: usize) -> Vec<f64> {
    let mut out = Vec::with_capacity(n);
    let mut y = x;
    for _ in 0..n {
        y = y.sin() * x;
        out.push(y);
    }
    out
}

#[differentiable]
fn pushed_inside(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for k in 0..n {
        let mut kept = vec![];
        for &v in x {
            if v > k as f64 * 0.1 {
                kept.push(v * v);
            }
        }
        for i in 0..kept.len() {
            total += kept[i] * (i + k) as f64;
        }
        kept.pop();
        total += kept.len() as f64 * x[0];
    }
    total
}

#[differentiable]
fn retained(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.retain(|a| *a > 0.0);
    v.iter().sum()
}

#[differentiable]
fn split_off(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let tail = v.split_off(2);
    tail[0] * v[0]
}

#[differentiable]
fn swapped_slices(x: &mut [f64], y: &mut [f64]) {
    x.swap_with_slice(y);
    x[0] *= y[0];
}

judge! {
    retained(&any(5));
    split_off(&any(4));
    swapped_slices(&mut any(3), &mut positive(3));
    pushed(&any(3));
    stack(&positive(7));
    history(0.7, 3);
    pushed_inside(&vec![0.05, 0.3, -0.2, 0.7], 3);
}
