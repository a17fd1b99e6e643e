//! A forward rule in one mix and width.

use std::marker::PhantomData;

use coenzyme::{Args, ForwardConfig, ForwardRule, Outcome};

use super::primal::{Memory, Subject};
use super::state::{Fault, Mix, State, caught, observed};
use crate::argument::Passings;
use crate::mix::{ForwardMix, ForwardRet, Tangents};

/// A forward rule in one mix and width, from floats to floats.
pub(crate) trait Forward: Sync {
    /// The activities and the width.
    fn mix(&self) -> Mix;

    /// The settings of `needs_primal` to be tried.
    fn needs_primal(&self) -> &'static [bool];

    /// Runs the rule; `state` becomes what it left behind, also if it failed.
    fn run(&self, config: &ForwardConfig, state: &mut State) -> Result<Tangents, Fault> {
        self.run_in(&mut None, config, state)
    }

    /// The same in memory that an earlier call has left, which is left there again.
    fn run_in(
        &self,
        memory: &mut Option<Memory>,
        config: &ForwardConfig,
        state: &mut State,
    ) -> Result<Tangents, Fault>;
}

/// The rule of a subject, with return activity `Ret` and argument activities `M`.
pub(crate) struct ForwardCall<'s, F, Ps: Passings, Out: Outcome, Ret, M, const W: usize> {
    subject: &'s Subject<F, Ps, Out>,
    mix: PhantomData<fn() -> (Ret, M)>,
}

impl<'s, F, Ps: Passings, Out: Outcome, Ret, M, const W: usize>
    ForwardCall<'s, F, Ps, Out, Ret, M, W>
{
    pub(crate) fn new(subject: &'s Subject<F, Ps, Out>) -> Self {
        ForwardCall {
            subject,
            mix: PhantomData,
        }
    }
}

impl<F, Ps, Out, Ret, M, const W: usize> Forward for ForwardCall<'_, F, Ps, Out, Ret, M, W>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ForwardRet<Out, W>,
    M: ForwardMix<Ps, W>,
    F: for<'a> ForwardRule<Ret::R, M::Args<'a>, W> + Send + Sync,
{
    fn mix(&self) -> Mix {
        Mix {
            returned: Ret::ACTIVITY,
            arguments: M::ACTIVITIES,
            width: W,
        }
    }

    fn needs_primal(&self) -> &'static [bool] {
        Ret::NEEDS_PRIMAL
    }

    fn run_in(
        &self,
        memory: &mut Option<Memory>,
        config: &ForwardConfig,
        state: &mut State,
    ) -> Result<Tangents, Fault> {
        let mut slots = self.subject.memory_or(memory.take(), state.layout);
        state.store(Ps::flat_mut(&mut slots));
        let result = caught(|| {
            let mut args = M::args(&mut slots);
            let mut tangents = None;
            let returned = observed(|| self.subject.f.forward(config, args.refs()));
            Out::map_of(returned, |returned| tangents = Some(Ret::flat(returned)));
            tangents
        });
        state.load(Ps::flat(&slots));
        *memory = Some(slots);
        result
    }
}
