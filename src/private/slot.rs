//! The way of a value over the tape of generated code.

use std::any::Any;
use std::marker::PhantomData;

use super::Blank;
use crate::tangent::Tangent;
use crate::tape::Tape;

/// The type of a value on the tape, found by inference in the forward sweep and known in the reverse sweep.
#[derive(Debug)]
pub struct Slot<T>(PhantomData<fn() -> T>);

impl<T> Slot<T> {
    /// A slot of a type yet unknown.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Says which type it is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn bind(&self, _: &T) {}

    /// Puts a value of the slot's type on the tape.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn push(&self, tape: &mut Tape, value: T)
    where
        T: Any + Send,
    {
        tape.push(value);
    }

    /// Takes it off again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn pop(&self, tape: &mut Tape) -> T
    where
        T: Any + Send,
    {
        tape.pop()
    }

    /// As [`push`](Self::push), of a value that has a shadow.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn push_active(&self, tape: &mut Tape, value: T)
    where
        T: Tangent<Owned = T> + Any + Send,
    {
        tape.push_active(value);
    }

    /// As [`pop`](Self::pop), after [`push_active`](Self::push_active).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn pop_active(&self, tape: &mut Tape) -> T
    where
        T: Tangent<Owned = T> + Any + Send,
    {
        tape.pop_active()
    }

    /// The value, which has the slot's type.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn same(&self, value: T) -> T {
        value
    }

    /// A value of the slot's type, which nobody reads.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn blank(&self) -> T
    where
        T: Blank,
    {
        T::blank()
    }

    /// Lanes that sums of the slot's type begin with.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn sums<const W: usize>(&self) -> [T; W]
    where
        T: Blank,
    {
        std::array::from_fn(|_| T::empty_sum())
    }
}
