//! y ← √x, returns Σ y, or an error if some x is negative: rules that do something before they look.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, HoldsMut,
    Lanes, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, input, out};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    AssignsBeforeItLooks,
    WritesBeforeItLooks,
    NeverRefuses,
    ConsumesBeforeItLooks,
    WritesBeforeItLooksBack,
    NeverRefusesBack,
    RefusesLateBack,
    RefusesForAnotherReason,
    RefusesForAnotherReasonBack,
    NamesAnotherPlace,
    NamesAnotherPlaceBack,
    // In some mixes or widths only.
    AssignsInSeveralLanes,
    ConsumesInSeveralLanes,
    NeverRefusesIfConst,
    NeverRefusesWithPrimal,
    // Of some points only.
    LooksAtTheLast,
    LooksAtTheLastBack,
    LooksAtTheEnds,
    LooksAtTheEndsBack,
    LooksForNumbersFirst,
    LooksForNumbersFirstBack,
    TakesInfinity,
    TakesInfinityBack,
}

use Wrong::*;

pub(crate) struct Roots(Wrong);

/// Why there is no root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NoRoot {
    /// Of a negative number, at this place.
    Negative(usize),
    /// Of a number that is none.
    NotANumber,
}

use NoRoot::{Negative, NotANumber};

fn roots(y: &mut [f64], x: &[f64]) -> Result<f64, NoRoot> {
    if let Some(place) = x.iter().position(|x| *x < 0.0) {
        return Err(Negative(place));
    }
    if x.iter().any(|x| x.is_nan()) {
        return Err(NotANumber);
    }
    y.iter_mut().zip(x).for_each(|(y, x)| *y = x.sqrt());
    Ok(y.iter().sum())
}

/// Whether nothing is negative that is finite.
fn at_infinity_only(x: &[f64]) -> bool {
    !x.iter().any(|x| *x < 0.0 && x.is_finite())
}

/// Whether both ends are positive.
fn ends(x: &[f64]) -> bool {
    x[0] >= 0.0 && x[x.len() - 1] >= 0.0
}

impl<Y: HoldsMut<[f64]>, X: Holds<[f64]>> Function<(Y, X)> for Roots {
    type Output = Result<f64, NoRoot>;

    fn call(&self, (mut y, x): (Y, X)) -> Result<f64, NoRoot> {
        roots(y.get_mut(), x.get())
    }
}

impl<R, Y, X, const W: usize> ForwardRule<R, (Y, X), W> for Roots
where
    R: ForwardReturn<W, Out = Result<f64, NoRoot>>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x): (&mut Y, &mut X)) -> Result<R::Forward, NoRoot> {
        match self.0 {
            AssignsBeforeItLooks => y.assign(|_, _, dy| dy.fill(0.0)),
            AssignsInSeveralLanes if W > 1 => y.assign(|_, _, dy| dy.fill(0.0)),
            WritesBeforeItLooks => y.primal_mut().fill(0.0),
            _ => {}
        }
        let sum = match (self.0, roots(y.primal_mut(), x.primal())) {
            (RefusesForAnotherReason, Err(_)) => return Err(NotANumber),
            (NamesAnotherPlace, Err(_)) => return Err(Negative(0)),
            (NeverRefusesIfConst, Err(_)) if x.tangent(0).is_none() => f64::NAN,
            (NeverRefusesWithPrimal, Err(_)) if config.needs_primal() => f64::NAN,
            (LooksAtTheEnds, Err(_)) if ends(x.primal()) => f64::NAN,
            (LooksForNumbersFirst, Err(_)) if x.primal().iter().any(|x| x.is_nan()) => return Err(NotANumber),
            (TakesInfinity, Err(Negative(_))) if at_infinity_only(x.primal()) => f64::NAN,
            (LooksAtTheLast, Err(_)) if x.primal().last().is_some_and(|x| *x >= 0.0) => f64::NAN,
            (NeverRefuses, sum) => sum.unwrap_or(f64::NAN),
            (_, sum) => sum?,
        };
        let strong = config.strong_zero();
        let tangent = |x: f64, dx: f64| scaled(0.5 / x.sqrt(), dx, strong);
        y.assign(|lane, _, dy| match x.tangent(lane) {
            Some(dx) => {
                let entries = dy.iter_mut().zip(x.primal()).zip(dx);
                entries.for_each(|((dy, x), dx)| *dy = tangent(*x, *dx));
            }
            None => dy.fill(0.0),
        });
        let sum_of = |lane| {
            let dx = x.tangent(lane)?;
            Some(x.primal().iter().zip(dx).map(|(x, dx)| tangent(*x, *dx)).sum())
        };
        Ok(R::forward(config, || sum, |lane| sum_of(lane).unwrap_or(0.0)))
    }
}

