//! A reverse rule in one mix and width.

use std::marker::PhantomData;

use coenzyme::{Args, AugmentedReturn, Outcome, ReverseConfig, ReverseReturn, ReverseRule};

use super::primal::{Callable, Memory, Subject, Zero};
use super::state::{Fault, Mix, State, caught, observed};
use crate::allocation;
use crate::argument::{AnySlots, Passings};
use crate::mix::{Augmented, ReverseMix, ReverseRet};

/// A reverse rule in one mix and width, on the memory of its function.
///
/// This and [`RawTape`] are what is compiled again for every mix and width of every rule: they hold nothing that can be done
/// without the types.
pub(crate) trait RawReverse: Sync {
    /// The activities and the width.
    fn mix(&self) -> Mix;

    /// The settings of `needs_primal` to be tried.
    fn needs_primal(&self) -> &'static [bool];

    /// Calls the first half; an error is described.
    fn augmented<'t>(
        &'t self,
        slots: &mut dyn AnySlots,
        config: &ReverseConfig,
    ) -> Result<(Augmented, Box<dyn RawTape + 't>), String>;
}

/// What the first half of a reverse rule leaves to the second.
pub(crate) trait RawTape: Send {
    /// A copy of the tape, if it can be copied, with shadows of zeros like `zero`.
    fn twin<'t>(&'t self, zero: &Zero) -> Option<Box<dyn RawTape + 't>>;

    /// Throws the tape away. Returns how many bytes that freed.
    fn discard(self: Box<Self>) -> usize;

    /// Calls the second half.
    fn reverse(
        self: Box<Self>,
        slots: &mut dyn AnySlots,
        config: &ReverseConfig,
        zero: &Zero,
        cotangents: &[Vec<f64>],
    ) -> Gradients;
}

/// By argument, then by lane; `None` for an argument whose derivative is not returned.
pub(crate) type Gradients = Vec<Option<Vec<Vec<f64>>>>;

/// A reverse rule in one mix and width, from floats to floats.
#[derive(Clone, Copy)]
pub(crate) struct Reverse<'s> {
    subject: &'s dyn Callable,
    rule: &'s dyn RawReverse,
}

impl<'s> Reverse<'s> {
    /// The rule on the memory of `subject`.
    pub(crate) fn new(subject: &'s dyn Callable, rule: &'s dyn RawReverse) -> Self {
        Reverse { subject, rule }
    }

    /// The activities and the width.
    pub(crate) fn mix(&self) -> Mix {
        self.rule.mix()
    }

    /// The settings of `needs_primal` to be tried.
    pub(crate) fn needs_primal(&self) -> &'static [bool] {
        self.rule.needs_primal()
    }

    /// Runs the first half, in memory that an earlier call has left if there is some; `state` becomes what it left behind,
    /// also if it failed.
    pub(crate) fn augmented(
        &self,
        memory: Option<Memory>,
        config: &ReverseConfig,
        state: &mut State,
    ) -> Result<(Augmented, Halfway<'s>), Fault> {
        let mut slots = memory.unwrap_or_else(|| self.subject.memory(state.layout));
        state.store(slots.flat_mut());
        let result = caught(|| self.rule.augmented(&mut *slots, config));
        state.load(slots.flat());
        let (augmented, tape) = result?;
        let halfway = Halfway {
            subject: self.subject,
            config: *config,
            slots,
            tape,
        };
        Ok((augmented, halfway))
    }
}

/// A reverse rule between its halves: it holds the tape.
pub(crate) struct Halfway<'s> {
    subject: &'s dyn Callable,
    config: ReverseConfig,
    slots: Memory,
    tape: Box<dyn RawTape + 's>,
}

impl Halfway<'_> {
    /// A copy that can run the second half too, if the tape can be copied.
    pub(crate) fn twin(&self) -> Option<Halfway<'_>> {
        let zero = self.subject.zero()?;
        Some(Halfway {
            subject: self.subject,
            config: self.config,
            slots: self.slots.twin(),
            tape: self.tape.twin(&zero)?,
        })
    }

    /// Throws the tape away. Returns how many bytes that freed.
    pub(crate) fn discard(self) -> usize {
        self.tape.discard()
    }

    /// Runs the second half in the same memory, now holding `state`. `cotangents` are those of the returned value, lane by
    /// lane. Returns the floats of what the rule returned for each argument, lane by lane, and the memory.
    pub(crate) fn reverse(
        self,
        state: &mut State,
        cotangents: &[Vec<f64>],
    ) -> (Result<Gradients, Fault>, Memory) {
        let (tape, mut slots) = (self.tape, self.slots);
        state.store(slots.flat_mut());
        let result = caught(|| {
            let zero = self.subject.zero().ok_or_else(String::new)?;
            Ok(tape.reverse(&mut *slots, &self.config, &zero, cotangents))
        });
        state.load(slots.flat());
        (result, slots)
    }
}

