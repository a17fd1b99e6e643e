//! yᵢ ← bᵢ·ln(1 + xᵢ): mistakes far out, and beside what is equal or nearly so.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, Function,
    Holds, HoldsMut, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, Saved,
    scaled,
};
use coenzyme_testutils::{Report, Setting, input, out};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // N4.
    AsymptoteTooSoon,
    SaturatesFarOut,
    HalvesBetween,
    HalvesOfLargeWeights,
    // N3: nearly the largest, or equal.
    JoinsTheLargest,
    JoinsTheSmallest,
    SkipsTwins,
    TakesConjugatesForEqual,
    JoinsWhatIsHardlyLess,
    OneOfProbabilities,
    OneOfInverses,
    NothingBelowZero,
    // U1.
    LosesAlternatingSigns,
    // R5.
    AssignsThreeLanesWhereTheLastIsZero,
}

use Wrong::*;

pub(crate) struct Logs(Wrong);

fn logs(y: &mut [f64], x: &[f64], b: &[f64]) {
    for ((y, x), b) in y.iter_mut().zip(x).zip(b) {
        *y = b * x.ln_1p();
    }
}

impl<Y: HoldsMut<[f64]>, X: Holds<[f64]>, B: Holds<[f64]>> Function<(Y, X, B)> for Logs {
    type Output = ();

    fn call(&self, (mut y, x, b): (Y, X, B)) {
        logs(y.get_mut(), x.get(), b.get());
    }
}

fn largest_of(x: &[f64]) -> f64 {
    x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Whether seeds are ones of which each has another sign than the one before.
fn alternate(dy: &[f64]) -> bool {
    dy.len() > 2 && dy[0].abs() == 1.0 && dy.windows(2).all(|pair| pair[0] == -pair[1])
}

impl Wrong {
    /// The partials of entry `i`.
    fn partials(self, x: &[f64], b: &[f64], i: usize) -> [f64; 2] {
        let (at, weight) = (x[i], b[i]);
        let hardly = at != largest_of(x) && (at - largest_of(x)).abs() < 1e-5 * at.abs();
        let nearly = |other: f64| at != other && (at - other).abs() < 2e-3 * other.abs();
        let largest = largest_of(x);
        let smallest = x.iter().copied().fold(f64::INFINITY, f64::min);
        let conjugate = |i: usize| i < 2 && x.len() > 1 && x[0] == b[0] && x[1] == -b[1];
        let by_x = match self {
            AsymptoteTooSoon if at > 500.0 => weight / at,
            HalvesBetween if (11.0..39.0).contains(&at) => weight / (1.0 + at) / 2.0,
            HalvesOfLargeWeights if weight.abs() > 3e4 => weight / (1.0 + at) / 2.0,
            JoinsTheLargest if nearly(largest) => 0.0,
            JoinsTheSmallest if nearly(smallest) => 0.0,
            JoinsWhatIsHardlyLess if hardly => 0.0,
            OneOfProbabilities if (at + weight - 1.0).abs() < 1e-12 => weight,
            OneOfInverses if (at * weight - 1.0).abs() < 1e-12 => weight,
            TakesConjugatesForEqual if conjugate(i) => 2.0 * weight / (1.0 + at),
            _ => weight / (1.0 + at),
        };
        let by_weight = match self {
            SaturatesFarOut => at.min(1e8).ln_1p(),
            NothingBelowZero if largest_of(b) == 0.0 => 0.0,
            _ => at.ln_1p(),
        };
        [by_x, by_weight]
    }
}

impl<R, Y, X, B, const W: usize> ForwardRule<R, (Y, X, B), W> for Logs
where
    R: ForwardReturn<W, Out = ()>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
    B: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x, b): (&mut Y, &mut X, &mut B)) -> R::Forward {
        let (wrong, strong) = (self.0, config.strong_zero());
        logs(y.primal_mut(), x.primal(), b.primal());
        y.assign(|lane, _, dy| {
            let (dx, db) = (x.tangent(lane), b.tangent(lane));
            dy.fill(0.0);
            for i in 0..dy.len() {
                let [by_x, by_b] = wrong.partials(x.primal(), b.primal(), i);
                dy[i] = dx.map_or(0.0, |dx| scaled(by_x, dx[i], strong));
                dy[i] += db.map_or(0.0, |db| scaled(by_b, db[i], strong));
            }
        });
        R::forward(config, || (), |_| ())
    }
}

