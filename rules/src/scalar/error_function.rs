//! The error function and its complement.

use super::Special;

crate::elementwise1! {
    pub(crate) mod arrays;
    /// The error function `2/√π·∫₀ˣ e^(−t²) dt`: derivative `2/√π·e^(−x²)`.
    ///
    /// ±1 at ±∞, with derivative 0.
    erf: Special (x, _y) reads X { value: x.erf(), partial: T::FRAC_2_SQRT_PI() * (-x * x).exp() }
    /// The complement `1 − erf(x)`, without cancellation for large `x`: derivative `−2/√π·e^(−x²)`.
    erfc: Special (x, _y) reads X { value: x.erfc(), partial: -(T::FRAC_2_SQRT_PI() * (-x * x).exp()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_as_documented() {
        let slope = |x: f64| coenzyme::derivative(erf, x);
        assert_eq!((erf(f64::INFINITY), slope(f64::INFINITY)), (1.0, 0.0));
        assert_eq!(
            (erf(f64::NEG_INFINITY), slope(f64::NEG_INFINITY)),
            (-1.0, 0.0)
        );
        assert!((slope(0.0) - std::f64::consts::FRAC_2_SQRT_PI).abs() < 1e-15);
    }

    #[test]
    fn second_derivatives_come_from_the_same_row() {
        // erf″ = −2x·erf′
        let second: f64 = coenzyme::derivative(|x| coenzyme::derivative(erf, x), 0.7);
        let want = -1.4 * coenzyme::derivative(erf, 0.7);
        assert!((second - want).abs() < 1e-14);
    }
}
