//! The passes of `jacobian!`.

use super::super::{CalledBy, forward as ahead};
use super::watching::Watching;
use super::{Call, CheckedCall};
use crate::activity::BatchDuplicatedNoNeed;
use crate::autodiff::points::Points;
use crate::autodiff::whole::{self, Cotangents, Found, Returned};
use crate::autodiff::{AsDuplicated, Collapse, NaturalReturn, returning::Tag};
use crate::config::ForwardConfig;
use crate::rule::{ForwardRule, Function, Outcome, ReverseReturn, ReverseRule};

call! {
    /// A pass of `jacobian!` forwards.
    struct ForwardPass['f, 'a, 's, F, P, const W: usize]['f, 'a, 's, F, P, W] {
        f: &'f F, points: &'a mut P, seeds: &'s Found<W>,
    }

    /// A pass forwards, put off.
    fn forward[Out] -> Out::Of<Found<W>>
    where {
        P: Points,
        Out: Outcome,
        F: Function<P::Plain<'a>, Output = Out>,
        F: ForwardRule<BatchDuplicatedNoNeed<Out, Out, W>, P::Forward<'a, W>, W>,
    }

    plain(pass) {
        whole::forward(pass.f, pass.points, pass.seeds)
    }

    checked(pass) where {
        P::Forward<'a, W>: CalledBy<F, Out, W>,
        [Out::Value; W]: Collapse,
    } {
        let (mut handles, config) = (whole::along(pass.points, pass.seeds), ForwardConfig::new(false));
        let tangents = ahead::checked::<F, AsDuplicated, P::Forward<'a, W>, Out, false, W>(pass.f, &config, &mut handles);
        Out::map_of(tangents, |tangents| whole::columns::<P, _, W>(tangents, &handles))
    }
}

call! {
    /// A pass of `jacobian!` backwards.
    struct ReversePass['f, 'a, 's, F, P, const W: usize]['f, 'a, 's, F, P, W] {
        f: &'f F, points: &'a mut P, seeds: &'s Found<W>,
    }

    /// A pass backwards, put off.
    fn reverse[Out] -> Out::Of<Found<W>>
    where {
        P: Points,
        F: Function<P::Plain<'a>, Output = Out>,
        Out: Outcome<Value: NaturalReturn<Reverse: Tag<Out, W>>>,
        Returned<Out, W>: ReverseReturn<W, Out = Out, Cotangent: Cotangents<Out::Value>>,
        F: ReverseRule<Returned<Out, W>, P::Reverse<'a, W>, W>,
    }

    plain(pass) {
        whole::reverse(pass.f, pass.points, pass.seeds)
    }

    checked(pass) where { P::Reverse<'a, W>: CalledBy<F, Out, W>, } {
        let watch = |args: &P::Reverse<'a, W>| Watching::begin(pass.f, args);
        whole::pass(pass.f, pass.points, false, pass.seeds, watch, whole::rows::<P, W>)
    }
}
