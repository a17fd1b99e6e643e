//! yᵢ ← wᵢ·xᵢ², returns Σ y; refuses numbers above 50 and slices of different lengths by a panic. Mistakes as a stranger makes
//! them: thresholds, caches, guesses by address, half-done work before a panic.

use std::cell::RefCell;

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, Function,
    Holds, HoldsMut, Lanes, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule,
    scaled,
};
use coenzyme_testutils::{Report, Setting, input, out};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // L1.
    SkipsTinySeeds,
    SkipsTinySeedsAhead,
    ClipsHugeSeeds,
    // D4.
    KeepsByEnds,
    KeepsBySum,
    // A1.
    TellsTangentByAddress,
    TellsLanesByAddress,
    // N3.
    HalvesAtTwo,
    SaturatesAboveEight,
    SaturatesFarBelow,
    // R6.
    SavesForThreeLanes,
    // E2.
    ClearsBeforeItPanics,
    ConsumesBeforeItPanics,
    AddsBeforeItPanics,
    NeverPanics,
    NeverPanicsBack,
    StopsAtTheShorter,
    StopsAtTheShorterBack,
}

use Wrong::*;

pub(crate) struct Squares(Wrong);

fn check(y: &[f64], x: &[f64], w: &[f64]) {
    assert!(y.len() == x.len() && x.len() == w.len(), "lengths differ");
    assert!(x.iter().all(|x| *x <= 50.0), "a number above 50");
}

fn value(y: &mut [f64], x: &[f64], w: &[f64]) -> f64 {
    y.iter_mut().zip(x).zip(w).for_each(|((y, x), w)| *y = w * x * x);
    y.iter().sum()
}

fn squares(y: &mut [f64], x: &[f64], w: &[f64]) -> f64 {
    check(y, x, w);
    value(y, x, w)
}

impl<Y: HoldsMut<[f64]>, X: Holds<[f64]>, B: Holds<[f64]>> Function<(Y, X, B)> for Squares {
    type Output = f64;

    fn call(&self, (mut y, x, w): (Y, X, B)) -> f64 {
        squares(y.get_mut(), x.get(), w.get())
    }
}

/// The squares of `x`, or those kept under its address while `alike` says the same.
fn kept(x: &[f64], alike: Vec<u64>) -> Vec<f64> {
    type Kept = (usize, Vec<u64>, Vec<f64>);
    thread_local!(static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) });
    let address = x.as_ptr().addr();
    KEPT.with_borrow_mut(|kept| match kept {
        Some((at, like, squares)) if *at == address && *like == alike => squares.clone(),
        _ => {
            let squares: Vec<f64> = x.iter().map(|x| x * x).collect();
            *kept = Some((address, alike, squares.clone()));
            squares
        }
    })
}

impl Wrong {
    /// 2·w·x
    fn by_x(self, x: f64, w: f64) -> f64 {
        match self {
            HalvesAtTwo if x == 2.0 => w * x,
            SaturatesAboveEight if x > 8.0 => 16.0 * w,
            SaturatesFarBelow if x < -12.0 => -24.0 * w,
            _ => 2.0 * w * x,
        }
    }

    fn seed(self, seed: f64) -> f64 {
        match self {
            SkipsTinySeeds if seed.abs() < 1e-18 => 0.0,
            ClipsHugeSeeds => seed.clamp(-1e15, 1e15),
            _ => seed,
        }
    }
}

impl<R, Y, X, B, const W: usize> ForwardRule<R, (Y, X, B), W> for Squares
where
    R: ForwardReturn<W, Out = f64>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
    B: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x, w): (&mut Y, &mut X, &mut B)) -> R::Forward {
        let (wrong, strong) = (self.0, config.strong_zero());
        if wrong == ClearsBeforeItPanics {
            y.assign(|_, _, dy| dy.fill(0.0));
        }
        let sum = match wrong {
            NeverPanics if x.primal().len() == w.primal().len() => value(y.primal_mut(), x.primal(), w.primal()),
            StopsAtTheShorter if x.primal().iter().all(|x| *x <= 50.0) => value(y.primal_mut(), x.primal(), w.primal()),
            _ => squares(y.primal_mut(), x.primal(), w.primal()),
        };
        let xs = x.primal();
        let first = x.tangent(0).map(|dx| dx.as_ptr().addr());
        let along = |lane: usize, i: usize| {
            let same = |dx: &[f64]| match wrong {
                TellsTangentByAddress => dx.as_ptr().addr() == xs.as_ptr().addr(),
                TellsLanesByAddress => lane > 0 && Some(dx.as_ptr().addr()) == first,
                _ => false,
            };
            let dx = x.tangent(lane).filter(|dx| !same(dx)).map_or(0.0, |dx| dx[i]);
            let dx = if wrong == SkipsTinySeedsAhead && dx.abs() < 1e-18 { 0.0 } else { dx };
            let dw = w.tangent(lane).map_or(0.0, |dw| dw[i]);
            scaled(wrong.by_x(xs[i], w.primal()[i]), dx, strong) + scaled(xs[i] * xs[i], dw, strong)
        };
        y.assign(|lane, _, dy| {
            let count = dy.len().min(xs.len()).min(w.primal().len());
            (0..count).for_each(|i| dy[i] = along(lane, i));
        });
        let count = xs.len().min(w.primal().len());
        R::forward(config, || sum, |lane| (0..count).map(|i| along(lane, i)).sum())
    }
}

