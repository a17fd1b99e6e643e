//! Rules of operations on two operands, found by the types of both.

use crate::activity::{Annotation, ForwardArg, ReverseArg};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::ops;
use crate::rule::{
    AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Lanes, Outcome, ReverseReturn,
    ReverseRule, Saved,
};
use crate::tangent::{Memory, Tangent};

use super::{Target, dot};

/// The operation `Op` on `self` and `other`: its value and both directions of its derivative.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivative for the array operation `{Op}` with `{B}`",
    label = "no rule for this operation on these operands",
    note = "write `&a + &b` for arrays, `a + b` for numbers, or a function marked `#[primitive]` with its rule"
)]
pub trait Pair<Op, B: ?Sized> {
    /// What the operation returns.
    type Out: Outcome<Value = Self::Out> + Tangent<Owned = Self::Out>;

    /// Whether the derivative reads the operands.
    const READS: bool;

    /// The value.
    fn value(&self, other: &B) -> Self::Out;

    /// The tangent of the value; an operand without tangent is inactive.
    fn tangent(&self, other: &B, da: Option<&Self>, db: Option<&B>) -> Self::Out;

    /// `ā += …`, for the cotangent `dout` of the value.
    fn pull_left(a: &Self, b: &B, dout: &Self::Out, da: &mut Self);

    /// `b̄ += …`, for the cotangent `dout` of the value.
    fn pull_right(a: &Self, b: &B, dout: &Self::Out, db: &mut B);
}

macro_rules! rules {
    ($($op:ty),*) => {$(
        impl<R, X, Y, const W: usize> ForwardRule<R, (X, Y), W> for $op
        where
            X: ForwardArg<Target<X>, W> + Annotation<Primal: Memory>,
            Y: ForwardArg<Target<Y>, W> + Annotation<Primal: Memory>,
            Target<X>: Pair<$op, Target<Y>>,
            R: ForwardReturn<W, Out = <Target<X> as Pair<$op, Target<Y>>>::Out>,
        {
            #[inline]
            fn forward(&self, config: &ForwardConfig, (x, y): (&mut X, &mut Y)) -> ForwardOutcome<R, W> {
                let (a, b) = (x.primal(), y.primal());
                R::Out::wrap(R::forward(
                    config,
                    || a.value(b),
                    |lane| a.tangent(b, x.tangent(lane), y.tangent(lane)),
                ))
            }
        }

        impl<R, X, Y, const W: usize> ReverseRule<R, (X, Y), W> for $op
        where
            X: ReverseArg<Target<X>, W> + Annotation<Primal: Memory>,
            Y: ReverseArg<Target<Y>, W> + Annotation<Primal: Memory>,
            Target<X>: Pair<$op, Target<Y>> + ToOwned<Owned: Send + 'static> + 'static,
            Target<Y>: ToOwned<Owned: Send + 'static> + 'static,
            R: ReverseReturn<W, Out = <Target<X> as Pair<$op, Target<Y>>>::Out>,
        {
            type Tape = (Saved<Target<X>>, Saved<Target<Y>>);

            #[inline]
            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (x, y): (&mut X, &mut Y),
            ) -> AugmentedOutcome<R, Self::Tape, W> {
                let (a, b) = (x.primal(), y.primal());
                let reads = <Target<X> as Pair<$op, Target<Y>>>::READS;
                let saved = (
                    Saved::new(a, reads && config.overwritten(0)),
                    Saved::new(b, reads && config.overwritten(1)),
                );
                R::Out::wrap(R::augmented(config, a.value(b), saved))
            }

            #[inline]
            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                (saved_a, saved_b): Self::Tape,
                (x, y): (&mut X, &mut Y),
            ) -> (X::Gradient, Y::Gradient) {
                let of_x = x.accumulate(|lane, a, mut da| {
                    if let Some(dout) = dret.lane(lane) {
                        let (a, b) = (saved_a.get(a), saved_b.get(y.primal()));
                        da.accumulate_with(|da| Pair::<$op, _>::pull_left(a, b, dout, da));
                    }
                });
                let of_y = y.accumulate(|lane, b, mut db| {
                    if let Some(dout) = dret.lane(lane) {
                        let (a, b) = (saved_a.get(x.primal()), saved_b.get(b));
                        db.accumulate_with(|db| Target::<X>::pull_right(a, b, dout, db));
                    }
                });
                (of_x, of_y)
            }
        }
    )*};
}

rules!(ops::add, ops::sub, ops::mul, ops::div, ops::rem, dot);