/// The rule of a subject, with return activity `Ret`, argument activities `M` and tapes `T`.
pub(crate) struct ReverseCall<'s, F, Ps, Out, Ret, M, T, const W: usize>
where
    Ps: Passings,
    Out: Outcome,
    Ret: ReverseRet<Out, W>,
{
    subject: &'s Subject<F, Ps, Out>,
    mix: PhantomData<fn() -> (Ret, M)>,
    /// How to copy a tape, if it can be.
    copy: Option<fn(&T) -> T>,
}

impl<'s, F, Ps: Passings, Out: Outcome, Ret: ReverseRet<Out, W>, M, T, const W: usize>
    ReverseCall<'s, F, Ps, Out, Ret, M, T, W>
{
    pub(crate) fn new(subject: &'s Subject<F, Ps, Out>) -> Self {
        ReverseCall {
            subject,
            mix: PhantomData,
            copy: None,
        }
    }

    /// The same, for tapes that can be copied.
    pub(crate) fn with_copies(self) -> Self
    where
        T: Clone,
    {
        ReverseCall {
            copy: Some(T::clone),
            ..self
        }
    }
}

pub(crate) struct Tape<
    's,
    F,
    Ps: Passings,
    Out: Outcome,
    Ret: ReverseRet<Out, W>,
    M,
    T,
    const W: usize,
> {
    subject: &'s Subject<F, Ps, Out>,
    shadow: <Ret::R as ReverseReturn<W>>::Shadow,
    tape: T,
    copy: Option<fn(&T) -> T>,
    mix: PhantomData<fn() -> M>,
}

impl<F, Ps, Out, Ret, M, T, const W: usize> RawReverse for ReverseCall<'_, F, Ps, Out, Ret, M, T, W>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ReverseRet<Out, W>,
    M: ReverseMix<Ps, W>,
    T: Send,
    F: for<'a> ReverseRule<Ret::R, M::Args<'a>, W, Tape = T> + Send + Sync,
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

    fn augmented<'t>(
        &'t self,
        slots: &mut dyn AnySlots,
        config: &ReverseConfig,
    ) -> Result<(Augmented, Box<dyn RawTape + 't>), String> {
        let subject = self.subject;
        let mut args = M::args(Subject::<F, Ps, Out>::slots(slots));
        let (mut returned, mut inside) = (None, None);
        observed(&mut || returned = Some(subject.f.augmented_primal(config, args.refs())));
        let returned = returned.expect("the call has not panicked");
        let outcome = Out::map_of(returned, |augmented| inside = Some(augmented));
        let Some(AugmentedReturn {
            primal,
            shadow,
            tape,
        }) = inside
        else {
            return Err(subject.error(outcome));
        };
        let augmented = Augmented {
            primal: primal.as_ref().map(coenzyme::Tangent::to_flat),
            shadows: Ret::shadows(&shadow),
        };
        let tape = Tape::<F, Ps, Out, Ret, M, T, W> {
            subject,
            shadow,
            tape,
            copy: self.copy,
            mix: PhantomData,
        };
        Ok((augmented, Box::new(tape)))
    }
}

impl<F, Ps, Out, Ret, M, T, const W: usize> RawTape for Tape<'_, F, Ps, Out, Ret, M, T, W>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ReverseRet<Out, W>,
    M: ReverseMix<Ps, W>,
    T: Send,
    F: for<'a> ReverseRule<Ret::R, M::Args<'a>, W, Tape = T> + Send + Sync,
{
    fn twin<'t>(&'t self, zero: &Zero) -> Option<Box<dyn RawTape + 't>> {
        let copy = self.copy?;
        Some(Box::new(Tape::<F, Ps, Out, Ret, M, T, W> {
            subject: self.subject,
            shadow: Ret::fresh(Subject::<F, Ps, Out>::value(zero)),
            tape: copy(&self.tape),
            copy: self.copy,
            mix: PhantomData,
        }))
    }

    fn discard(self: Box<Self>) -> usize {
        let mut tape = Some(self.tape);
        allocation::freed(&mut || drop(tape.take()))
    }

    fn reverse(
        self: Box<Self>,
        slots: &mut dyn AnySlots,
        config: &ReverseConfig,
        zero: &Zero,
        cotangents: &[Vec<f64>],
    ) -> Gradients {
        let Tape {
            subject,
            shadow,
            tape,
            ..
        } = *self;
        let cotangent = Ret::cotangent(shadow, Subject::<F, Ps, Out>::value(zero), cotangents);
        let mut args = M::args(Subject::<F, Ps, Out>::slots(slots));
        let (mut given, mut gradients) = (Some((cotangent, tape)), None);
        observed(&mut || {
            if let Some((cotangent, tape)) = given.take() {
                gradients = Some(subject.f.reverse(config, cotangent, tape, args.refs()));
            }
        });
        M::gradients(gradients.expect("the call has not panicked"))
    }
}
