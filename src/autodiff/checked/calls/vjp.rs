//! `vjp!`.

use super::super::CalledBy;
use super::watching::Watching;
use super::{Call, CheckedCall};
use crate::autodiff::points::Points;
use crate::autodiff::whole::{self, Cotangents, Returned};
use crate::autodiff::{NaturalReturn, returning::Tag};
use crate::rule::{Function, Outcome, ReverseReturn, ReverseRule};
use crate::tangent::{Memory, Tangent};

call! {
    /// A call of `vjp`.
    struct Vjp['a, F, P, S]['a, F, P, S] { f: &'a F, points: &'a mut P, seed: S, }

    /// `vjp!`, put off.
    fn vjp[Out] -> Out::Of<P::Gradients>
    where {
        P: Points,
        S: Memory,
        F: Function<P::Plain<'a>, Output = Out>,
        Out: Outcome<Value: NaturalReturn<Reverse: Tag<Out, 1>>>,
        Returned<Out, 1>: ReverseReturn<1, Out = Out, Cotangent: Cotangents<Out::Value>>,
        F: ReverseRule<Returned<Out, 1>, P::Reverse<'a, 1>, 1>,
    }

    plain(call) {
        whole::vjp(call.f, call.points, call.seed)
    }

    checked(call) where { P::Reverse<'a, 1>: CalledBy<F, Out, 1>, } {
        let (f, seed) = (call.f, [Tangent::to_flat(call.seed.memory())]);
        let watch = |args: &P::Reverse<'a, 1>| Watching::begin(f, args);
        whole::pass(f, call.points, true, &seed, watch, P::gradients)
    }
}
