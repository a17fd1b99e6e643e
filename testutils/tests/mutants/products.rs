//! pᵢ ← x₀·…·xᵢ, returns t·Σ xᵢ²: partials that leave one factor out, a return that does not see what is written.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Function, Holds, HoldsMut, Lanes, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn,
    ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Report, Setting, input, out, severed, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // Forward.
    DividesByTheFactor,
    LosesTheFirst,
    LastLaneOfThree,
    HalvesWithoutPrimal,
    CopiesALaneThatBeginsAlike,
    ReadsTheOldProducts,
    TenThousandth,
    ForgetsTIfXIsConst,
    AddsTangentsOfWritten,
    TangentOfAnotherEntry,
    WritesPrimalIntoShadow,
    // Reverse.
    DividesByTheFactorBack,
    DropsSumOnStrongZero,
    ConsumesWithoutUsing,
    ConsumesOnlyPositive,
    AccumulatesTwiceInLaneTwo,
    SubtractsOnNegative,
    StalePrimalFromTape,
    SavesIfTIsActive,
    SavesWrittenForRead,
    CotangentOfReturnInEveryEntry,
    GradientOfTFromLastOnly,
    AssignsFirstEntry,
    AddsOnlyToZeroShadow,
    ReturnsOtherShadow,
    StopsAtSmallCotangent,
    SwapsLanesOfT,
    ReadsWrittenInReverse,
    AbsoluteValueOfX,
}

use Wrong::*;

#[derive(Clone, Copy)]
pub(crate) struct Products(Wrong);

fn products(p: &mut [f64], x: &[f64], t: f64) -> f64 {
    let mut product = 1.0;
    for (p, x) in p.iter_mut().zip(x) {
        product *= x;
        *p = product;
    }
    t * x.iter().map(|x| x * x).sum::<f64>()
}

/// `∂pᵢ/∂xⱼ`
fn partial(x: &[f64], i: usize, j: usize, divides: bool) -> f64 {
    if j > i {
        return 0.0;
    }
    if divides {
        return x[..=i].iter().product::<f64>() / x[j];
    }
    x[..j].iter().product::<f64>() * x[j + 1..=i].iter().product::<f64>()
}

impl<P: HoldsMut<[f64]>, X: Holds<[f64]>> Function<(P, X, f64)> for Products {
    type Output = f64;

    fn call(&self, (mut p, x, t): (P, X, f64)) -> f64 {
        products(p.get_mut(), x.get(), t)
    }
}

impl<R, P, X, T, const W: usize> ForwardRule<R, (P, X, T), W> for Products
where
    R: ForwardReturn<W, Out = f64>,
    P: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
    T: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (p, x, t): (&mut P, &mut X, &mut T)) -> R::Forward {
        let (wrong, strong, t0) = (self.0, config.strong_zero(), *t.primal());
        let old = p.primal().to_vec();
        let sum = products(p.primal_mut(), x.primal(), t0);
        let xs = x.primal();
        let (n, divides) = (xs.len(), wrong == DividesByTheFactor);
        let seed_of = |lane: usize| match (wrong, x.tangent(0), x.tangent(lane)) {
            (CopiesALaneThatBeginsAlike, Some([a, ..]), Some([b, ..])) if a == b => 0,
            _ => lane,
        };
        p.assign(|lane, p0, dp| {
            let dx = x.tangent(seed_of(lane));
            for i in 0..n {
                let terms = (0..=i).map(|j| {
                    let of = if wrong == TangentOfAnotherEntry { i - j } else { j };
                    dx.map_or(0.0, |dx| scaled(partial(xs, i, j, divides), dx[of], strong))
                });
                let tangent: f64 = match wrong {
                    LosesTheFirst => terms.skip(1).sum(),
                    _ => terms.sum(),
                };
                match wrong {
                    WritesPrimalIntoShadow => dp[i] = p0[i],
                    AddsTangentsOfWritten => dp[i] += tangent,
                    LastLaneOfThree if W == 3 && lane == 2 => dp[i] = 1.5 * tangent,
                    ReadsTheOldProducts => dp[i] = tangent + 0.0 * old[i],
                    TenThousandth if i + 1 == n => dp[i] = tangent * (1.0 + 1e-4),
                    _ => dp[i] = tangent,
                }
            }
        });
        let tangent = |lane: usize| {
            let dx = x.tangent(seed_of(lane));
            let by_x: f64 = (0..n)
                .map(|i| dx.map_or(0.0, |dx| scaled(2.0 * t0 * xs[i], dx[i], strong)))
                .sum();
            let squares: f64 = xs.iter().map(|x| x * x).sum();
            let by_t = match t.tangent(lane) {
                Some(_) if wrong == ForgetsTIfXIsConst && dx.is_none() => 0.0,
                Some(dt) => scaled(squares, *dt, strong),
                None => 0.0,
            };
            match wrong {
                HalvesWithoutPrimal if !config.needs_primal() => 0.5 * (by_x + by_t),
                _ => by_x + by_t,
            }
        };
        R::forward(config, || sum, tangent)
    }
}

