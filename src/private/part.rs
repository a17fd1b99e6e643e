//! What a pattern binds, as a part of the value that is matched.

use std::marker::PhantomData;

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
        Tangent::zero_like(primal)
    }
}

/// By its zero, since another variant may have been assigned.
#[derive(Debug)]
pub struct Assigned;

impl<E: Tangent<Owned = E> + Clone + Send + 'static> Keep<E> for Assigned {
    type Kept = E;
    fn keep(value: &E) -> E {
        Tangent::zero_like(value)
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
            if !Tangent::is_origin(shadow) {
                other_variant();
            }
            *shadow = K::zero(kept, primal);
        }
        (self.get_mut)(shadow).unwrap_or_else(|| other_variant())
    }
}

/// A value with another part in place of the one that a pattern binds, made of the value and the new part.
#[derive(Debug)]
pub struct WithPart<E, T, K>(Part<E, T, K>);

/// The new value: an `Option` as the return type of a rule would say that the rule may give nothing.
#[derive(Clone, Debug, crate::Tangent)]
pub struct Whole<E: Tangent<Owned = E> + Clone>(pub E);

impl<E: Tangent<Owned = E>, T: Tangent<Owned = T> + Clone, K> Part<E, T, K> {
    /// The function that replaces this part.
    pub fn replaced(self) -> WithPart<E, T, K> {
        WithPart(self)
    }

    /// `whole` with `part` in it.
    fn put(&self, mut whole: E, part: T) -> E {
        *(self.get_mut)(&mut whole).unwrap_or_else(|| other_variant()) = part;
        whole
    }

    /// A derivative, unless it is the zero of another variant.
    fn fitting<'a>(&self, shadow: &'a E) -> Option<&'a E> {
        let fits = (self.get)(shadow).is_some();
        if !fits && !Tangent::is_origin(shadow) {
            other_variant();
        }
        fits.then_some(shadow)
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
                None if Tangent::is_origin(dx) => Tangent::zero_like(primal),
                None => other_variant(),
            },
            None => Tangent::zero_like(primal),
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
                dx.accumulate_with(|dx| Tangent::accumulate(self.shadow(&kept, primal, dx), d));
            }
        }),)
    }
}

impl<E, T, K, R, X, P, const W: usize> ForwardRule<R, (X, P), W> for WithPart<E, T, K>
where
    E: Tangent<Owned = E> + Clone + 'static,
    T: Tangent<Owned = T> + Clone,
    X: ForwardArg<E, W>,
    P: ForwardArg<T, W>,
    R: ForwardReturn<W, Out = Whole<E>>,
{
    fn forward(&self, config: &ForwardConfig, (x, p): (&mut X, &mut P)) -> ForwardOutcome<R, W> {
        let (old, part) = (x.primal(), p.primal());
        let tangent = |lane| {
            let whole = x.tangent(lane).and_then(|dx| self.0.fitting(dx));
            let whole = whole.map_or_else(|| Tangent::zero_like(old), E::clone);
            let part = p
                .tangent(lane)
                .map_or_else(|| Tangent::zero_like(part), T::clone);
            Whole(self.0.put(whole, part))
        };
        let primal = || Whole(self.0.put(old.clone(), part.clone()));
        R::Out::wrap(R::forward(config, primal, tangent))
    }
}

impl<E, T, K, R, X, P, const W: usize> ReverseRule<R, (X, P), W> for WithPart<E, T, K>
where
    E: Tangent<Owned = E> + Clone + 'static,
    T: Tangent<Owned = T> + Clone + Send + 'static,
    X: ReverseArg<E, W>,
    P: ReverseArg<T, W>,
    R: ReverseReturn<W, Out = Whole<E>>,
{
    /// The zero of the part that is replaced, which may have another shape than the new one.
    type Tape = T;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p): (&mut X, &mut P),
    ) -> AugmentedOutcome<R, T, W> {
        let old = x.primal();
        let zero = Tangent::zero_like((self.0.get)(old).unwrap_or_else(|| other_variant()));
        let primal = Whole(self.0.put(old.clone(), p.primal().clone()));
        R::Out::wrap(R::augmented(config, primal, zero))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        zero: T,
        (x, p): (&mut X, &mut P),
    ) -> (X::Gradient, P::Gradient) {
        let cotangent = |lane| dret.lane(lane).and_then(|d| self.0.fitting(&d.0));
        let whole = x.accumulate(|lane, _, mut dx| {
            if let Some(d) = cotangent(lane) {
                let rest = self.0.put(d.clone(), zero.clone());
                dx.accumulate_with(|dx| Tangent::accumulate(dx, &rest));
            }
        });
        let part = p.accumulate(|lane, _, mut dp| {
            if let Some(part) = cotangent(lane).and_then(self.0.get) {
                dp.accumulate_with(|dp| Tangent::accumulate(dp, part));
            }
        });
        (whole, part)
    }
}
