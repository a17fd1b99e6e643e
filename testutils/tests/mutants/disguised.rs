//! yᵢ ← wᵢ·xᵢ², returns Σ y. Mistakes of the known kinds in disguise: fast paths for some seeds, shadows, sizes, numbers; caches that
//! compare almost everything.

use std::cell::RefCell;

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, Function,
    Holds, HoldsMut, Lanes, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule,
    scaled,
};
use coenzyme_testutils::{Report, Setting, input, out};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // Seeds.
    OneHotBeyondSixteen,
    OneHotBeyondSixteenAhead,
    OnesFromEight,
    UnitFromEight,
    UnitFromEightAhead,
    OneHotTakesNeighbour,
    AllButOne,
    IdentityLanes,
    IdentityLanesAhead,
    PairOfOnes,
    // Shadows.
    AssignsSecondBlock,
    AssignsIfTiny,
    AssignsIfNearlyZero,
    AssignsIfTwoAreZero,
    AssignsFromEight,
    // State.
    KeepsAllButSecond,
    KeepsAllButSecondAhead,
    KeepsWeightsByPoint,
    KeepsByThree,
    KeepsBySum,
    KeepsByMagnitude,
    KeepsBySinglePrecision,
    // Sizes.
    AtFour,
    AtEight,
    AtMultiplesOfSixteen,
    AtThirteen,
    AtSix,
    AtHundreds,
    AtEleven,
    AtThirtySeven,
    // Points.
    AtThree,
    AtOne,
    OneFarOut,
    WeightsAreOnes,
    WeightsAreOpposite,
    MiddleIsZero,
}

use Wrong::*;

pub(crate) struct Disguised(Wrong);

fn value(y: &mut [f64], x: &[f64], w: &[f64]) -> f64 {
    y.iter_mut().zip(x).zip(w).for_each(|((y, x), w)| *y = w * x * x);
    y.iter().sum()
}

impl<Y: HoldsMut<[f64]>, X: Holds<[f64]>, B: Holds<[f64]>> Function<(Y, X, B)> for Disguised {
    type Output = f64;

    fn call(&self, (mut y, x, w): (Y, X, B)) -> f64 {
        value(y.get_mut(), x.get(), w.get())
    }
}

/// What was kept while `key` says the same, or `fresh` numbers.
fn kept(key: Vec<u64>, fresh: Vec<f64>) -> Vec<f64> {
    type Kept = (Vec<u64>, Vec<f64>);
    thread_local!(static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) });
    KEPT.with_borrow_mut(|kept| match kept {
        Some((like, numbers)) if *like == key => numbers.clone(),
        _ => {
            *kept = Some((key, fresh.clone()));
            fresh
        }
    })
}

fn bits(numbers: impl IntoIterator<Item = f64>) -> Vec<u64> {
    numbers.into_iter().map(f64::to_bits).collect()
}

impl Wrong {
    /// The numbers that are squared.
    fn known(self, x: &[f64], w: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let address = x.as_ptr().addr() as u64;
        let (x, w) = (x.to_vec(), w.to_vec());
        let key = match self {
            KeepsAllButSecond | KeepsAllButSecondAhead => {
                let others = x.iter().enumerate().filter(|(entry, _)| *entry != 1);
                bits(others.map(|(_, x)| *x))
            }
            KeepsByThree if x.len() > 2 => bits([x[0], x[x.len() / 2], x[x.len() - 1]]),
            KeepsBySum => return (kept(bits([x.iter().sum()]), x), w),
            KeepsByMagnitude => return (kept(bits(x.iter().map(|x| x.abs())), x), w),
            KeepsBySinglePrecision => {
                return (kept(bits(x.iter().map(|x| f64::from(*x as f32))), x), w);
            }
            KeepsWeightsByPoint => return (x.clone(), kept([vec![address], bits(x)].concat(), w)),
            _ => return (x, w),
        };
        (kept([vec![address], key].concat(), x), w)
    }

    /// 2·w·x
    fn by_x(self, i: usize, xs: &[f64], ws: &[f64]) -> f64 {
        let (n, x, w) = (xs.len(), xs[i], ws[i]);
        let wrong = match self {
            AtFour => n == 4,
            AtEight => n == 8,
            AtSix => n == 6,
            AtMultiplesOfSixteen => n > 0 && n.is_multiple_of(16),
            AtThirteen => n == 13,
            AtEleven => n == 11,
            AtThirtySeven => n == 37,
            WeightsAreOpposite => (x + w).abs() < 1e-4,
            MiddleIsZero => n > 2 && xs[n / 2] == 0.0 && xs.iter().filter(|x| **x == 0.0).count() == 1,
            AtHundreds => (100..1000).contains(&n),
            AtThree => x == 3.0,
            AtOne => x == 1.0,
            OneFarOut => x > 30.0 && xs.iter().filter(|x| x.abs() > 30.0).count() == 1,
            WeightsAreOnes => n > 0 && ws.iter().all(|w| *w == 1.0),
            _ => false,
        };
        if wrong { 1.5 * w * x } else { 2.0 * w * x }
    }

