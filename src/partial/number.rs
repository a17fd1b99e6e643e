//! Partials of numbers by numbers.

use num_traits::Zero;

use super::Partial;
use crate::activity::Adjoint;
use crate::config::scaled;
use crate::dual::Dual;
use crate::real::Real;
use crate::tangent::Tangent;

/// One number, which is its own tangent and partial derivative: `f32`, `f64`, dual and complex numbers.
///
/// A crate with a scalar of its own implements this and [`Partial`] for it, and has arrays of it in
/// [`easy_rule!`](crate::easy_rule!).
pub trait Number: Tangent<Owned = Self> + Zero + Partial<Self, Self> {}

macro_rules! real {
    ($([$($g:tt)*] $t:ty),*) => {$(
        impl<$($g)*> Number for $t {}

        impl<$($g)*> Partial<$t, $t> for $t {
            #[inline]
            fn multiply_forward(&self, tangent: &$t, strong_zero: bool) -> $t {
                scaled(*self, *tangent, strong_zero)
            }
            #[inline]
            fn multiply_reverse(&self, cotangent: &$t, mut adjoint: Adjoint<'_, $t>, strong_zero: bool) {
                adjoint += scaled(*self, *cotangent, strong_zero);
            }
        }
    )*};
}

real!([] f32, [] f64, [T: Real] Dual<T>);

#[cfg(feature = "complex")]
mod complex {
    use num_complex::Complex;

    use super::{Adjoint, Number, Partial, Real, Zero};

    impl<T: Real> Number for Complex<T> {}

    /// A holomorphic partial: `∂·ẋ` forward, `conj(∂)·ȳ` in reverse.
    impl<T: Real> Partial<Complex<T>, Complex<T>> for Complex<T> {
        #[inline]
        fn multiply_forward(&self, tangent: &Complex<T>, strong_zero: bool) -> Complex<T> {
            if strong_zero && tangent.re.vanishes() && tangent.im.vanishes() {
                return Complex::zero();
            }
            self * tangent
        }
        #[inline]
        fn multiply_reverse(
            &self,
            cotangent: &Complex<T>,
            mut adjoint: Adjoint<'_, Complex<T>>,
            strong_zero: bool,
        ) {
            adjoint += self.conj().multiply_forward(cotangent, strong_zero);
        }
    }
}