impl<R, Y, X, B, const W: usize> ReverseRule<R, (Y, X, B), W> for Logs
where
    R: ReverseReturn<W, Out = ()>,
    Y: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
    B: ReverseArg<[f64], W>,
{
    type Tape = [Saved<[f64]>; 2];

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x, b): (&mut Y, &mut X, &mut B),
    ) -> AugmentedReturn<(), R::Shadow, Self::Tape> {
        logs(y.primal_mut(), x.primal(), b.primal());
        let tape = [
            Saved::new(x.primal(), config.overwritten(1)),
            Saved::new(b.primal(), config.overwritten(2)),
        ];
        R::augmented(config, (), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        [xs, bs]: Self::Tape,
        (y, x, b): (&mut Y, &mut X, &mut B),
    ) -> (Y::Gradient, X::Gradient, B::Gradient) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let (xs, bs) = (xs.get(x.primal()).to_vec(), bs.get(b.primal()).to_vec());
        let cotangent = |lane| y.cotangent(lane).map(<[f64]>::to_vec);
        let dy: Vec<Option<Vec<f64>>> = (0..W).map(cotangent).collect();
        let dx = x.accumulate(|lane, _, mut dx| {
            let Some(dy) = &dy[lane] else { return };
            dx.accumulate_with(|dx| {
                let last = dx.last().is_some_and(|dx| *dx == 0.0);
                let assigns = wrong == AssignsThreeLanesWhereTheLastIsZero && W == 3 && last;
                let signless = wrong == LosesAlternatingSigns && alternate(dy);
                for i in 0..dx.len() {
                    let twin = i > 0 && xs[i] == xs[i - 1] && dy[i] == dy[i - 1];
                    let seed = if signless { dy[i].abs() } else { dy[i] };
                    let before = if assigns { 0.0 } else { dx[i] };
                    if wrong != SkipsTwins || !twin {
                        dx[i] = before + scaled(wrong.partials(&xs, &bs, i)[0], seed, strong);
                    }
                }
            });
        });
        let db = b.accumulate(|lane, _, mut db| {
            let Some(dy) = &dy[lane] else { return };
            db.accumulate_with(|db| {
                for i in 0..db.len() {
                    db[i] += scaled(wrong.partials(&xs, &bs, i)[1], dy[i], strong);
                }
            });
        });
        (y.consume(), dx, db)
    }
}

/// The report on a rule at numbers `x`, and any weights.
macro_rules! at {
    ($x:expr, $wrong:ident) => {{
        let arguments = (out(5).named("y"), $x.named("x"), input(5).named("b"));
        let tester = crate::shared!(Setting::new(arguments).function("logs", Logs($wrong)));
        crate::in_mixes!(tester;
            forward [Const; Duplicated, Duplicated, Duplicated]
            reverse [Const; Duplicated, Duplicated, Duplicated]
        )
    }};
}

fn judge(wrong: Wrong) -> Report {
    at!(input(5), wrong)
}

/// Where all logarithms are numbers.
fn of_positive(wrong: Wrong) -> Report {
    at!(input(5).within(0.25..4.0), wrong)
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        AsymptoteTooSoon => N4, "where   x.shadow";
        SaturatesFarOut => N4, "where   y.shadow";
        HalvesBetween => N4, "where   y.shadow";
        HalvesOfLargeWeights => N4, "where   x.shadow";
        JoinsTheLargest => N3, "where   y.shadow";
        JoinsTheSmallest => N3, "where   y.shadow";
        SkipsTwins => N2, "where   x.shadow";
        TakesConjugatesForEqual => N3, "where   y.shadow";
        JoinsWhatIsHardlyLess => N3, "where   y.shadow";
        LosesAlternatingSigns => U1, "where   x.shadow";
        AssignsThreeLanesWhereTheLastIsZero => R5, "width 3";
    }
    of_positive {
        OneOfProbabilities => N3, "where   y.shadow";
        OneOfInverses => N3, "where   y.shadow";
        NothingBelowZero => N3, "where   y.shadow";
    }
}
