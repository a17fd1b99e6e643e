//! Σ xᵢᵖ, or their mean: mistakes at lengths, and with powers and flags, that the test does not name.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Report, Setting, input, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    SumsInBlocks,
    // Z2.
    LeavesOutRemainder,
    BlockOfThirtyTwo,
    HalvesIfEven,
    PanicsIfEmpty,
    LastOfLongOnes,
    // Z4.
    AtNineteen,
    TenOfSixteen,
    TwoBlocksOfThirty,
    OneBeyondSixtyFour,
    LastOfThousands,
    BlockOfFourThousand,
    LastBeyondTwoThousand,
    // Z3.
    AssumesCubes,
    NoDerivativeOfLines,
    ForgetsSignOfPower,
    ForgetsToDivide,
    MeanOfLines,
    LinesAtZero,
    FifthPowersBelowZero,
    // U2.
    OneHotAtForty,
    OneHotOfThirtyThree,
}

use Wrong::*;

pub(crate) struct Powers(Wrong);

fn powers(x: &[f64], p: i32, mean: bool) -> f64 {
    let sum: f64 = x.iter().map(|x| x.powi(p)).sum();
    if mean { sum / x.len().max(1) as f64 } else { sum }
}

impl<X: Holds<[f64]>, P: Holds<i32>, M: Holds<bool>> Function<(X, P, M)> for Powers {
    type Output = f64;

    fn call(&self, (x, p, mean): (X, P, M)) -> f64 {
        powers(x.get(), *p.get(), *mean.get())
    }
}

impl Wrong {
    fn value(self, x: &[f64], p: i32, mean: bool) -> f64 {
        match self {
            SumsInBlocks if !mean => x.chunks(7).map(|x| powers(x, p, false)).sum(),
            _ => powers(x, p, mean),
        }
    }

    fn gradient(self, x: &[f64], p: i32, mean: bool) -> Vec<f64> {
        assert!(self != PanicsIfEmpty || !x.is_empty(), "nothing to sum");
        let length = x.len();
        let share = match self {
            ForgetsToDivide => 1.0,
            _ if mean => length.max(1) as f64,
            _ => 1.0,
        };
        let below = x.iter().all(|x| *x < 0.0);
        let partial = |(i, x): (usize, &f64)| {
            let right = if p == 0 { 0.0 } else { f64::from(p) * x.powi(p.wrapping_sub(1)) / share };
            match self {
                LeavesOutRemainder if length > 4 && i >= length / 4 * 4 => 0.0,
                BlockOfThirtyTwo if i >= 32 => 0.0,
                HalvesIfEven if length.is_multiple_of(2) => right / 2.0,
                LastOfLongOnes if length > 1000 && i + 1 == length => 0.0,
                AtNineteen if length == 19 && i == 6 => 0.0,
                TenOfSixteen if length % 16 == 10 && i + 1 == length => right / 2.0,
                TwoBlocksOfThirty if length == 59 && i == 30 => 0.0,
                OneBeyondSixtyFour if length == 65 && i == 64 => 0.0,
                LastOfThousands if length > 1010 && i + 1 == length => 0.0,
                BlockOfFourThousand if i >= 4096 => 0.0,
                LastBeyondTwoThousand if length > 2100 && i + 1 == length => 0.0,
                AssumesCubes => 3.0 * x * x / share,
                ForgetsSignOfPower => right.abs() * x.powi(p.wrapping_sub(1)).signum(),
                MeanOfLines if mean && p == 1 => right / 2.0,
                NoDerivativeOfLines if p == 1 => 0.0,
                LinesAtZero if p == 1 && *x == 0.0 => 0.0,
                FifthPowersBelowZero if p == 5 && below => 0.0,
                _ => right,
            }
        };
        x.iter().enumerate().map(partial).collect()
    }
}

impl<R, X, P, M, const W: usize> ForwardRule<R, (X, P, M), W> for Powers
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<[f64], W>,
    P: ForwardArg<i32, W>,
    M: ForwardArg<bool, W>,
{
    fn forward(&self, config: &ForwardConfig, (x, p, mean): (&mut X, &mut P, &mut M)) -> R::Forward {
        let (p, mean) = (*p.primal(), *mean.primal());
        let gradient = self.0.gradient(x.primal(), p, mean);
        let along = |dx: &[f64]| {
            let hot = dx.iter().filter(|dx| **dx != 0.0).count() == 1;
            match self.0 {
                OneHotAtForty if hot && dx.len() > 40 && dx[40] != 0.0 => return 0.0,
                OneHotOfThirtyThree if hot && dx.len() == 33 => return 0.0,
                _ => {}
            }
            let terms = gradient.iter().zip(dx);
            terms.map(|(g, dx)| scaled(*g, *dx, config.strong_zero())).sum()
        };
        let value = || self.0.value(x.primal(), p, mean);
        R::forward(config, value, |lane| x.tangent(lane).map_or(0.0, along))
    }
}

impl<R, X, P, M, const W: usize> ReverseRule<R, (X, P, M), W> for Powers
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
    P: ReverseArg<i32, W>,
    M: ReverseArg<bool, W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, mean): (&mut X, &mut P, &mut M),
    ) -> AugmentedReturn<f64, R::Shadow, Saved<[f64]>> {
        let tape = Saved::new(x.primal(), config.overwritten(0));
        R::augmented(config, self.0.value(x.primal(), *p.primal(), *mean.primal()), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Saved<[f64]>,
        (x, p, mean): (&mut X, &mut P, &mut M),
    ) -> (X::Gradient, P::Gradient, M::Gradient) {
        let (of, flag) = (*p.primal(), *mean.primal());
        let dx = x.accumulate(|lane, x, mut dx| {
            let seed = dret.lane(lane).copied().unwrap_or(0.0);
            for (mut dx, g) in dx.iter_mut().zip(self.0.gradient(tape.get(x), of, flag)) {
                dx += scaled(g, seed, config.strong_zero());
            }
        });
        (dx, p.accumulate(|_, _, _| {}), mean.accumulate(|_, _, _| {}))
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (input(3).named("x"), value(3_i32).named("p"), value(false).named("mean"));
    let tester = crate::shared!(Setting::new(arguments).function("powers", Powers(wrong)));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Const, Const]
        reverse [Active; Duplicated, Const, Const]
    )
}

crate::variants!(judge: Nothing, SumsInBlocks);

crate::mutants! {
    judge {
        LeavesOutRemainder => Z2, "Z2";
        BlockOfThirtyTwo => Z2, "size 37";
        HalvesIfEven => Z2, "size 2";
        PanicsIfEmpty => Z2, "size 0";
        LastOfLongOnes => Z2, "size 1009";
        AtNineteen => Z4, "size 19";
        TenOfSixteen => Z4, "size 10";
        TwoBlocksOfThirty => Z4, "size 59";
        OneBeyondSixtyFour => Z4, "size 65";
        LastOfThousands => Z4, "size 1023";
        BlockOfFourThousand => Z4, "size 4099";
        LastBeyondTwoThousand => Z4, "size 4099";
        AssumesCubes => Z3, "size p.";
        NoDerivativeOfLines => Z3, "size p.";
        ForgetsSignOfPower => Z3, "size p.";
        ForgetsToDivide => Z3, "size mean.0";
        MeanOfLines => Z3, "_mean.0";
        LinesAtZero => Z3, "size p.";
        FifthPowersBelowZero => Z3, "size p.";
        OneHotAtForty => U2, "size 8";
        OneHotOfThirtyThree => U2, "size 33";
    }
}