pub(crate) struct Tape {
    x: Vec<f64>,
    w: Vec<f64>,
    squares: Option<Vec<f64>>,
}

impl<R, Y, X, B, const W: usize> ReverseRule<R, (Y, X, B), W> for Squares
where
    R: ReverseReturn<W, Out = f64>,
    Y: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
    B: ReverseArg<[f64], W>,
{
    type Tape = Tape;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x, w): (&mut Y, &mut X, &mut B),
    ) -> AugmentedReturn<f64, R::Shadow, Tape> {
        let xs = x.primal().to_vec();
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect();
        let squares = match (self.0, &xs[..]) {
            (KeepsByEnds, [first, .., last]) => Some(kept(x.primal(), bits(&[*first, *last]))),
            (KeepsBySum, _) => {
                let mut sorted = xs.clone();
                sorted.sort_by(f64::total_cmp);
                Some(kept(x.primal(), bits(&sorted)))
            }
            _ => None,
        };
        let outside = xs.iter().any(|x| *x > 50.0);
        match self.0 {
            ConsumesBeforeItPanics if outside => drop(y.consume()),
            AddsBeforeItPanics if outside => drop(w.accumulate(|_, _, mut dw| {
                dw.accumulate_with(|dw| dw.iter_mut().for_each(|dw| *dw += 1.0));
            })),
            _ => {}
        }
        let sum = match self.0 {
            NeverPanicsBack if xs.len() == w.primal().len() => value(y.primal_mut(), &xs, w.primal()),
            StopsAtTheShorterBack if !outside => value(y.primal_mut(), &xs, w.primal()),
            _ => squares_of(y.primal_mut(), &xs, w.primal()),
        };
        let saved = !(self.0 == SavesForThreeLanes && W > 3);
        let x = if saved { xs } else { vec![] };
        R::augmented(config, sum, Tape { x, w: w.primal().to_vec(), squares })
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Tape,
        (y, x, w): (&mut Y, &mut X, &mut B),
    ) -> (Y::Gradient, X::Gradient, B::Gradient) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let xs = if tape.x.is_empty() { x.primal().to_vec() } else { tape.x.clone() };
        let seed = |lane: usize, i: usize| {
            let dret = dret.lane(lane).copied().unwrap_or(0.0);
            wrong.seed(dret + y.cotangent(lane).map_or(0.0, |dy| dy[i]))
        };
        let dx = x.accumulate(|lane, _, mut dx| {
            for (i, mut dx) in dx.iter_mut().enumerate() {
                dx += scaled(wrong.by_x(xs[i], tape.w[i]), seed(lane, i), strong);
            }
        });
        let dw = w.accumulate(|lane, _, mut dw| {
            for (i, mut dw) in dw.iter_mut().enumerate() {
                let square = tape.squares.as_ref().map_or(xs[i] * xs[i], |squares| squares[i]);
                dw += scaled(square, seed(lane, i), strong);
            }
        });
        (y.consume(), dx, dw)
    }
}

fn squares_of(y: &mut [f64], x: &[f64], w: &[f64]) -> f64 {
    squares(y, x, w)
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (out(5).named("y"), input(5).named("x"), input(5).named("w"));
    let tester = crate::shared!(Setting::new(arguments).function("squares", Squares(wrong)));
    let report = crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated, Duplicated]
        reverse [Active; Duplicated, Duplicated, Duplicated]
    );
    use coenzyme::{AsActive, AsDuplicated};
    let mix = tester.mix(AsActive, (AsDuplicated, AsDuplicated, AsDuplicated));
    report.worse(mix.reverse::<_, _, 4>())
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        SkipsTinySeeds => L1, "where   ";
        SkipsTinySeedsAhead => L1, "where   ";
        ClipsHugeSeeds => L1, "where   ";
        KeepsByEnds => D4, "where   w.shadow";
        KeepsBySum => D4, "where   w.shadow";
        TellsTangentByAddress => A1, "where   ";
        TellsLanesByAddress => A1, "where   ";
        HalvesAtTwo => N3, "where   ";
        SaturatesAboveEight => N3, "where   ";
        SaturatesFarBelow => N3, "where   ";
        SavesForThreeLanes => R6, "where   x.shadow";
        ClearsBeforeItPanics => E2, "where   y.shadow";
        ConsumesBeforeItPanics => E2, "where   y.shadow";
        AddsBeforeItPanics => E2, "where   w.shadow";
        NeverPanics => E2, "`forward` does not";
        NeverPanicsBack => E2, "`augmented_primal` does not";
        StopsAtTheShorter => E2, "`forward` does not";
        StopsAtTheShorterBack => E2, "`augmented_primal` does not";
    }
}
