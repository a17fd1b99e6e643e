//! The check of forward mode: `⟨w, J·ẋ⟩` is the derivative of `⟨w, f⟩` along `ẋ`, for random `w`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::super::{
    AsConst, AsDuplicated, AsDuplicatedNoNeed, Collapse, Forward, ForwardKind, ForwardWithPrimal,
    Mode, Natural, NaturalReturn,
};
use super::{CalledBy, Checked, Draw, Primal, dot, name_of};
use crate::activity::{Active, BatchDuplicated, Const, Duplicated};
use crate::config::ForwardConfig;
use crate::rule::{Annotated, ForwardReturn, ForwardRule, Function, Outcome};
use crate::tangent::Tangent;

/// A return activity of a [`Checked`] call in forward mode.
pub trait CheckedForwardKind<Out: Outcome, const PRIMAL: bool, const W: usize>:
    ForwardKind<Out, PRIMAL, W>
{
    /// The floats of the tangent of each lane; `None` if the return is not differentiated.
    fn tangents(returned: &<Self::R as ForwardReturn<W>>::Forward) -> Option<Vec<Vec<f64>>>;
}

macro_rules! inactive {
    ($($primal:literal)*) => {$(
        impl<Out: Outcome, const W: usize> CheckedForwardKind<Out, $primal, W> for AsConst {
            fn tangents(_: &Option<Out::Value>) -> Option<Vec<Vec<f64>>> {
                None
            }
        }
    )*};
}

inactive! { false true }

impl<Out: Outcome, const W: usize> CheckedForwardKind<Out, true, W> for AsDuplicated
where
    [Out::Value; W]: Collapse,
{
    fn tangents(returned: &BatchDuplicated<Out::Value, Out::Value, W>) -> Option<Vec<Vec<f64>>> {
        Some(
            (0..W)
                .map(|lane| Tangent::to_flat(returned.shadow(lane)))
                .collect(),
        )
    }
}

macro_rules! without_primal {
    ($($kind:ident)*) => {$(
        impl<Out: Outcome, const W: usize> CheckedForwardKind<Out, false, W> for $kind
        where
            [Out::Value; W]: Collapse,
        {
            fn tangents(returned: &[Out::Value; W]) -> Option<Vec<Vec<f64>>> {
                Some(returned.iter().map(Tangent::to_flat).collect())
            }
        }
    )*};
}

without_primal! { AsDuplicated AsDuplicatedNoNeed }

impl<Out, const PRIMAL: bool, const W: usize> CheckedForwardKind<Out, PRIMAL, W> for Natural
where
    Out: Outcome<Value: NaturalReturn<Forward: CheckedForwardKind<Out, PRIMAL, W>>>,
{
    fn tangents(returned: &<Self::R as ForwardReturn<W>>::Forward) -> Option<Vec<Vec<f64>>> {
        <<Out::Value as NaturalReturn>::Forward as CheckedForwardKind<Out, PRIMAL, W>>::tangents(
            returned,
        )
    }
}

/// The call, and the check.
pub(super) fn checked<F, K, A, Out, const PRIMAL: bool, const W: usize>(
    f: &F,
    config: &ForwardConfig,
    args: &mut A,
) -> Out::Of<<K::R as ForwardReturn<W>>::Forward>
where
    A: CalledBy<F, Out, W>,
    Out: Outcome,
    K: CheckedForwardKind<Out, PRIMAL, W>,
    F: ForwardRule<K::R, A, W>,
{
    let mut copies = args.copied();
    let (at, before) = (A::read(&copies), args.shadows());
    let returned = f.forward(config, args.refs());
    Out::map_of(returned, |returned| {
        let (tangents, after) = (K::tangents(&returned), args.shadows());
        let mut evaluate = |x: &[Vec<f64>]| {
            A::write(&mut copies, x);
            let call = AssertUnwindSafe(|| A::called(f, &mut copies));
            let out = catch_unwind(call).ok()?;
            let value = Tangent::to_flat(Outcome::value(&out)?);
            Some((value, A::read(&copies)))
        };
        // What is read back from `Const` memory counts as inactive, which differences cannot know.
        let severed = (0..at.len())
            .any(|index| A::WRITTEN[index] && !at[index].is_empty() && before[index].is_none());
        for lane in (0..W).filter(|_| !severed) {
            let mut draw = Draw::new(name_of::<F>());
            let of = |index: usize| match &before[index] {
                Some(tangents) => tangents[lane].clone(),
                None => vec![0.0; at[index].len()],
            };
            let direction: Vec<Vec<f64>> = (0..at.len()).map(of).collect();
            let mut got = 0.0;
            let mut weights = |tangent: &[f64]| {
                let weights = draw.weights(tangent.len());
                got += dot(&weights, tangent);
                weights
            };
            let of_return = tangents.as_ref().map(|lanes| weights(&lanes[lane]));
            let written = after.iter().zip(A::WRITTEN).map(|(lanes, written)| {
                let lanes = lanes.as_ref().filter(|_| *written)?;
                Some(weights(&lanes[lane]))
            });
            let written: Vec<_> = written.collect();
            let mut primal = Primal {
                evaluate: &mut evaluate,
                at: at.clone(),
                function: name_of::<F>(),
                lane,
            };
            primal.require(
                got,
                &[],
                &direction,
                &of_return.unwrap_or_default(),
                &written,
            );
        }
        returned
    })
}

