//! Hidden rules for arguments that cannot exist, which make a missing rule speak.
//!
//! If a function has one rule only, the compiler takes a call with other activities for a mistake in the types, and if it
//! has none, it says so before it knows the arguments. Where there are several it waits for the arguments, and then says
//! that no rule fits them.

use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Function, ReverseReturn,
    ReverseRule,
};

/// A type that a macro put beside a function. Only these have the hidden rules, so that no other type gets a method by them.
pub trait Marker {
    /// The marker with the types that a call says. The arguments of most functions tell them.
    fn told<P>(self) -> Self
    where
        Self: Sized,
    {
        self
    }
}

/// A marker whose function is linear in all its arguments together, or affine: its derivative reads nothing.
pub trait Linear {}

/// A type whose function of a name (its hash) is [`Linear`]: found without the function's marker, which only its module names.
pub trait LinearFunction<const NAME: u64> {}

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

        impl<F: Marker> Function<$never> for F {
            type Output = ();

            fn call(&self, args: $never) {
                match args {}
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
