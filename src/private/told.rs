//! Calls whose function is told by the types of their arguments: `X::from(a)`, `&a * &b`. The caller does not see these types, so its
//! handle finds the marker.

use std::marker::PhantomData;

use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Outcome, ReverseReturn,
    ReverseRule,
};
use crate::tape::Tape;

/// The function of the marker `M`, which is known as soon as the arguments tell the types in `K`.
#[derive(Debug)]
pub struct Told<K, M>(PhantomData<fn(K) -> M>);

impl<K, M> Told<K, M> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }
}

/// Types that arguments `A` tell.
pub trait ToldBy<A, const W: usize> {}

impl<R, A, K, M, const W: usize> ForwardRule<R, A, W> for Told<K, M>
where
    R: ForwardReturn<W>,
    A: Args<W>,
    K: ToldBy<A, W>,
    M: ForwardRule<R, A, W> + Default,
{
    #[inline]
    fn forward(&self, config: &ForwardConfig, args: A::Refs<'_>) -> ForwardOutcome<R, W> {
        M::default().forward(config, args)
    }
}

impl<R, A, K, M, const W: usize> ReverseRule<R, A, W> for Told<K, M>
where
    R: ReverseReturn<W>,
    A: Args<W>,
    K: ToldBy<A, W>,
    M: ReverseRule<R, A, W> + Default,
{
    type Tape = M::Tape;

    #[inline]
    fn call_cost(&self) -> u32 {
        M::default().call_cost()
    }

    #[inline]
    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        args: A::Refs<'_>,
    ) -> AugmentedOutcome<R, M::Tape, W> {
        M::default().augmented_primal(config, args)
    }

    #[inline]
    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: M::Tape,
        args: A::Refs<'_>,
    ) -> A::Gradients {
        M::default().reverse(config, dret, tape, args)
    }

    #[inline]
    fn augmented_onto(
        &self,
        config: &ReverseConfig,
        tape: &mut Tape,
        args: A::Refs<'_>,
    ) -> AugmentedOutcome<R, (), W> {
        M::default().augmented_onto(config, tape, args)
    }

    #[inline]
    fn reverse_from(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: &mut Tape,
        args: A::Refs<'_>,
    ) -> A::Gradients {
        M::default().reverse_from(config, dret, tape, args)
    }

    #[inline]
    fn both<const VALUE: bool>(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        args: &mut A,
    ) -> <R::Out as Outcome>::Of<(A::Gradients, Option<<R::Out as Outcome>::Value>)> {
        M::default().both::<VALUE>(config, dret, args)
    }
}
