//! Loops whose rounds all add to one cotangent: in the reverse sweep they run in blocks of eight, if there are 16 rounds or more.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::{judge, judge_single};

#[differentiable]
fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}
#[differentiable]
fn single(a: f32, x: &[f32], y: &mut [f32]) {
    for i in 0..x.len() {
        y[i] -= a * x[i];
    }
}
/// A product of matrices, of 1 × 3 and 3 × n.
#[differentiable]
fn product(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for (c, a) in c.chunks_exact_mut(n).zip(a.chunks_exact(b.len() / n)) {
        c.fill(0.0);
        for (a, b) in a.iter().zip(b.chunks_exact(n)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}
/// The sum goes to the memory that the loop runs over.
#[differentiable]
fn by_the_first(x: &[f64], y: &mut [f64]) {
    for i in 1..x.len() {
        y[i] += x[0] * x[i];
    }
}
#[differentiable]
fn two_sums(a: f64, b: f64, x: &[f64], y: &mut [f64]) {
    let c = a * b + 0.3;
    for i in 0..y.len() {
        y[i] += a * x[i] - c * x[i] * b;
    }
}
/// What is read is also added to in memory: entries of its own.
#[differentiable]
fn in_place(a: f64, x: &mut [f64]) {
    for i in 0..x.len() {
        x[i] += a * x[i];
    }
}
/// With memory of its own, and a sum that a loop around it carries on.
#[differentiable]
fn columns(l: &[f64], x: &[f64], n: usize) -> f64 {
    let mut y = vec![0.0; n];
    let mut sum = 0.0;
    for c in 0..x.len() {
        let xc = x[c] + 0.1 * sum;
        for (y, l) in y[c + 1..].iter_mut().zip(&l[c..]) {
            *y += l * xc;
        }
        sum += y[n - 1];
    }
    sum + y.iter().map(|y| y * y).sum::<f64>()
}
/// The value that is added is itself from outside.
#[differentiable]
fn shifted(a: f64, y: &mut [f64]) {
    for y in y.iter_mut() {
        *y += a;
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Point {
    x: f64,
    y: f64,
}
#[differentiable]
fn of_points(a: f64, x: &[f64], p: &mut [Point]) {
    for i in 0..p.len() {
        p[i].x += a * x[i];
        p[i].y -= a * a * x[i];
    }
}

judge! {
    axpy(0.7, &any(29), &mut any(29));
    product(26, &any(3), &positive(78), &mut any(26));
    by_the_first(&any(27), &mut any(27));
    two_sums(0.4, 0.7, &any(24), &mut any(24));
    in_place(0.4, &mut any(25));
    columns(&any(30), &any(2), 30);
    shifted(0.4, &mut any(25));
    of_points(0.3, &any(24), &mut vec![Point { x: 0.3, y: 0.4 }; 24]);
}

judge_single! { single(0.7, &any(25).iter().map(|x| *x as f32).collect::<Vec<_>>(), &mut any(25).iter().map(|x| *x as f32).collect::<Vec<_>>()); }
