//! A function whose last argument is given: what a closure that captures is, where it is passed to another function.

use std::cell::RefCell;
use std::rc::Rc;

use crate::activity::{Activity, Annotation, Const, DynArg};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Function, ReverseReturn,
    ReverseRule,
};

/// `f` with its last argument: `|x| f(x, last)`. The handle of the argument is shared by all copies, so that the cotangents of
/// all calls are added up in one shadow.
#[derive(Debug)]
pub struct Bound<F, C> {
    f: F,
    last: Rc<RefCell<C>>,
    overwritten: bool,
}

impl<F, C> Bound<F, C> {
    /// `overwritten`: whether what the argument stands for changes between the two halves of a call.
    pub fn new(f: F, last: C, overwritten: bool) -> Self {
        Self {
            f,
            last: Rc::new(RefCell::new(last)),
            overwritten,
        }
    }
}

impl<F: Clone, C> Clone for Bound<F, C> {
    fn clone(&self) -> Self {
        Self {
            f: self.f.clone(),
            last: Rc::clone(&self.last),
            overwritten: self.overwritten,
        }
    }
}

/// An argument that a closure captures: its primal can be had again and again.
pub trait Captured: Annotation<Primal: Clone> {
    /// The primal.
    fn primal(&self) -> Self::Primal;
}

impl<P: Clone> Captured for Const<P> {
    #[inline]
    fn primal(&self) -> P {
        self.0.clone()
    }
}

impl<P: Clone, S, const W: usize> Captured for DynArg<P, S, W> {
    #[inline]
    fn primal(&self) -> P {
        Self::primal(self).clone()
    }
}

macro_rules! arities {
    ($(($count:literal $($a:ident $x:ident)*))*) => {$(
        impl<F, C, $($a,)*> Function<($($a,)*)> for Bound<F, C>
        where
            C: Captured,
            F: Function<($($a,)* C::Primal,)>,
        {
            type Output = F::Output;

            #[inline]
            fn call(&self, ($($x,)*): ($($a,)*)) -> F::Output {
                let last = self.last.borrow().primal();
                self.f.call(($($x,)* last,))
            }
        }

        impl<R, F, C, $($a,)* const W: usize> ForwardRule<R, ($($a,)*), W> for Bound<F, C>
        where
            R: ForwardReturn<W>,
            C: Activity<W>,
            $($a: Activity<W>,)*
            F: ForwardRule<R, ($($a,)* C,), W>,
        {
            #[inline]
            fn forward(&self, config: &ForwardConfig, ($($x,)*): ($(&mut $a,)*)) -> ForwardOutcome<R, W> {
                self.f.forward(config, ($($x,)* &mut *self.last.borrow_mut(),))
            }
        }

        impl<R, F, C, $($a,)* const W: usize> ReverseRule<R, ($($a,)*), W> for Bound<F, C>
        where
            R: ReverseReturn<W>,
            C: Activity<W>,
            $($a: Activity<W>,)*
            F: ReverseRule<R, ($($a,)* C,), W>,
        {
            type Tape = F::Tape;

            #[inline]
            fn call_cost(&self) -> u32 {
                match self.overwritten {
                    // the call would read what came after
                    true => u32::MAX,
                    false => <F as ReverseRule<R, ($($a,)* C,), W>>::call_cost(&self.f),
                }
            }

            #[inline]
            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                ($($x,)*): ($(&mut $a,)*),
            ) -> AugmentedOutcome<R, F::Tape, W> {
                let config = config.with_overwritten($count, self.overwritten);
                self.f.augmented_primal(&config, ($($x,)* &mut *self.last.borrow_mut(),))
            }

            #[inline]
            fn reverse(
                &self,
                config: &ReverseConfig,
                dret: R::Cotangent,
                tape: F::Tape,
                ($($x,)*): ($(&mut $a,)*),
            ) -> <($($a,)*) as Args<W>>::Gradients {
                let config = config.with_overwritten($count, self.overwritten);
                let ($($x,)* _) = self.f.reverse(&config, dret, tape, ($($x,)* &mut *self.last.borrow_mut(),));
                ($($x,)*)
            }
        }
    )*};
}

arities! {
    (1 A0 x0)
    (2 A0 x0 A1 x1)
    (3 A0 x0 A1 x1 A2 x2)
    (4 A0 x0 A1 x1 A2 x2 A3 x3)
    (5 A0 x0 A1 x1 A2 x2 A3 x3 A4 x4)
    (6 A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5)
    (7 A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5 A6 x6)
    (8 A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5 A6 x6 A7 x7)
    (9 A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5 A6 x6 A7 x7 A8 x8)
    (10 A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5 A6 x6 A7 x7 A8 x8 A9 x9)
    (11 A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5 A6 x6 A7 x7 A8 x8 A9 x9 A10 x10)
}
