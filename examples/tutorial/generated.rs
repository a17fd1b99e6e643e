//! `f`, `g` and `h` without any rule.

use coenzyme::prelude::*;

/// `y ← x²`, returns `Σ y`.
#[differentiable]
fn f(y: &mut [f64], x: &[f64]) -> f64 {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x * x;
    }
    y.iter().sum()
}

/// `f²`.
#[differentiable]
fn g(y: &mut [f64], x: &[f64]) -> f64 {
    let sum = f(y, x);
    sum * sum
}

/// `f²` again, from what `f` wrote to `y`, with `x` overwritten in between.
#[differentiable]
fn h(y: &mut [f64], x: &mut [f64]) -> f64 {
    let sum = f(y, x);
    for x in x.iter_mut() {
        *x = *x * *x;
    }
    sum * y.iter().sum::<f64>()
}

pub(crate) fn run() {
    let (mut y, mut dy) = ([0.0, 0.0], [0.0, 0.0]);
    let (mut x, mut dx) = ([3.0, 1.0], [1.0, 0.0]);

    let tangent = autodiff!(Forward, g, Duplicated(&mut y, &mut dy), Duplicated(&x, &dx));
    println!("forward of g: {tangent:?}, dy = {dy:?}");

    (dx, dy) = ([0.0; 2], [0.0; 2]);
    autodiff!(
        Reverse,
        g,
        Duplicated(&mut y, &mut dy),
        Duplicated(&x, &mut dx)
    );
    println!("reverse of g: dx = {dx:?}, dy = {dy:?}");

    (dx, dy) = ([0.0; 2], [0.0; 2]);
    autodiff!(
        Reverse,
        h,
        Duplicated(&mut y, &mut dy),
        Duplicated(&mut x, &mut dx)
    );
    println!("reverse of h: dx = {dx:?}, dy = {dy:?}, and x is now {x:?}");
}
