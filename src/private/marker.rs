//! Markers, and the hidden rules that make a missing one speak.

use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, ReverseReturn, ReverseRule,
};

/// A type that `#[primitive]`, `#[differentiable]` or `#[inactive]` put beside a function.
///
/// Every marker has two rules for arguments that cannot exist. If there were one rule only, the compiler would take a call
/// with other activities for a mistake in the types; where there are several it says that none fits.
pub trait Marker {}

macro_rules! never {
    ($($never:ident)*) => {$(
        /// Arguments that cannot exist.
        #[derive(Debug)]
        pub enum $never {}

        impl<const W: usize> Args<W> for $never {
            type Refs<'a> = &'a mut $never;
            type Gradients = ();

            fn refs(&mut self) -> &mut $never {
                self
            }
        }

        impl<F: Marker, R: ForwardReturn<W>, const W: usize> ForwardRule<R, $never, W> for F {
            fn forward(&self, _: &ForwardConfig, args: &mut $never) -> ForwardOutcome<R, W> {
                match *args {}
            }
        }

        impl<F: Marker, R: ReverseReturn<W>, const W: usize> ReverseRule<R, $never, W> for F {
            type Tape = ();

            fn augmented_primal(
                &self,
                _: &ReverseConfig,
                args: &mut $never,
            ) -> AugmentedOutcome<R, (), W> {
                match *args {}
            }
            fn reverse(&self, _: &ReverseConfig, _: R::Cotangent, (): (), args: &mut $never) {
                match *args {}
            }
        }
    )*};
}

never!(Never NeverEither);
