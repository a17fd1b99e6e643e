//! The three functions of an erased rule.

use coenzyme::{
    Active, Args, Augmented, AugmentedOutcome, Duplicated, ForwardConfig, ForwardOutcome,
    ForwardRule, Outcome, ReverseConfig, ReverseRule,
};

use super::{Failure, Given, Returned, Settle};
use crate::call::{Call, Outputs, Shadows, Tangents, Tape};

/// The value and its tangents.
pub type ForwardFn = fn(&[Given<'_>], &Tangents<'_>, &Call) -> Result<(Outputs, Outputs), Failure>;
/// The value and the tape.
pub type AugmentedFn = fn(&[Given<'_>], &Call) -> Result<(Outputs, Tape), Failure>;
/// Adds to the shadows, from the cotangents of the outputs.
pub type ReverseFn = fn(&[Given<'_>], Outputs, Tape, &mut Shadows, &Call) -> Result<(), Failure>;

/// A rule without types, for one type of number and one lane.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The value and its tangents.
    pub forward: ForwardFn,
    /// The reverse rule.
    pub reverse: ReverseTable,
}

/// A reverse rule without types, for one type of number and one lane.
#[derive(Clone, Copy, Debug)]
pub struct ReverseTable {
    /// The value and the tape.
    pub augmented: AugmentedFn,
    /// Adds to the shadows.
    pub reverse: ReverseFn,
}

fn config(call: &Call) -> ReverseConfig {
    let mut config = ReverseConfig::new(call.needs_value).with_strong_zero(call.strong_zero);
    if !call.overwritten.is_empty() {
        for i in 0..64 {
            config = config.with_overwritten(i, call.overwritten.has(i));
        }
    }
    config
}

/// Runs a forward rule.
///
/// # Errors
/// If the function fails.
pub fn forward<F, Out, A>(
    rule: &F,
    args: &mut A,
    call: &Call,
) -> Result<(Outputs, Outputs), Failure>
where
    A: Args<1>,
    Out: Outcome<Value: Returned>,
    F: ForwardRule<Duplicated<Out>, A, 1>,
    ForwardOutcome<Duplicated<Out>, 1>: Settle<Duplicated<Out::Value>>,
{
    let config = ForwardConfig::new(true).with_strong_zero(call.strong_zero);
    let both = rule.forward(&config, args.refs());
    let (primal, [tangent]) = both.settle().map_err(Failure::Failed)?.into_parts();
    Ok((primal.outputs(), tangent.outputs()))
}

/// Runs the first half of a reverse rule.
///
/// # Errors
/// If the function fails.
pub fn augmented<F, Out, A>(rule: &F, args: &mut A, call: &Call) -> Result<(Outputs, Tape), Failure>
where
    A: Args<1>,
    Out: Outcome<Value: Returned>,
    F: ReverseRule<Active<Out>, A, 1>,
    AugmentedOutcome<Active<Out>, F::Tape, 1>: Settle<Augmented<Active<Out>, F::Tape, 1>>,
{
    let config = config(call);
    let returned = rule.augmented_primal(&config, args.refs());
    let returned = returned.settle().map_err(Failure::Failed)?;
    let outputs = returned.primal.map(Returned::outputs).unwrap_or_default();
    Ok((outputs, Box::new(returned.tape)))
}

/// Runs the second half of a reverse rule.
///
/// # Errors
/// If the tape is not that of the rule, or a cotangent not that of the value.
pub fn reverse<F, Out, A>(
    rule: &F,
    dy: Outputs,
    tape: Tape,
    args: &mut A,
    call: &Call,
) -> Result<(), Failure>
where
    A: Args<1>,
    Out: Outcome<Value: Returned>,
    F: ReverseRule<Active<Out>, A, 1>,
{
    let tape = tape.downcast::<F::Tape>().map_err(|_| Failure::Tape)?;
    let dy = Out::Value::seed(&mut dy.into_iter()).ok_or(Failure::Tape)?;
    rule.reverse(&config(call), [dy], *tape, args.refs());
    Ok(())
}
