//! The shape of generated reverse rules: both sweeps in one body.

use std::any::TypeId;
use std::marker::PhantomData;

use super::Blank;
use super::cost::runs_again;
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, ForwardReturn, ForwardRule, Outcome, ReverseReturn, ReverseRule,
};
use crate::tape::{Mark, Tape};

/// What a sweep of a function with return activity `R` and arguments `A` returns, inside the `Result` or `Option` of a
/// function that returns one.
pub type SweptOutcome<R, A, const W: usize> = <<R as ReverseReturn<W>>::Out as Outcome>::Of<
    Swept<<<R as ReverseReturn<W>>::Out as Outcome>::Value, <A as Args<W>>::Gradients>,
>;

/// A generated reverse rule. Forward and reverse sweep stand in one body, so that one inference finds the type of every
/// value that travels on the tape.
pub trait Sweep<R: ReverseReturn<W>, A: Args<W>, const W: usize> {
    /// `REVERSE = false`: runs the primal, fills the tape and returns the value. `REVERSE = true`: empties the tape and
    /// returns the gradients. `LATER`, in both: sums that nothing but the value reads are added up by the reverse sweep, which
    /// returns the value too. The strength of zero comes apart from the rest of the configuration: as an argument by value it is
    /// a constant to the optimizer, if all callers have the same.
    fn sweep<const REVERSE: bool, const LATER: bool>(
        &self,
        config: &ReverseConfig,
        strong_zero: bool,
        tape: &mut Tape,
        dret: Option<R::Cotangent>,
        args: A::Refs<'_>,
    ) -> SweptOutcome<R, A, W>;

    /// The same, not written out where it is called: `sweep` itself always is, so that a driver has the constants of its configuration in
    /// the loops of the function, however large it is.
    fn swept<const REVERSE: bool, const LATER: bool>(
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
    /// The value too, from a reverse sweep that adds it up.
    Both(V, G),
}

impl<V, G> Swept<V, G> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn into_value(self) -> V {
        match self {
            Self::Value(value) => value,
            Self::Gradients(_) | Self::Both(..) => {
                unreachable!("the forward sweep returns a value")
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn into_gradients(self) -> G {
        match self {
            Self::Gradients(gradients) => gradients,
            Self::Value(_) | Self::Both(..) => unreachable!("the reverse sweep returns gradients"),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn into_both(self, before: V) -> (G, Option<V>) {
        match self {
            Self::Both(value, gradients) => (gradients, Some(value)),
            Self::Gradients(gradients) => (gradients, Some(before)),
            Self::Value(_) => unreachable!("the reverse sweep returns gradients"),
        }
    }
}

/// Both sweeps of a function, the gradients and the value, which the reverse sweep adds up if it is to do so (`LATER`). The tape is a local
/// of one function, so that what a small one holds is in registers.
#[cfg_attr(not(debug_assertions), inline(always))]
#[allow(clippy::type_complexity)]
pub fn both<F, R, A, O, const LATER: bool, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    dret: R::Cotangent,
    args: &mut A,
) -> O::Of<(A::Gradients, Option<O::Value>)>
where
    F: Sweep<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    let (tape, strong_zero) = (&mut Tape::new(), config.strong_zero());
    // a sweep that adds up the value is written out here, another one where the optimizer likes it
    let forwards = match LATER {
        true => f.sweep::<false, LATER>(config, strong_zero, tape, None, args.refs()),
        false => f.swept::<false, LATER>(config, strong_zero, tape, None, args.refs()),
    };
    // no sweep in a closure, which would not know the configuration
    let mut before = None;
    let whole = O::map_of(forwards, |swept| before = Some(swept.into_value()));
    let mut both = None;
    if let Some(before) = before {
        let (dret, args) = (Some(dret), args.refs());
        let swept = match LATER {
            true => f.sweep::<true, LATER>(config, strong_zero, tape, dret, args),
            false => f.swept::<true, LATER>(config, strong_zero, tape, dret, args),
        };
        O::map_of(swept, |swept| both = Some(swept.into_both(before)));
    }
    O::map_of(whole, |()| both.expect("the reverse sweep returns both"))
}

/// The forward sweep as `augmented_primal`.
#[cfg_attr(not(debug_assertions), inline(always))]
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
    let swept = f.swept::<false, false>(config, config.strong_zero(), &mut tape, None, args);
    R::Out::map_of(swept, |swept| {
        R::augmented(config, swept.into_value(), tape)
    })
}

/// The forward sweep as `augmented_onto`: onto the tape of the caller, where an error leaves nothing.
#[cfg_attr(not(debug_assertions), inline(always))]
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
        let swept = f.swept::<false, false>(config, config.strong_zero(), tape, None, args);
        return R::Out::map_of(swept, |swept| R::augmented(config, swept.into_value(), ()));
    }
    let (before, mut done) = (tape.mark(), false);
    let swept = f.swept::<false, false>(config, config.strong_zero(), tape, None, args);
    let augmented = R::Out::map_of(swept, |swept| {
        done = true;
        R::augmented(config, swept.into_value(), ())
    });
    if !done {
        tape.rewind(before);
    }
    augmented
}

