//! A forward rule in one mix and width.

use std::marker::PhantomData;

use coenzyme::{Args, ForwardConfig, ForwardRule, Outcome};

use super::primal::{Callable, Memory, Subject};
use super::state::{Fault, Mix, State, caught, observed};
use crate::argument::{AnySlots, Passings};
use crate::mix::{ForwardMix, ForwardRet, Tangents};

/// A forward rule in one mix and width, on the memory of its function.
///
/// This is what is compiled again for every mix and width of every rule: it holds nothing that can be done without the types.
pub(crate) trait RawForward: Sync {
    /// The activities and the width.
    fn mix(&self) -> Mix;

    /// The settings of `needs_primal` to be tried.
    fn needs_primal(&self) -> &'static [bool];

    /// Calls the rule; an error is described.
    fn call(&self, slots: &mut dyn AnySlots, config: &ForwardConfig) -> Result<Tangents, String>;
}

/// A forward rule in one mix and width, from floats to floats.
#[derive(Clone, Copy)]
pub(crate) struct Forward<'s> {
    subject: &'s dyn Callable,
    rule: &'s dyn RawForward,
}

impl<'s> Forward<'s> {
    /// The rule on the memory of `subject`.
    pub(crate) fn new(subject: &'s dyn Callable, rule: &'s dyn RawForward) -> Self {
        Forward { subject, rule }
    }

    /// The activities and the width.
    pub(crate) fn mix(&self) -> Mix {
        self.rule.mix()
    }

    /// The settings of `needs_primal` to be tried.
    pub(crate) fn needs_primal(&self) -> &'static [bool] {
        self.rule.needs_primal()
    }

    /// Runs the rule; `state` becomes what it left behind, also if it failed.
    pub(crate) fn run(&self, config: &ForwardConfig, state: &mut State) -> Result<Tangents, Fault> {
        self.run_in(&mut None, config, state)
    }

    /// The same in memory that an earlier call has left, which is left there again.
    pub(crate) fn run_in(
        &self,
        memory: &mut Option<Memory>,
        config: &ForwardConfig,
        state: &mut State,
    ) -> Result<Tangents, Fault> {
        let slots = memory.take();
        let mut slots = slots.unwrap_or_else(|| self.subject.memory(state.layout));
        state.store(slots.flat_mut());
        let result = caught(|| self.rule.call(&mut *slots, config));
        state.load(slots.flat());
        *memory = Some(slots);
        result
    }
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

impl<F, Ps, Out, Ret, M, const W: usize> RawForward for ForwardCall<'_, F, Ps, Out, Ret, M, W>
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

    fn call(&self, slots: &mut dyn AnySlots, config: &ForwardConfig) -> Result<Tangents, String> {
        let mut args = M::args(Subject::<F, Ps, Out>::slots(slots));
        let (mut returned, mut tangents) = (None, None);
        observed(&mut || returned = Some(self.subject.f.forward(config, args.refs())));
        let returned = returned.expect("the call has not panicked");
        let outcome = Out::map_of(returned, |returned| tangents = Some(Ret::flat(returned)));
        match tangents {
            Some(tangents) => Ok(tangents),
            None => Err(self.subject.error(outcome)),
        }
    }
}
