//! A reverse rule in one mix and width.

use std::marker::PhantomData;

use coenzyme::{Args, AugmentedReturn, Outcome, ReverseConfig, ReverseReturn, ReverseRule};

use super::primal::{Memory, Subject};
use super::state::{Fault, Mix, State, caught, observed};
use crate::allocation;
use crate::argument::Passings;
use crate::mix::{Augmented, ReverseMix, ReverseRet};

/// A reverse rule in one mix and width, from floats to floats.
pub(crate) trait Reverse: Sync {
    /// The activities and the width.
    fn mix(&self) -> Mix;

    /// The settings of `needs_primal` to be tried.
    fn needs_primal(&self) -> &'static [bool];

    /// Runs the first half, in memory that an earlier call has left if there is some; `state` becomes what it left behind,
    /// also if it failed.
    fn augmented<'s>(
        &'s self,
        memory: Option<Memory>,
        config: &ReverseConfig,
        state: &mut State,
    ) -> Result<(Augmented, Box<dyn Halfway + 's>), Fault>;
}

/// A reverse rule between its halves: it holds the tape.
pub(crate) trait Halfway {
    /// The same, to be run on another thread, if the tape can be sent there.
    fn sent<'t>(self: Box<Self>) -> Option<Box<dyn Halfway + Send + 't>>
    where
        Self: 't;

    /// A copy that can run the second half too, if the tape can be copied.
    fn twin<'t>(&'t self) -> Option<Box<dyn Halfway + 't>>;

    /// Throws the tape away. Returns how many bytes that freed.
    fn discard(self: Box<Self>) -> usize;

    /// Runs the second half in the same memory, now holding `state`. `cotangents` are those of the returned value, lane by
    /// lane. Returns the floats of what the rule returned for each argument, lane by lane, and the memory.
    fn reverse(
        self: Box<Self>,
        state: &mut State,
        cotangents: &[Vec<f64>],
    ) -> (Result<Gradients, Fault>, Memory);
}

/// By argument, then by lane; `None` for an argument whose derivative is not returned.
pub(crate) type Gradients = Vec<Option<Vec<Vec<f64>>>>;

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
    /// How to send a tape to another thread, if it can be.
    #[allow(
        clippy::type_complexity,
        reason = "a tape has the type of all that it belongs to"
    )]
    send: Option<Sending<'s, Tape<'s, F, Ps, Out, Ret, M, T, W>>>,
}

/// From a tape, with what belongs to it, to one that can be sent to another thread.
type Sending<'s, T> = fn(Box<T>) -> Box<dyn Halfway + Send + 's>;

impl<'s, F, Ps: Passings, Out: Outcome, Ret: ReverseRet<Out, W>, M, T, const W: usize>
    ReverseCall<'s, F, Ps, Out, Ret, M, T, W>
{
    pub(crate) fn new(subject: &'s Subject<F, Ps, Out>) -> Self {
        ReverseCall {
            subject,
            mix: PhantomData,
            copy: None,
            send: None,
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

    /// The same, for tapes that can be sent to another thread.
    pub(crate) fn with_sending(self) -> Self
    where
        M: 's,
        T: 's,
        Tape<'s, F, Ps, Out, Ret, M, T, W>: Halfway + Send,
    {
        ReverseCall {
            send: Some(|tape| tape),
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
    config: ReverseConfig,
    slots: Box<Ps::Slots>,
    shadow: <Ret::R as ReverseReturn<W>>::Shadow,
    tape: T,
    copy: Option<fn(&T) -> T>,
    send: Option<Sending<'s, Self>>,
    mix: PhantomData<fn() -> M>,
}

impl<F, Ps, Out, Ret, M, T, const W: usize> Reverse for ReverseCall<'_, F, Ps, Out, Ret, M, T, W>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ReverseRet<Out, W>,
    M: ReverseMix<Ps, W>,
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

    fn augmented<'s>(
        &'s self,
        memory: Option<Memory>,
        config: &ReverseConfig,
        state: &mut State,
    ) -> Result<(Augmented, Box<dyn Halfway + 's>), Fault> {
        let subject = self.subject;
        let mut slots = subject.memory_or(memory, state.layout);
        state.store(Ps::flat_mut(&mut slots));
        let result = caught(|| {
            let mut args = M::args(&mut slots);
            let mut returned = None;
            let augmented = observed(|| subject.f.augmented_primal(config, args.refs()));
            Out::map_of(augmented, |augmented| returned = Some(augmented));
            returned
        });
        state.load(Ps::flat(&slots));
        let AugmentedReturn {
            primal,
            shadow,
            tape,
        } = result?;
        let augmented = Augmented {
            primal: primal.as_ref().map(coenzyme::Tangent::to_flat),
            shadows: Ret::shadows(&shadow),
        };
        let halfway = Tape::<F, Ps, Out, Ret, M, T, W> {
            subject,
            config: *config,
            slots,
            shadow,
            tape,
            copy: self.copy,
            send: self.send,
            mix: PhantomData,
        };
        Ok((augmented, Box::new(halfway)))
    }
}

impl<F, Ps, Out, Ret, M, T, const W: usize> Halfway for Tape<'_, F, Ps, Out, Ret, M, T, W>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ReverseRet<Out, W>,
    M: ReverseMix<Ps, W>,
    F: for<'a> ReverseRule<Ret::R, M::Args<'a>, W, Tape = T> + Send + Sync,
{
    fn sent<'t>(self: Box<Self>) -> Option<Box<dyn Halfway + Send + 't>>
    where
        Self: 't,
    {
        let send = self.send?;
        Some(send(self))
    }

    fn twin<'t>(&'t self) -> Option<Box<dyn Halfway + 't>> {
        let copy = self.copy?;
        let zero = self.subject.zero()?;
        let zero = zero
            .downcast_ref::<Out::Value>()
            .expect("the value returned has one type");
        Some(Box::new(Tape::<F, Ps, Out, Ret, M, T, W> {
            subject: self.subject,
            config: self.config,
            slots: self.slots.clone(),
            shadow: Ret::fresh(zero),
            tape: copy(&self.tape),
            copy: self.copy,
            send: self.send,
            mix: PhantomData,
        }))
    }

    fn discard(self: Box<Self>) -> usize {
        let tape = self.tape;
        let ((), allocations) = allocation::counted(|| drop(tape));
        usize::try_from(-allocations.kept).unwrap_or(0)
    }

    fn reverse(
        self: Box<Self>,
        state: &mut State,
        cotangents: &[Vec<f64>],
    ) -> (Result<Gradients, Fault>, Memory) {
        let Tape {
            subject,
            config,
            mut slots,
            shadow,
            tape,
            ..
        } = *self;
        state.store(Ps::flat_mut(&mut slots));
        let result = caught(|| {
            let zero = subject.zero()?;
            let zero = zero
                .downcast_ref()
                .expect("the value returned has one type");
            let cotangent = Ret::cotangent(shadow, zero, cotangents);
            let mut args = M::args(&mut slots);
            let gradients = observed(|| subject.f.reverse(&config, cotangent, tape, args.refs()));
            Some(M::gradients(gradients))
        });
        state.load(Ps::flat(&slots));
        (result, slots)
    }
}
