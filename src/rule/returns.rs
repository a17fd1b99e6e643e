//! Return activities: what a rule returns, and what comes back to it in the reverse pass.

use super::Outcome;
use crate::activity::{Active, BatchDuplicated, BatchDuplicatedNoNeed, Const, lane_array};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::tangent::Tangent;

/// A return activity of forward mode.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a return activity of forward mode at width {W}",
    label = "wrong return activity",
    note = "forward mode takes `Const`, `Duplicated`, `DuplicatedNoNeed` and their batched forms; `Active` belongs to reverse mode"
)]
pub trait ForwardReturn<const W: usize> {
    /// What the function returns.
    type Out: Outcome;
    /// What the rule returns.
    type Forward;

    /// Whether a tangent is wanted.
    const ACTIVE: bool;

    /// Whether [`forward`](Self::forward) will ask for the primal.
    fn needs_primal(config: &ForwardConfig) -> bool;

    /// The rule's result: `primal` is called if it is wanted, `tangent` for each lane if tangents are.
    fn forward(
        config: &ForwardConfig,
        primal: impl FnOnce() -> <Self::Out as Outcome>::Value,
        tangent: impl FnMut(usize) -> <Self::Out as Outcome>::Value,
    ) -> Self::Forward;
}

impl<Out: Outcome, const W: usize> ForwardReturn<W> for Const<Out> {
    type Out = Out;
    type Forward = Option<Out::Value>;

    const ACTIVE: bool = false;

    #[inline]
    fn needs_primal(config: &ForwardConfig) -> bool {
        config.needs_primal()
    }

    #[inline]
    fn forward(
        config: &ForwardConfig,
        primal: impl FnOnce() -> Out::Value,
        _: impl FnMut(usize) -> Out::Value,
    ) -> Self::Forward {
        config.needs_primal().then(primal)
    }
}

impl<Out: Outcome, const W: usize> ForwardReturn<W> for BatchDuplicated<Out, Out, W> {
    type Out = Out;
    type Forward = BatchDuplicated<Out::Value, Out::Value, W>;

    const ACTIVE: bool = true;

    #[inline]
    fn needs_primal(_: &ForwardConfig) -> bool {
        true
    }

    #[inline]
    fn forward(
        _: &ForwardConfig,
        primal: impl FnOnce() -> Out::Value,
        tangent: impl FnMut(usize) -> Out::Value,
    ) -> Self::Forward {
        BatchDuplicated::from_parts(primal(), lane_array(tangent))
    }
}

impl<Out: Outcome, const W: usize> ForwardReturn<W> for BatchDuplicatedNoNeed<Out, Out, W> {
    type Out = Out;
    type Forward = [Out::Value; W];

    const ACTIVE: bool = true;

    #[inline]
    fn needs_primal(_: &ForwardConfig) -> bool {
        false
    }

    #[inline]
    fn forward(
        _: &ForwardConfig,
        _: impl FnOnce() -> Out::Value,
        tangent: impl FnMut(usize) -> Out::Value,
    ) -> Self::Forward {
        lane_array(tangent)
    }
}

/// A return activity of reverse mode.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a return activity of reverse mode at width {W}",
    label = "wrong return activity",
    note = "reverse mode takes `Const`, `Active` for a value, `Duplicated` and its batched forms for a returned array"
)]
pub trait ReverseReturn<const W: usize> {
    /// What the function returns.
    type Out: Outcome;
    /// The shadow of the returned value that the augmented pass makes: `[T; W]` for memory, `()` otherwise.
    type Shadow;
    /// The cotangent of the returned value that comes back: `[T; W]`, or `()` for `Const`.
    type Cotangent: Lanes<<Self::Out as Outcome>::Value>;

    /// Whether the augmented pass makes a shadow.
    const NEEDS_SHADOW: bool;
    /// Whether a cotangent comes back.
    const ACTIVE: bool;

    /// The shadow, from a zero for each lane.
    fn shadow(zero: impl FnMut(usize) -> <Self::Out as Outcome>::Value) -> Self::Shadow;

