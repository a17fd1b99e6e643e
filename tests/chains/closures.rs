//! Closures that are bound to a name and called.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn simple(x: f64, y: f64) -> f64 {
    let f = |a: f64| a * a + 1.0;
    f(x) * f(y)
}

#[differentiable]
fn captures(x: f64, y: f64) -> f64 {
    let k = x * y;
    let f = |a: f64, b: f64| a * k + b.sin();
    f(x, y) + f(k, 2.0)
}

#[differentiable]
fn block_body(x: &[f64]) -> f64 {
    let norm = |a: f64, b: f64| {
        let s = a * a + b * b;
        if s > 1.0 { s.sqrt() } else { s }
    };
    norm(x[0], x[1]) * norm(x[1], x[2])
}

#[differentiable]
fn changes_what_it_captured(x: f64, n: usize) -> f64 {
    let mut s = x;
    let mut step = |k: f64| s = s * k + 0.1;
    for i in 0..n {
        step(i as f64 * 0.3);
    }
    s * x
}

#[differentiable]
fn called_in_a_loop(x: &[f64]) -> f64 {
    let f = |v: f64, i: usize| v.powi(i as i32);
    let mut s = 0.0;
    for i in 0..x.len() {
        s += f(x[i], i) * s + x[0];
    }
    s
}

#[differentiable]
fn called_by_another(x: f64) -> f64 {
    let f = |a: f64| a * x;
    let g = |a: f64| f(a) + f(a * 2.0);
    g(x) * g(1.5)
}

#[differentiable]
fn shadowed_capture(x: f64) -> f64 {
    let k = x * 2.0;
    let f = |a: f64| a * k;
    let k = x.sin();
    f(k) + k
}

#[differentiable]
fn takes_a_slice(x: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a[0] * b[0] + a[1] * b[1];
    dot(&x[..2], &x[1..]) * dot(x, x)
}

#[differentiable]
fn index_closure(m: &[f64], n: usize) -> f64 {
    let at = |i: usize, j: usize| m[i * n + j];
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..n {
            s += at(i, j) * at(j, i);
        }
    }
    s
}

#[differentiable]
fn inactive_closure(x: &[f64], n: usize) -> f64 {
    let wrap = |i: usize| i % n;
    let mut s = 0.0;
    for i in 0..2 * n {
        s += x[wrap(i)] * x[wrap(i + 1)];
    }
    s
}

#[differentiable]
fn returns_a_tuple(x: f64) -> f64 {
    let f = |a: f64| (a.sin(), a * x);
    let (p, q) = f(x);
    p * q + f(p).0
}

#[differentiable]
fn in_chains(x: &[f64], k: f64) -> f64 {
    let f = |v: f64| v * k + 1.0;
    x.iter().map(|v| f(*v) * f(k)).sum()
}

#[differentiable]
fn runge_kutta(u: &mut [f64], k: f64, n: usize) {
    let rate = |a: f64, b: f64| a * (1.0 - b * k);
    let h = 0.05;
    for _ in 0..n {
        let k1 = rate(u[0], u[1]);
        let k2 = rate(u[0] + 0.5 * h * k1, u[1]);
        let k3 = rate(u[1], u[0] + h * k2);
        u[0] += h * k2;
        u[1] -= h * k3;
    }
}

#[differentiable]
fn another_name(x: f64, k: f64) -> f64 {
    let f = |a: f64| a * a * k;
    let g = f;
    let h = &g;
    g(x) + h(k) + (|a: f64| a * x)(k)
}

judge! {
    another_name(0.7, 0.4);
    simple(0.7, -0.4);
    captures(0.7, -0.4);
    block_body(&vec![0.3, 0.7, 1.2]);
    changes_what_it_captured(0.7, 3);
    called_in_a_loop(&any(3));
    called_by_another(0.7);
    shadowed_capture(0.7);
    takes_a_slice(&any(3));
    index_closure(&any(4), 2);
    inactive_closure(&any(3), 3);
    returns_a_tuple(0.7);
    in_chains(&positive(3), 0.7);
    runge_kutta(&mut positive(2), 0.7, 3);
}
