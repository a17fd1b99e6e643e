//! The cardinal sine.

use crate::class::Scalar;

/// Below this value of `(πx)²` the series is used: direct evaluation of the derivative loses two digits there.
const NEAR_ZERO: f64 = 0.09;

/// `Σ cₖ uᵏ`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn series<T: Scalar>(u: T, coefficients: [f64; 6]) -> T {
    coefficients
        .iter()
        .rev()
        .fold(T::zero(), |sum, &c| sum * u + T::lit(c))
}

crate::elementwise1! {
    pub(crate) mod arrays;
    /// `sin(πx)/(πx)`, 1 at 0: derivative `(cos(πx) − sinc(x))/x`, 0 at 0 and at ±∞.
    sinc: Scalar (x, _y) reads X {
        value: {
            let (a, u) = (T::PI() * x, T::PI() * T::PI() * x * x);
            if u < T::lit(NEAR_ZERO) {
                series(u, [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0])
            } else if x.is_infinite() {
                T::zero()
            } else {
                a.sin() / a
            }
        },
        partial: {
            let (a, u) = (T::PI() * x, T::PI() * T::PI() * x * x);
            if u < T::lit(NEAR_ZERO) {
                // sinc′ = −π²x/3·(1 − u/10 + u²/280 − …)
                let tail = [1.0, -1.0 / 10.0, 1.0 / 280.0, -1.0 / 15_120.0, 1.0 / 1_330_560.0, -1.0 / 172_972_800.0];
                -T::PI() * T::PI() * x / T::lit(3.0) * series(u, tail)
            } else if x.is_infinite() {
                T::zero()
            } else {
                (a.cos() - a.sin() / a) / x
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sinc_joins_its_branches() {
        let at = |x: f64| (sinc::value(x), sinc::partial(x, 0.0));
        let edge = NEAR_ZERO.sqrt() / std::f64::consts::PI;
        let (below, above) = (at(edge * (1.0 - 1e-12)), at(edge * (1.0 + 1e-12)));
        assert!((below.0 - above.0).abs() < 1e-12);
        assert!((below.1 - above.1).abs() < 1e-11);
        assert_eq!(at(f64::INFINITY), (0.0, 0.0));
    }

    use crate::class::Elementwise1;
}
