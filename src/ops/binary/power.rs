//! Powers: the operations whose second operand is most often a constant.

use crate::ops::{LikeNumbers, Operand};
use crate::real::Real;

/// `aᵇ`.
///
/// In the base the partial is 0 at `b = 0`. In the exponent it is 0 at a zero base with a positive exponent; it does not
/// exist for a negative base, and is NaN. So that `x.powf(2.0)` can be differentiated at a negative `x`, a constant
/// exponent takes no part in the tangent.
///
/// ```
/// use coenzyme::{Dual, derivative};
/// use num_traits::Float;
///
/// assert_eq!(derivative(|x| x.powf(Dual::constant(2.0)), -3.0), -6.0);
/// assert!(derivative(|b| Dual::constant(-3.0).powf(b), 2.0).is_nan());
/// ```
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct powf {}

impl powf {
    /// The partial derivatives at `(a, b)`, where the function has the value `y`.
    #[inline]
    pub fn partials<T: Real>(a: T, b: T, y: T) -> (T, T) {
        let da = if b.is_zero() {
            T::zero()
        } else {
            b * a.powf(b - T::one())
        };
        let db = if a.is_zero() && b > T::zero() {
            T::zero()
        } else {
            y * a.ln()
        };
        (da, db)
    }
}

impl<T: Real> Operand<powf, (T,)> for T {
    type Output = T;
    type Partials = (T, T);

    #[inline]
    fn partials(self, (b,): (T,), out: T) -> (T, T) {
        powf::partials(self, b, out)
    }
    #[inline]
    fn pushforward((da, db): &(T, T), a: T, (b,): (T,)) -> T {
        if b.vanishes() {
            *da * a
        } else {
            *da * a + *db * b
        }
    }
    #[inline]
    fn pushforward_of(active: u8, partials: &(T, T), a: T, (b,): (T,)) -> T {
        let (da, db) = *partials;
        match active {
            1 => da * a,
            2 if !b.vanishes() => db * b,
            2 => T::zero(),
            _ => <T as Operand<powf, (T,)>>::pushforward(partials, a, (b,)),
        }
    }
    #[inline]
    fn pullback((da, db): &(T, T), y: &T) -> (T, (T,)) {
        (*da * *y, (*db * *y,))
    }
}

impl<T: Real> LikeNumbers<powf, (T,)> for T {}

/// `aⁿ` for an integer `n`: partial 0 at `n = 0`.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct powi {}

impl powi {
    /// The derivative at `a`.
    #[inline]
    pub fn partial<T: Real>(a: T, n: i32) -> T {
        if n == 0 {
            T::zero()
        } else {
            T::lit(f64::from(n)) * a.powi(n - 1)
        }
    }
}

impl<T: Real> Operand<powi, (i32,)> for T {
    type Output = T;
    type Partials = T;

    #[inline]
    fn partials(self, (n,): (i32,), _: T) -> T {
        powi::partial(self, n)
    }
    #[inline]
    fn pushforward(partial: &T, tangent: T, _: (i32,)) -> T {
        *partial * tangent
    }
    #[inline]
    fn pullback(partial: &T, cotangent: &T) -> (T, (i32,)) {
        (*partial * *cotangent, (0,))
    }
}

impl<T: Real> LikeNumbers<powi, (i32,)> for T {}
