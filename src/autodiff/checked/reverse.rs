//! The check of reverse mode: `⟨x̄, v⟩` is the derivative of what is seeded along a random `v`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::super::returning::Seed;
use super::super::{
    AsActive, AsConst, Collapse, GradientArgs, Mode, Natural, NaturalReturn, Reverse, ReverseKind,
    ReverseWithPrimal, ScalarOutcome,
};
use super::{CalledBy, Checked, Draw, Primal, dot, name_of};
use crate::config::ReverseConfig;
use crate::rule::{Annotated, Args, AugmentedReturn, Function, Outcome, ReverseRule};
use crate::tangent::Tangent;

/// A return activity of a [`Checked`] call in reverse mode.
pub trait CheckedReverseKind<Out: Outcome, const W: usize>: ReverseKind<Out, W> {
    /// The floats of the seed; none if the return is not differentiated.
    fn floats() -> Vec<f64>;
}

impl<Out: Outcome, const W: usize> CheckedReverseKind<Out, W> for AsConst {
    fn floats() -> Vec<f64> {
        Vec::new()
    }
}

impl<Out: Outcome<Value: Seed + Tangent>, const W: usize> CheckedReverseKind<Out, W> for AsActive {
    fn floats() -> Vec<f64> {
        Out::Value::seed().to_flat()
    }
}

impl<Out, const W: usize> CheckedReverseKind<Out, W> for Natural
where
    Out: Outcome<Value: NaturalReturn<Reverse: CheckedReverseKind<Out, W>>>,
{
    fn floats() -> Vec<f64> {
        <<Out::Value as NaturalReturn>::Reverse as CheckedReverseKind<Out, W>>::floats()
    }
}

/// One half after the other: the gradients, and the primal if the configuration asks for it.
#[inline]
fn reverse<F, K, A, Out, const W: usize>(
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
    let augmented = f.augmented_primal(config, args.refs());
    Out::map_of(augmented, |AugmentedReturn { primal, tape, .. }| {
        (f.reverse(config, K::seed(), tape, args.refs()), primal)
    })
}

/// Both halves, and the check.
fn checked<F, K, A, Out, const W: usize>(
    f: &F,
    config: &ReverseConfig,
    args: &mut A,
) -> Out::Of<(A::Gradients, Option<Out::Value>)>
where
    A: CalledBy<F, Out, W>,
    Out: Outcome,
    K: CheckedReverseKind<Out, W>,
    F: ReverseRule<K::R, A, W>,
{
    let mut copies = args.copied();
    let (at, before) = (A::read(&copies), args.shadows());
    let returned = reverse::<F, K, A, Out, W>(f, config, args);
    Out::map_of(returned, |(gradients, primal)| {
        let (after, by_value) = (args.shadows(), A::returned(&gradients));
        let mut evaluate = |x: &[Vec<f64>]| {
            A::write(&mut copies, x);
            let call = AssertUnwindSafe(|| A::called(f, &mut copies));
            let out = catch_unwind(call).ok()?;
            let value = out.value()?.to_flat();
            Some((value, A::read(&copies)))
        };
        let active = |index: usize| before[index].is_some() || by_value[index].is_some();
        // What is read back from `Const` memory counts as inactive, which differences cannot know.
        let severed =
            (0..at.len()).any(|index| A::WRITTEN[index] && !at[index].is_empty() && !active(index));
        for lane in (0..W).filter(|_| !severed) {
            let mut draw = Draw::new(name_of::<F>());
            let direction = at.iter().enumerate().map(|(index, x)| match active(index) {
                true => draw.direction(x),
                false => vec![0.0; x.len()],
            });
            let direction: Vec<Vec<f64>> = direction.collect();
            let part = |index: usize| {
                let v = &direction[index];
                match (&by_value[index], &after[index], &before[index]) {
                    (Some(gradient), ..) => dot(&gradient[lane], v),
                    (None, Some(after), _) if A::WRITTEN[index] => dot(&after[lane], v),
                    (None, Some(after), Some(before)) => {
                        let added = after[lane].iter().zip(&before[lane]);
                        dot(
                            &added
                                .map(|(after, before)| after - before)
                                .collect::<Vec<_>>(),
                            v,
                        )
                    }
                    _ => 0.0,
                }
            };
            let parts: Vec<f64> = (0..at.len()).map(part).collect();
            let seeds = |index: usize| {
                let seeds = before[index].as_ref().filter(|_| A::WRITTEN[index]);
                seeds.map(|seeds| seeds[lane].clone())
            };
            let written: Vec<_> = (0..at.len()).map(seeds).collect();
            let mut primal = Primal {
                evaluate: &mut evaluate,
                at: at.clone(),
                function: name_of::<F>(),
                lane,
            };
            primal.require(
                parts.iter().sum(),
                &parts,
                &direction,
                &K::floats(),
                &written,
            );
        }
        (gradients, primal)
    })
}

