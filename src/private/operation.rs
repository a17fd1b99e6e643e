//! Operations of scalars on the lanes of their operands' shadows.

use std::marker::PhantomData;

use super::Blank;
use crate::activity::lane_array;
use crate::ops::{LikeNumbers, Operand};
use crate::tangent::Tangent;

/// The tangents of an operand, or of a tuple of operands.
pub trait Tangents<const W: usize> {
    /// The operand.
    type Value;

    /// Which operands have a tangent: a bit for each.
    const ACTIVE: u8;

    /// The tangent in one lane.
    fn lane(&self, lane: usize) -> Self::Value;
}

/// The cotangents of an operand, or of a tuple of operands.
pub trait Cotangents<const W: usize> {
    /// The operand.
    type Value;

    /// Adds to the cotangent in one lane, unless `never`.
    fn add_unless(&mut self, lane: usize, value: &Self::Value, never: bool);
}

/// In the place of the shadow of an operand that has none.
#[derive(Debug)]
pub struct NoShadow<T>(PhantomData<fn() -> T>);

impl<T> NoShadow<T> {
    /// Of an operand whose type is known from elsewhere.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Of this operand.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn of(_: &T) -> Self {
        Self::new()
    }
}

impl<T: Blank, const W: usize> Tangents<W> for NoShadow<T> {
    type Value = T;

    const ACTIVE: u8 = 0;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lane(&self, _: usize) -> T {
        T::blank()
    }
}

impl<T, const W: usize> Cotangents<W> for NoShadow<T> {
    type Value = T;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_unless(&mut self, _: usize, _: &T, _: bool) {}
}

impl<T: Clone, const W: usize> Tangents<W> for &[T; W] {
    type Value = T;

    const ACTIVE: u8 = 1;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lane(&self, lane: usize) -> T {
        self[lane].clone()
    }
}

impl<T: Tangent, const W: usize> Cotangents<W> for &mut [T; W] {
    type Value = T;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_unless(&mut self, lane: usize, value: &T, never: bool) {
        Tangent::accumulate_unless(&mut self[lane], value, never);
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt)*))*) => {$(
        impl<$($t: Tangents<W>,)* const W: usize> Tangents<W> for ($($t,)*) {
            type Value = ($($t::Value,)*);

            const ACTIVE: u8 = 0 $(| $t::ACTIVE << $i)*;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(clippy::unused_unit)]
            fn lane(&self, _lane: usize) -> Self::Value {
                ($(self.$i.lane(_lane),)*)
            }
        }

        impl<$($t: Cotangents<W>,)* const W: usize> Cotangents<W> for ($($t,)*) {
            type Value = ($($t::Value,)*);

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn add_unless(&mut self, _lane: usize, _value: &Self::Value, _never: bool) {
                $(self.$i.add_unless(_lane, &_value.$i, _never);)*
            }
        }
    )*};
}

tuples! { () (A 0) (A 0 B 1) }

/// `Self` is what the operation `Op` on `A` and `Rest` gives, and its derivative is known.
///
/// Both sweeps ask for the same, of the same type: so that what is missing is one error. And the type is that of the value: where
/// the compiler has already said that the value has none, it says no more.
#[diagnostic::on_unimplemented(
    message = "the derivative of `{Op}` on `{A}` and `{Rest}` is not known",
    label = "no derivative of this operation",
    note = "on a type of your own, mark the `impl` block of the operator `#[differentiable]`, or write `impl coenzyme::ops::Additive for {A} {{}}` if it adds component by component",
    note = "a value without derivative is computed in a function marked `#[inactive]`"
)]
pub trait Derived<Op, A, Rest>: Sized {
    /// The tangent of an operation in each lane.
    fn push<const W: usize>(
        a: A,
        rest: Rest,
        out: Self,
        tangents: impl Tangents<W, Value = A>,
        rest_tangents: impl Tangents<W, Value = Rest>,
        strong_zero: bool,
    ) -> [Self; W];