    /// The result of `augmented_primal` with the value `primal`: kept if wanted, with zero shadows of its shape if wanted.
    #[inline]
    fn augmented<Tape>(
        config: &ReverseConfig,
        primal: <Self::Out as Outcome>::Value,
        tape: Tape,
    ) -> AugmentedReturn<<Self::Out as Outcome>::Value, Self::Shadow, Tape> {
        let shadow = Self::shadow(|_| Tangent::zero_like(&primal));
        AugmentedReturn {
            primal: config.needs_primal().then_some(primal),
            shadow,
            tape,
        }
    }
}

impl<Out: Outcome, const W: usize> ReverseReturn<W> for Const<Out> {
    type Out = Out;
    type Shadow = ();
    type Cotangent = ();

    const NEEDS_SHADOW: bool = false;
    const ACTIVE: bool = false;

    #[inline]
    fn shadow(_: impl FnMut(usize) -> Out::Value) {}
}

impl<Out: Outcome, const W: usize> ReverseReturn<W> for Active<Out> {
    type Out = Out;
    type Shadow = ();
    type Cotangent = [Out::Value; W];

    const NEEDS_SHADOW: bool = false;
    const ACTIVE: bool = true;

    #[inline]
    fn shadow(_: impl FnMut(usize) -> Out::Value) {}
}

macro_rules! duplicated {
    ($($t:ident),*) => {$(
        impl<Out: Outcome, const W: usize> ReverseReturn<W> for $t<Out, Out, W> {
            type Out = Out;
            type Shadow = [Out::Value; W];
            type Cotangent = [Out::Value; W];

            const NEEDS_SHADOW: bool = true;
            const ACTIVE: bool = true;

            #[inline]
            fn shadow(zero: impl FnMut(usize) -> Out::Value) -> Self::Shadow {
                lane_array(zero)
            }
        }
    )*};
}

duplicated!(BatchDuplicated, BatchDuplicatedNoNeed);

/// The cotangents of a returned value, lane by lane.
pub trait Lanes<T> {
    /// The cotangent in one lane; `None` if the return is `Const`.
    fn lane(&self, lane: usize) -> Option<&T>;

    /// The cotangent in one lane, to be used up: a rule owns what it was given, and may compute in its memory.
    fn lane_mut(&mut self, lane: usize) -> Option<&mut T>;

    /// The cotangents in every lane; none if the return is `Const`.
    fn into_lanes(self) -> impl Iterator<Item = T>;
}

impl<T> Lanes<T> for () {
    #[inline]
    fn lane(&self, _: usize) -> Option<&T> {
        None
    }
    #[inline]
    fn lane_mut(&mut self, _: usize) -> Option<&mut T> {
        None
    }
    #[inline]
    fn into_lanes(self) -> impl Iterator<Item = T> {
        std::iter::empty()
    }
}

impl<T, const W: usize> Lanes<T> for [T; W] {
    #[inline]
    fn lane(&self, lane: usize) -> Option<&T> {
        Some(&self[lane])
    }
    #[inline]
    fn lane_mut(&mut self, lane: usize) -> Option<&mut T> {
        Some(&mut self[lane])
    }
    #[inline]
    fn into_lanes(self) -> impl Iterator<Item = T> {
        self.into_iter()
    }
}

/// What the first half of a reverse rule returns.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct AugmentedReturn<P, S, Tape> {
    /// The primal value, if it was wanted.
    pub primal: Option<P>,
    /// The shadow of a returned array, zero in each lane, which the caller adds to and hands back; `()` otherwise.
    pub shadow: S,
    /// What the second half needs.
    pub tape: Tape,
}

impl<P, S, Tape> AugmentedReturn<P, S, Tape> {
    /// The three parts.
    #[inline]
    pub fn new(primal: Option<P>, shadow: S, tape: Tape) -> Self {
        Self {
            primal,
            shadow,
            tape,
        }
    }
}
