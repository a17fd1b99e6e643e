//! The modes of a differentiated call.

use super::{Collapse, ForwardKind, ReverseKind};
use crate::activity::{AnyWidth, Width};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{Annotated, Args, ForwardRule, Function, Outcome, ReverseRule};

/// Forward mode: tangents along with the primal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forward;

/// Forward mode that also returns the primal value.
#[derive(Clone, Copy, Debug, Default)]
pub struct ForwardWithPrimal;

/// Reverse mode: the primal first, then cotangents from the result back to the arguments.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reverse;

/// Reverse mode that also returns the primal value.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReverseWithPrimal;

/// A mode with `W` lanes, also where no argument has shadows to tell it from.
///
/// `autodiff(Batch::<_, 3>(Reverse), &f, AsActive, (Active(x),))` returns the gradient three times, since every lane starts
/// from the seed one; with a [`Thunk`](crate::Thunk) of width 3 each lane has its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Batch<M, const W: usize>(pub M);

/// A mode in which a zero seed gives a zero derivative, also where a partial is infinite or NaN.
#[derive(Clone, Copy, Debug, Default)]
pub struct StrongZero<M>(pub M);

/// A mode inside a rule: what the outer configuration demands holds here too. Made by
/// [`ForwardConfig::nested`] and [`ReverseConfig::nested`].
#[derive(Clone, Copy, Debug)]
pub struct Nested<M> {
    mode: M,
    strong_zero: bool,
}

impl ForwardConfig {
    /// `mode`, for a call of [`autodiff`](crate::autodiff()) inside a rule that was given this configuration.
    pub const fn nested<M>(&self, mode: M) -> Nested<M> {
        Nested {
            mode,
            strong_zero: self.strong_zero(),
        }
    }
}

impl ReverseConfig {
    /// `mode`, for a call of [`autodiff`](crate::autodiff()) inside a rule that was given this configuration.
    pub const fn nested<M>(&self, mode: M) -> Nested<M> {
        Nested {
            mode,
            strong_zero: self.strong_zero(),
        }
    }
}

#[cfg(feature = "checked-modes")]
impl<M> Nested<M> {
    /// Another mode in its place.
    pub(super) fn map<N>(self, other: impl FnOnce(M) -> N) -> Nested<N> {
        Nested {
            mode: other(self.mode),
            strong_zero: self.strong_zero,
        }
    }
}

/// The width that a mode asks for.
pub trait ModeWidth {
    /// [`AnyWidth`] or [`Width<W>`](Width).
    type Width;
}

macro_rules! any_width {
    ($($mode:ident),*) => {$(
        impl ModeWidth for $mode {
            type Width = AnyWidth;
        }
    )*};
}

any_width!(Forward, ForwardWithPrimal, Reverse, ReverseWithPrimal);

impl<M: ModeWidth, const W: usize> ModeWidth for Batch<M, W> {
    type Width = Width<W>;
}

impl<M: ModeWidth> ModeWidth for StrongZero<M> {
    type Width = M::Width;
}

impl<M: ModeWidth> ModeWidth for Nested<M> {
    type Width = M::Width;
}

/// A way to differentiate a call of `F` with arguments `A`, return kind `K` and width `W`.
pub trait Mode<F, K, A, const W: usize>: Sized {
    /// What the call returns.
    type Output;

    /// Runs the call.
    fn run(self, f: &F, returns: K, args: A) -> Self::Output {
        self.run_with(f, returns, args, false)
    }

    /// Runs the call with a given strength of zero.
    fn run_with(self, f: &F, returns: K, args: A, strong_zero: bool) -> Self::Output;
}

impl<M: Mode<F, K, A, W>, F, K, A, const W: usize> Mode<F, K, A, W> for Batch<M, W> {
    type Output = M::Output;

    #[inline]
    fn run_with(self, f: &F, returns: K, args: A, strong_zero: bool) -> M::Output {
        self.0.run_with(f, returns, args, strong_zero)
    }
}

impl<M: Mode<F, K, A, W>, F, K, A, const W: usize> Mode<F, K, A, W> for Nested<M> {
    type Output = M::Output;

    #[inline]
    fn run_with(self, f: &F, returns: K, args: A, strong_zero: bool) -> M::Output {
        self.mode
            .run_with(f, returns, args, strong_zero || self.strong_zero)
    }
}

impl<M: Mode<F, K, A, W>, F, K, A, const W: usize> Mode<F, K, A, W> for StrongZero<M> {
    type Output = M::Output;

    #[inline]
    fn run_with(self, f: &F, returns: K, args: A, _: bool) -> M::Output {
        self.0.run_with(f, returns, args, true)
    }
}

macro_rules! forward {
    ($($mode:ident $primal:literal),*) => {$(
        impl<F, K, A, Out, const W: usize> Mode<F, K, A, W> for $mode
        where
            A: Args<W> + Annotated,
            F: Function<A::Primals, Output = Out>,
            Out: Outcome,
            K: ForwardKind<Out, $primal, W>,
            F: ForwardRule<K::R, A, W>,
        {
            type Output = Out::Of<K::Shown>;

            #[inline]
            fn run_with(self, f: &F, _: K, mut args: A, strong_zero: bool) -> Self::Output {
                let config = ForwardConfig::new($primal).with_strong_zero(strong_zero);
                Out::map_of(f.forward(&config, args.refs()), K::show)
            }
        }
    )*};
}

forward!(Forward false, ForwardWithPrimal true);

/// Both halves in one call: the gradients, and the primal if the configuration asks for it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn both<F, K, A, Out, const VALUE: bool, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    args: &mut A,
) -> Out::Of<(A::Gradients, Option<Out::Value>)>
where
    A: Args<W>,
    Out: Outcome,
    K: ReverseKind<Out, W>,
    F: ReverseRule<K::R, A, W>,
{
    f.both::<VALUE>(config, K::seed(), args)
}

impl<F, K, A, Out, const W: usize> Mode<F, K, A, W> for Reverse
where
    A: Args<W> + Annotated,
    A::Gradients: Collapse,
    F: Function<A::Primals, Output = Out>,
    Out: Outcome,
    K: ReverseKind<Out, W>,
    F: ReverseRule<K::R, A, W>,
{
    type Output = Out::Of<(<A::Gradients as Collapse>::Collapsed,)>;

    #[inline]
    fn run_with(self, f: &F, _: K, mut args: A, strong_zero: bool) -> Self::Output {
        let config = ReverseConfig::new(false).with_strong_zero(strong_zero);
        let returned = both::<F, K, A, Out, false, W>(f, &config, &mut args);
        Out::map_of(returned, |(gradients, _)| (gradients.collapse(),))
    }
}

impl<F, K, A, Out, const W: usize> Mode<F, K, A, W> for ReverseWithPrimal
where
    A: Args<W> + Annotated,
    A::Gradients: Collapse,
    F: Function<A::Primals, Output = Out>,
    Out: Outcome,
    K: ReverseKind<Out, W>,
    F: ReverseRule<K::R, A, W>,
{
    type Output = Out::Of<(<A::Gradients as Collapse>::Collapsed, Out::Value)>;

    #[inline]
    fn run_with(self, f: &F, _: K, mut args: A, strong_zero: bool) -> Self::Output {
        let config = ReverseConfig::new(true).with_strong_zero(strong_zero);
        let returned = both::<F, K, A, Out, true, W>(f, &config, &mut args);
        Out::map_of(returned, |(gradients, primal)| {
            let primal =
                primal.expect("a rule returns the primal when its configuration asks for it");
            (gradients.collapse(), primal)
        })
    }
}
