//! Kernels whose assembly is read: derivatives beside adjoints written by hand.

use coenzyme::prelude::*;

/// `Σ (xᵢ − μ)²`.
#[differentiable]
fn squares(x: &[f64], mu: f64) -> f64 {
    let mut sum = 0.0;
    for x in x {
        let d = x - mu;
        sum += d * d;
    }
    sum
}

/// Adds to the gradient in `x`, returns that in `μ`.
#[unsafe(no_mangle)]
pub fn both(x: &[f64], dx: &mut [f64], mu: f64) -> f64 {
    let (((), dmu),) = autodiff!(Reverse, squares, Duplicated(x, dx), Active(mu));
    dmu
}

#[unsafe(no_mangle)]
pub fn both_by_hand(x: &[f64], dx: &mut [f64], mu: f64) -> f64 {
    assert_eq!(x.len(), dx.len());
    let mut dmu = 0.0;
    for (x, dx) in x.iter().zip(dx).rev() {
        let d = x - mu;
        let dd = d + d;
        *dx += dd;
        dmu -= dd;
    }
    dmu
}

/// `μ` is `Const`.
#[unsafe(no_mangle)]
pub fn memory_only(x: &[f64], dx: &mut [f64], mu: f64) {
    autodiff!(Reverse, squares, Duplicated(x, dx), Const(mu));
}

#[unsafe(no_mangle)]
pub fn memory_only_by_hand(x: &[f64], dx: &mut [f64], mu: f64) {
    assert_eq!(x.len(), dx.len());
    for (x, dx) in x.iter().zip(dx).rev() {
        let d = x - mu;
        *dx += d + d;
    }
}

/// `x` is `Const`.
#[unsafe(no_mangle)]
pub fn value_only(x: &[f64], mu: f64) -> f64 {
    let (((), dmu),) = autodiff!(Reverse, squares, Const(x), Active(mu));
    dmu
}

#[unsafe(no_mangle)]
pub fn value_only_by_hand(x: &[f64], mu: f64) -> f64 {
    let mut dmu = 0.0;
    for x in x.iter().rev() {
        let d = x - mu;
        dmu -= d + d;
    }
    dmu
}

/// `x²·y + x·y³`.
#[differentiable]
fn polynomial(x: f64, y: f64) -> f64 {
    x * x * y + x * y * y * y
}

/// Both are active.
#[unsafe(no_mangle)]
pub fn numbers(x: f64, y: f64) -> (f64, f64) {
    gradient!(polynomial, x, y)
}

/// `y` is `Const`.
#[unsafe(no_mangle)]
pub fn first_only(x: f64, y: f64) -> f64 {
    let ((dx, ()),) = autodiff!(Reverse, polynomial, Active(x), Const(y));
    dx
}

/// Nothing is active.
#[unsafe(no_mangle)]
pub fn nothing(x: &[f64], mu: f64) {
    autodiff!(Reverse, squares, Const(x), Const(mu));
}
