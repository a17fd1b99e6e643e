//! Values that a block leaves on the tape side by side: room for all of them is made once.

use std::any::Any;

use super::Slot;
use crate::tangent::Tangent;
use crate::tape::{Tape, words};

/// How one value gets to the tape and back.
pub trait Way {
    /// The type of the value.
    type Value;
    /// The words of the value; none if it is not stored as words.
    fn width(&self) -> usize;
    /// Writes the value to its words.
    fn write(&self, value: Self::Value, to: &mut [u64]);
    /// Reads it from them.
    fn read(&self, from: &[u64]) -> Self::Value;
    /// Puts it on the tape alone.
    fn push(&self, tape: &mut Tape, value: Self::Value);
    /// Takes it off again.
    fn pop(&self, tape: &mut Tape) -> Self::Value;
}

/// Of a value without a shadow.
#[derive(Debug)]
pub struct Inactive<'s, T>(pub &'s Slot<T>);

/// Of a value with a shadow.
#[derive(Debug)]
pub struct Shadowed<'s, T>(pub &'s Slot<T>);

impl<T: Any + Send> Way for Inactive<'_, T> {
    type Value = T;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn width(&self) -> usize {
        words::width::<T>()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write(&self, value: T, to: &mut [u64]) {
        words::write(&value, to);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read(&self, from: &[u64]) -> T {
        words::read(from)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push(&self, tape: &mut Tape, value: T) {
        tape.push(value);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop(&self, tape: &mut Tape) -> T {
        tape.pop()
    }
}

impl<T: Tangent<Owned = T> + Any + Send> Way for Shadowed<'_, T> {
    type Value = T;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn width(&self) -> usize {
        T::WORDS
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write(&self, value: T, to: &mut [u64]) {
        Tangent::write_words(&value, to);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read(&self, from: &[u64]) -> T {
        T::read_words(from)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push(&self, tape: &mut Tape, value: T) {
        tape.push_active(value);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop(&self, tape: &mut Tape) -> T {
        tape.pop_active()
    }
}

/// Some ways: a pair of one and the others, or none.
pub trait Ways {
    /// The values, as the ways.
    type Values;
    /// The words of all; `None` if one is not stored as words.
    fn widths(&self) -> Option<usize>;
    /// Writes them one after another.
    fn write_all(&self, values: Self::Values, to: &mut [u64]);
    /// Reads them.
    fn read_all(&self, from: &[u64]) -> Self::Values;
    /// Puts each on the tape, the first first.
    fn push_each(&self, tape: &mut Tape, values: Self::Values);
    /// Takes them off, the first last.
    fn pop_each(&self, tape: &mut Tape) -> Self::Values;
}

impl Ways for () {
    type Values = ();
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn widths(&self) -> Option<usize> {
        Some(0)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write_all(&self, (): (), _: &mut [u64]) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read_all(&self, _: &[u64]) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push_each(&self, _: &mut Tape, (): ()) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop_each(&self, _: &mut Tape) {}
}

impl<F: Way, R: Ways> Ways for (F, R) {
    type Values = (F::Value, R::Values);
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn widths(&self) -> Option<usize> {
        match (self.0.width(), self.1.widths()) {
            (0, _) | (_, None) => None,
            (own, Some(others)) => Some(own + others),
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write_all(&self, (first, others): Self::Values, to: &mut [u64]) {
        let (own, rest) = to.split_at_mut(self.0.width());
        self.0.write(first, own);
        self.1.write_all(others, rest);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read_all(&self, from: &[u64]) -> Self::Values {
        let (own, rest) = from.split_at(self.0.width());
        (self.0.read(own), self.1.read_all(rest))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push_each(&self, tape: &mut Tape, (first, others): Self::Values) {
        self.0.push(tape, first);
        self.1.push_each(tape, others);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop_each(&self, tape: &mut Tape) -> Self::Values {
        let others = self.1.pop_each(tape);
        (self.0.pop(tape), others)
    }
}

/// Puts values on the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn push_side_by_side<W: Ways>(tape: &mut Tape, ways: W, values: W::Values) {
    match ways.widths() {
        Some(words) => ways.write_all(values, tape.more(words)),
        None => ways.push_each(tape, values),
    }
}

/// Takes off what [`push_side_by_side`] put on.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn pop_side_by_side<W: Ways>(tape: &mut Tape, ways: W) -> W::Values {
    match ways.widths() {
        Some(words) => ways.read_all(tape.less(words)),
        None => ways.pop_each(tape),
    }
}
