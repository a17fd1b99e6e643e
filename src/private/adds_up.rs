//! `place += value` and `place -= value`.

use super::places::{self, ShadowsMut};
use crate::ops::{Additive, LikeNumbers, add, sub};
use crate::tangent::Tangent;

/// `+=` or `-=`, on tangents and cotangents.
pub trait Sum {
    /// The tangents of `place op= value`.
    fn at<V: Tangent<Owned = V>, S: ShadowsMut<W>, const W: usize>(
        shadows: S,
        value: &[V; W],
        place: impl Fn(&mut S::Memory) -> &mut V,
    );

    /// The cotangents of the value in `place op= value`.
    fn from<V: Tangent<Owned = V>, S: ShadowsMut<W>, const W: usize>(
        into: &mut [V; W],
        shadows: S,
        place: impl Fn(&mut S::Memory) -> &mut V,
    );
}

macro_rules! sums {
    ($($op:ident: $at:ident, $from:ident;)*) => {$(
        impl Sum for $op {
            #[inline]
            fn at<V: Tangent<Owned = V>, S: ShadowsMut<W>, const W: usize>(
                shadows: S,
                value: &[V; W],
                place: impl Fn(&mut S::Memory) -> &mut V,
            ) {
                places::$at(shadows, value, place);
            }
            #[inline]
            fn from<V: Tangent<Owned = V>, S: ShadowsMut<W>, const W: usize>(
                into: &mut [V; W],
                shadows: S,
                place: impl Fn(&mut S::Memory) -> &mut V,
            ) {
                places::$from(into, shadows, place);
            }
        }
    )*};
}

sums! {
    add: add_at, add_from;
    sub: subtract_at, subtract_from;
}

/// What `+=` adds component by component, or `-=` subtracts: every use of it asks for the same, so that what is missing is one error.
#[diagnostic::on_unimplemented(
    message = "`+=` and `-=` of `{Self}` are not known to add component by component",
    label = "this addition may be another",
    note = "write `#[differentiable]` on the `impl` block, whose body adds each field to that of the other; or `impl coenzyme::ops::Additive for {Self} {{}}` if `+`, `-`, `+=` and `-=` add component by component; otherwise `x = x.add(y)`"
)]
pub trait AddsUp<Op: Sum>: Tangent<Owned = Self> + Sized {
    /// A place that is changed by an inactive value keeps its tangent.
    #[inline]
    fn shifted(place: &mut Self) -> &mut Self {
        place
    }

    /// As `Sum::at`.
    #[inline]
    fn at<S: ShadowsMut<W>, const W: usize>(
        shadows: S,
        value: &[Self; W],
        place: impl Fn(&mut S::Memory) -> &mut Self,
    ) {
        Op::at(shadows, value, place);
    }

    /// As `Sum::from`.
    #[inline]
    fn from<S: ShadowsMut<W>, const W: usize>(
        into: &mut [Self; W],
        shadows: S,
        place: impl Fn(&mut S::Memory) -> &mut Self,
    ) {
        Op::from(into, shadows, place);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Additive> AddsUp<add> for T {}
#[diagnostic::do_not_recommend]
impl<T: Additive> AddsUp<sub> for T {}

/// The fields of a type whose sum is that of its fields.
pub fn adds_up<Op: Sum, T: AddsUp<Op>>(_: &T) {}

/// The fields of a type whose `op=` changes each field, and is linear as that of the field is.
pub fn is_linear<Op, A: LikeNumbers<Op, (B,)>, B>(_: &A) {}
