//! Syntax that is short for other syntax: `let … else`, `while let`, `..rest`, `mem::replace`, `reverse`, `extend`.

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Point {
    x: f64,
    y: f64,
    n: usize,
}

#[differentiable]
fn replace(a: &mut [f64], k: f64) -> f64 {
    let old = std::mem::replace(&mut a[0], k * k);
    old * a[0]
}

#[differentiable]
fn struct_rest(p: &Point, k: f64) -> f64 {
    let q = Point {
        x: k * p.x,
        ..p.clone()
    };
    q.x * q.y
}

#[differentiable]
fn let_else(x: f64, n: Option<i32>) -> f64 {
    let Some(n) = n else {
        return x;
    };
    x.powi(n)
}

#[differentiable]
fn while_let(x: f64, n: usize) -> f64 {
    let mut s = x;
    let mut todo: Vec<usize> = (0..n).collect();
    while let Some(i) = todo.pop() {
        s = s * x + i as f64;
    }
    s
}

#[differentiable]
fn extend(a: &[f64]) -> f64 {
    let mut v = vec![1.0];
    v.extend_from_slice(a);
    v.extend(a.iter().map(|x| x * 2.0));
    v.extend_from_slice(&[2.0, a[0]]);
    v.iter().map(|x| x * x).sum()
}

#[differentiable]
fn reverse(y: &mut [f64]) {
    y.reverse();
    y[0] *= y[1];
}

#[differentiable]
fn reverse_part(y: &mut [f64]) {
    y[1..].reverse();
    y[0] *= y[1];
}

#[differentiable]
fn destructure_assign(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    (a, b) = (b * a, a);
    (a, _) = (a * b, 1.0);
    a + b
}

judge! {
 replace(&mut any(2), 0.4); struct_rest(&Point { x: 0.3, y: 0.7, n: 1 }, 0.4); let_else(0.3, Some(2)) (0.3, None); while_let(0.7, 3); extend(&any(2)); reverse(&mut any(3)); reverse_part(&mut any(4)) (&mut any(5)); destructure_assign(0.3, 0.7);
}
