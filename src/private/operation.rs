//! Operations of scalars on the lanes of their operands' shadows.

use std::marker::PhantomData;

use super::Blank;
use crate::ops::Operand;
use crate::tangent::Tangent;

/// The tangents of an operand, or of a tuple of operands.
pub trait Tangents<const W: usize> {
    /// The operand.
    type Value;

    /// The tangent in one lane.
    fn lane(&self, lane: usize) -> Self::Value;
}

/// The cotangents of an operand, or of a tuple of operands.
pub trait Cotangents<const W: usize> {
    /// The operand.
    type Value;

    /// Adds to the cotangent in one lane.
    fn add(&mut self, lane: usize, value: &Self::Value);
}

/// In the place of the shadow of an operand that has none.
#[derive(Debug)]
pub struct NoShadow<T>(PhantomData<fn() -> T>);

impl<T> NoShadow<T> {
    /// Of an operand whose type is known from elsewhere.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Of this operand.
    #[inline]
    pub fn of(_: &T) -> Self {
        Self::new()
    }
}

impl<T: Blank, const W: usize> Tangents<W> for NoShadow<T> {
    type Value = T;

    #[inline]
    fn lane(&self, _: usize) -> T {
        T::blank()
    }
}

impl<T, const W: usize> Cotangents<W> for NoShadow<T> {
    type Value = T;

    #[inline]
    fn add(&mut self, _: usize, _: &T) {}
}

impl<T: Clone, const W: usize> Tangents<W> for &[T; W] {
    type Value = T;

    #[inline]
    fn lane(&self, lane: usize) -> T {
        self[lane].clone()
    }
}

impl<T: Tangent, const W: usize> Cotangents<W> for &mut [T; W] {
    type Value = T;

    #[inline]
    fn add(&mut self, lane: usize, value: &T) {
        self[lane].accumulate(value);
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt)*))*) => {$(
        impl<$($t: Tangents<W>,)* const W: usize> Tangents<W> for ($($t,)*) {
            type Value = ($($t::Value,)*);

            #[inline]
            #[allow(clippy::unused_unit)]
            fn lane(&self, _lane: usize) -> Self::Value {
                ($(self.$i.lane(_lane),)*)
            }
        }

        impl<$($t: Cotangents<W>,)* const W: usize> Cotangents<W> for ($($t,)*) {
            type Value = ($($t::Value,)*);

            #[inline]
            fn add(&mut self, _lane: usize, _value: &Self::Value) {
                $(self.$i.add(_lane, &_value.$i);)*
            }
        }
    )*};
}

tuples! { () (A 0) (A 0 B 1) }

/// The tangent of an operation in each lane.
#[inline]
pub fn push<Op, A, Rest, const W: usize>(
    a: A,
    rest: Rest,
    out: A::Output,
    tangents: impl Tangents<W, Value = A>,
    rest_tangents: impl Tangents<W, Value = Rest>,
    strong_zero: bool,
) -> [A::Output; W]
where
    A: Operand<Op, Rest, Output: Blank> + Blank + PartialEq,
    Rest: Blank + PartialEq,
{
    let partials = a.partials(rest, out);
    std::array::from_fn(|lane| {
        let (da, drest) = (tangents.lane(lane), rest_tangents.lane(lane));
        if strong_zero && da == A::blank() && drest == Rest::blank() {
            return A::Output::blank();
        }
        A::pushforward(&partials, da, drest)
    })
}

/// Adds the cotangent of an operation to those of its operands, in each lane.
#[inline]
pub fn pull<Op, A, Rest, const W: usize>(
    a: A,
    rest: Rest,
    out: A::Output,
    cotangents: &[A::Output; W],
    mut into: impl Cotangents<W, Value = A>,
    mut rest_into: impl Cotangents<W, Value = Rest>,
    strong_zero: bool,
) where
    A: Operand<Op, Rest, Output: Blank + PartialEq>,
{
    let partials = a.partials(rest, out);
    for (lane, cotangent) in cotangents.iter().enumerate() {
        if strong_zero && *cotangent == A::Output::blank() {
            continue;
        }
        let (da, drest) = A::pullback(&partials, cotangent);
        into.add(lane, &da);
        rest_into.add(lane, &drest);
    }
}

/// As [`pull`], of an operation whose partial derivatives do not read its result.
#[inline]
pub fn pull_factors<Op, A, Rest, const W: usize>(
    a: A,
    rest: Rest,
    cotangents: &[A::Output; W],
    into: impl Cotangents<W, Value = A>,
    rest_into: impl Cotangents<W, Value = Rest>,
    strong_zero: bool,
) where
    A: Operand<Op, Rest, Output: Blank + PartialEq>,
{
    let out = A::Output::blank();
    pull::<Op, A, Rest, W>(a, rest, out, cotangents, into, rest_into, strong_zero);
}

/// As [`pull`], of an operation that is linear: its partial derivatives read no value.
#[inline]
pub fn pull_linear<Op, A, Rest, const W: usize>(
    cotangents: &[A::Output; W],
    into: impl Cotangents<W, Value = A>,
    rest_into: impl Cotangents<W, Value = Rest>,
    strong_zero: bool,
) where
    A: Operand<Op, Rest, Output: Blank + PartialEq> + Blank,
    Rest: Blank,
{
    let (a, rest) = (A::blank(), Rest::blank());
    pull_factors::<Op, A, Rest, W>(a, rest, cotangents, into, rest_into, strong_zero);
}
