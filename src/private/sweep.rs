//! The shape of generated reverse rules: both sweeps in one body.

use std::any::Any;
use std::marker::PhantomData;

use super::Blank;
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, ForwardReturn, ForwardRule, Outcome, ReverseReturn, ReverseRule,
};
use crate::tape::Tape;

/// What a sweep of a function with return activity `R` and arguments `A` returns, inside the `Result` or `Option` of a
/// function that returns one.
pub type SweptOutcome<R, A, const W: usize> = <<R as ReverseReturn<W>>::Out as Outcome>::Of<
    Swept<<<R as ReverseReturn<W>>::Out as Outcome>::Value, <A as Args<W>>::Gradients>,
>;

/// A generated reverse rule. Forward and reverse sweep stand in one body, so that one inference finds the type of every
/// value that travels on the tape.
pub trait Sweep<R: ReverseReturn<W>, A: Args<W>, const W: usize> {
    /// `REVERSE = false`: runs the primal, fills the tape and returns the value. `REVERSE = true`: empties the tape and
    /// returns the gradients.
    fn sweep<const REVERSE: bool>(
        &self,
        config: &ReverseConfig,
        tape: &mut Tape,
        dret: Option<R::Cotangent>,
        args: A::Refs<'_>,
    ) -> SweptOutcome<R, A, W>;
}

/// What a sweep returns.
#[derive(Debug)]
pub enum Swept<V, G> {
    /// The value, from the forward sweep.
    Value(V),
    /// The gradients, from the reverse sweep.
    Gradients(G),
}

/// The forward sweep as `augmented_primal`.
#[inline]
pub fn augmented<F, R, A, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    args: A::Refs<'_>,
) -> AugmentedOutcome<R, Tape, W>
where
    F: Sweep<R, A, W>,
    R: ReverseReturn<W>,
    A: Args<W>,
{
    let mut tape = Tape::new();
    let swept = f.sweep::<false>(config, &mut tape, None, args);
    R::Out::map_of(swept, |swept| match swept {
        Swept::Value(value) => R::augmented(config, value, tape),
        Swept::Gradients(_) => unreachable!("the forward sweep returns a value"),
    })
}

/// The reverse sweep as `reverse`.
#[inline]
pub fn reverse<F, R, A, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    dret: R::Cotangent,
    mut tape: Tape,
    args: A::Refs<'_>,
) -> A::Gradients
where
    F: Sweep<R, A, W>,
    R: ReverseReturn<W>,
    A: Args<W>,
{
    let mut gradients = None;
    R::Out::map_of(
        f.sweep::<true>(config, &mut tape, Some(dret), args),
        |swept| {
            gradients = match swept {
                Swept::Gradients(gradients) => Some(gradients),
                Swept::Value(_) => None,
            };
        },
    );
    gradients.expect("the reverse sweep returns gradients")
}

/// The first half of a call inside generated code: the value and the tape.
#[inline]
pub fn call_augmented<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    args: A::Refs<'_>,
) -> O::Of<(O::Value, F::Tape)>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    O::map_of(f.augmented_primal(config, args), |a| {
        (
            a.primal
                .expect("a rule returns the primal when its configuration asks for it"),
            a.tape,
        )
    })
}

/// The first half of a call whose value is not used: the tape.
#[inline]
pub fn call_augmented_unused<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    args: A::Refs<'_>,
) -> O::Of<F::Tape>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    O::map_of(f.augmented_primal(config, args), |a| a.tape)
}

/// The second half of a call inside generated code.
#[inline]
pub fn call_reverse<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    dret: R::Cotangent,
    tape: F::Tape,
    args: A::Refs<'_>,
) -> A::Gradients
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    f.reverse(config, dret, tape, args)
}

/// A call inside generated code in forward mode: what the rule returned.
#[inline]
pub fn call_forward<F, R, A, O, const W: usize>(
    f: &F,
    config: &ForwardConfig,
    args: A::Refs<'_>,
) -> O::Of<R::Forward>
where
    F: ForwardRule<R, A, W>,
    R: ForwardReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    f.forward(config, args)
}

/// The type of a value on the tape, found by inference in the forward sweep and known in the reverse sweep.
#[derive(Debug)]
pub struct Slot<T>(PhantomData<fn() -> T>);

impl<T> Slot<T> {
    /// A slot of a type yet unknown.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Says which type it is.
    #[inline]
    pub fn bind(&self, _: &T) {}

    /// Puts a value of the slot's type on the tape.
    #[inline]
    pub fn push(&self, tape: &mut Tape, value: T)
    where
        T: Any + Send,
    {
        tape.push(value);
    }

    /// Takes it off again.
    #[inline]
    pub fn pop(&self, tape: &mut Tape) -> T
    where
        T: Any + Send,
    {
        tape.pop()
    }

    /// The value, which has the slot's type.
    #[inline]
    pub fn same(&self, value: T) -> T {
        value
    }

    /// A value of the slot's type, which nobody reads.
    #[inline]
    pub fn blank(&self) -> T
    where
        T: Blank,
    {
        T::blank()
    }

    /// Lanes that sums of the slot's type begin with.
    #[inline]
    pub fn sums<const W: usize>(&self) -> [T; W]
    where
        T: Blank,
    {
        std::array::from_fn(|_| T::empty_sum())
    }
}
