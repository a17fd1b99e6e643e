//! A function whose last argument is given: what a closure that captures is, where it is passed to another function, and what a method
//! of a type parameter is, whose rules are those of a function that is told what to call.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use crate::activity::{Activity, Annotation, Const, DynArg};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Function, ReverseReturn,
    ReverseRule,
};
use crate::tape::Tape;

/// `f` with its last argument: `|x| f(x, last)`.
#[derive(Clone, Debug, Default)]
pub struct Bound<F, L> {
    f: F,
    last: L,
}

impl<F, C> Bound<F, Capture<C>> {
    /// `overwritten`: whether what the argument stands for changes between the two halves of a call.
    pub fn new(f: F, last: C, overwritten: bool) -> Self {
        let handle = Rc::new(RefCell::new(last));
        Self {
            f,
            last: Capture {
                handle,
                overwritten,
            },
        }
    }
}

/// The last argument of a function.
pub trait Last {
    /// Its handle.
    type Handle: Captured;

    /// Lends the handle to a call.
    fn with<U>(&self, call: impl FnOnce(&mut Self::Handle) -> U) -> U;

    /// Whether what it stands for changes between the two halves of a call.
    fn overwritten(&self) -> bool;

    /// Whether a call may run again: it reads nothing that may have changed, and what it calls is known to have no effects.
    fn is_repeatable(&self) -> bool;
}

/// What a closure captures. The handle is shared by all copies, so that the cotangents of all calls are added up in one shadow.
#[derive(Debug)]
pub struct Capture<C> {
    handle: Rc<RefCell<C>>,
    overwritten: bool,
}

impl<C> Clone for Capture<C> {
    fn clone(&self) -> Self {
        Self {
            handle: Rc::clone(&self.handle),
            overwritten: self.overwritten,
        }
    }
}

impl<C: Captured> Last for Capture<C> {
    type Handle = C;

    #[inline]
    fn with<U>(&self, call: impl FnOnce(&mut C) -> U) -> U {
        call(&mut self.handle.borrow_mut())
    }
    #[inline]
    fn overwritten(&self) -> bool {
        self.overwritten
    }
    #[inline]
    fn is_repeatable(&self) -> bool {
        !self.overwritten
    }
}

/// A marker that is the only value of its type.
#[derive(Debug)]
pub struct OfType<C>(PhantomData<fn() -> C>);

impl<C> Clone for OfType<C> {
    fn clone(&self) -> Self {
        Self(PhantomData)
    }
}

impl<C> Default for OfType<C> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<C: Default + Clone> Last for OfType<C> {
    type Handle = Const<C>;

    #[inline]
    fn with<U>(&self, call: impl FnOnce(&mut Const<C>) -> U) -> U {
        call(&mut Const(C::default()))
    }
    #[inline]
    fn overwritten(&self) -> bool {
        false
    }
    #[inline]
    fn is_repeatable(&self) -> bool {
        false
    }
}

impl<F, P> Bound<F, OfType<PhantomData<fn() -> P>>> {
    /// The same: what a call says of the type parameters is what the function is told, where that is inferred.
    #[inline]
    pub fn told<Q: Itself<P>>(self) -> Self {
        self
    }
}

/// That two types are one.
pub trait Itself<T: ?Sized> {}

impl<T: ?Sized> Itself<T> for T {}

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
        #[diagnostic::do_not_recommend]
        impl<F, L: Last, $($a,)*> Function<($($a,)*)> for Bound<F, L>
        where
            F: Function<($($a,)* <L::Handle as Annotation>::Primal,)>,
        {
            type Output = F::Output;

            #[inline]
            fn call(&self, ($($x,)*): ($($a,)*)) -> F::Output {
                let last = self.last.with(|last| Captured::primal(last));
                self.f.call(($($x,)* last,))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<R, F, L: Last, $($a,)* const W: usize> ForwardRule<R, ($($a,)*), W> for Bound<F, L>
        where
            R: ForwardReturn<W>,
            L::Handle: Activity<W>,
            $($a: Activity<W>,)*
            F: ForwardRule<R, ($($a,)* L::Handle,), W>,
        {
            #[inline]
            fn forward(&self, config: &ForwardConfig, ($($x,)*): ($(&mut $a,)*)) -> ForwardOutcome<R, W> {
                self.last.with(|last| self.f.forward(config, ($($x,)* last,)))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<R, F, L: Last, $($a,)* const W: usize> ReverseRule<R, ($($a,)*), W> for Bound<F, L>
        where
            R: ReverseReturn<W>,
            L::Handle: Activity<W>,
            $($a: Activity<W>,)*
            F: ReverseRule<R, ($($a,)* L::Handle,), W>,
        {
            type Tape = F::Tape;

            #[inline]
            fn call_cost(&self) -> u32 {
                match self.last.is_repeatable() {
                    true => <F as ReverseRule<R, ($($a,)* L::Handle,), W>>::call_cost(&self.f),
                    false => u32::MAX,
                }
            }

            #[inline]
            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                ($($x,)*): ($(&mut $a,)*),
            ) -> AugmentedOutcome<R, F::Tape, W> {
                let config = config.with_overwritten($count, self.last.overwritten());
                self.last.with(|last| self.f.augmented_primal(&config, ($($x,)* last,)))
            }

            #[inline]
            fn reverse(
                &self,
                config: &ReverseConfig,
                dret: R::Cotangent,
                tape: F::Tape,
                ($($x,)*): ($(&mut $a,)*),
            ) -> <($($a,)*) as Args<W>>::Gradients {
                let config = config.with_overwritten($count, self.last.overwritten());
                let ($($x,)* _) = self.last.with(|last| self.f.reverse(&config, dret, tape, ($($x,)* last,)));
                ($($x,)*)
            }

            #[inline]
            fn augmented_onto(
                &self,
                config: &ReverseConfig,
                tape: &mut Tape,
                ($($x,)*): ($(&mut $a,)*),
            ) -> AugmentedOutcome<R, (), W> {
                let config = config.with_overwritten($count, self.last.overwritten());
                self.last.with(|last| self.f.augmented_onto(&config, tape, ($($x,)* last,)))
            }

            #[inline]
            fn reverse_from(
                &self,
                config: &ReverseConfig,
                dret: R::Cotangent,
                tape: &mut Tape,
                ($($x,)*): ($(&mut $a,)*),
            ) -> <($($a,)*) as Args<W>>::Gradients {
                let config = config.with_overwritten($count, self.last.overwritten());
                let ($($x,)* _) = self.last.with(|last| self.f.reverse_from(&config, dret, tape, ($($x,)* last,)));
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
