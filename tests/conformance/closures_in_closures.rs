//! Closures that are passed on inside of closures that are passed on.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x))
}

#[differentiable]
fn iterate<F: Fn(f64) -> f64>(f: F, n: usize, x: f64) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = f(y);
    }
    y
}

#[differentiable]
fn three_deep(r: f64, x: f64, w: &[f64]) -> f64 {
    let k = r * x;
    iterate(
        |v| {
            twice(|u| r * u + iterate(|t| t * w[0] + k, 2, u), v)
                + iterate(|q| q.sin() * w[1], 1, v)
        },
        2,
        x,
    )
}

#[differentiable]
fn simpson(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    (b - a) * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b)) / 6.0
}

#[differentiable]
fn over_a_triangle(x: f64, y: f64) -> f64 {
    simpson(|u| simpson(|v| (u * v * x).sin() * y, 0.0, u), 0.0, x)
}

#[differentiable]
fn half(x: f64) -> f64 {
    0.5 * x
}

#[differentiable]
fn stepped<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    x - f(x)
}

#[differentiable]
fn over_what_is_replaced(y: f64, k: f64) -> f64 {
    let mut cur = half(y);
    let next = stepped(|y| y + cur, k);
    let old = std::mem::replace(&mut cur, next);
    cur * old
}

judge! {
    over_what_is_replaced(0.7, 1.4);
    three_deep(2.7, 0.3, &any(2));
    over_a_triangle(0.7, 0.6);
}
