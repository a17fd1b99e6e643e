//! The shape of generated reverse rules: both sweeps in one body.

use std::any::Any;
use std::marker::PhantomData;

use super::Blank;
use super::cost::runs_again;
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, ForwardReturn, ForwardRule, Outcome, ReverseReturn, ReverseRule,
};
use crate::tangent::Tangent;
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
    /// returns the gradients. The strength of zero comes apart from the rest of the configuration: as an argument by value it is
    /// a constant to the optimizer, if all callers have the same.
    fn sweep<const REVERSE: bool>(
        &self,
        config: &ReverseConfig,
        strong_zero: bool,
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

impl<V, G> Swept<V, G> {
    #[inline(always)]
    fn into_value(self) -> V {
        match self {
            Self::Value(value) => value,
            Self::Gradients(_) => unreachable!("the forward sweep returns a value"),
        }
    }

    #[inline(always)]
    fn into_gradients(self) -> G {
        match self {
            Self::Gradients(gradients) => gradients,
            Self::Value(_) => unreachable!("the reverse sweep returns gradients"),
        }
    }
}

/// The forward sweep as `augmented_primal`.
#[inline(always)]
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
    let swept = f.sweep::<false>(config, config.strong_zero(), &mut tape, None, args);
    R::Out::map_of(swept, |swept| {
        R::augmented(config, swept.into_value(), tape)
    })
}

/// The forward sweep as `augmented_onto`: onto the tape of the caller, unless an error may leave it half filled.
#[inline(always)]
pub fn augmented_onto<F, R, A, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    tape: &mut Tape,
    args: A::Refs<'_>,
) -> AugmentedOutcome<R, (), W>
where
    F: Sweep<R, A, W>,
    R: ReverseReturn<W>,
    A: Args<W>,
{
    if R::Out::ALWAYS {
        let swept = f.sweep::<false>(config, config.strong_zero(), tape, None, args);
        return R::Out::map_of(swept, |swept| R::augmented(config, swept.into_value(), ()));
    }
    let mut own = Tape::new();
    let swept = f.sweep::<false>(config, config.strong_zero(), &mut own, None, args);
    R::Out::map_of(swept, |swept| {
        tape.push(own);
        R::augmented(config, swept.into_value(), ())
    })
}

/// The reverse sweep as `reverse`.
#[inline(always)]
pub fn reverse<F, R, A, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    dret: R::Cotangent,
    tape: &mut Tape,
    args: A::Refs<'_>,
) -> A::Gradients
where
    F: Sweep<R, A, W>,
    R: ReverseReturn<W>,
    A: Args<W>,
{
    let mut gradients = None;
    let swept = f.sweep::<true>(config, config.strong_zero(), tape, Some(dret), args);
    R::Out::map_of(swept, |swept| gradients = Some(swept.into_gradients()));
    gradients.expect("the reverse sweep returns gradients")
}

/// The reverse sweep as `reverse_from`.
#[inline(always)]
pub fn reverse_from<F, R, A, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    dret: R::Cotangent,
    tape: &mut Tape,
    args: A::Refs<'_>,
) -> A::Gradients
where
    F: Sweep<R, A, W>,
    R: ReverseReturn<W>,
    A: Args<W>,
{
    match R::Out::ALWAYS {
        true => reverse(f, config, dret, tape, args),
        false => reverse(f, config, dret, &mut tape.pop(), args),
    }
}

/// The first half of a call inside generated code: the value, and on the tape what the second half needs.
#[inline(always)]
pub fn call_augmented<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    tape: &mut Tape,
    args: A::Refs<'_>,
) -> O::Of<O::Value>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    O::map_of(f.augmented_onto(config, tape, args), |a| {
        a.primal.expect(PRIMAL)
    })
}

/// As [`call_augmented`], of a call whose value may be computed again: says whether it will be.
#[inline(always)]
pub fn call_augmented_or_again<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    (tape, again, may): (&mut Tape, &mut bool, bool),
    args: A::Refs<'_>,
) -> O::Of<O::Value>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    *again = may && runs_again::<F, R, A, O, W>(f);
    call_augmented(f, config, tape, args)
}

/// The value of a call in the reverse sweep: computed again after a call of [`call_augmented_or_again`] that said so, otherwise
/// what was kept.
#[inline(always)]
pub fn call_again<F, R, A, O, const W: usize>(
    f: &F,
    (may, kept): (bool, impl FnOnce() -> O::Of<O::Value>),
    run: impl FnOnce(Again<R, A, W>) -> O::Of<O::Value>,
) -> O::Of<O::Value>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    match may && runs_again::<F, R, A, O, W>(f) {
        true => run(Again(PhantomData)),
        false => kept(),
    }
}

