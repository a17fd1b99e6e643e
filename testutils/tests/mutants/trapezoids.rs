//! The trapezoidal rule, Σ ½·(xᵢ₊₁ − xᵢ)·(wᵢ₊₁ + wᵢ), and mistakes that only rows of seeds and shadows of a certain kind show, in long
//! arguments or in short ones.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, input};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // U4.
    TakesRampForGrid,
    HalvesRowBelowZero,
    LimitsLongRows,
    LimitsLastOfLongRows,
    LosesSmallSeeds,
    // L2.
    AssignsIfEnormous,
    // R7.
    AssignsOverOnes,
    // N3.
    OppositeSides,
    BothBelowZero,
}

use Wrong::*;

pub(crate) struct Trapezoids(Wrong);

fn area(x: &[f64], w: &[f64]) -> f64 {
    let strips = x.windows(2).zip(w.windows(2));
    strips.map(|(x, w)| 0.5 * (x[1] - x[0]) * (w[0] + w[1])).sum()
}

impl<X: Holds<[f64]>, B: Holds<[f64]>> Function<(X, B)> for Trapezoids {
    type Output = f64;

    fn call(&self, (x, w): (X, B)) -> f64 {
        area(x.get(), w.get())
    }
}

impl Wrong {
    /// By `x` and by `w`.
    fn gradient(self, x: &[f64], w: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = x.len();
        let (mut by_x, mut by_w) = (vec![0.0; n], vec![0.0; n]);
        for i in 1..n {
            let (height, width) = (0.5 * (w[i] + w[i - 1]), 0.5 * (x[i] - x[i - 1]));
            by_x[i] += height;
            by_x[i - 1] -= height;
            by_w[i] += width;
            by_w[i - 1] += width;
        }
        let (above, below) = (|x: &f64| *x > 0.0, |x: &f64| *x < 0.0);
        let wrong = match self {
            OppositeSides => x.iter().all(below) && w.iter().all(above),
            BothBelowZero => x.iter().all(below) && w.iter().all(below),
            _ => false,
        };
        if wrong && n > 1 {
            by_x[0] *= 0.5;
        }
        (by_x, by_w)
    }

    /// What becomes of the tangent of `x`.
    fn ahead(self, dx: &mut [f64]) {
        let n = dx.len();
        let step = |i: usize| dx[i + 1] - dx[i];
        let limited = |dx: f64| dx.clamp(-1e3, 1e3);
        match self {
            TakesRampForGrid if n > 2 && step(0) != 0.0 && (1..n - 1).all(|i| step(i) == step(0)) => {
                dx[0] = 0.0;
            }
            HalvesRowBelowZero if n > 8 && dx.iter().all(|dx| *dx < 0.0) => dx[0] *= 0.5,
            LimitsLongRows if n > 8 => dx.iter_mut().for_each(|dx| *dx = limited(*dx)),
            LimitsLastOfLongRows if n > 8 && dx[..n - 1].iter().all(|dx| *dx == 0.0) => {
                dx[n - 1] = limited(dx[n - 1]);
            }
            _ => {}
        }
    }

    fn add(self, shadow: &mut [f64], added: impl Iterator<Item = f64>) {
        let clears = match self {
            AssignsIfEnormous => shadow.iter().any(|x| x.abs() > 1e100),
            AssignsOverOnes => shadow.len() > 8 && shadow.iter().all(|x| *x == 1.0),
            _ => false,
        };
        if clears {
            shadow.fill(0.0);
        }
        shadow.iter_mut().zip(added).for_each(|(shadow, added)| *shadow += added);
    }
}

impl<R, X, B, const W: usize> ForwardRule<R, (X, B), W> for Trapezoids
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<[f64], W>,
    B: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (x, w): (&mut X, &mut B)) -> R::Forward {
        let (by_x, by_w) = self.0.gradient(x.primal(), w.primal());
        let along = |partials: &[f64], seeds: &[f64]| -> f64 {
            let terms = partials.iter().zip(seeds);
            terms.map(|(g, dx)| scaled(*g, *dx, config.strong_zero())).sum()
        };
        R::forward(config, || area(x.primal(), w.primal()), |lane| {
            let mut dx = x.tangent(lane).map_or_else(Vec::new, <[f64]>::to_vec);
            self.0.ahead(&mut dx);
            along(&by_x, &dx) + w.tangent(lane).map_or(0.0, |dw| along(&by_w, dw))
        })
    }
}

impl<R, X, B, const W: usize> ReverseRule<R, (X, B), W> for Trapezoids
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
    B: ReverseArg<[f64], W>,
{
    type Tape = (Vec<f64>, Vec<f64>);

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, w): (&mut X, &mut B),
    ) -> AugmentedReturn<f64, R::Shadow, Self::Tape> {
        let tape = self.0.gradient(x.primal(), w.primal());
        R::augmented(config, area(x.primal(), w.primal()), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        (by_x, by_w): Self::Tape,
        (x, w): (&mut X, &mut B),
    ) -> (X::Gradient, B::Gradient) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let seed = |lane: usize| match dret.lane(lane).copied().unwrap_or(0.0) {
            seed if wrong == LosesSmallSeeds && by_x.len() > 8 && seed.abs() < 1e-9 => 0.0,
            seed => seed,
        };
        let added = |partials: &[f64], lane: usize| -> Vec<f64> {
            partials.iter().map(|g| scaled(*g, seed(lane), strong)).collect()
        };
        let dx = x.accumulate(|lane, _, mut dx| {
            dx.accumulate_with(|dx| wrong.add(dx, added(&by_x, lane).into_iter()));
        });
        let dw = w.accumulate(|lane, _, mut dw| {
            dw.accumulate_with(|dw| wrong.add(dw, added(&by_w, lane).into_iter()));
        });
        (dx, dw)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (input(5).named("x"), input(5).named("w"));
    let tester = crate::shared!(Setting::new(arguments).function("trapezoids", Trapezoids(wrong)));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        reverse [Active; Duplicated, Duplicated]
    )
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        TakesRampForGrid => U4, "where   ret.tangent";
        HalvesRowBelowZero => U4, "where   ret.tangent";
        LimitsLongRows => U4, "where   ret.tangent";
        LimitsLastOfLongRows => U4, "where   ret.tangent";
        LosesSmallSeeds => U4, "where   ";
        AssignsIfEnormous => L2, "where   ";
        AssignsOverOnes => R7, "where   ";
        OppositeSides => N3, "where   ";
        BothBelowZero => N3, "where   ";
    }
}
