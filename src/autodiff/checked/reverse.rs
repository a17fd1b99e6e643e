//! The check of reverse mode: `⟨x̄, v⟩` is the derivative of what is seeded along a random `v`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::super::mode::both;
use super::super::returning::Seed;
use super::super::{
    AsActive, AsConst, Collapse, GradientArgs, Mode, Natural, NaturalReturn, Reverse, ReverseKind,
    ReverseWithPrimal, ScalarOutcome,
};
use super::{CalledBy, Checked, Draw, Primal, ProbedArgs, dot, name_of};
use crate::config::ReverseConfig;
use crate::rule::{Annotated, Function, Outcome, ReverseRule};
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
        Tangent::to_flat(&Out::Value::seed())
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

/// What a check of reverse mode keeps from before the pass.
pub(super) struct Watched<A: ProbedArgs<W>, const W: usize> {
    copies: A::Copied,
    at: Vec<Vec<f64>>,
    before: Vec<Option<Vec<Vec<f64>>>>,
    /// The cotangent of what is returned, in each lane.
    seeds: [Vec<f64>; W],
    /// How many floats a number has: two, if it is dual.
    floats: usize,
}

impl<A: ProbedArgs<W>, const W: usize> Watched<A, W> {
    pub(super) fn begin(args: &A) -> Self {
        let copies = args.copied();
        Watched {
            at: A::read(&copies),
            copies,
            before: args.shadows(),
            seeds: std::array::from_fn(|_| Vec::new()),
            floats: 1,
        }
    }

    /// As a driver begins that seeds one number with one.
    fn begin_with_one(args: &A, one: &[f64]) -> Self {
        Watched {
            seeds: std::array::from_fn(|_| one.to_vec()),
            floats: one.len().max(1),
            ..Self::begin(args)
        }
    }

    /// The shadows, and what is returned, have been given their cotangents.
    pub(super) fn seeded(&mut self, args: &A, seeds: [Vec<f64>; W]) {
        (self.before, self.seeds) = (args.shadows(), seeds);
    }

    /// Requires what a pass has left in `args` and returned as `gradients` to be the derivative.
    pub(super) fn require<F, Out>(mut self, f: &F, args: &A, gradients: &A::Gradients)
    where
        A: CalledBy<F, Out, W>,
        Out: Outcome,
    {
        let (after, by_value) = (args.shadows(), A::returned(gradients));
        let (at, before, floats) = (&self.at, &self.before, self.floats);
        let mut evaluate = |x: &[Vec<f64>]| {
            A::write(&mut self.copies, x);
            let call = AssertUnwindSafe(|| A::called(f, &mut self.copies));
            let out = catch_unwind(call).ok()?;
            let value = Tangent::to_flat(Outcome::value(&out)?);
            Some((value, A::read(&self.copies)))
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
                let added = match (&by_value[index], &after[index], &before[index]) {
                    (Some(gradient), ..) => gradient[lane].clone(),
                    (None, Some(after), Some(before)) if !A::WRITTEN[index] => {
                        let pairs = after[lane].iter().zip(&before[lane]);
                        pairs.map(|(after, before)| after - before).collect()
                    }
                    (None, Some(after), _) => after[lane].clone(),
                    _ => return 0.0,
                };
                dot(&paired(added, floats), &direction[index])
            };
            let parts: Vec<f64> = (0..at.len()).map(part).collect();
            let seeds = |index: usize| {
                let seeds = before[index].as_ref().filter(|_| A::WRITTEN[index])?;
                Some(paired(seeds[lane].clone(), floats))
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
                &paired(self.seeds[lane].clone(), floats),
                &written,
            );
        }
    }
}

/// A cotangent as the weights of the floats of a tangent. That of a dual number is multiplied as a dual number is: with the parts
/// reversed, the sum of products is the last part of that, where the second derivative stands.
fn paired(mut cotangent: Vec<f64>, floats: usize) -> Vec<f64> {
    cotangent.chunks_mut(floats).for_each(<[f64]>::reverse);
    cotangent
}

/// Both halves as the driver runs them, and the check.
fn checked<F, K, A, Out, const VALUE: bool, const W: usize>(
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
    let watched = Watched::begin_with_one(args, &K::floats());
    let returned = both::<F, K, A, Out, VALUE, W>(f, config, args);
    Out::map_of(returned, |(gradients, primal)| {
        watched.require(f, args, &gradients);
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
        let returned = checked::<F, K, A, Out, false, W>(f, &config, &mut args);
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
        let returned = checked::<F, K, A, Out, true, W>(f, &config, &mut args);
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
    let returned = checked::<F, AsActive, X::Handles, Out, false, 1>(f, &config, &mut handles);
    Out::map_of(returned, |(entries, _)| X::gradients(handles, entries))
}
