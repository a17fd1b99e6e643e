//! Logistic functions and logarithms that stay finite.

use crate::class::{Elementwise1, Reads, Scalar};

/// `1/(1 + e^(−x))` without overflow.
#[cfg_attr(not(debug_assertions), inline(always))]
fn sigma<T: Scalar>(x: T) -> T {
    logistic::value(x)
}

crate::elementwise1! {
    pub(crate) mod arrays;
    /// The logistic function `1/(1 + e^(−x))`: derivative `e/(1 + e)²` with `e = e^(−|x|)`, to the last digits everywhere; `y·(1 − y)`
    /// would cancel where `y` is close to 1.
    logistic: Scalar (x, _y) reads X costs 4.0 {
        value: if x >= T::zero() {
            ((-x).exp() + T::one()).recip()
        } else {
            let e = x.exp();
            e / (e + T::one())
        },
        partial: {
            let e = (-x.abs()).exp();
            let one_and = e + T::one();
            e / (one_and * one_and)
        }
    }
    /// `ln(x/(1 − x))`, the inverse of [`logistic`](fn@logistic), for `0 < x < 1`: derivative `1/(x·(1 − x))`.
    ///
    /// ±∞ at 1 and 0, with derivative ∞.
    logit: Scalar (x, _y) reads X {
        value: x.ln() - (-x).ln_1p(),
        partial: (x * (T::one() - x)).recip()
    }
    /// `ln(1 + eˣ)`, without overflow: derivative [`logistic`](fn@logistic).
    softplus: Scalar (x, _y) reads X {
        value: x.max(T::zero()) + (-x.abs()).exp().ln_1p(),
        partial: sigma(x)
    }
    /// `ln(logistic(x))`, without underflow: derivative `logistic(−x)`.
    log_logistic: Scalar (x, _y) reads X {
        value: x.min(T::zero()) - (-x.abs()).exp().ln_1p(),
        partial: sigma(-x)
    }
}

crate::elementwise2! {
    pub(crate) mod arrays_of_two;
    /// `ln(eˣ + e^y)`, without overflow: partials `logistic(x − y)`, `logistic(y − x)`.
    ///
    /// One operand may be −∞ or ∞. At equal operands, also infinite ones, both partials are 1/2.
    logaddexp: Scalar (x, y, _z) reads (Reads::X.and(Reads::Y), Reads::X.and(Reads::Y)) {
        value: if x == y {
            x + T::LN_2()
        } else {
            x.max(y) + (-(x - y).abs()).exp().ln_1p()
        },
        partials: if x == y {
            (T::lit(0.5), T::lit(0.5))
        } else {
            (sigma(x - y), sigma(y - x))
        }
    }
    /// `x·ln(y)`, and 0 for `x = 0` and `y = 0`: partials `ln(y)`, `x/y`.
    ///
    /// For `x = 0` the partial in `y` is 0, also at `y = 0`; there the partial in `x` is −∞.
    xlogy: Scalar (x, y, _z) reads (Reads::Y, Reads::X.and(Reads::Y)) {
        value: if x.is_zero() && y.is_zero() { T::zero() } else { x * y.ln() },
        partials: (y.ln(), if x.is_zero() && y.is_zero() { T::zero() } else { x / y })
    }
    /// `x·ln(1 + y)`, and 0 for `x = 0` and `y = −1`: partials `ln(1 + y)`, `x/(1 + y)`.
    xlog1py: Scalar (x, y, _z) reads (Reads::Y, Reads::X.and(Reads::Y)) {
        value: if x.is_zero() && y == -T::one() { T::zero() } else { x * y.ln_1p() },
        partials: (y.ln_1p(), if x.is_zero() && y == -T::one() { T::zero() } else { x / (y + T::one()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Elementwise2;

    #[test]
    fn n20_logistic_matches_the_table() {
        let table = [0.196611933241, 0.25, 0.235003712202, 0.104993585404];
        for (x, want) in [-1.0_f64, 0.0, 0.5, 2.0].into_iter().zip(table) {
            assert!((logistic::partial(x, logistic(x)) - want).abs() < 1e-12);
        }
    }

    #[test]
    fn edges_are_as_documented() {
        let inf = f64::INFINITY;
        assert_eq!((logistic(inf), logistic(-inf)), (1.0, 0.0));
        assert_eq!((softplus(-inf), softplus(800.0)), (0.0, 800.0));
        assert_eq!(log_logistic(-800.0), -800.0);
        assert_eq!((logit(0.0), logit(1.0)), (-inf, inf));
        assert_eq!(logit::partial(0.0, -inf), inf);
        assert_eq!(logaddexp(inf, 1.0), inf);
        assert_eq!(logaddexp::partials(-inf, 1.0, 1.0), (0.0, 1.0));
        assert_eq!(logaddexp(-inf, -inf), -inf);
        assert_eq!(logaddexp::partials(-inf, -inf, -inf), (0.5, 0.5));
        assert_eq!(xlogy(0.0, 0.0), 0.0);
        assert_eq!(xlogy::partials(0.0, 0.0, 0.0), (-inf, 0.0));
        assert_eq!(xlog1py(0.0, -1.0), 0.0);
        assert_eq!(xlog1py::partials(0.0, -1.0, 0.0), (-inf, 0.0));
    }
}