impl<F, K, A, Out, const W: usize> Mode<F, K, A, W> for Checked<Reverse>
where
    A: CalledBy<F, Out, W> + Annotated,
    A::Gradients: Collapse,
    Out: Outcome,
    K: CheckedReverseKind<Out, W>,
    F: Function<A::Primals, Output = Out>,
    F: ReverseRule<K::R, A, W>,
{
    type Output = Out::Of<(<A::Gradients as Collapse>::Collapsed,)>;

    fn run_with(self, f: &F, _: K, mut args: A, strong_zero: bool) -> Self::Output {
        let config = ReverseConfig::new(false).with_strong_zero(strong_zero);
        let returned = checked::<F, K, A, Out, W>(f, &config, &mut args);
        Out::map_of(returned, |(gradients, _)| (gradients.collapse(),))
    }
}

impl<F, K, A, Out, const W: usize> Mode<F, K, A, W> for Checked<ReverseWithPrimal>
where
    A: CalledBy<F, Out, W> + Annotated,
    A::Gradients: Collapse,
    Out: Outcome,
    K: CheckedReverseKind<Out, W>,
    F: Function<A::Primals, Output = Out>,
    F: ReverseRule<K::R, A, W>,
{
    type Output = Out::Of<(<A::Gradients as Collapse>::Collapsed, Out::Value)>;

    fn run_with(self, f: &F, _: K, mut args: A, strong_zero: bool) -> Self::Output {
        let config = ReverseConfig::new(true).with_strong_zero(strong_zero);
        let returned = checked::<F, K, A, Out, W>(f, &config, &mut args);
        Out::map_of(returned, |(gradients, primal)| {
            let primal =
                primal.expect("a rule returns the primal when its configuration asks for it");
            (gradients.collapse(), primal)
        })
    }
}

/// Takes the gradient of `f` at `args`, as [`gradient`](crate::gradient()) does, and compares it with a difference along a
/// random direction. If `f` returns an error, nothing is compared.
///
/// ```
/// use coenzyme::prelude::*;
///
/// #[differentiable]
/// fn product(x: f64, y: f64) -> f64 {
///     x * y
/// }
///
/// assert_eq!(coenzyme::check_gradient(&product {}, (2.0_f64, 3.0_f64)), (3.0, 2.0));
/// ```
///
/// # Panics
/// If the gradient is wrong; see [`Checked`].
pub fn check_gradient<F, X, Out>(f: &F, args: X) -> Out::Of<X::Gradients>
where
    X: GradientArgs,
    X::Handles: CalledBy<F, Out, 1>,
    Out: ScalarOutcome,
    F: Function<<X::Handles as Annotated>::Primals, Output = Out>,
    F: ReverseRule<crate::Active<Out>, X::Handles, 1>,
{
    let mut handles = args.annotate();
    let config = ReverseConfig::new(false);
    let returned = checked::<F, AsActive, X::Handles, Out, 1>(f, &config, &mut handles);
    Out::map_of(returned, |(entries, _)| X::gradients(handles, entries))
}
