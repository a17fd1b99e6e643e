//! Memory that a call reads again in its second half, and that its caller changes in between: the caller keeps it, and has it back in
//! place before the second half, so that the callee makes no copy.

use std::any::Any;

use crate::tangent::Tangent;
use crate::tape::Tape;

/// Levels of calls that are looked through.
pub const LEVELS: u32 = 4;

/// A marker whose reverse rule is generated.
pub trait ReadsLater {
    /// Whether the second half reads the memory of an argument, itself or in at most `levels` levels of calls inside.
    fn reads_later(&self, argument: usize, levels: u32) -> Option<bool>;

    /// Whether vectors that it is lent may have another length afterwards.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn changes_lengths(&self) -> bool {
        false
    }

    /// Whether a call leaves nothing on the tape, if there are at most `levels` levels of calls inside.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_tapeless(&self, _levels: u32) -> bool {
        false
    }
}

/// Any other marker: found one reference further away.
pub trait MayReadLater {
    /// Not known.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reads_later(&self, _: usize, _levels: u32) -> Option<bool> {
        None
    }

    /// Not as far as is known.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn changes_lengths(&self) -> bool {
        false
    }

    /// Whether a call leaves nothing on the tape, if there are at most `levels` levels of calls inside.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_tapeless(&self, _levels: u32) -> bool {
        false
    }
}

impl<T> MayReadLater for &T {}

/// Whether one of several calls reads memory later: `rest` if none does, unless one does not say.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn any_reads(answers: &[Option<bool>], rest: Option<bool>) -> Option<bool> {
    if answers.contains(&Some(true)) {
        return Some(true);
    }
    match answers.contains(&None) {
        true => None,
        false => rest,
    }
}

/// Whether the caller keeps memory that the second half of a call may read.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn is_kept<M: Tangent<Owned = M> + Any + Send>(_: &M, reads_later: Option<bool>) -> bool {
    reads_later == Some(true) && M::HOLDS_WORDS
}

/// Puts what memory holds on the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn keep_contents<M: Tangent<Owned = M> + Any + Send>(tape: &mut Tape, memory: &M) {
    Tangent::keep_words(memory, tape);
}

/// Gives memory back what [`keep_contents`] put on the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn restore_contents<M: Tangent<Owned = M> + Any + Send>(tape: &mut Tape, memory: &mut M) {
    Tangent::restore_words(memory, tape);
}
