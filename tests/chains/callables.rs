//! Parameters that are called: the rules take the marker of a function in place of the function.

use coenzyme::{
    Active, Const, Duplicated, Forward, Real, Reverse, autodiff, differentiable, gradient, inactive,
};

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x)) * x
}

#[differentiable]
fn integral<F: Fn(f64, f64) -> f64>(f: F, p: f64, n: usize) -> f64 {
    let h = 1.0 / n as f64;
    let mut s = 0.5 * h * (f(0.0, p) + f(1.0, p));
    for k in 1..n {
        s += h * f(k as f64 * h, p);
    }
    s
}

#[differentiable]
fn generic<T, F>(f: F, x: &[T]) -> T
where
    T: Real,
    F: Fn(T) -> T,
{
    let mut s = T::zero();
    for v in x {
        s += f(*v) * *v;
    }
    s * f(T::one())
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn cube<T: Real>(x: T) -> T {
    x * x * x
}

#[differentiable]
fn bell(t: f64, p: f64) -> f64 {
    (-p * t * t).exp()
}

#[inactive]
fn rounded(x: f64) -> f64 {
    x.round()
}

#[differentiable]
fn passes_functions(x: &[f64]) -> f64 {
    twice(square, x[0]) + integral(bell, x[1], 4) * generic(cube, x) + twice(rounded, x[1])
}

#[differentiable]
fn passed_on(f: impl Fn(f64) -> f64 + Copy, x: f64) -> f64 {
    twice(f, x * x) + f(2.0) * x
}

#[differentiable]
fn mapped(f: impl Fn(f64) -> f64, x: &[f64]) -> f64 {
    x.iter().map(|v| f(*v)).sum::<f64>() * x.iter().copied().map(&f).fold(0.5, f64::max)
}

#[differentiable]
fn passes_on(x: &[f64]) -> f64 {
    passed_on(square, x[0]) * mapped(square, x)
}

#[differentiable]
fn passes_methods_of_numbers(x: &[f64]) -> f64 {
    twice(f64::sin, x[0]) + integral(f64::atan2, x[1], 4) * passed_on(f64::cos, x[2])
}

#[differentiable]
fn passes_generic_methods<T: Real>(x: T) -> T {
    twice_generic(T::sin, x) * twice_generic(&T::exp, x)
}

#[differentiable]
fn twice_generic<T: Real>(f: impl Fn(T) -> T, x: T) -> T {
    f(f(x))
}

judge! {
    passes_methods_of_numbers(&any(3));
    passes_generic_methods(0.3);
    passes_functions(&any(3));
    passes_on(&any(3));
}

#[test]
fn markers_are_passed_from_outside() {
    assert_eq!(twice(square, 2.0), 32.0);
    assert_eq!(gradient!(twice, Const(square {}), 2.0), ((), 80.0));
    let forward = autodiff!(Forward, twice, Const(square {}), Duplicated(2.0, 1.0));
    assert_eq!(forward, (80.0,));
    let reverse = autodiff!(Reverse, passed_on, Active, Const(square {}), Active(1.0));
    assert_eq!(reverse, (((), 14.0),));
}
