//! Methods of floats, each on both sides of its branches.

use coenzyme::differentiable;

use crate::judge::any;
use crate::subject::judge;

/// `name` has the derivative of the method of that name.
macro_rules! unary {
    ($($name:ident),* $(,)?) => {$(
        #[differentiable]
        fn $name(x: f64) -> f64 {
            let y = x.$name();
            y * y + y * x
        }
    )*};
}

unary! {
    abs, acos, acosh, asin, asinh, atan, atanh, cbrt, ceil, cos, cosh, exp, exp2, exp_m1, floor, fract, ln, ln_1p, log10, log2, recip, round, signum, sin, sinh, sqrt, tan, tanh, to_degrees, to_radians, trunc,
}

/// The same with two operands.
macro_rules! binary {
    ($($name:ident),* $(,)?) => {$(
        #[differentiable]
        fn $name(x: f64, y: f64) -> f64 {
            let z = x.$name(y);
            z * z + z * x
        }
    )*};
}

binary! {
    atan2, copysign, hypot, log, max, min, powf, rem_euclid,
}

#[differentiable]
fn powi(x: f64, n: i32) -> f64 {
    x.powi(n) + x.powi(3) * x
}

#[differentiable]
fn clamp(x: f64, low: f64, high: f64) -> f64 {
    let y = x.clamp(low, high);
    y * y * x
}

#[differentiable]
fn mul_add(x: f64, y: f64, z: f64) -> f64 {
    x.mul_add(y, z) * z
}

#[differentiable]
fn sin_cos(x: f64) -> f64 {
    let (s, c) = x.sin_cos();
    s * c * x
}

#[differentiable]
fn by_path(x: f64, y: f64) -> f64 {
    f64::sin(x) * f64::max(x, y) + f64::powi(y, 2) + f64::mul_add(x, y, 2.0)
}

#[differentiable]
fn method_chain(x: f64) -> f64 {
    x.sin().exp().sqrt().ln_1p()
}

#[differentiable]
fn inactive_receiver(x: f64) -> f64 {
    2.0_f64.powf(x) + 0.5_f64.max(x) + 1.5_f64.atan2(x) + 3.0_f64.sqrt() * x
}

#[differentiable]
fn inactive_argument(x: f64, n: usize) -> f64 {
    let k = n as f64;
    x.powf(k) + x.max(0.1) + x.hypot(k.sqrt()) + x.clamp(-1.0, 1.0)
}

#[differentiable]
fn of_an_entry(x: &[f64]) -> f64 {
    x[0].sin() * (x[1] + x[2]).cos() + x[x.len() - 1].abs()
}

judge! {
    abs(0.7) (-0.7);
    acos(0.3);
    acosh(1.7);
    asin(0.3);
    asinh(0.3);
    atan(0.3);
    atanh(0.3);
    cbrt(0.7) (-0.7);
    ceil(0.3);
    cos(0.3);
    cosh(0.3);
    exp(0.3);
    exp2(0.3);
    exp_m1(0.3);
    floor(0.3);
    fract(1.3) (-0.4);
    ln(0.3);
    ln_1p(0.3);
    log10(0.3);
    log2(0.3);
    recip(0.3) (-0.3);
    round(0.3);
    signum(0.3) (-0.3);
    sin(0.3);
    sinh(0.3);
    sqrt(0.3);
    tan(0.3);
    tanh(0.3);
    to_degrees(0.3);
    to_radians(0.3);
    trunc(0.3);
    atan2(0.3, 0.7) (-0.3, -0.7);
    copysign(0.3, 0.7) (0.3, -0.7);
    hypot(0.3, 0.7);
    log(0.3, 2.7);
    max(0.3, 0.7) (0.7, 0.3);
    min(0.3, 0.7) (0.7, 0.3);
    powf(0.3, 0.7) (1.7, -0.7);
    rem_euclid(1.7, 0.4) (-1.7, 0.4);
    powi(0.7, 4) (-0.7, -3) (0.7, 1) (0.7, 0);
    clamp(0.3, -1.0, 1.0) (2.3, -1.0, 1.0) (-2.3, -1.0, 1.0);
    mul_add(0.7, 0.3, 1.2);
    sin_cos(0.7);
    by_path(0.7, 0.3);
    method_chain(0.7);
    inactive_receiver(0.7);
    inactive_argument(0.7, 2);
    of_an_entry(&any(3));
}
