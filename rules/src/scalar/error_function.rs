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
