//! What a pattern binds, as a part of the value that is matched.

use std::marker::PhantomData;

use super::operation::is_zero;
use crate::activity::{ForwardArg, ReverseArg};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Lanes, Outcome, ReverseReturn,
    ReverseRule,
};
use crate::tangent::Tangent;

/// The projection of an `E` to a `T` inside it. Its reverse takes the variant from what `K` keeps of the value.
#[derive(Debug)]
pub struct Part<E, T, K> {
    get: fn(&E) -> Option<&T>,
    get_mut: fn(&mut E) -> Option<&mut T>,
    kept: PhantomData<K>,
}

/// How the reverse of a [`Part`] knows the variant.
pub trait Keep<E> {
    /// What it keeps.
    type Kept: Clone + Send + 'static;
    /// Of a value, when the pattern fits.
    fn keep(value: &E) -> Self::Kept;
    /// The zero of that variant; `primal` is the value as it is now.
    fn zero(kept: &Self::Kept, primal: &E) -> E;
}

/// By the value, to which nothing is assigned.
#[derive(Debug)]
pub struct Standing;

impl<E: Tangent<Owned = E>> Keep<E> for Standing {
    type Kept = ();
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keep(_: &E) {}
    fn zero((): &(), primal: &E) -> E {
        primal.zero_like()
    }
}

/// By its zero, since another variant may have been assigned.
#[derive(Debug)]
pub struct Assigned;

impl<E: Tangent<Owned = E> + Clone + Send + 'static> Keep<E> for Assigned {
    type Kept = E;
    fn keep(value: &E) -> E {
        value.zero_like()
    }
    fn zero(kept: &E, _: &E) -> E {
        kept.clone()
    }
}

/// The projection, for the type of `of`; `None` where the pattern does not fit.
pub fn part<E, T, K: Keep<E>>(
    _: &E,
    _: K,
    get: fn(&E) -> Option<&T>,
    get_mut: fn(&mut E) -> Option<&mut T>,
) -> Part<E, T, K> {
    Part {
        get,
        get_mut,
        kept: PhantomData,
    }
}

impl<E: Tangent<Owned = E>, T, K: Keep<E>> Part<E, T, K> {
    /// The part of a value that the pattern has fitted.
    fn of<'a>(&self, primal: &'a E) -> &'a T {
        (self.get)(primal).unwrap_or_else(|| other_variant())
    }

    /// The part of a shadow, which may be the zero of another variant until something is added to it.
    fn shadow<'a>(&self, kept: &K::Kept, primal: &E, shadow: &'a mut E) -> &'a mut T {
        if (self.get_mut)(shadow).is_none() {
            if !is_zero(shadow) {
                other_variant();
            }
            *shadow = K::zero(kept, primal);
        }
        (self.get_mut)(shadow).unwrap_or_else(|| other_variant())
    }
}

/// Where a pattern does not fit that fitted in the primal.
#[cold]
pub(super) fn other_variant() -> ! {
    panic!(
        "a value and its derivative are different variants, or the variant was changed by an assignment after it was matched"
    )
}

impl<E, T, K: Keep<E>, R, X, const W: usize> ForwardRule<R, (X,), W> for Part<E, T, K>
where
    E: Tangent<Owned = E>,
    T: Outcome<Value = T> + Tangent<Owned = T> + Clone,
    X: ForwardArg<E, W>,
    R: ForwardReturn<W, Out = T>,
{
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> ForwardOutcome<R, W> {
        let primal = self.of(x.primal());
        let tangent = |lane| match x.tangent(lane) {
            Some(dx) => match (self.get)(dx) {
                Some(part) => part.clone(),
                None if is_zero(dx) => primal.zero_like(),
                None => other_variant(),
            },
            None => primal.zero_like(),
        };
        R::Out::wrap(R::forward(config, || primal.clone(), tangent))
    }
}

impl<E, T, K: Keep<E>, R, X, const W: usize> ReverseRule<R, (X,), W> for Part<E, T, K>
where
    E: Tangent<Owned = E>,
    T: Outcome<Value = T> + Tangent<Owned = T> + Clone,
    X: ReverseArg<E, W>,
    R: ReverseReturn<W, Out = T>,
{
    type Tape = K::Kept;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedOutcome<R, K::Kept, W> {
        let value = x.primal();
        let (primal, kept) = (self.of(value).clone(), K::keep(value));
        R::Out::wrap(R::augmented(config, primal, kept))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        kept: K::Kept,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        (x.accumulate(|lane, primal, mut dx| {
            if let Some(d) = dret.lane(lane) {
                dx.accumulate_with(|dx| self.shadow(&kept, primal, dx).accumulate(d));
            }
        }),)
    }
}
