//! The check of a pass backwards, whose seeds are known only once it has begun.

use std::marker::PhantomData;

use super::super::reverse::Watched;
use super::super::{CalledBy, ProbedArgs};
use crate::autodiff::whole::{Found, Watch};
use crate::rule::Outcome;

/// The check of a reverse pass, while it runs.
pub(super) struct Watching<'f, F, A: ProbedArgs<W>, Out, const W: usize> {
    f: &'f F,
    watched: Watched<A, W>,
    returns: PhantomData<fn() -> Out>,
}

impl<'f, F, A: ProbedArgs<W>, Out, const W: usize> Watching<'f, F, A, Out, W> {
    pub(super) fn begin(f: &'f F, args: &A) -> Self {
        Watching {
            f,
            watched: Watched::begin(args),
            returns: PhantomData,
        }
    }
}

impl<F, A, Out, const W: usize> Watch<A, W> for Watching<'_, F, A, Out, W>
where
    A: CalledBy<F, Out, W>,
    Out: Outcome,
{
    fn seeded(&mut self, args: &A, seeds: &Found<W>, returned: usize) {
        let seeds = seeds.each_ref().map(|seed| seed[..returned].to_vec());
        self.watched.seeded(args, seeds);
    }

    fn done(self, args: &A, gradients: &A::Gradients) {
        self.watched.require(self.f, args, gradients);
    }
}
