//! Locals that begin as literals, whose types closures and functions tell that get them.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn through_closures(a: f64, n: usize) -> f64 {
    let mut d = vec![0.5; n];
    let damped = |x: f64, y: f64| x.sin() * y.exp();
    for i in 1..n {
        d[i] = a * damped(d[i - 1], 1.0);
    }
    let mut sum = -1.0;
    let square = |v: f64| v.powi(2);
    for i in 0..n {
        sum += square(d[i]) + square(sum);
    }
    let (mut u, mut v) = (1.0, 2.0);
    for _ in 0..2 {
        (u, v) = (damped(u, v), a * square(v));
    }
    sum * u + v
}

#[differentiable]
fn of_arrays(a: f64) -> f64 {
    let mut m = [[0.5, 0.1], [0.2, 0.3]];
    let root = |x: f64| x.max(0.0).sqrt();
    m[0][1] = a;
    root(m[0][0]) + root(m[0][1]) * root(m[1][1])
}

#[differentiable]
fn cell(x: f64, s: (f64, f64), w: &[f64]) -> (f64, f64) {
    (s.0 * w[0] + x, s.1 * x)
}

#[differentiable]
fn nested(t: ([f64; 2], f64), w: &[f64], v: f64) -> ([f64; 2], f64) {
    ([t.0[0] + v * w[0], t.0[1] + v], t.1 * w[1])
}

#[differentiable]
fn folded(x: &[f64], w: &[f64]) -> f64 {
    let (a, b) = x.iter().fold((0.0, 1.0), |s, &x| cell(x, s, w));
    a * b
}

#[differentiable]
fn tuples(x: &[f64], w: &[f64]) -> f64 {
    let mut s = (0., 0.5);
    for &v in x {
        s = cell(v, s, w);
    }
    let mut t = ([0.0; 2], 1.0);
    for &v in x {
        t = nested(t, w, v);
    }
    s.0 + s.1 + t.0[0] * t.0[1] * t.1
}

#[differentiable]
fn horner(c: &[f64], t: f64) -> f64 {
    c.iter().rev().fold(0.0, |acc, &ci| acc.mul_add(t, ci))
}

#[differentiable]
fn states_of_folds(c: &[f64], t: f64) -> f64 {
    let (a, b): (f64, f64) = c
        .iter()
        .fold((0.0, 1.0), |(a, b), &ci| (a.mul_add(t, ci), b.hypot(ci)));
    let s: f64 = c.iter().fold(0.5, |acc, &ci| acc.sin() + t * ci);
    a * b + s
}

judge! {
    horner(&any(4), 0.7);
    states_of_folds(&any(4), 0.7);
    through_closures(0.7, 3);
    of_arrays(0.4);
    folded(&any(4), &any(2));
    tuples(&any(4), &any(2));
}
