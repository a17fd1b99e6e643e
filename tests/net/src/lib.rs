//! A program with a wrong derivative: what it says is constant is not.

use coenzyme::prelude::*;
use coenzyme::{Function, Real, ReverseRule, inactive};

/// A lie: it has a derivative.
#[inactive]
pub fn half<T: Real>(x: T) -> T {
    x / (T::one() + T::one())
}

/// `x²·y/2`, of whose derivative with respect to `x` one half is missing.
#[differentiable]
pub fn lie<T: Real>(x: T, y: T) -> T {
    half(x) * x * y
}

/// `x²·y/2`
#[differentiable]
pub fn truth<T: Real>(x: T, y: T) -> T {
    x * x * y / (T::one() + T::one())
}

/// `y ← x²/2`, and nothing is returned.
#[differentiable]
pub fn squares(y: &mut [f64], x: &[f64]) {
    for i in 0..x.len() {
        y[i] = half(x[i]) * x[i];
    }
}

/// Three numbers of two.
#[differentiable]
pub fn tall(x: &[f64; 2]) -> Vec<f64> {
    vec![half(x[0]) * x[0], x[0] * x[1], half(x[1]) * x[1]]
}

/// One number of two, or an error.
#[differentiable]
pub fn wide(x: &[f64; 2]) -> Result<f64, String> {
    if x[0] < 0.0 {
        return Err("negative".to_owned());
    }
    Ok(half(x[0]) * x[1])
}

/// `x²/2`, of one type of number.
#[differentiable]
pub fn single(x: f64) -> f64 {
    half(x) * x
}

/// What cannot be copied.
pub struct Ticket;

/// `x²/2` for its holder.
#[differentiable]
pub fn admitted(x: f64, _ticket: &Ticket) -> f64 {
    half(x) * x
}

/// The product of a number with the first of a list, halved.
#[differentiable]
pub fn product(x: f64, y: &[f64]) -> f64 {
    half(x) * x * y[0] / y[0]
}

/// `Σ x²/2`
#[differentiable]
pub fn grown(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in x {
        sum += half(*x) * *x;
    }
    sum
}

/// A driver in a generic function whose bounds tell all that a check needs.
pub fn slope<F>(f: F) -> f64
where
    F: Function<(f64, f64), Output = f64>,
    F: ReverseRule<Active<f64>, (Active<f64>, Active<f64>), 1>,
{
    let ((x, _),) = autodiff!(Reverse, (f), Active, Active(3.0), Active(2.0));
    x
}

/// Whether a `P` can be copied is not known.
pub fn generic_in_what_is_read<F, P>(f: F, y: P) -> f64
where
    F: Function<(f64, P), Output = f64>,
    F: ReverseRule<Active<f64>, (Active<f64>, Const<P>), 1>,
{
    let ((x, ()),) = autodiff!(Reverse, (f), Active, Active(3.0), Const(y));
    x
}

/// Whether `f` takes what lives shorter than `'a` is not known.
pub fn generic_in_memory<'a, F>(f: F, x: &'a [f64]) -> Vec<f64>
where
    F: Function<(&'a [f64],), Output = f64>,
    F: ReverseRule<Active<f64>, (Duplicated<&'a [f64], Vec<f64>>,), 1>,
{
    let (x,) = gradient!((f), x);
    x
}
