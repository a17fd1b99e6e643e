//! Activation functions of neural networks.

use super::{Special, logistic};
use crate::class::{Elementwise1, Scalar};

/// The density of the normal distribution.
#[inline(always)]
fn normal_density<T: Special>(x: T) -> T {
    T::lit(0.5) * T::FRAC_1_SQRT_2() * T::FRAC_2_SQRT_PI() * (T::lit(-0.5) * x * x).exp()
}

/// Its distribution function.
#[inline(always)]
fn normal<T: Special>(x: T) -> T {
    T::lit(0.5) * (-x * T::FRAC_1_SQRT_2()).erfc()
}

/// `√(2/π)·(x + 0.044715x³)`, the argument of the tanh in [`gelu_tanh`](fn@gelu_tanh), and its derivative.
#[inline(always)]
fn gelu_argument<T: Scalar>(x: T) -> (T, T) {
    let (k, a) = (T::FRAC_1_SQRT_2() * T::FRAC_2_SQRT_PI(), T::lit(0.044715));
    let square = x * x;
    (
        k * x * (T::one() + a * square),
        k * (T::one() + T::lit(3.0) * a * square),
    )
}

/// `tanh(softplus(x))`, without overflow: with `e = e^(−|x|)`, a quotient of polynomials in `e`.
#[inline(always)]
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
        value: x * normal(x),
        partial: normal(x) + x * normal_density(x)
    }
    /// `x/2·(1 + tanh(√(2/π)·(x + 0.044715x³)))`, the approximation of [`gelu`](fn@gelu) from the same paper.
    gelu_tanh: Scalar (x, _y) reads X {
        value: T::lit(0.5) * x * (T::one() + gelu_argument(x).0.tanh()),
        partial: {
            let (argument, slope) = gelu_argument(x);
            let t = argument.tanh();
            T::lit(0.5) * (T::one() + t + x * slope * (T::one() - t * t))
        }
    }
    /// `x·logistic(x)`, also called SiLU: derivative `σ·(1 + x·(1 − σ))`.
    swish: Scalar (x, _y) reads X {
        value: x * logistic::value(x),
        partial: {
            let s = logistic::value(x);
            s * (T::one() + x * (T::one() - s))
        }
    }
    /// `x·tanh(softplus(x))`: derivative `t + x·(1 − t²)·logistic(x)`.
    ///
    /// Source: Misra 2019, *Mish*, arXiv:1908.08681.
    mish: Scalar (x, _y) reads X {
        value: x * tanh_softplus(x),
        partial: {
            let t = tanh_softplus(x);
            t + x * (T::one() - t * t) * logistic::value(x)
        }
    }
    /// `x/(1 + |x|)`: derivative `1/(1 + |x|)²`.
    softsign: Scalar (x, _y) reads X {
        value: x / (T::one() + x.abs()),
        partial: { let r = (T::one() + x.abs()).recip(); r * r }
    }
}
