//! Copies of values that a derivative reads again, and of arguments that the tape keeps.

use std::any::Any;
use std::marker::PhantomData;

use crate::tangent::Tangent;
use crate::tape::Tape;

/// What can be copied: `Clone`, with a text of our own for what is not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be copied, and a derivative reads it again",
    label = "a value of this type is not `Clone`",
    note = "write `#[derive(Clone)]` on the type, the bound `Clone` on a type parameter, or pass a reference"
)]
pub trait Copies: Clone {}

#[diagnostic::do_not_recommend]
impl<T: Clone> Copies for T {}

/// `Clone` as a bound that may not hold: one without a lifetime is asked for where it stands.
pub trait MayClone<'a>: Clone {}

impl<T: Clone> MayClone<'_> for T {}

/// A copy of a value.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn copy<T: Copies>(value: &T) -> T {
    value.clone()
}

/// How a copy of an argument of this type gets to the tape: as words, if the type says how.
#[derive(Debug)]
pub struct Copied<T: ?Sized>(PhantomData<fn() -> Box<T>>);

impl<T: ?Sized> Copied<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// Stands where a copy of memory with borrowed parts would go onto a tape, which outlives them.
pub fn borrowed_is_not_kept<T: ?Sized>() -> Box<T> {
    panic!(
        "a value with a borrowed part is changed after a call that reads it, and no copy of it can be kept for the reverse sweep: change a value of another name, or give its type the numbers instead of a reference to them"
    )
}

/// Of types that may be words: found first where `&&Copied` is asked.
pub trait CopiedWords<T> {
    /// Puts a copy on the tape.
    fn push_copy(&self, tape: &mut Tape, value: &T);
    /// Takes it off again.
    fn pop_copy(&self, tape: &mut Tape) -> T;
    /// Whether there are copies.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_copied(&self) -> bool {
        true
    }
    /// Puts a copy on the tape, if there are any.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push_if_copied(&self, tape: &mut Tape, value: &T) {
        self.push_copy(tape, value);
    }
    /// Takes it off again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop_if_copied(&self, tape: &mut Tape) -> Option<T> {
        Some(self.pop_copy(tape))
    }
}

impl<T: Tangent<Owned = T> + Clone + Any + Send> CopiedWords<T> for &Copied<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push_copy(&self, tape: &mut Tape, value: &T) {
        match T::WORDS {
            0 => tape.push(value.clone()),
            _ => tape.push_words(value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop_copy(&self, tape: &mut Tape) -> T {
        tape.pop_active()
    }
}

/// Of any other type: found one reference further away.
pub trait CopiedWhole<T: ToOwned + ?Sized> {
    /// Puts a copy on the tape.
    fn push_copy(&self, tape: &mut Tape, value: &T);
    /// Takes it off again.
    fn pop_copy(&self, tape: &mut Tape) -> T::Owned;
    /// Whether there are copies.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_copied(&self) -> bool {
        true
    }
    /// Puts a copy on the tape, if there are any.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push_if_copied(&self, tape: &mut Tape, value: &T) {
        self.push_copy(tape, value);
    }
    /// Takes it off again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop_if_copied(&self, tape: &mut Tape) -> Option<T::Owned> {
        Some(self.pop_copy(tape))
    }
}

impl<T: ToOwned<Owned: Any + Send> + ?Sized> CopiedWhole<T> for &&Copied<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push_copy(&self, tape: &mut Tape, value: &T) {
        tape.push(value.to_owned());
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop_copy(&self, tape: &mut Tape) -> T::Owned {
        tape.pop()
    }
}

/// Of a type that is not copied: found last.
pub trait NotCopied<T: ?Sized> {
    /// Says that there is no copy.
    fn push_copy(&self, _: &mut Tape, _: &T) {
        panic!(
            "a value of type `{}` is changed after a call that reads it, and there is no copy of it for the reverse sweep: write `#[derive(Clone)]` on the type",
            std::any::type_name::<T>()
        )
    }
    /// What was not put on the tape.
    fn pop_copy(&self, _: &mut Tape) -> Box<T> {
        unreachable!("the first half says that there is no copy")
    }
    /// Whether there are copies.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_copied(&self) -> bool {
        false
    }
    /// Nothing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push_if_copied(&self, _: &mut Tape, _: &T) {}
    /// Nothing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop_if_copied(&self, _: &mut Tape) -> Option<Box<T>> {
        None
    }
}

impl<T: ?Sized> NotCopied<T> for Copied<T> {}

#[cfg(test)]
mod tests {
    use super::{Copied, CopiedWhole as _, NotCopied as _};
    use crate::Tape;

    struct Ticket;

    /// Of what generated code asks, which borrows twice: see [`Copied`].
    const OF_TICKETS: &&Copied<Ticket> = &&Copied::new();
    const OF_NUMBERS: &&Copied<[f64]> = &&Copied::new();

    #[test]
    #[should_panic(expected = "::Ticket` is changed after a call that reads it")]
    fn what_has_no_copy_says_so() {
        OF_TICKETS.push_copy(&mut Tape::new(), &Ticket);
    }

    #[test]
    fn what_has_no_copy_may_be_left_out() {
        let tape = &mut Tape::new();
        OF_TICKETS.push_if_copied(tape, &Ticket);
        assert!(tape.is_empty() && OF_TICKETS.pop_if_copied(tape).is_none());
        OF_NUMBERS.push_if_copied(tape, &[1.0, 2.0][..]);
        assert_eq!(OF_NUMBERS.pop_if_copied(tape), Some(vec![1.0, 2.0]));
    }
}
