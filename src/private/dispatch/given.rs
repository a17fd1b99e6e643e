//! Functions whose last argument is a type.

use std::marker::PhantomData;

use crate::activity::{Activity, Const};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, AugmentedReturn, ForwardOutcome, ForwardReturn, ForwardRule, Function,
    Outcome, ReverseReturn, ReverseRule,
};
use crate::tape::Tape;

/// A function whose last argument is given by its type: the rules of a method of a type parameter are those of a function which is
/// told what to call.
#[derive(Debug)]
pub struct Given<F, C>(PhantomData<fn() -> (F, C)>);

impl<F, C> Default for Given<F, C> {
    #[inline(always)]
    fn default() -> Self {
        Self(PhantomData)
    }
}

/// The first half of a call on a tape of its own.
#[inline(always)]
pub fn on_own_tape<R: ReverseReturn<W>, const W: usize>(
    call: impl FnOnce(&mut Tape) -> AugmentedOutcome<R, (), W>,
) -> AugmentedOutcome<R, Tape, W> {
    let mut tape = Tape::new();
    R::Out::map_of(call(&mut tape), |a| {
        AugmentedReturn::new(a.primal, a.shadow, tape)
    })
}

macro_rules! given {
    ($(($($a:ident $x:ident)*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<F: Default, C: Default, $($a,)*> Function<($($a,)*)> for Given<F, C>
        where
            F: Function<($($a,)* C,)>,
        {
            type Output = F::Output;

            #[inline]
            fn call(&self, ($($x,)*): ($($a,)*)) -> F::Output {
                F::default().call(($($x,)* C::default(),))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<R, F: Default, C: Default, $($a,)* const W: usize> ForwardRule<R, ($($a,)*), W> for Given<F, C>
        where
            R: ForwardReturn<W>,
            $($a: Activity<W>,)*
            F: ForwardRule<R, ($($a,)* Const<C>,), W>,
        {
            #[inline]
            fn forward(&self, config: &ForwardConfig, ($($x,)*): ($(&mut $a,)*)) -> ForwardOutcome<R, W> {
                F::default().forward(config, ($($x,)* &mut Const(C::default()),))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<R, F: Default, C: Default, $($a,)* const W: usize> ReverseRule<R, ($($a,)*), W> for Given<F, C>
        where
            R: ReverseReturn<W>,
            $($a: Activity<W>,)*
            F: ReverseRule<R, ($($a,)* Const<C>,), W>,
        {
            type Tape = F::Tape;

            #[inline]
            fn augmented_primal(&self, config: &ReverseConfig, ($($x,)*): ($(&mut $a,)*)) -> AugmentedOutcome<R, F::Tape, W> {
                F::default().augmented_primal(config, ($($x,)* &mut Const(C::default()),))
            }

            #[inline]
            fn reverse(
                &self,
                config: &ReverseConfig,
                dret: R::Cotangent,
                tape: F::Tape,
                ($($x,)*): ($(&mut $a,)*),
            ) -> <($($a,)*) as Args<W>>::Gradients {
                let ($($x,)* _) = F::default().reverse(config, dret, tape, ($($x,)* &mut Const(C::default()),));
                ($($x,)*)
            }

            #[inline]
            fn augmented_onto(
                &self,
                config: &ReverseConfig,
                tape: &mut Tape,
                ($($x,)*): ($(&mut $a,)*),
            ) -> AugmentedOutcome<R, (), W> {
                F::default().augmented_onto(config, tape, ($($x,)* &mut Const(C::default()),))
            }

            #[inline]
            fn reverse_from(
                &self,
                config: &ReverseConfig,
                dret: R::Cotangent,
                tape: &mut Tape,
                ($($x,)*): ($(&mut $a,)*),
            ) -> <($($a,)*) as Args<W>>::Gradients {
                let ($($x,)* _) = F::default().reverse_from(config, dret, tape, ($($x,)* &mut Const(C::default()),));
                ($($x,)*)
            }
        }
    )*};
}

given! {
    (A0 x0)
    (A0 x0 A1 x1)
    (A0 x0 A1 x1 A2 x2)
    (A0 x0 A1 x1 A2 x2 A3 x3)
    (A0 x0 A1 x1 A2 x2 A3 x3 A4 x4)
    (A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5)
    (A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5 A6 x6)
    (A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5 A6 x6 A7 x7)
}
