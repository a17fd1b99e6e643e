//! Integrals with active ends.

use std::f64::consts::FRAC_PI_2;

use coenzyme::Real;
use coenzyme::prelude::*;
use coenzyme_loops::{Error, quadrature};
use coenzyme_testutils::{input, test_rule, value};

/// Analytic and bounded, wherever it is.
#[differentiable]
fn bump<T: Real>(x: T, p: &[T]) -> T {
    p[1].sin() + (p[0] + x).cos() / (T::lit(2.0) + x * x)
}

// over 10⁸ oscillations the sum is no integral any more, and differences of it are none of the integral
test_rule! {
    quadrature;
    a: value(-0.4).within(-2.0..2.0), b: value(b).within(-2.0..2.0), p: input([0.3, 0.8]), f: value(Inactive(bump {})) [Const], tolerance: value(Inactive(1e-13)) [Const];
    ret: [Const, Active];
    name = integrals, sizes = b in [0.9, -1.1]
}

#[differentiable]
fn integrand(theta: f64, m: &f64) -> f64 {
    let s = theta.sin();
    1.0 / (1.0 - *m * s * s).sqrt()
}

/// D18: `K(m)` as what it is, an integral.
#[test]
fn d18_k_as_an_integral() {
    let mut dm = 0.0;
    let args = (
        Const(0.0),
        Active(FRAC_PI_2),
        Duplicated(&0.9, &mut dm),
        Const(Inactive(integrand {})),
        Const(Inactive(1e-14)),
    );
    let ((_, db, ..), k) = autodiff(ReverseWithPrimal, &quadrature {}, coenzyme::AsActive, args)
        .expect("it is smooth");
    assert!((k - 2.578_092_113_348_173_2).abs() < 1e-14);
    assert!((dm - 4.705_364_007_606_978).abs() < 1e-13);
    // Leibniz: the integrand at the end
    assert!((db - 1.0 / 0.1_f64.sqrt()).abs() < 1e-14);
}

#[test]
fn an_integral_that_is_infinite_is_an_error() {
    #[differentiable]
    fn pole(x: f64, _p: &()) -> f64 {
        1.0 / x
    }
    let result = quadrature(0.0, 1.0, &(), Inactive(pole {}), Inactive(1e-12));
    assert!(
        matches!(result, Err(Error::NoConvergence { .. })),
        "{result:?}"
    );
}