/// A call of which the activities are known.
#[derive(Debug)]
pub struct Again<R, A, const W: usize>(PhantomData<fn() -> (R, A)>);

impl<R, A, const W: usize> Again<R, A, W> {
    /// The value of the call; it tapes nothing for anybody.
    #[inline(always)]
    pub fn run<F, O>(self, f: &F, config: &ReverseConfig, args: A::Refs<'_>) -> O::Of<O::Value>
    where
        F: ReverseRule<R, A, W>,
        R: ReverseReturn<W, Out = O>,
        O: Outcome,
        A: Args<W>,
    {
        call_augmented(f, config, &mut Tape::new(), args)
    }
}

/// The first half of a call of which only the tape is needed, unless the configuration asks for the value.
#[inline(always)]
pub fn call_passed_on<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    tape: &mut Tape,
    args: A::Refs<'_>,
) -> O::Of<O::Value>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome<Value: Blank>,
    A: Args<W>,
{
    O::map_of(f.augmented_onto(config, tape, args), |a| {
        a.primal.unwrap_or_else(Blank::blank)
    })
}

/// The first half of a call whose value is not used.
#[inline(always)]
pub fn call_augmented_unused<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    tape: &mut Tape,
    args: A::Refs<'_>,
) -> O::Of<()>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    O::map_of(f.augmented_onto(config, tape, args), |_| ())
}

/// The second half of a call inside generated code.
#[inline(always)]
pub fn call_reverse<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    dret: R::Cotangent,
    tape: &mut Tape,
    args: A::Refs<'_>,
) -> A::Gradients
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    f.reverse_from(config, dret, tape, args)
}

/// The first half of a call that keeps its tape in a local: the value and the tape.
#[inline(always)]
pub fn call_held<F, R, A, O, const W: usize>(
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
        (a.primal.expect(PRIMAL), a.tape)
    })
}

/// As [`call_held`], where only the tape is needed, unless the configuration asks for the value.
#[inline(always)]
pub fn call_held_passed_on<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    args: A::Refs<'_>,
) -> O::Of<(O::Value, F::Tape)>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome<Value: Blank>,
    A: Args<W>,
{
    O::map_of(f.augmented_primal(config, args), |a| {
        (a.primal.unwrap_or_else(Blank::blank), a.tape)
    })
}

/// As [`call_held`], where the value is not used.
#[inline(always)]
pub fn call_held_unused<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    args: A::Refs<'_>,
) -> O::Of<((), F::Tape)>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    O::map_of(f.augmented_primal(config, args), |a| ((), a.tape))
}

/// The second half of a call that kept its tape.
#[inline(always)]
pub fn call_held_reverse<F, R, A, O, const W: usize>(
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

const PRIMAL: &str = "a rule returns the primal when its configuration asks for it";

/// A call inside generated code in forward mode: what the rule returned.
#[inline(always)]
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
    #[inline(always)]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Says which type it is.
    #[inline(always)]
    pub fn bind(&self, _: &T) {}

    /// Puts a value of the slot's type on the tape.
    #[inline(always)]
    pub fn push(&self, tape: &mut Tape, value: T)
    where
        T: Any + Send,
    {
        tape.push(value);
    }

    /// Takes it off again.
    #[inline(always)]
    pub fn pop(&self, tape: &mut Tape) -> T
    where
        T: Any + Send,
    {
        tape.pop()
    }

    /// As [`push`](Self::push), of a value that has a shadow.
    #[inline(always)]
    pub fn push_active(&self, tape: &mut Tape, value: T)
    where
        T: Tangent<Owned = T> + Any + Send,
    {
        tape.push_active(value);
    }

    /// As [`pop`](Self::pop), after [`push_active`](Self::push_active).
    #[inline(always)]
    pub fn pop_active(&self, tape: &mut Tape) -> T
    where
        T: Tangent<Owned = T> + Any + Send,
    {
        tape.pop_active()
    }

    /// The value, which has the slot's type.
    #[inline(always)]
    pub fn same(&self, value: T) -> T {
        value
    }

    /// A value of the slot's type, which nobody reads.
    #[inline(always)]
    pub fn blank(&self) -> T
    where
        T: Blank,
    {
        T::blank()
    }

    /// Lanes that sums of the slot's type begin with.
    #[inline(always)]
    pub fn sums<const W: usize>(&self) -> [T; W]
    where
        T: Blank,
    {
        std::array::from_fn(|_| T::empty_sum())
    }
}