    /// Adds the cotangent of an operation to those of its operands, in each lane.
    fn pull<const W: usize>(
        a: A,
        rest: Rest,
        out: Self,
        cotangents: &[Self; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    );

    /// As [`pull`](Self::pull), of an operation on twice the same variable, whose derivative does not read its result.
    fn pull_square<const W: usize>(
        a: A,
        rest: Rest,
        cotangents: &[Self; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    );

    /// As [`pull`](Self::pull), with the result of the function beside this one at the same operand: the cosine of a sine.
    fn pull_beside<const W: usize>(
        operands: (A, Rest),
        results: (Self, Self),
        cotangents: &[Self; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    );
}

/// Which operands of an operation have a tangent: bit 0 for the first.
#[cfg_attr(not(debug_assertions), inline(always))]
const fn active<T: Tangents<W>, R: Tangents<W>, const W: usize>(_: &T, _: &R) -> u8 {
    T::ACTIVE | R::ACTIVE << 1
}

#[diagnostic::do_not_recommend]
impl<Op, A, Rest, O> Derived<Op, A, Rest> for O
where
    A: Operand<Op, Rest, Output = O> + Blank + Tangent,
    Rest: Blank + Tangent,
    O: Blank + Tangent,
{
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push<const W: usize>(
        a: A,
        rest: Rest,
        out: O,
        tangents: impl Tangents<W, Value = A>,
        rest_tangents: impl Tangents<W, Value = Rest>,
        strong_zero: bool,
    ) -> [O; W] {
        let partials = a.partials(rest, out);
        let active = active(&tangents, &rest_tangents);
        let mut lanes = lane_array(|_| O::blank());
        // a closure that does all of this would not be inlined
        for (lane, d) in lanes.iter_mut().enumerate() {
            let (da, drest) = (tangents.lane(lane), rest_tangents.lane(lane));
            if !(Tangent::is_strong_zero(&da, strong_zero)
                && Tangent::is_strong_zero(&drest, strong_zero))
            {
                *d = A::pushforward_of(active, &partials, da, drest);
            }
        }
        lanes
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pull<const W: usize>(
        a: A,
        rest: Rest,
        out: O,
        cotangents: &[O; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    ) {
        let partials = a.partials(rest, out);
        let back = A::pullback;
        pull(back, &partials, cotangents, into, rest_into, strong_zero);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pull_square<const W: usize>(
        a: A,
        rest: Rest,
        cotangents: &[O; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    ) {
        let partials = a.partials(rest, O::blank());
        let back = A::pullback_of_square;
        pull(back, &partials, cotangents, into, rest_into, strong_zero);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pull_beside<const W: usize>(
        (a, rest): (A, Rest),
        (out, beside): (O, O),
        cotangents: &[O; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    ) {
        let partials = a.partials_beside(rest, out, beside);
        let back = A::pullback;
        pull(back, &partials, cotangents, into, rest_into, strong_zero);
    }
}

/// Adds cotangents to those of the operands, by the partial derivatives.
#[cfg_attr(not(debug_assertions), inline(always))]
fn pull<A, Rest, Partials, O: Tangent, const W: usize>(
    back: impl Fn(&Partials, &O) -> (A, Rest),
    partials: &Partials,
    cotangents: &[O; W],
    mut into: impl Cotangents<W, Value = A>,
    mut rest_into: impl Cotangents<W, Value = Rest>,
    strong_zero: bool,
) {
    // without memory they are constants, and finite: a zero times those is zero
    let strong_zero = strong_zero && size_of::<Partials>() > 0;
    // a closure that does all of this would not be inlined; a single lane is no loop, see `each_lane`
    macro_rules! pull {
        ($lane:expr) => {
            let cotangent = &cotangents[$lane];
            let never = Tangent::is_strong_zero(cotangent, strong_zero);
            let (da, drest) = back(partials, cotangent);
            into.add_unless($lane, &da, never);
            rest_into.add_unless($lane, &drest, never);
        };
    }
    if W == 1 {
        pull!(0);
        return;
    }
    for lane in 0..W {
        pull!(lane);
    }
}

/// As [`Derived`], where the derivative reads no more than on numbers.
#[diagnostic::on_unimplemented(
    message = "the derivative of `{Op}` on `{A}` and `{Rest}` is not known, or reads values that are not kept",
    label = "no derivative of this operation",
    note = "on a type of your own, mark the `impl` block of the operator `#[differentiable]`, or write `impl coenzyme::ops::Additive for {A} {{}}` if it adds component by component",
    note = "a sum that is not linear is called as a method of the marked block, `a.add(b)`; for another operator give the operand a name with its type, `let a: {A} = …`",
    note = "a value without derivative is computed in a function marked `#[inactive]`"
)]
pub trait DerivedLikeNumbers<Op, A, Rest>: Sized {
    /// The tangent of an operation in each lane.
    fn push<const W: usize>(
        a: A,
        rest: Rest,
        out: Self,
        tangents: impl Tangents<W, Value = A>,
        rest_tangents: impl Tangents<W, Value = Rest>,
        strong_zero: bool,
    ) -> [Self; W];

    /// As [`Derived::pull`], of an operation whose partial derivatives do not read its result. An operand that they do not
    /// read either is blank.
    fn pull_factors<const W: usize>(
        a: A,
        rest: Rest,
        cotangents: &[Self; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    );

    /// As [`Derived::pull_square`].
    fn pull_square<const W: usize>(
        a: A,
        rest: Rest,
        cotangents: &[Self; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    );

    /// As [`Derived::pull_beside`].
    fn pull_beside<const W: usize>(
        a: A,
        rest: Rest,
        beside: Self,
        cotangents: &[Self; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    );

    /// As [`Derived::pull`], of an operation whose partial derivatives read nothing but its result.
    fn pull_from_result<const W: usize>(
        out: Self,
        cotangents: &[Self; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    );

    /// As [`Derived::pull`], of an operation that is linear: its partial derivatives read no value.
    fn pull_linear<const W: usize>(
        cotangents: &[Self; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    );
}

#[diagnostic::do_not_recommend]
impl<Op, A, Rest, O> DerivedLikeNumbers<Op, A, Rest> for O
where
    A: LikeNumbers<Op, Rest, Output = O> + Blank + Tangent,
    Rest: Blank + Tangent,
    O: Blank + Tangent,
{
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push<const W: usize>(
        a: A,
        rest: Rest,
        out: O,
        tangents: impl Tangents<W, Value = A>,
        rest_tangents: impl Tangents<W, Value = Rest>,
        strong_zero: bool,
    ) -> [O; W] {
        <O as Derived<Op, A, Rest>>::push(a, rest, out, tangents, rest_tangents, strong_zero)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pull_factors<const W: usize>(
        a: A,
        rest: Rest,
        cotangents: &[O; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    ) {
        let out = O::blank();
        <O as Derived<Op, A, Rest>>::pull(a, rest, out, cotangents, into, rest_into, strong_zero);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pull_square<const W: usize>(
        a: A,
        rest: Rest,
        cotangents: &[O; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    ) {
        <O as Derived<Op, A, Rest>>::pull_square(a, rest, cotangents, into, rest_into, strong_zero);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pull_beside<const W: usize>(
        a: A,
        rest: Rest,
        beside: O,
        cotangents: &[O; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    ) {
        let results = (O::blank(), beside);
        <O as Derived<Op, A, Rest>>::pull_beside(
            (a, rest),
            results,
            cotangents,
            into,
            rest_into,
            strong_zero,
        );
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pull_from_result<const W: usize>(
        out: O,
        cotangents: &[O; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    ) {
        let (a, rest) = (A::blank(), Rest::blank());
        <O as Derived<Op, A, Rest>>::pull(a, rest, out, cotangents, into, rest_into, strong_zero);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pull_linear<const W: usize>(
        cotangents: &[O; W],
        into: impl Cotangents<W, Value = A>,
        rest_into: impl Cotangents<W, Value = Rest>,
        strong_zero: bool,
    ) {
        let (a, rest) = (A::blank(), Rest::blank());
        Self::pull_factors(a, rest, cotangents, into, rest_into, strong_zero);
    }
}