macro_rules! modes {
    ($($mode:ident $primal:literal;)*) => {$(
        impl<F, K, A, Out, const W: usize> Mode<F, K, A, W> for Checked<$mode>
        where
            A: CalledBy<F, Out, W> + Annotated,
            Out: Outcome,
            K: CheckedForwardKind<Out, $primal, W>,
            F: Function<A::Primals, Output = Out>,
            F: ForwardRule<K::R, A, W>,
        {
            type Output = Out::Of<K::Shown>;

            fn run_with(self, f: &F, _: K, mut args: A, strong_zero: bool) -> Self::Output {
                let config = ForwardConfig::new($primal).with_strong_zero(strong_zero);
                let returned = checked::<F, K, A, Out, $primal, W>(f, &config, &mut args);
                Out::map_of(returned, K::show)
            }
        }
    )*};
}

modes! {
    Forward false;
    ForwardWithPrimal true;
}

/// What a gradient is taken of, pushed forward along a random direction instead.
pub trait Pushed {
    /// The argument with a tangent.
    type Pushed;

    /// Draws the tangent.
    fn pushed(self, label: &str) -> Self::Pushed;
}

impl<P> Pushed for Const<P> {
    type Pushed = Self;

    fn pushed(self, _: &str) -> Self {
        self
    }
}

fn drawn<T: Tangent>(shadow: &mut T, x: &[f64], label: &str) {
    Tangent::unflatten(shadow, &Draw::new(label).direction(x));
}

impl<T: Tangent<Owned = T>> Pushed for Active<T> {
    type Pushed = Duplicated<T, T>;

    fn pushed(self, label: &str) -> Self::Pushed {
        let mut shadow = Tangent::zero_like(&self.0);
        drawn(&mut shadow, &Tangent::to_flat(&self.0), label);
        BatchDuplicated::from_parts(self.0, [shadow])
    }
}

impl<P: crate::Memory, S: Tangent> Pushed for Duplicated<P, S> {
    type Pushed = Self;

    fn pushed(mut self, label: &str) -> Self {
        let x = Tangent::to_flat(self.primal().memory());
        drawn(self.shadow_mut(0), &x, label);
        self
    }
}

/// A tuple of arguments, pushed forward.
pub trait PushedArgs {
    /// The arguments with tangents.
    type Pushed;

    /// Draws the tangents.
    fn pushed(self) -> Self::Pushed;
}

macro_rules! tuples {
    ($(($($a:ident $i:tt)*))*) => {$(
        impl<$($a: Pushed),*> PushedArgs for ($($a,)*) {
            type Pushed = ($($a::Pushed,)*);

            fn pushed(self) -> Self::Pushed {
                ($(self.$i.pushed(stringify!($i)),)*)
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
}

/// Takes the derivative of `f` at `args` along a random direction, in forward mode, and compares it with a difference. If `f`
/// returns an error, nothing is compared.
///
/// ```
/// use coenzyme::prelude::*;
///
/// #[differentiable]
/// fn product(x: f64, y: f64) -> f64 {
///     x * y
/// }
///
/// coenzyme::check_tangent(&product {}, (2.0_f64, 3.0_f64));
/// ```
///
/// # Panics
/// If the tangent is wrong; see [`Checked`].
pub fn check_tangent<F, X, H, Out>(f: &F, args: X)
where
    X: super::super::GradientArgs<Handles: PushedArgs<Pushed = H>>,
    H: CalledBy<F, Out, 1>,
    Out: Outcome,
    [Out::Value; 1]: Collapse,
    F: Function<<X::Handles as Annotated>::Primals, Output = Out>,
    F: ForwardRule<crate::BatchDuplicatedNoNeed<Out, Out, 1>, H, 1>,
{
    let mut args = args.annotate().pushed();
    let config = ForwardConfig::new(false);
    checked::<F, AsDuplicated, H, Out, false, 1>(f, &config, &mut args);
}
