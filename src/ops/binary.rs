//! Functions of two and three real numbers.
//!
//! Edge values: at a tie `max` and `min` give the whole derivative to the first operand; a NaN operand of `max` and `min`
//! is passed over, as in the value. `hypot` at the origin has partials 0, `atan2` there NaN. `rem` and `rem_euclid` have at
//! their jumps the partials of the side on which the value lies. `clamp` passes the derivative to `x` inside and on the
//! bounds, otherwise to the bound that holds. For [`powf`] and [`powi`] see there.

mod power;

pub use power::{powf, powi};

use super::{LikeNumbers, Operand};
use crate::real::Real;

/// One marker: `name(a, b, y = value) => (∂a, ∂b)`.
macro_rules! marker {
    ($(#[$doc:meta])* $name:ident($a:ident, $b:ident, $y:ident) => $partials:expr) => {
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        impl $name {
            /// The partial derivatives at `(a, b)`, where the function has the value `y`.
            #[inline]
            pub fn partials<T: Real>($a: T, $b: T, $y: T) -> (T, T) {
                $partials
            }
        }
    };
}

/// One row: a marker, and the operation on numbers; after `square`, the partial derivative of the operation on twice the same number.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident($a:ident, $b:ident, $y:ident) => $partials:expr $(, square $square:expr)?;)*) => {$(
        marker! { $(#[$doc])* $name($a, $b, $y) => $partials }

        impl<T: Real> Operand<$name, (T,)> for T {
            type Output = T;
            type Partials = (T, T);

            #[inline]
            fn partials(self, (b,): (T,), out: T) -> (T, T) {
                $name::partials(self, b, out)
            }
            #[inline]
            fn pushforward((da, db): &(T, T), a: T, (b,): (T,)) -> T {
                *da * a + *db * b
            }
            #[inline]
            fn pushforward_of(active: u8, (da, db): &(T, T), a: T, (b,): (T,)) -> T {
                super::of_active(active, [(*da, a), (*db, b)])
            }
            #[inline]
            fn pullback((da, db): &(T, T), y: &T) -> (T, (T,)) {
                (*da * *y, (*db * *y,))
            }
            $(
                #[inline]
                fn pullback_of_square((a, _): &(T, T), y: &T) -> (T, (T,)) {
                    // −0 added to a sum leaves nothing to do
                    ($square(*a) * *y, (-T::zero(),))
                }
            )?
        }

        impl<T: Real> LikeNumbers<$name, (T,)> for T {}
    )*};
}

// the operations of these two are those of every `Additive` type
marker! {
    /// `a + b`.
    add(_a, _b, _y) => (T::one(), T::one())
}
marker! {
    /// `a − b`.
    sub(_a, _b, _y) => (T::one(), -T::one())
}

binary! {
    /// `a·b`; of `a·a` the partial is `2a`.
    mul(a, b, _y) => (b, a), square |a| a + a;
    /// `a/b`.
    div(a, b, _y) => { let r = b.recip(); (r, -(a * r * r)) };
    /// The remainder of `a/b`, with the sign of `a`: partial `−trunc(a/b)` in `b`.
    rem(a, b, _y) => (T::one(), -(a / b).trunc());
    /// The remainder of `a/b` that is not negative: partial `−(a − y)/b` in `b`.
    rem_euclid(a, b, y) => (T::one(), -((a - y) / b));
    /// How often `b` goes into `a`, as [`f64::div_euclid`]: partials 0.
    div_euclid(_a, _b, _y) => (T::zero(), T::zero());
    /// `√(a² + b²)`: partials 0 at the origin.
    hypot(a, b, y) => if y.is_zero() { (T::zero(), T::zero()) } else { (a / y, b / y) };
    /// The angle of the point `(b, a)`.
    atan2(a, b, _y) => { let r = a.hypot(b); (b / r / r, -(a / r / r)) };
    /// The larger: at a tie the first.
    max(a, b, _y) => if a >= b || b.is_nan() { (T::one(), T::zero()) } else { (T::zero(), T::one()) };
    /// The smaller: at a tie the first.
    min(a, b, _y) => if a <= b || b.is_nan() { (T::one(), T::zero()) } else { (T::zero(), T::one()) };
    /// `|a|` with the sign of `b`: partial 0 in `b`.
    copysign(a, b, _y) => {
        let same = a.is_sign_negative() == b.is_sign_negative();
        (if same { T::one() } else { -T::one() }, T::zero())
    };
    /// `(a + b)/2`.
    midpoint(_a, _b, _y) => (T::lit(0.5), T::lit(0.5));
    /// The logarithm of `a` to base `b`.
    log(a, b, y) => { let l = b.ln(); ((a * l).recip(), -(y / (b * l))) };
}

/// One row of three operands: `name(a, b, c) => (∂a, ∂b, ∂c)`.
macro_rules! ternary {
    ($($(#[$doc:meta])* $name:ident($a:ident, $b:ident, $c:ident) => $partials:expr;)*) => {$(
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        impl<T: Real> Operand<$name, (T, T)> for T {
            type Output = T;
            type Partials = (T, T, T);

            #[inline]
            fn partials(self, ($b, $c): (T, T), _: T) -> (T, T, T) {
                let $a = self;
                $partials
            }
            #[inline]
            fn pushforward((da, db, dc): &(T, T, T), a: T, (b, c): (T, T)) -> T {
                *da * a + *db * b + *dc * c
            }
            #[inline]
            fn pushforward_of(active: u8, (da, db, dc): &(T, T, T), a: T, (b, c): (T, T)) -> T {
                super::of_active(active, [(*da, a), (*db, b), (*dc, c)])
            }
            #[inline]
            fn pullback((da, db, dc): &(T, T, T), y: &T) -> (T, (T, T)) {
                (*da * *y, (*db * *y, *dc * *y))
            }
        }

        impl<T: Real> LikeNumbers<$name, (T, T)> for T {}
    )*};
}

ternary! {
    /// `a·b + c`, rounded once.
    mul_add(a, b, _c) => (b, a, T::one());
    /// `a` held between `b` and `c`.
    clamp(a, b, c) => {
        let (zero, one) = (T::zero(), T::one());
        if a < b { (zero, one, zero) } else if a > c { (zero, zero, one) } else { (one, zero, zero) }
    };
}
