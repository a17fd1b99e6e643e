//! `place += value` and `place -= value`.

use super::places::{self, ShadowsMut};
use crate::ops::Additive;
use crate::tangent::Tangent;

/// What `+=` adds component by component: every use of it asks for the same, so that what is missing is one error.
#[diagnostic::on_unimplemented(
    message = "`+=` and `-=` of `{Self}` are not known to add component by component",
    label = "this addition may be another",
    note = "write `impl coenzyme::ops::Additive for {Self} {{}}` if `+`, `-`, `+=` and `-=` add component by component, otherwise `x = x.add(y)`"
)]
pub trait AddsUp: Tangent<Owned = Self> + Sized {
    /// A place that is increased by an inactive value keeps its tangent.
    #[inline]
    fn shifted(place: &mut Self) -> &mut Self {
        place
    }

    /// The tangents of `place += value`.
    #[inline]
    fn add_at<S: ShadowsMut<W>, const W: usize>(
        shadows: S,
        value: &[Self; W],
        place: impl Fn(&mut S::Memory) -> &mut Self,
    ) {
        places::add_at(shadows, value, place);
    }

    /// The tangents of `place -= value`.
    #[inline]
    fn subtract_at<S: ShadowsMut<W>, const W: usize>(
        shadows: S,
        value: &[Self; W],
        place: impl Fn(&mut S::Memory) -> &mut Self,
    ) {
        places::subtract_at(shadows, value, place);
    }

    /// The cotangents of the value in `place += value`.
    #[inline]
    fn add_from<S: ShadowsMut<W>, const W: usize>(
        into: &mut [Self; W],
        shadows: S,
        place: impl Fn(&mut S::Memory) -> &mut Self,
    ) {
        places::add_from(into, shadows, place);
    }

    /// The cotangents of the value in `place -= value`.
    #[inline]
    fn subtract_from<S: ShadowsMut<W>, const W: usize>(
        into: &mut [Self; W],
        shadows: S,
        place: impl Fn(&mut S::Memory) -> &mut Self,
    ) {
        places::subtract_from(into, shadows, place);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Additive> AddsUp for T {}
