//! Where the values of special functions come from.

use coenzyme::Dual;

use super::{bessel_j, erf, erfc, gamma};
use crate::class::{Elementwise1, Scalar};

/// A number that special functions are known of.
///
/// For `f64` and `f32` the values come from `libm` (errors of about 1 ulp) and, for the polygamma functions, from their
/// asymptotic series; for a [`Dual`] number from the same functions' rules.
pub trait Special: Scalar {
    /// See [`erf`](fn@crate::scalar::erf).
    fn erf(self) -> Self;
    /// See [`erfc`](fn@crate::scalar::erfc).
    fn erfc(self) -> Self;
    /// See [`lgamma`](fn@crate::scalar::lgamma).
    fn lgamma(self) -> Self;
    /// See [`polygamma`](fn@crate::scalar::polygamma).
    fn polygamma(self, n: u32) -> Self;
    /// See [`bessel_j`](fn@crate::scalar::bessel_j).
    fn bessel_j(self, n: i32) -> Self;
    /// See [`bessel_y`](fn@crate::scalar::bessel_y).
    fn bessel_y(self, n: i32) -> Self;
}

impl Special for f64 {
    #[inline]
    fn erf(self) -> f64 {
        libm::erf(self)
    }
    #[inline]
    fn erfc(self) -> f64 {
        libm::erfc(self)
    }
    #[inline]
    fn lgamma(self) -> f64 {
        libm::lgamma(self)
    }
    #[inline]
    fn polygamma(self, n: u32) -> f64 {
        gamma::polygamma_f64(n, self)
    }
    #[inline]
    fn bessel_j(self, n: i32) -> f64 {
        libm::jn(n, self)
    }
    #[inline]
    fn bessel_y(self, n: i32) -> f64 {
        libm::yn(n, self)
    }
}

impl Special for f32 {
    #[inline]
    fn erf(self) -> f32 {
        libm::erff(self)
    }
    #[inline]
    fn erfc(self) -> f32 {
        libm::erfcf(self)
    }
    #[inline]
    fn lgamma(self) -> f32 {
        libm::lgammaf(self)
    }
    #[inline]
    fn polygamma(self, n: u32) -> f32 {
        gamma::polygamma_f64(n, f64::from(self)) as f32
    }
    #[inline]
    fn bessel_j(self, n: i32) -> f32 {
        libm::jnf(n, self)
    }
    #[inline]
    fn bessel_y(self, n: i32) -> f32 {
        libm::ynf(n, self)
    }
}

/// A dual number's function, from its row.
#[inline]
fn dual<F: Elementwise1<T>, T: Special>(x: Dual<T>) -> Dual<T> {
    let y = F::value(x.value);
    Dual::new(y, F::partial(x.value, y) * x.tangent)
}

impl<T: Special> Special for Dual<T> {
    fn erf(self) -> Self {
        dual::<erf, T>(self)
    }
    fn erfc(self) -> Self {
        dual::<erfc, T>(self)
    }
    fn lgamma(self) -> Self {
        dual::<gamma::lgamma, T>(self)
    }
    fn polygamma(self, n: u32) -> Self {
        Dual::new(
            self.value.polygamma(n),
            gamma::polygamma::partial(self.value, n) * self.tangent,
        )
    }
    fn bessel_j(self, n: i32) -> Self {
        Dual::new(
            self.value.bessel_j(n),
            bessel_j::partial(self.value, n) * self.tangent,
        )
    }
    fn bessel_y(self, n: i32) -> Self {
        let partial = T::lit(0.5) * (self.value.bessel_y(n - 1) - self.value.bessel_y(n + 1));
        Dual::new(self.value.bessel_y(n), partial * self.tangent)
    }
}
