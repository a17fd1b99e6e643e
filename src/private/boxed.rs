//! What is in a box, as a value.

use crate::activity::{Annotation, ForwardArg, ReverseArg};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Lanes, Outcome, ReverseReturn,
    ReverseRule,
};
use crate::tangent::{Memory, Tangent};

/// The rule of `*b` where `b` is a box.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct content {}

/// What is behind an argument.
type Inside<X> = <<X as Annotation>::Primal as Memory>::Target;

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for content
where
    X: ForwardArg<Inside<X>, W> + Annotation<Primal: Memory>,
    Inside<X>: Outcome<Value = Inside<X>> + Tangent<Owned = Inside<X>> + Clone,
    R: ForwardReturn<W, Out = Inside<X>>,
{
    #[inline]
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> ForwardOutcome<R, W> {
        let inside = x.primal();
        let tangent = |lane| match x.tangent(lane) {
            Some(dx) => dx.clone(),
            None => Tangent::zero_like(inside),
        };
        R::Out::wrap(R::forward(config, || inside.clone(), tangent))
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for content
where
    X: ReverseArg<Inside<X>, W> + Annotation<Primal: Memory>,
    Inside<X>: Outcome<Value = Inside<X>> + Tangent<Owned = Inside<X>> + Clone,
    R: ReverseReturn<W, Out = Inside<X>>,
{
    type Tape = ();

    #[inline]
    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedOutcome<R, (), W> {
        R::Out::wrap(R::augmented(config, x.primal().clone(), ()))
    }

    #[inline]
    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        (x.accumulate(|lane, _, mut dx| {
            if let Some(d) = dret.lane(lane) {
                dx.add(d);
            }
        }),)
    }
}
