//! Derivatives of generated derivatives: Rosenbrock's function against closed forms, third derivatives by nesting, and no
//! confusion of perturbations.

use coenzyme::prelude::*;
use coenzyme::{Dual, Real, derivative, hessian, hvp, hvp_and_gradient};

/// `Σ (1 − xᵢ)² + 100·(xᵢ₊₁ − xᵢ²)²`.
#[differentiable]
fn rosenbrock<T: Real>(x: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() - 1 {
        let a = T::one() - x[i];
        let b = x[i + 1] - x[i] * x[i];
        sum += a * a + T::lit(100.0) * b * b;
    }
    sum
}

/// A point, away from the minimum and from symmetry.
fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.3 + 0.7 * (i as f64 * 1.7).sin()).collect()
}

/// A direction.
fn direction(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 0.9 + 0.4).cos()).collect()
}

/// Entry `i` comes from the terms of `xᵢ₋₁` and of `xᵢ`, where there are such.
fn closed_gradient(x: &[f64]) -> Vec<f64> {
    let mut g = vec![0.0; x.len()];
    for (i, pair) in x.windows(2).enumerate() {
        let b = pair[1] - pair[0] * pair[0];
        g[i] -= 2.0 * (1.0 - pair[0]) + 400.0 * pair[0] * b;
        g[i + 1] += 200.0 * b;
    }
    g
}

/// Tridiagonal.
fn closed_hessian(x: &[f64]) -> Vec<Vec<f64>> {
    let mut h = vec![vec![0.0; x.len()]; x.len()];
    for (i, pair) in x.windows(2).enumerate() {
        h[i][i] += 2.0 + 1200.0 * pair[0] * pair[0] - 400.0 * pair[1];
        h[i][i + 1] = -400.0 * pair[0];
        h[i + 1][i] = -400.0 * pair[0];
        h[i + 1][i + 1] += 200.0;
    }
    h
}

/// `∇(vᵀ·H·v)`: the third derivatives are `2400·xᵢ` thrice in `xᵢ`, and −400 twice in `xᵢ` and once in `xᵢ₊₁`.
fn closed_third(x: &[f64], v: &[f64]) -> Vec<f64> {
    let mut t = vec![0.0; x.len()];
    for i in 0..x.len() - 1 {
        t[i] += 2400.0 * x[i] * v[i] * v[i] - 800.0 * v[i] * v[i + 1];
        t[i + 1] -= 400.0 * v[i] * v[i];
    }
    t
}

/// To 1e-12 of the largest entry, to whose rounding a sum of a few terms is known.
#[track_caller]
fn assert_close(found: &[f64], truth: &[f64]) {
    assert_eq!(found.len(), truth.len());
    let size = truth.iter().fold(1.0_f64, |m, t| m.max(t.abs()));
    for (i, (found, truth)) in found.iter().zip(truth).enumerate() {
        let far = (found - truth).abs() > 1e-12 * size;
        assert!(!far, "entry {i}: {found}, expected {truth}");
    }
}

fn product(h: &[Vec<f64>], v: &[f64]) -> Vec<f64> {
    let dot = |row: &Vec<f64>| row.iter().zip(v).map(|(h, v)| h * v).sum();
    h.iter().map(dot).collect()
}

#[test]
fn the_gradient_is_the_closed_form() {
    for n in [2, 10, 100] {
        let x = point(n);
        let (value, (gradient,)) = value_and_gradient(&rosenbrock {}, (&x,));
        assert_eq!(value, rosenbrock(&x));
        assert_close(&gradient, &closed_gradient(&x));
    }
}

#[test]
fn forward_mode_gives_the_same_slope() {
    for n in [2, 10, 100] {
        let (x, v) = (point(n), direction(n));
        let slope: f64 = closed_gradient(&x).iter().zip(&v).map(|(g, v)| g * v).sum();
        let (tangent,) = autodiff!(Forward, rosenbrock, Duplicated(&x[..], &v[..]));
        // the terms are of the size of the gradient, and n of them cancel
        let size: f64 = closed_gradient(&x).iter().map(|g| g.abs()).sum();
        assert!((tangent - slope).abs() < 1e-14 * size);
    }
}

#[test]
fn hessian_and_products_are_the_closed_forms() {
    for n in [2, 10, 100] {
        let (x, v) = (point(n), direction(n));
        let h = closed_hessian(&x);
        let (hv, gradient) = hvp_and_gradient(&rosenbrock {}, &x, &v);
        assert_close(&hv, &product(&h, &v));
        assert_close(&gradient, &closed_gradient(&x));
        for (row, truth) in hessian(&rosenbrock {}, &x).iter().zip(&h) {
            assert_close(row, truth);
        }
    }
}

#[test]
fn a_third_derivative_comes_by_nesting() {
    for n in [2, 10, 100] {
        let (x, v) = (point(n), direction(n));
        // Hv at x + t·v, and its derivative in t: forward over forward over reverse
        let moved: Vec<_> = x.iter().zip(&v).map(|(&x, &v)| Dual::new(x, v)).collect();
        let constant: Vec<_> = v.iter().map(|&v| Dual::constant(v)).collect();
        let hv = hvp(&rosenbrock {}, &moved, &constant);
        let (values, third): (Vec<_>, Vec<_>) = hv.iter().map(|h| (h.value, h.tangent)).unzip();
        assert_close(&values, &product(&closed_hessian(&x), &v));
        assert_close(&third, &closed_third(&x, &v));
    }
}

#[differentiable]
fn cube<T: Real>(x: T) -> T {
    x * x * x
}

#[test]
fn nested_derivatives_of_a_generated_function() {
    // x³, 3x², 6x, 6, 0 at 2
    assert_eq!(gradient!(cube, 2.0), (12.0,));
    let slope = |x: Dual<f64>| gradient!(cube, x).0;
    assert_eq!(derivative(slope, 2.0), 12.0);
    let curvature = |x| derivative(|x| gradient!(cube, x).0, x);
    assert_eq!(derivative(curvature, 2.0), 6.0);
    let third = |x| derivative(|x| derivative(|x| gradient!(cube, x).0, x), x);
    assert_eq!(derivative(third, 2.0_f64), 0.0);
}

#[differentiable]
fn plus<T: Real>(x: T, y: T) -> T {
    x + y
}

#[test]
fn perturbations_are_not_confused() {
    // d/dx [x · d/dy (x + y)] = 1 at every x and y; 2 if the tangent of x counts as that of y
    let in_reverse = |x: Dual<f64>| x * gradient!(plus, Const(x), x).1;
    assert_eq!(derivative(in_reverse, 5.0), 1.0);

    let in_forward = |x: Dual<f64>| {
        let y = Duplicated(x, Dual::constant(1.0));
        let (slope,) = autodiff!(Forward, plus, Const(x), y);
        x * slope
    };
    assert_eq!(derivative(in_forward, 5.0), 1.0);

    let with_duals = |x: Dual<f64>| x * derivative(|y| plus(Dual::constant(x), y), x);
    assert_eq!(derivative(with_duals, 5.0), 1.0);
}