impl<R, Y, X, const W: usize> ReverseRule<R, (Y, X), W> for Roots
where
    R: ReverseReturn<W, Out = Result<f64, NoRoot>>,
    Y: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Vec<f64>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x): (&mut Y, &mut X),
    ) -> Result<AugmentedReturn<f64, R::Shadow, Vec<f64>>, NoRoot> {
        match self.0 {
            ConsumesBeforeItLooks if x.primal().iter().any(|x| *x < 0.0) => drop(y.consume()),
            ConsumesInSeveralLanes if W > 1 && x.primal().iter().any(|x| *x < 0.0) => drop(y.consume()),
            WritesBeforeItLooksBack => y.primal_mut().fill(0.0),
            _ => {}
        }
        let sum = match (self.0, roots(y.primal_mut(), x.primal())) {
            (RefusesForAnotherReasonBack, Err(_)) => return Err(NotANumber),
            (NamesAnotherPlaceBack, Err(_)) => return Err(Negative(0)),
            (LooksAtTheEndsBack, Err(_)) if ends(x.primal()) => f64::NAN,
            (LooksForNumbersFirstBack, Err(_)) if x.primal().iter().any(|x| x.is_nan()) => return Err(NotANumber),
            (TakesInfinityBack, Err(Negative(_))) if at_infinity_only(x.primal()) => f64::NAN,
            (LooksAtTheLastBack, Err(_)) if x.primal().last().is_some_and(|x| *x >= 0.0) => f64::NAN,
            (NeverRefusesBack, sum) => sum.unwrap_or(f64::NAN),
            (RefusesLateBack, Err(_)) if x.primal()[0] >= 0.0 => f64::NAN,
            (_, sum) => sum?,
        };
        Ok(R::augmented(config, sum, x.primal().to_vec()))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Vec<f64>,
        (y, x): (&mut Y, &mut X),
    ) -> (Y::Gradient, X::Gradient) {
        let dx = x.accumulate(|lane, _, mut dx| {
            let dret = dret.lane(lane).copied().unwrap_or(0.0);
            for (i, mut dx) in dx.iter_mut().enumerate() {
                let seed = dret + y.cotangent(lane).map_or(0.0, |dy| dy[i]);
                dx += scaled(0.5 / tape[i].sqrt(), seed, config.strong_zero());
            }
        });
        (y.consume(), dx)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (out(3).named("y"), input(3).within(0.1..4.0).named("x"));
    let tester = crate::shared!(Setting::new(arguments).function("roots", Roots(wrong)));
    let tester = tester.errors(Some(|outcome| format!("{outcome:?}")));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        reverse [Active; Duplicated, Duplicated]
    )
}

/// Where nothing is active that is read.
fn of_constants(wrong: Wrong) -> Report {
    let arguments = (out(3).named("y"), input(3).within(0.1..4.0).named("x"));
    let tester = crate::shared!(Setting::new(arguments).function("roots", Roots(wrong)));
    crate::in_mixes!(tester; only forward [Duplicated; Duplicated, Const])
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        AssignsBeforeItLooks => E2, "where   y.shadow";
        WritesBeforeItLooks => E2, "where   y: E2";
        NeverRefuses => E2, "`forward` does not";
        ConsumesBeforeItLooks => E2, "where   y.shadow";
        WritesBeforeItLooksBack => E2, "where   y: E2";
        NeverRefusesBack => E2, "`augmented_primal` does not";
        RefusesLateBack => E2, "`augmented_primal` does not";
        RefusesForAnotherReason => E2, "NotANumber";
        RefusesForAnotherReasonBack => E2, "NotANumber";
        NamesAnotherPlace => E2, "Negative(0)";
        NamesAnotherPlaceBack => E2, "Negative(0)";
        AssignsInSeveralLanes => E2, "width 2";
        ConsumesInSeveralLanes => E2, "width 2";
        NeverRefusesWithPrimal => E2, "needs_primal=true";
        LooksAtTheLast => E2, "`forward` does not";
        LooksAtTheLastBack => E2, "`augmented_primal` does not";
        LooksAtTheEnds => E2, "`forward` does not";
        LooksAtTheEndsBack => E2, "`augmented_primal` does not";
        LooksForNumbersFirst => E2, "NotANumber";
        LooksForNumbersFirstBack => E2, "NotANumber";
        TakesInfinity => E2, "`forward` does not";
        TakesInfinityBack => E2, "`augmented_primal` does not";
    }
    of_constants {
        NeverRefusesIfConst => E2, "x=Const";
    }
}