    /// What becomes of the seeds of one lane, all together.
    fn seeds(self, seeds: &mut [f64], ahead: bool) {
        let n = seeds.len();
        let hot: Vec<usize> = (0..n).filter(|i| seeds[*i] != 0.0).collect();
        match self {
            OneHotBeyondSixteen | OneHotBeyondSixteenAhead
                if hot.len() == 1 && hot[0] >= 16 && (self == OneHotBeyondSixteenAhead) == ahead =>
            {
                seeds[hot[0]] = 0.0;
            }
            OnesFromEight if n >= 8 && seeds.iter().all(|seed| *seed == 1.0) => seeds[n - 1] = 2.0,
            UnitFromEight | UnitFromEightAhead => {
                let there = n >= 8 && hot.len() == 1 && seeds[hot[0]] == 1.0;
                if there && (self == UnitFromEightAhead) == ahead {
                    seeds[hot[0]] = 0.5;
                }
            }
            OneHotTakesNeighbour if n >= 10 && hot.len() == 1 => seeds.swap(hot[0], (hot[0] + 1) % n),
            AllButOne if n >= 6 && hot.len() == n - 1 => seeds[hot[n - 2]] = 0.0,
            PairOfOnes if n > 2 && hot.len() == 2 && seeds[hot[0]] == 1.0 => seeds[hot[1]] = 0.0,
            _ => {}
        }
    }

    /// All lanes at once.
    fn lanes(self, lanes: &mut [Vec<f64>], ahead: bool) {
        let unit = |(lane, seeds): (usize, &Vec<f64>)| {
            let mut entries = seeds.iter().enumerate();
            lane < seeds.len() && entries.all(|(i, seed)| *seed == f64::from(u8::from(i == lane)))
        };
        let identity = matches!(self, IdentityLanes | IdentityLanesAhead) && (self == IdentityLanesAhead) == ahead;
        if identity && lanes.len() > 1 && lanes.iter().enumerate().all(unit) {
            lanes[1].fill(0.0);
        }
        lanes.iter_mut().for_each(|seeds| self.seeds(seeds, ahead));
    }

    /// Adds `added` to a shadow.
    fn add(self, shadow: &mut [f64], added: &[f64]) {
        let n = shadow.len();
        let assigns = match self {
            AssignsIfTwoAreZero => shadow.iter().filter(|x| **x == 0.0).count() == 2,
            AssignsFromEight => n >= 8 && shadow[0] == 0.0,
            AssignsIfNearlyZero => n > 0 && shadow.iter().all(|x| x.abs() < 1e-8),
            _ => false,
        };
        let before = shadow.to_vec();
        for (i, (shadow, added)) in shadow.iter_mut().zip(added).enumerate() {
            let assigns = assigns
                || self == AssignsSecondBlock && n > 5 && (4..8).contains(&i) && before[4] == 0.0
                || self == AssignsIfTiny && shadow.abs() < 1e-12;
            *shadow = if assigns { *added } else { *shadow + added };
        }
    }
}

impl<R, Y, X, B, const W: usize> ForwardRule<R, (Y, X, B), W> for Disguised
where
    R: ForwardReturn<W, Out = f64>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
    B: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x, w): (&mut Y, &mut X, &mut B)) -> R::Forward {
        let (wrong, strong) = (self.0, config.strong_zero());
        let sum = value(y.primal_mut(), x.primal(), w.primal());
        let (xs, ws) = match wrong {
            KeepsAllButSecondAhead => wrong.known(x.primal(), w.primal()),
            _ => (x.primal().to_vec(), w.primal().to_vec()),
        };
        let n = xs.len();
        let seeds = |tangent: Option<&[f64]>| tangent.map_or_else(|| vec![0.0; n], <[f64]>::to_vec);
        let mut dx: Vec<_> = (0..W).map(|lane| seeds(x.tangent(lane))).collect();
        wrong.lanes(&mut dx, true);
        let dw: Vec<_> = (0..W).map(|lane| seeds(w.tangent(lane))).collect();
        let along = |lane: usize, i: usize| {
            scaled(wrong.by_x(i, &xs, &ws), dx[lane][i], strong)
                + scaled(xs[i] * xs[i], dw[lane][i], strong)
        };
        y.assign(|lane, _, dy| (0..n).for_each(|i| dy[i] = along(lane, i)));
        R::forward(config, || sum, |lane| (0..n).map(|i| along(lane, i)).sum())
    }
}

