//! `gradient!`, and the drivers of second derivatives that begin with it.

use super::super::CalledBy;
use super::super::reverse::check_gradient;
use super::{Call, CheckedCall};
use crate::activity::Active;
use crate::autodiff::second::{Finish, Out};
use crate::autodiff::{GradientArgs, ScalarOutcome};
use crate::rule::{Annotated, Function, Outcome, ReverseRule};

call! {
    /// A call of [`gradient`](crate::gradient()), or of a driver of second derivatives, with which that begins.
    struct Gradient['f, F, X, L]['f, F, X, L] { f: &'f F, args: X, finish: L, }

    /// `hvp!`, or a row of `hessian!`, put off.
    fn finished[] -> <Out<F, X> as Outcome>::Of<L::Output>
    where {
        X: GradientArgs,
        L: Finish<X::Gradients>,
        F: Function<<X::Handles as Annotated>::Primals, Output: ScalarOutcome>,
        F: ReverseRule<Active<Out<F, X>>, X::Handles, 1>,
    }

    plain(call) {
        let gradients = crate::gradient(call.f, call.args);
        Out::<F, X>::map_of(gradients, |gradients| call.finish.finish(gradients))
    }

    checked(call) where { X::Handles: CalledBy<F, Out<F, X>, 1>, } {
        let gradients = check_gradient(call.f, call.args);
        Out::<F, X>::map_of(gradients, |gradients| call.finish.finish(gradients))
    }
}

/// Gradients as they are.
pub struct Whole;

impl<G> Finish<G> for Whole {
    type Output = G;

    #[inline]
    fn finish(self, gradients: G) -> G {
        gradients
    }
}

/// `gradient!`, put off.
#[inline]
pub fn gradient<F, X>(f: &F, args: X) -> Gradient<'_, F, X, Whole>
where
    X: GradientArgs,
    F: Function<<X::Handles as Annotated>::Primals, Output: ScalarOutcome>,
    F: ReverseRule<Active<Out<F, X>>, X::Handles, 1>,
{
    finished(f, args, Whole)
}
