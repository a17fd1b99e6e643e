//! Whether the result of a call is computed again rather than kept.

use crate::rule::{Args, Outcome, ReverseReturn, ReverseRule};

/// Operations that cost about what it costs to keep no result, but to know that it could be kept.
const SMALL: usize = 16;

/// A marker whose function may be run again: it has no effects, and calls nothing whose cost is not known.
pub trait CallCost {
    /// The operations of a call, if there are at most `depth` levels of calls inside.
    fn cost_of_levels(&self, depth: u32) -> u32;
}

/// Any other marker: found one reference further away.
pub trait UnknownCost {
    /// More than any function that may be run again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cost_of_levels(&self, _: u32) -> u32 {
        u32::MAX
    }
}

impl<T> UnknownCost for &T {}

/// Whether a call is run again where its result is wanted: a word on the tape is written, read and waits in memory in between, and costs as
/// much as some operations on values at hand.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn runs_again<F, R, A, O, const W: usize>(f: &F) -> bool
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    O::ALWAYS && f.call_cost() as usize <= SMALL + size_of::<O::Value>()
}