/// The reverse sweep as `reverse`.
#[cfg_attr(not(debug_assertions), inline(always))]
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
    let swept = f.swept::<true, false>(config, config.strong_zero(), tape, Some(dret), args);
    R::Out::map_of(swept, |swept| gradients = Some(swept.into_gradients()));
    gradients.expect("the reverse sweep returns gradients")
}

/// The reverse sweep as `reverse_from`.
#[cfg_attr(not(debug_assertions), inline(always))]
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
    reverse(f, config, dret, tape, args)
}

/// What is on the tape at the beginning of a round.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn mark(tape: &Tape) -> Mark {
    tape.mark()
}

/// Takes off what a round put on the tape, without undoing it; `false` if that has to be undone.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rewind(tape: &mut Tape, mark: Mark) -> bool {
    tape.rewind_words(mark)
}

/// The first half of a call inside generated code: the value, and on the tape what the second half needs.
#[cfg_attr(not(debug_assertions), inline(always))]
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
#[cfg_attr(not(debug_assertions), inline(always))]
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
#[cfg_attr(not(debug_assertions), inline(always))]
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
    #[cfg_attr(not(debug_assertions), inline(always))]
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
#[cfg_attr(not(debug_assertions), inline(always))]
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
#[cfg_attr(not(debug_assertions), inline(always))]
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
#[cfg_attr(not(debug_assertions), inline(always))]
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
#[cfg_attr(not(debug_assertions), inline(always))]
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
#[cfg_attr(not(debug_assertions), inline(always))]
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
#[cfg_attr(not(debug_assertions), inline(always))]
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
#[cfg_attr(not(debug_assertions), inline(always))]
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

/// The tape of a call that the reverse sweep runs both halves of: apart, or on the tape of the caller if the callee writes onto one.
#[derive(Debug)]
pub struct Kept<T>(Option<T>);

/// Whether a callee of this tape writes onto the tape of its caller.
#[cfg_attr(not(debug_assertions), inline(always))]
fn shares<T: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<Tape>()
}

/// The first half of a call whose second half follows in the same sweep: the value, and the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn call_kept<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    tape: &mut Tape,
    args: A::Refs<'_>,
) -> O::Of<(O::Value, Kept<F::Tape>)>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    kept::<F, R, A, O, _, W>(f, config, tape, args, |value| value.expect(PRIMAL))
}

/// As [`call_kept`], where only the tape is needed, unless the configuration asks for the value.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn call_kept_passed_on<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    tape: &mut Tape,
    args: A::Refs<'_>,
) -> O::Of<(O::Value, Kept<F::Tape>)>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome<Value: Blank>,
    A: Args<W>,
{
    kept::<F, R, A, O, _, W>(f, config, tape, args, |value| {
        value.unwrap_or_else(Blank::blank)
    })
}

/// As [`call_kept`], where the value is not used.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn call_kept_unused<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    tape: &mut Tape,
    args: A::Refs<'_>,
) -> O::Of<((), Kept<F::Tape>)>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    kept::<F, R, A, O, _, W>(f, config, tape, args, |_| ())
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn kept<F, R, A, O, V, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    tape: &mut Tape,
    args: A::Refs<'_>,
    value: impl FnOnce(Option<O::Value>) -> V,
) -> O::Of<(V, Kept<F::Tape>)>
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    if shares::<F::Tape>() {
        let augmented = f.augmented_onto(config, tape, args);
        return O::map_of(augmented, |a| (value(a.primal), Kept(None)));
    }
    let augmented = f.augmented_primal(config, args);
    O::map_of(augmented, |a| (value(a.primal), Kept(Some(a.tape))))
}

/// The second half of a call that kept its tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn call_kept_reverse<F, R, A, O, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    dret: R::Cotangent,
    (tape, kept): (&mut Tape, Kept<F::Tape>),
    args: A::Refs<'_>,
) -> A::Gradients
where
    F: ReverseRule<R, A, W>,
    R: ReverseReturn<W, Out = O>,
    O: Outcome,
    A: Args<W>,
{
    match kept.0 {
        Some(own) => f.reverse(config, dret, own, args),
        None => f.reverse_from(config, dret, tape, args),
    }
}

const PRIMAL: &str = "a rule returns the primal when its configuration asks for it";

/// A call inside generated code in forward mode: what the rule returned.
#[cfg_attr(not(debug_assertions), inline(always))]
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