impl<R, Y, X, B, const W: usize> ReverseRule<R, (Y, X, B), W> for Disguised
where
    R: ReverseReturn<W, Out = f64>,
    Y: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
    B: ReverseArg<[f64], W>,
{
    type Tape = (Vec<f64>, Vec<f64>);

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x, w): (&mut Y, &mut X, &mut B),
    ) -> AugmentedReturn<f64, R::Shadow, Self::Tape> {
        let sum = value(y.primal_mut(), x.primal(), w.primal());
        R::augmented(config, sum, self.0.known(x.primal(), w.primal()))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        (xs, ws): Self::Tape,
        (y, x, w): (&mut Y, &mut X, &mut B),
    ) -> (Y::Gradient, X::Gradient, B::Gradient) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let seeds = |lane: usize| -> Vec<f64> {
            let dret = dret.lane(lane).copied().unwrap_or(0.0);
            (0..xs.len()).map(|i| dret + y.cotangent(lane).map_or(0.0, |dy| dy[i])).collect()
        };
        let mut lanes: Vec<_> = (0..W).map(seeds).collect();
        wrong.lanes(&mut lanes, false);
        let dx = x.accumulate(|lane, _, mut dx| {
            dx.accumulate_with(|dx| {
                let added = (0..dx.len()).map(|i| scaled(wrong.by_x(i, &xs, &ws), lanes[lane][i], strong));
                wrong.add(dx, &added.collect::<Vec<_>>());
            });
        });
        let dw = w.accumulate(|lane, _, mut dw| {
            dw.accumulate_with(|dw| {
                let added = (0..dw.len()).map(|i| scaled(xs[i] * xs[i], lanes[lane][i], strong));
                wrong.add(dw, &added.collect::<Vec<_>>());
            });
        });
        (y.consume(), dx, dw)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (out(5).named("y"), input(5).named("x"), input(5).named("w"));
    let tester = crate::shared!(Setting::new(arguments).function("disguised", Disguised(wrong)));
    let report = crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated, Duplicated]
        reverse [Active; Duplicated, Duplicated, Duplicated]
        reverse [Const; Duplicated, Duplicated, Duplicated]
    );
    use coenzyme::{AsActive, AsDuplicated};
    let ahead = tester.mix(AsDuplicated, (AsDuplicated, AsDuplicated, AsDuplicated));
    let back = tester.mix(AsActive, (AsDuplicated, AsDuplicated, AsDuplicated));
    let wide = [ahead.forward::<4>(), ahead.forward::<7>(), back.reverse::<_, _, 4>(), back.reverse::<_, _, 7>()];
    report.worse(Report::worst(wide)).worse(back.elsewhere::<_, 1>())
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        OneHotBeyondSixteen => U2, "where   ";
        OneHotBeyondSixteenAhead => U2, "where   ";
        OnesFromEight => U2, "where   ";
        UnitFromEight => U2, "where   ";
        UnitFromEightAhead => U2, "where   ";
        OneHotTakesNeighbour => U2, "where   ";
        AllButOne => U2, "where   ";
        IdentityLanes => B1, "where   ";
        IdentityLanesAhead => B1, "where   ";
        PairOfOnes => U1, "where   ";
        AssignsSecondBlock => R7, "where   ";
        AssignsIfTiny => L2, "where   ";
        AssignsIfNearlyZero => L2, "where   ";
        AssignsIfTwoAreZero => R5, "where   ";
        AssignsFromEight => R7, "where   ";
        KeepsAllButSecond => D4, "where   ";
        KeepsAllButSecondAhead => D4, "where   ";
        KeepsWeightsByPoint => D4, "where   ";
        KeepsByThree => D4, "where   ";
        KeepsBySum => D2, "where   ";
        KeepsByMagnitude => D4, "where   ";
        KeepsBySinglePrecision => D4, "where   ";
        AtFour => Z2, "where   ";
        AtEight => Z2, "where   ";
        AtMultiplesOfSixteen => Z2, "where   ";
        AtThirteen => Z2, "where   ";
        AtSix => Z2, "where   ";
        AtHundreds => Z2, "where   ";
        AtEleven => Z2, "where   ";
        AtThirtySeven => Z2, "where   ";
        AtThree => N3, "where   ";
        AtOne => N3, "where   ";
        OneFarOut => N3, "where   ";
        WeightsAreOnes => N3, "where   ";
        WeightsAreOpposite => N3, "where   ";
        MiddleIsZero => N3, "where   ";
    }
}
