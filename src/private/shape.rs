//! Values of which the reverse sweep reads the shape alone: what their types say is not on the tape.

use std::any::Any;

use super::places::ShadowsMut;
use super::{ReturnedShape, Slot};
use crate::rule::ReverseReturn;
use crate::tangent::Tangent;
use crate::tape::Tape;

/// Whether values of a type may have several shapes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn has_shapes<T: Tangent>() -> bool {
    !T::ONE_SHAPE && T::WORDS == 0
}

/// The words of the largest value that is made from its type.
const MOST: usize = 256;

/// Whether all values of a type have one shape, and a blank one is made without another.
#[cfg_attr(not(debug_assertions), inline(always))]
const fn is_told<T: Tangent>() -> bool {
    0 < T::WORDS && T::WORDS <= MOST
}

impl<T: Tangent<Owned = T> + Any + Send> Slot<T> {
    /// Puts a value on the tape of which the shape will be read.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn push_shape(&self, tape: &mut Tape, value: T) {
        if T::SHAPE_IS_A_LENGTH {
            tape.push(Tangent::length_of_shape(&value));
        } else if !is_told::<T>() {
            tape.push_active(value);
        }
    }

    /// As [`push_shape`](Self::push_shape), of what the function returns: a cotangent that comes back has the shape.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn push_returned<R: ReverseReturn<W>, const W: usize>(&self, tape: &mut Tape, value: &T) {
        if !R::ACTIVE {
            self.push_shape(tape, Tangent::zero_like(value));
        }
    }

    /// The shape of what the function returns, made again if no cotangent comes back.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn returned<R: ReverseReturn<W>, const W: usize>(
        &self,
        made: impl FnOnce() -> T,
    ) -> ReturnedShape<T> {
        ReturnedShape((!R::ACTIVE).then(made))
    }

    /// What [`push_returned`](Self::push_returned) put on the tape.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn pop_returned<R: ReverseReturn<W>, const W: usize>(
        &self,
        tape: &mut Tape,
    ) -> ReturnedShape<T> {
        ReturnedShape((!R::ACTIVE).then(|| self.pop_shape(tape)))
    }

    /// A value of the shape that [`push_shape`](Self::push_shape) put on the tape.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn pop_shape(&self, tape: &mut Tape) -> T {
        match is_told::<T>() {
            true => T::read_words(&[0; MOST][..T::WORDS]),
            false if T::SHAPE_IS_A_LENGTH => T::of_shape_length(tape.pop()),
            false => tape.pop_active(),
        }
    }
}

impl<T: Tangent<Owned = T> + Any + Send> Slot<T> {
    /// Puts memory on the tape whose entries may have another shape than those with which it began.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn push_reshaped(&self, tape: &mut Tape, value: T) {
        if !T::LENGTH_IS_SHAPE {
            tape.push_active(value);
        }
    }

    /// Memory of the shape that [`push_reshaped`](Self::push_reshaped) was given: that of `first`, if the entries have but one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn pop_reshaped(&self, tape: &mut Tape, first: impl FnOnce() -> T) -> T {
        match T::LENGTH_IS_SHAPE {
            true => first(),
            false => tape.pop_active(),
        }
    }
}

/// The shape of memory before all of it is assigned, where the new value has another.
#[inline]
pub fn shape_before<T: Tangent<Owned = T>>(before: &T, after: &T) -> Option<Box<T>> {
    let same = !has_shapes::<T>() || Tangent::congruent(before, after).is_ok();
    (!same).then(|| Box::new(Tangent::zero_like(before)))
}

impl<T: Tangent + Any + Send> Slot<Option<Box<T>>> {
    /// Puts on the tape what [`shape_before`] found.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn push_before(&self, tape: &mut Tape, shape: Option<Box<T>>) {
        if has_shapes::<T>() {
            tape.push(shape);
        }
    }

    /// Takes it off again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn pop_before(&self, tape: &mut Tape) -> Option<Box<T>> {
        match has_shapes::<T>() {
            true => tape.pop(),
            false => None,
        }
    }
}

/// Gives memory and its shadows the shape back that [`shape_before`] found.
#[inline]
pub fn reshape<S: ShadowsMut<W>, T: Tangent<Owned = T>, const W: usize>(
    before: Option<Box<T>>,
    memory: &mut T,
    shadows: S,
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    reshape_shadows(&before, shadows, place);
    if let Some(zero) = before {
        *memory = *zero;
    }
}

/// Gives shadows the shape back that [`shape_before`] found.
#[inline]
pub fn reshape_shadows<S: ShadowsMut<W>, T: Tangent<Owned = T>, const W: usize>(
    before: &Option<Box<T>>,
    mut shadows: S,
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    if let Some(zero) = before {
        (0..W).for_each(|lane| {
            shadows.lane_mut(lane, |memory| *place(memory) = Tangent::zero_like(&**zero));
        });
    }
}

/// Gives memory the shape back that the second half of a call gave its shadows.
#[inline]
pub fn reshape_as<S: ShadowsMut<W>, T: Tangent<Owned = T>, const W: usize>(
    memory: &mut T,
    mut shadows: S,
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    if !has_shapes::<T>() {
        return;
    }
    shadows.lane_mut(0, |shadow| {
        let shadow = place(shadow);
        if Tangent::congruent(memory, shadow).is_err() {
            *memory = Tangent::zero_like(shadow);
        }
    });
}
