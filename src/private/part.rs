//! What a pattern binds, as a part of the value that is matched.

use crate::activity::{ForwardArg, ReverseArg};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Lanes, Outcome, ReverseReturn,
    ReverseRule,
};
use crate::tangent::Tangent;

/// The projection of an `E` to a `T` inside it.
#[derive(Debug)]
pub struct Part<E, T> {
    get: fn(&E) -> &T,
    get_mut: fn(&mut E) -> &mut T,
}

/// The projection, for the type of `of`.
pub fn part<E, T>(_: &E, get: fn(&E) -> &T, get_mut: fn(&mut E) -> &mut T) -> Part<E, T> {
    Part { get, get_mut }
}

/// Where a pattern does not fit that fitted in the primal.
#[cold]
pub fn other_variant() -> ! {
    panic!(
        "a value and its derivative are different variants, or the variant was changed by an assignment after it was matched"
    )
}

impl<E, T, R, X, const W: usize> ForwardRule<R, (X,), W> for Part<E, T>
where
    T: Outcome<Value = T> + Tangent<Owned = T> + Clone,
    X: ForwardArg<E, W>,
    R: ForwardReturn<W, Out = T>,
{
    #[inline(always)]
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> ForwardOutcome<R, W> {
        let primal = (self.get)(x.primal());
        let tangent = |lane| match x.tangent(lane) {
            Some(dx) => (self.get)(dx).clone(),
            None => primal.zero_like(),
        };
        R::Out::wrap(R::forward(config, || primal.clone(), tangent))
    }
}

impl<E, T, R, X, const W: usize> ReverseRule<R, (X,), W> for Part<E, T>
where
    T: Outcome<Value = T> + Tangent<Owned = T> + Clone,
    X: ReverseArg<E, W>,
    R: ReverseReturn<W, Out = T>,
{
    type Tape = ();

    #[inline(always)]
    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedOutcome<R, (), W> {
        let primal = (self.get)(x.primal()).clone();
        R::Out::wrap(R::augmented(config, primal, ()))
    }

    #[inline(always)]
    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        (x.accumulate(|lane, _, mut dx| {
            if let Some(d) = dret.lane(lane) {
                dx.accumulate_with(|dx| (self.get_mut)(dx).accumulate(d));
            }
        }),)
    }
}
