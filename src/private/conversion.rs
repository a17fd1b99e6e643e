//! `X::from(a)`: a type has a conversion, and a rule, for each type that it is made from. The caller does not see of which type `a` is,
//! so its handle tells.

use std::marker::PhantomData;

use crate::activity::{Activity, Annotation};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, ReverseReturn, ReverseRule,
};
use crate::tape::Tape;

/// A type that is made from an `A` by the function of this marker. `#[differentiable]` says so on `impl From<A> for X`.
#[diagnostic::on_unimplemented(
    message = "this conversion into `{Self}` has no rules",
    label = "not differentiable",
    note = "write `#[differentiable]` on the block `impl From<…> for {Self}`, or `#[inactive]` if its result carries no derivative"
)]
pub trait Convertible<A, M> {}

/// The function that makes an `X` from an `A`, whose marker `M` is known as soon as `A` is.
#[derive(Debug)]
pub struct Conversion<A, X, M>(PhantomData<fn(A) -> (X, M)>);

/// The function `X::from`.
pub fn conversion<A, X: Convertible<A, M>, M>(_: fn(A) -> X) -> Conversion<A, X, M> {
    Conversion(PhantomData)
}

impl<R, H, A, X, M, const W: usize> ForwardRule<R, (H,), W> for Conversion<A, X, M>
where
    R: ForwardReturn<W>,
    H: Activity<W> + Annotation<Primal = A>,
    M: ForwardRule<R, (H,), W> + Default,
{
    #[inline]
    fn forward(&self, config: &ForwardConfig, args: (&mut H,)) -> ForwardOutcome<R, W> {
        M::default().forward(config, args)
    }
}

impl<R, H, A, X, M, const W: usize> ReverseRule<R, (H,), W> for Conversion<A, X, M>
where
    R: ReverseReturn<W>,
    H: Activity<W> + Annotation<Primal = A>,
    M: ReverseRule<R, (H,), W> + Default,
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
        args: (&mut H,),
    ) -> AugmentedOutcome<R, M::Tape, W> {
        M::default().augmented_primal(config, args)
    }

    #[inline]
    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: M::Tape,
        args: (&mut H,),
    ) -> (H::Gradient,) {
        M::default().reverse(config, dret, tape, args)
    }

    #[inline]
    fn augmented_onto(
        &self,
        config: &ReverseConfig,
        tape: &mut Tape,
        args: (&mut H,),
    ) -> AugmentedOutcome<R, (), W> {
        M::default().augmented_onto(config, tape, args)
    }

    #[inline]
    fn reverse_from(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: &mut Tape,
        args: (&mut H,),
    ) -> (H::Gradient,) {
        M::default().reverse_from(config, dret, tape, args)
    }
}
