//! Σ wᵢ·xᵢ², and mistakes that need a call of a kind of its own: a seed of two, shadows of ones, a zero beside what has been
//! accumulated, lengths between powers of two, numbers between those that others try.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Report, Setting, input};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // U1.
    SeedOfTwo,
    SeedOfTwoAhead,
    SeedOfHalf,
    LanesAlike,
    TangentsAlike,
    // U2.
    BothOneHot,
    PrefixIsZero,
    SuffixIsZero,
    // R5.
    ShadowOfOnes,
    ShadowAllAlike,
    // R3.
    ClearsWhereSeedIsZero,
    AssignsWhereSeedIsZero,
    // N3.
    Palindrome,
    AboveHundred,
    AboveThousand,
    MiddleIsSmall,
    SecondIsFourth,
    FirstIsOpposite,
    AtMinusEight,
    ClipsPartials,
    // Z4.
    BlocksOfThreeHundred,
    BlocksOfSevenHundred,
    BlocksOfTwoThousand,
    // D1.
    OrderOfAddresses,
    // B1.
    LastOfSeven,
}

use Wrong::*;

pub(crate) struct Weighted(Wrong);

fn weighted(x: &[f64], w: &[f64]) -> f64 {
    x.iter().zip(w).map(|(x, w)| w * x * x).sum()
}

impl<X: Holds<[f64]>, B: Holds<[f64]>> Function<(X, B)> for Weighted {
    type Output = f64;

    fn call(&self, (x, w): (X, B)) -> f64 {
        weighted(x.get(), w.get())
    }
}

/// How many entries are not zero.
fn hot(tangent: &[f64]) -> usize {
    tangent.iter().filter(|dx| **dx != 0.0).count()
}

fn address(slice: &[f64]) -> usize {
    slice.as_ptr().addr()
}

impl Wrong {
    /// 2·w·x
    fn by_x(self, i: usize, x: &[f64], w: &[f64]) -> f64 {
        let (n, right) = (x.len(), 2.0 * w[i] * x[i]);
        let reversed = || n > 2 && x.iter().eq(x.iter().rev());
        let wrong = match self {
            Palindrome => i == 0 && reversed(),
            AboveHundred => (100.0..600.0).contains(&x[i].abs()),
            AboveThousand => (1e3..1e7).contains(&x[i].abs()),
            MiddleIsSmall => n > 2 && x[n / 2] != 0.0 && x[n / 2].abs() < 1e-6 && x[0].abs() > 1e-3,
            SecondIsFourth => n > 3 && i == 1 && x[1] == x[3] && x[0] != x[1],
            FirstIsOpposite => n > 3 && i == 0 && x[0] == -x[1],
            AtMinusEight => x[i] == -8.0,
            BlocksOfThreeHundred => (384..500).contains(&n) && i == 256,
            BlocksOfSevenHundred => (700..999).contains(&n) && i == 640,
            BlocksOfTwoThousand => n >= 2048 && i == 2047,
            _ => false,
        };
        match self {
            ClipsPartials => right.clamp(-100.0, 100.0),
            _ if wrong => right / 2.0,
            _ => right,
        }
    }

    fn seed(self, lane: usize, seeds: &[f64]) -> f64 {
        match (self, seeds[lane]) {
            (SeedOfTwo, 2.0) | (SeedOfHalf, 0.5) => 1.0,
            (LanesAlike, seed) if lane > 0 && seed == seeds[lane - 1] => 0.0,
            (LastOfSeven, _) if lane == 6 => seeds[5],
            (_, seed) => seed,
        }
    }

    /// What is left of a tangent.
    fn along(self, dx: Option<&[f64]>, dw: Option<&[f64]>) -> f64 {
        let (Some(dx), Some(dw)) = (dx, dw) else { return 1.0 };
        let n = dx.len();
        let zeros = |entries: [usize; 2]| n > 3 && entries.iter().all(|i| dx[*i] == 0.0);
        let others = |entries: [usize; 2]| entries.iter().all(|i| dx[*i] != 0.0);
        let wrong = match self {
            SeedOfTwoAhead => n > 0 && dx.iter().all(|dx| *dx == 2.0),
            TangentsAlike => n > 1 && dx == dw,
            BothOneHot => n > 2 && hot(dx) == 1 && hot(dw) == 1,
            PrefixIsZero => zeros([0, 1]) && others([2, 3]),
            SuffixIsZero => n > 3 && zeros([n - 2, n - 1]) && others([0, 1]),
            _ => false,
        };
        if wrong { 0.5 } else { 1.0 }
    }
}

