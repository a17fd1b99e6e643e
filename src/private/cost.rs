//! Whether the result of a call is computed again rather than kept.

use std::marker::PhantomData;

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

/// The marker of a method, found by the type of what has it.
#[derive(Debug)]
pub struct MethodOf<M>(PhantomData<M>);

/// The method whose marker the closure would give. It is not called: there may be no value of the type.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn method_of<A: ?Sized, M>(_: impl FnOnce(&A) -> M) -> MethodOf<M> {
    MethodOf(PhantomData)
}

impl<M: CallCost + Default> CallCost for MethodOf<M> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cost_of_levels(&self, depth: u32) -> u32 {
        M::default().cost_of_levels(depth)
    }
}

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