/// What was read, and what mistakes keep beside it.
pub(crate) struct Tape {
    read: Saved<[f64]>,
    more: Vec<f64>,
}

impl<R, P, X, T, const W: usize> ReverseRule<R, (P, X, T), W> for Products
where
    R: ReverseReturn<W, Out = f64>,
    P: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
    T: ReverseArg<f64, W>,
{
    type Tape = Tape;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (p, x, t): (&mut P, &mut X, &mut T),
    ) -> AugmentedReturn<f64, R::Shadow, Tape> {
        let wrong = self.0;
        let more = match wrong {
            StalePrimalFromTape => p.primal().to_vec(),
            _ => vec![],
        };
        let sum = products(p.primal_mut(), x.primal(), *t.primal());
        let overwritten = match wrong {
            SavesIfTIsActive => config.overwritten(1) && t.is_active(),
            _ => config.overwritten(1),
        };
        let read = match wrong {
            SavesWrittenForRead => p.primal().to_vec(),
            AbsoluteValueOfX => x.primal().iter().map(|x| x.abs()).collect(),
            _ => x.primal().to_vec(),
        };
        let read = Saved::new(&read[..], overwritten);
        let sum = match wrong {
            StalePrimalFromTape => sum + 0.0 * more.iter().sum::<f64>(),
            _ => sum,
        };
        R::augmented(config, sum, Tape { read, more })
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        Tape { read, more }: Tape,
        (p, x, t): (&mut P, &mut X, &mut T),
    ) -> (P::Gradient, X::Gradient, T::Gradient) {
        let (wrong, strong, t0) = (self.0, config.strong_zero(), *t.primal());
        let written = p.primal().to_vec();
        let used = |p: &P, lane: usize, i: usize| match p.cotangent(lane) {
            Some(_) if wrong == ConsumesWithoutUsing => 0.0,
            Some(dp) if wrong == StopsAtSmallCotangent && dp[i].abs() < 1e-9 => 0.0,
            Some(dp) if wrong == SubtractsOnNegative && dp[i] < 0.0 => -dp[i],
            Some(dp) => dp[i],
            None => 0.0,
        };
        let dx = x.accumulate(|lane, x, mut dx| {
            let xs = read.get(x);
            let xs = if wrong == ReadsWrittenInReverse { &written } else { xs };
            let n = xs.len();
            let dret = dret.lane(lane).copied().unwrap_or(0.0);
            dx.accumulate_with(|dx| {
                for j in 0..n {
                    let partial = |i| partial(xs, i, j, wrong == DividesByTheFactorBack);
                    let through = (j..n).map(|i| scaled(partial(i), used(p, lane, i), strong));
                    let by_products: f64 = through.sum();
                    let by_sum = match wrong {
                        DropsSumOnStrongZero if strong => 0.0,
                        CotangentOfReturnInEveryEntry => scaled(2.0 * t0, dret, strong),
                        _ => scaled(2.0 * t0 * xs[j], dret, strong),
                    };
                    let mut add = by_products + by_sum;
                    if wrong == StalePrimalFromTape {
                        add += 0.0 * more[j];
                    }
                    match wrong {
                        AssignsFirstEntry if j == 0 => dx[j] = add,
                        AddsOnlyToZeroShadow if dx[j] != 0.0 => {}
                        AccumulatesTwiceInLaneTwo if lane == 1 => dx[j] += 2.0 * add,
                        _ => dx[j] += add,
                    }
                }
            });
        });
        let squares = |xs: &[f64]| match wrong {
            GradientOfTFromLastOnly => xs.last().map_or(0.0, |x| x * x),
            _ => xs.iter().map(|x| x * x).sum(),
        };
        let sum = squares(read.get(x.primal()));
        let dt = t.accumulate(|lane, _, mut dt| {
            let of = if wrong == SwapsLanesOfT { W - 1 - lane } else { lane };
            dt += dret.lane(of).map_or(0.0, |dret| scaled(sum, *dret, strong));
        });
        let dp = p.transform(|_, _, dp| match wrong {
            ConsumesOnlyPositive => dp.iter_mut().filter(|dp| **dp > 0.0).for_each(|dp| *dp = 0.0),
            ReturnsOtherShadow => dp.copy_from_slice(&written),
            _ => dp.fill(0.0),
        });
        (dp, dx, dt)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (
        out(4).named("p"),
        input(4).named("x"),
        value(0.875).named("t"),
    );
    let tester = crate::shared!(Setting::new(arguments).function("products", Products(wrong)));
    // the partials take the cube of the length
    let tester = tester.const_buffers(severed("as Enzyme does")).longest(67);
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated, Duplicated]
        forward [DuplicatedNoNeed; Duplicated, Const, Duplicated]
        reverse [Active; Duplicated, Duplicated, Active]
        reverse [Active; Duplicated, Duplicated, Const]
    )
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        DividesByTheFactor => F2, "NaN";
        LosesTheFirst => F2, "where   p.shadow";
        LastLaneOfThree => B1, "lane 2: B1";
        HalvesWithoutPrimal => F1, "needs_primal=false";
        CopiesALaneThatBeginsAlike => F1, "lane 1";
        ReadsTheOldProducts => F2, "NaN";
        TenThousandth => F2, "[3] ";
        ForgetsTIfXIsConst => F1, "x=Const";
        AddsTangentsOfWritten => F2, "where   p.shadow";
        TangentOfAnotherEntry => F2, "where   p.shadow";
        WritesPrimalIntoShadow => L1, "where   p.shadow";
        DividesByTheFactorBack => R1z, "NaN";
        DropsSumOnStrongZero => N1, "where   x.shadow";
        ConsumesWithoutUsing => R1z, "the cotangent of p";
        ConsumesOnlyPositive => L1, "where   p.shadow";
        AccumulatesTwiceInLaneTwo => B1, "lane 1: B1";
        SubtractsOnNegative => L1, "where   x.shadow";
        StalePrimalFromTape => P1, "NaN";
        SavesIfTIsActive => R6, "t=Const";
        SavesWrittenForRead => R6, "where   x.shadow";
        CotangentOfReturnInEveryEntry => R1z, "the cotangent of ret";
        GradientOfTFromLastOnly => R1z, "where   t.gradient";
        AssignsFirstEntry => R1, "[0] ";
        AddsOnlyToZeroShadow => R1, "where   x.shadow";
        ReturnsOtherShadow => L1, "where   p.shadow";
        StopsAtSmallCotangent => L1, "where   x.shadow";
        SwapsLanesOfT => B1, "where   t.gradient";
        ReadsWrittenInReverse => R6, "where   x.shadow";
        AbsoluteValueOfX => R6, "where   x.shadow";
    }
}
