//! A variant of an enum that is made from active values.

use super::part::other_variant;
use crate::activity::{ForwardArg, ReverseArg};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Lanes, Outcome, ReverseReturn,
    ReverseRule,
};
use crate::tangent::Tangent;

/// Makes an `E` from its parts, and takes the parts out again: `None` of another variant.
#[derive(Debug)]
pub struct Variant<P, E> {
    make: fn(P) -> E,
    parts: fn(E) -> Option<P>,
}

/// An `Option` as a value of its own: as the return type of a rule it would say that the rule may give nothing.
#[derive(Clone, Debug, crate::Tangent)]
pub struct Present<T: Tangent<Owned = T> + Clone>(pub Option<T>);

/// The variant that `make` makes.
pub fn variant<P, E>(make: fn(P) -> E, parts: fn(E) -> Option<P>) -> Variant<P, E> {
    Variant { make, parts }
}

impl<P, E, R, X, const W: usize> ForwardRule<R, (X,), W> for Variant<P, E>
where
    P: Tangent<Owned = P> + Clone,
    E: Outcome<Value = E>,
    X: ForwardArg<P, W>,
    R: ForwardReturn<W, Out = E>,
{
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> ForwardOutcome<R, W> {
        let primal = x.primal();
        let tangent = |lane| match x.tangent(lane) {
            Some(dx) => (self.make)(dx.clone()),
            None => (self.make)(Tangent::zero_like(primal)),
        };
        R::Out::wrap(R::forward(config, || (self.make)(primal.clone()), tangent))
    }
}

impl<P, E, R, X, const W: usize> ReverseRule<R, (X,), W> for Variant<P, E>
where
    P: Tangent<Owned = P> + Clone,
    E: Outcome<Value = E> + Tangent<Owned = E> + Clone,
    X: ReverseArg<P, W>,
    R: ReverseReturn<W, Out = E>,
{
    type Tape = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedOutcome<R, (), W> {
        let primal = (self.make)(x.primal().clone());
        R::Out::wrap(R::augmented(config, primal, ()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        (x.accumulate(|lane, _, mut dx| {
            let Some(d) = dret.lane(lane) else { return };
            match (self.parts)(d.clone()) {
                Some(parts) => dx.accumulate_with(|dx| Tangent::accumulate(dx, &parts)),
                // nothing was added to a value that a branch chooses
                None if Tangent::is_origin(d) => {}
                None => other_variant(),
            }
        }),)
    }
}
