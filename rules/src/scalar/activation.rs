//! Activation functions of neural networks.

use super::{Special, logistic};
use crate::class::Scalar;

/// The density of the normal distribution.
#[cfg_attr(not(debug_assertions), inline(always))]
fn normal_density<T: Special>(x: T) -> T {
    T::lit(0.5) * T::FRAC_1_SQRT_2() * T::FRAC_2_SQRT_PI() * (T::lit(-0.5) * x * x).exp()
}

/// Its distribution function.
#[cfg_attr(not(debug_assertions), inline(always))]
fn normal<T: Special>(x: T) -> T {
    T::lit(0.5) * (-x * T::FRAC_1_SQRT_2()).erfc()
}

/// `x·w` for a `w` that vanishes faster than `x` grows: 0 where it has vanished, also for an infinite `x`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn damped<T: Scalar>(x: T, w: T) -> T {
    if w.is_zero() { T::zero() } else { x * w }
}

/// `√(2/π)·(x + 0.044715x³)`, the argument of the tanh in [`gelu_tanh`](fn@gelu_tanh), and its derivative.
#[cfg_attr(not(debug_assertions), inline(always))]
fn gelu_argument<T: Scalar>(x: T) -> (T, T) {
    let (k, a) = (T::FRAC_1_SQRT_2() * T::FRAC_2_SQRT_PI(), T::lit(0.044715));
    let square = x * x;
    (
        k * x * (T::one() + a * square),
        k * (T::one() + T::lit(3.0) * a * square),
    )
}

/// `tanh(softplus(x))`, without overflow: with `e = e^(−|x|)`, a quotient of polynomials in `e`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn tanh_softplus<T: Scalar>(x: T) -> T {
    let (one, two) = (T::one(), T::lit(2.0));
    let e = (-x.abs()).exp();
    if x >= T::zero() {
        (one + two * e) / (one + two * e + two * e * e)
    } else {
        e * (e + two) / (e * (e + two) + two)
    }
}

crate::elementwise1! {
    pub(crate) mod arrays;
    /// `max(x, 0)`: derivative 0 at 0.
    relu: Scalar (x, _y) reads X {
        value: if x > T::zero() || x.is_nan() { x } else { T::zero() },
        partial: if x > T::zero() { T::one() } else { T::zero() }
    }
    /// `x` for `x > 0`, otherwise `x/100`: derivative 1/100 at 0.
    leaky_relu: Scalar (x, _y) reads X {
        value: if x > T::zero() { x } else { T::lit(0.01) * x },
        partial: if x > T::zero() { T::one() } else { T::lit(0.01) }
    }
    /// `x` for `x > 0`, otherwise `eˣ − 1`: derivative 1 at 0.
    elu: Scalar (x, y) reads OUT {
        value: if x > T::zero() { x } else { x.exp_m1() },
        partial: if y > T::zero() { T::one() } else { y + T::one() }
    }
    /// `x·Φ(x)` with the normal distribution function `Φ`: derivative `Φ(x) + x·φ(x)`.
    ///
    /// Source: Hendrycks and Gimpel 2016, *Gaussian Error Linear Units*, arXiv:1606.08415. The exact form;
    /// [`gelu_tanh`](fn@gelu_tanh) is its approximation.
    gelu: Special (x, _y) reads X {
        value: damped(x, normal(x)),
        partial: normal(x) + damped(x, normal_density(x))
    }
    /// `x/2·(1 + tanh(√(2/π)·(x + 0.044715x³)))`, the approximation of [`gelu`](fn@gelu) from the same paper.
    gelu_tanh: Scalar (x, _y) reads X {
        value: damped(T::lit(0.5) * x, T::one() + gelu_argument(x).0.tanh()),
        partial: {
            let (argument, slope) = gelu_argument(x);
            let t = argument.tanh();
            T::lit(0.5) * (T::one() + t + damped(x * slope, T::one() - t * t))
        }
    }
    /// `x·logistic(x)`, also called SiLU: derivative `σ + x·σ·(1 − σ)`.
    swish: Scalar (x, _y) reads X {
        value: damped(x, logistic(x)),
        partial: {
            let s = logistic(x);
            s + damped(x, s * (T::one() - s))
        }
    }
    /// `x·tanh(softplus(x))`: derivative `t + x·(1 − t²)·logistic(x)`.
    ///
    /// Source: Misra 2019, *Mish*, arXiv:1908.08681.
    mish: Scalar (x, _y) reads X {
        value: damped(x, tanh_softplus(x)),
        partial: {
            let t = tanh_softplus(x);
            t + damped(x, (T::one() - t * t) * logistic(x))
        }
    }
    /// `x/(1 + |x|)`: derivative `1/(1 + |x|)²`.
    softsign: Scalar (x, _y) reads X {
        value: if x.is_infinite() { x.signum() } else { x / (T::one() + x.abs()) },
        partial: { let r = (T::one() + x.abs()).recip(); r * r }
    }
}

#[cfg(test)]
mod tests {
    use coenzyme::derivative;

    use super::*;
    use crate::class::Elementwise1;

    /// Value and derivative at 1, 2, −1.
    fn table(f: fn(coenzyme::Dual<f64>) -> coenzyme::Dual<f64>, y: [f64; 3], dy: [f64; 3]) {
        for ((x, y), dy) in [1.0, 2.0, -1.0].into_iter().zip(y).zip(dy) {
            let at = f(coenzyme::Dual::variable(x));
            assert!((at.value - y).abs() < 1e-11, "{} {y}", at.value);
            assert!((at.tangent - dy).abs() < 1e-11, "{} {dy}", at.tangent);
        }
    }

    #[test]
    fn m13_swish_matches_the_table() {
        table(
            swish,
            [0.731058578630, 1.761594155956, -0.268941421370],
            [0.927670511871, 1.090784248785, 0.072329488129],
        );
        let second = [0.302366118810, 0.050062168695, 0.302366118810];
        for (x, want) in [1.0, 2.0, -1.0].into_iter().zip(second) {
            let got: f64 = derivative(|x| derivative(swish, x), x);
            assert!((got - want).abs() < 1e-11);
        }
    }

    #[test]
    fn m14_gelu_matches_the_table() {
        table(
            gelu,
            [0.841344746069, 1.954499736104, -0.158655253931],
            [1.083315470588, 1.085231801078, -0.083315470588],
        );
        table(
            gelu_tanh,
            [0.841191990608, 1.954597694088, -0.158808009392],
            [1.082964083846, 1.086099256624, -0.082964083846],
        );
    }

    #[test]
    fn m17_mish_matches_the_table() {
        table(
            mish,
            [0.865098388267, 1.943958959534, -0.303401461374],
            [1.049036220100, 1.069317934279, 0.059216755877],
        );
    }

    #[test]
    fn n20_relu_matches_the_table() {
        let partials = [-1.0, 0.0, 0.5, 2.0].map(|x: f64| relu::partial(x, 0.0));
        assert_eq!(partials, [0.0, 0.0, 1.0, 1.0]);
        assert!(relu(f64::NAN).is_nan());
        assert_eq!(
            (leaky_relu::partial(0.0, 0.0), elu::partial(0.0, 0.0)),
            (0.01, 1.0)
        );
    }
}
