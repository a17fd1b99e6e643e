//! Markers, and the hidden rule that makes a missing one speak.

use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, ReverseReturn, ReverseRule,
};

/// A type that `#[primitive]`, `#[differentiable]` or `#[inactive]` put beside a function.
///
/// Every marker has a rule for arguments that cannot exist. With one rule only, the compiler takes a call with other
/// activities for a mistake in the types; with a second one it says that there is no rule.
pub trait Marker {}

/// Arguments that cannot exist.
#[derive(Debug)]
pub enum Never {}

impl<const W: usize> Args<W> for Never {
    type Refs<'a> = &'a mut Never;
    type Gradients = ();

    fn refs(&mut self) -> &mut Never {
        self
    }
}

impl<F: Marker, R: ForwardReturn<W>, const W: usize> ForwardRule<R, Never, W> for F {
    fn forward(&self, _: &ForwardConfig, args: &mut Never) -> ForwardOutcome<R, W> {
        match *args {}
    }
}

impl<F: Marker, R: ReverseReturn<W>, const W: usize> ReverseRule<R, Never, W> for F {
    type Tape = ();

    fn augmented_primal(&self, _: &ReverseConfig, args: &mut Never) -> AugmentedOutcome<R, (), W> {
        match *args {}
    }
    fn reverse(&self, _: &ReverseConfig, _: R::Cotangent, (): (), args: &mut Never) {
        match *args {}
    }
}