impl<R, X, B, const W: usize> ForwardRule<R, (X, B), W> for Weighted
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<[f64], W>,
    B: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (x, w): (&mut X, &mut B)) -> R::Forward {
        let (xs, ws, strong) = (x.primal(), w.primal(), config.strong_zero());
        R::forward(config, || weighted(xs, ws), |lane| {
            let (dx, dw) = (x.tangent(lane), w.tangent(lane));
            let along = |i: usize| {
                let by_x = dx.map_or(0.0, |dx| scaled(self.0.by_x(i, xs, ws), dx[i], strong));
                by_x + dw.map_or(0.0, |dw| scaled(xs[i] * xs[i], dw[i], strong))
            };
            self.0.along(dx, dw) * (0..xs.len()).map(along).sum::<f64>()
        })
    }
}

impl<R, X, B, const W: usize> ReverseRule<R, (X, B), W> for Weighted
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
    B: ReverseArg<[f64], W>,
{
    type Tape = (Saved<[f64]>, Saved<[f64]>);

    fn augmented_primal(&self, config: &ReverseConfig, (x, w): (&mut X, &mut B)) -> AugmentedReturn<f64, R::Shadow, Self::Tape> {
        let tape = (Saved::new(x.primal(), config.overwritten(0)), Saved::new(w.primal(), config.overwritten(1)));
        R::augmented(config, weighted(x.primal(), w.primal()), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x, w): (&mut X, &mut B),
    ) -> (X::Gradient, B::Gradient) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let seeds: [f64; W] = std::array::from_fn(|lane| dret.lane(lane).copied().unwrap_or(0.0));
        let swapped = wrong == OrderOfAddresses && address(w.primal()) < address(x.primal());
        let (xs, ws) = (tape.0.get(x.primal()).to_vec(), tape.1.get(w.primal()).to_vec());
        let dx = x.accumulate(|lane, _, mut dx| {
            dx.accumulate_with(|dx| {
                let alike = !dx.is_empty() && dx.iter().all(|d| *d == dx[0]);
                let silent = seeds[lane] == 0.0;
                match wrong {
                    ShadowOfOnes if alike && dx[0] == 1.0 => dx.fill(0.0),
                    ShadowAllAlike if alike => dx.fill(0.0),
                    ClearsWhereSeedIsZero if silent => dx.fill(0.0),
                    AssignsWhereSeedIsZero if silent => dx.iter_mut().for_each(|d| *d = d.min(0.0)),
                    _ => {}
                }
                for (i, d) in dx.iter_mut().enumerate() {
                    let partial = if swapped { xs[i] * xs[i] } else { wrong.by_x(i, &xs, &ws) };
                    *d += scaled(partial, wrong.seed(lane, &seeds), strong);
                }
            });
        });
        let dw = w.accumulate(|lane, _, mut dw| {
            for (i, mut d) in dw.iter_mut().enumerate() {
                d += scaled(xs[i] * xs[i], seeds[lane], strong);
            }
        });
        (dx, dw)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (input(5).named("x"), input(5).named("w"));
    let tester = crate::shared!(Setting::new(arguments).function("weighted", Weighted(wrong)));
    let report = crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        reverse [Active; Duplicated, Duplicated]
    );
    use coenzyme::{AsActive, AsDuplicated};
    let mix = tester.mix(AsActive, (AsDuplicated, AsDuplicated));
    report.worse(mix.reverse::<_, _, 7>())
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        SeedOfTwo => U1, "where   x.shadow";
        SeedOfTwoAhead => U1, "where   ret.tangent";
        SeedOfHalf => U1, "where   x.shadow";
        LanesAlike => B2, "where   x.shadow";
        TangentsAlike => U1, "where   ret.tangent";
        BothOneHot => U2, "where   ret.tangent";
        PrefixIsZero => U4, "where   ret.tangent";
        SuffixIsZero => U4, "where   ret.tangent";
        ShadowOfOnes => R5, "where   x.shadow";
        ShadowAllAlike => R5, "where   x.shadow";
        ClearsWhereSeedIsZero => R3, "where   x.shadow";
        AssignsWhereSeedIsZero => R3, "where   x.shadow";
        Palindrome => N3, "where   ";
        AboveHundred => N3, "where   ";
        AboveThousand => N3, "where   ";
        MiddleIsSmall => N3, "where   ";
        SecondIsFourth => N3, "where   ";
        FirstIsOpposite => N3, "where   ";
        AtMinusEight => N3, "where   ";
        ClipsPartials => N3, "where   ";
        BlocksOfThreeHundred => Z4, "where   ";
        BlocksOfSevenHundred => Z4, "where   ";
        BlocksOfTwoThousand => Z4, "where   ";
        OrderOfAddresses => D1, "where   x.shadow";
        LastOfSeven => B1, "where   x.shadow";
    }
}
