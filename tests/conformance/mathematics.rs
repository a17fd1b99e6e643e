//! `math = fast`: the functions that vectorize in the place of the methods, and methods of own types left alone.

use coenzyme::fast::Fast;
use coenzyme::{Real, Tangent, differentiable, gradient};

use crate::judge::{any, positive};
use crate::subject::{judge, judge_single};

#[differentiable(math = fast)]
fn every_method(x: f64) -> f64 {
    x.exp().ln_1p() + x.tanh() * x.sin() - (x.cos() + 2.0).ln() + x.exp_m1()
}
#[differentiable(math = fast)]
fn by_path(x: f64) -> f64 {
    f64::exp(x) + f64::sin(x)
}
#[differentiable(math = fast)]
fn single(x: f32) -> f32 {
    f32::ln(x) * x.exp()
}
#[differentiable(math = fast)]
fn both_at_once(x: f64) -> f64 {
    let (s, c) = (x * x).sin_cos();
    s * c + c
}
#[differentiable(math = fast)]
fn softmax(x: &[f64], out: &mut [f64]) {
    let most = x.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
    let mut sum = 0.0;
    for (o, x) in out.iter_mut().zip(x) {
        *o = (x - most).exp();
        sum += *o;
    }
    for o in out.iter_mut() {
        *o /= sum;
    }
}
#[differentiable(math = fast)]
fn closures_and_macros(x: &[f64]) -> f64 {
    let squash = |x: f64| (0.5 * x).tanh();
    let y = vec![x[0].exp(), squash(x[1]), x[2].sin()];
    assert!(y[0].ln() < 100.0, "{}", x[0]);
    let z: Vec<f64> = y.iter().map(|y| y.cos()).collect();
    let w: f64 = x.iter().map(|x| x.exp()).sum::<f64>().ln();
    z.iter().sum::<f64>() + w
}
#[differentiable(math = fast)]
fn generic<T: Real>(x: T) -> T {
    T::exp(x) * x.sin()
}
#[differentiable(math = fast)]
fn of_a_constant(x: f64, n: usize) -> f64 {
    let k = (n as f64).ln();
    let mut sum = x;
    for i in 0..n {
        sum += (k * x + i as f64).cos();
    }
    sum
}
#[differentiable(math = fast)]
fn receivers(x: &mut [f64], at: &Angle) -> f64 {
    let n = x.len();
    let y = x[n - 1].exp() + (x[0] * x[1]).exp().ln_1p() + at.degrees.cos();
    x[0] = (x[1] * y).tanh();
    let last = x.last().unwrap().sin();
    y + (&x[0]).sin() * last
}

/// Methods called like those of numbers: `exp` is not a number's, and `sin` is linear.
#[derive(Clone, Copy, Tangent)]
struct Angle {
    degrees: f64,
}
#[differentiable(math = fast)]
impl Angle {
    fn sin(&self) -> f64 {
        3.0 * self.degrees
    }
    fn exp(self, by: f64) -> f64 {
        self.degrees * by
    }
    fn turned(&self, by: f64) -> f64 {
        (self.degrees * by).sin() + self.sin()
    }
}
#[differentiable(math = fast)]
fn own_methods(x: f64, y: f64) -> f64 {
    let a = Angle { degrees: x };
    a.sin() * y.exp() + a.exp(y) + a.turned(y)
}

/// Functions each of which is the other's derivative, at one operand.
#[differentiable]
fn beside_each_other(x: f64, y: f64) -> f64 {
    let (u, v) = (x * y, x - y);
    let (s, c) = (u.sin(), u.cos());
    let (sh, ch) = (v.sinh(), v.cosh());
    s * c * c + s * sh * sh * ch + c * y
}

#[differentiable(math = fast)]
fn beside_each_other_fast(x: f64, y: f64) -> f64 {
    let u = x * y;
    let (s, c) = (u.sin(), u.cos());
    s * c * c + c * y
}

judge! {
    beside_each_other(0.3, 0.7);
    beside_each_other_fast(0.3, 0.7);
    every_method(0.7);
    by_path(0.4);
    both_at_once(0.8);
    softmax(&any(4), &mut any(4));
    closures_and_macros(&positive(3));
    generic(0.6_f64);
    of_a_constant(0.7, 4);
    receivers(&mut any(2), &Angle { degrees: 0.8 });
    own_methods(0.7, 0.4);
}

judge_single! { single(0.7); }

#[test]
fn the_function_and_its_derivative_use_the_fast_functions() {
    #[differentiable(math = fast)]
    fn sine(x: f64) -> f64 {
        x.sin()
    }
    #[differentiable(math = fast)]
    fn of_all(x: &[f64]) -> f64 {
        x.iter().map(|x| x.tanh()).sum()
    }
    // beyond its range the fast sine is NaN, and so is the derivative
    assert!(sine(2e6).is_nan() && 2e6_f64.sin().is_finite());
    let ((dx,), y) = coenzyme::autodiff!(
        coenzyme::ReverseWithPrimal,
        sine,
        Active,
        coenzyme::Active(2e6)
    );
    assert!(dx.is_nan() && y.is_nan());
    for i in 0..100 {
        let x = 0.37 * f64::from(i);
        assert_eq!(sine(x), x.fast_sin());
        assert_eq!(gradient!(sine, x), (x.fast_cos(),));
        assert_eq!(of_all(&[x]), x.fast_tanh());
    }
}

#[cfg(feature = "complex")]
mod complex {
    use super::*;
    use num_complex::Complex;

    /// Numbers that have no fast functions have their own.
    #[differentiable(math = fast)]
    fn wave(z: Complex<f64>, t: f64) -> f64 {
        let w = (z * t).exp();
        w.re * t.exp() + w.im
    }

    /// A path tells the type of a literal under a name.
    #[differentiable]
    fn by_path_of_literals(x: f64, y: f64) -> f64 {
        let low = 0.3;
        let mut best = 0.1;
        for v in [x, y, x * y] {
            best = f64::max(best, v);
        }
        let bounded = f64::max(x, low) + f64::min(low, y) * f64::atan2(y, low);
        bounded * f64::powf(low, x) + f64::hypot(low, y) * best
    }

    judge! {
    by_path_of_literals(0.7, -0.4) (-0.7, 0.4); wave(Complex::new(0.3, 0.4), 0.7); }
}
