//! y ← x², returns Σ y: an in-place function of arrays with a return.

use std::cell::{Cell, RefCell};

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Function, Holds, HoldsMut, Lanes, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn,
    ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Report, Setting, input, out, severed};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    SumsBackwards,
    SavesAlways,
    // Forward.
    AddsToStaleShadow,
    LeavesStaleShadow,
    HalvesReturn,
    DropsReturn,
    FlipsSign,
    TangentOfLaneZero,
    TangentOfNextLane,
    DividesByWidth,
    MutatesOnlyIfNeeded,
    MutatesTwice,
    ReturnsPrimalAlways,
    ReturnsPrimalNever,
    ReturnsAnotherPrimal,
    AddsConstantTangent,
    SquaresTangent,
    ForgetsStrongZero,
    ForgetsLastEntry,
    ZeroesFirstTangent,
    PanicsInForward,
    DependsOnChance,
    RoundsTangentUp,
    RemembersLastCall,
    // Reverse.
    AssignsX,
    ScalesX,
    SubtractsX,
    AccumulatesInSingle,
    KeepsY,
    HalvesY,
    KeepsLastY,
    ReadsXInPlace,
    AsksForTheWrongArgument,
    SavesTheWrongArgument,
    SavesHalf,
    MasksNan,
    DropsCotangentOfY,
    DropsCotangentOfReturn,
    ForgetsFactor,
    OneEntryOff,
    SwapsEntries,
    LeavesOutRemainder,
    CotangentOfLaneZero,
    LanesShare,
    AugmentedClearsX,
    AugmentedClearsY,
    AugmentedSeedsX,
    ReverseRunsPrimalAgain,
    ReverseClearsY,
    GlobalTape,
    DependsOnChanceBack,
    AddsConstantCotangent,
    SquaresCotangent,
    ForgetsStrongZeroBack,
    AugmentedMutatesOnlyIfNeeded,
    AugmentedReturnsPrimalAlways,
    AugmentedReturnsPrimalNever,
    AugmentedReturnsAnotherPrimal,
    PanicsInAugmented,
    PanicsInReverse,
    PanicsIfConst,
}

use Wrong::*;

pub(crate) struct SquareSum(Wrong);

fn square_sum(y: &mut [f64], x: &[f64]) -> f64 {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = x * x);
    y.iter().sum()
}

impl<Y: HoldsMut<[f64]>, X: Holds<[f64]>> Function<(Y, X)> for SquareSum {
    type Output = f64;

    fn call(&self, (mut y, x): (Y, X)) -> f64 {
        square_sum(y.get_mut(), x.get())
    }
}

/// Whether the call before had the same argument and tangent.
fn remembered(x: &[f64], dx: Option<&[f64]>) -> bool {
    thread_local!(static LAST: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) });
    let call: Vec<u64> = x
        .iter()
        .chain(dx.unwrap_or_default())
        .map(|x| x.to_bits())
        .collect();
    LAST.replace(call.clone()) == call
}

/// A little more in every second and third call of a thread, as an order of summation that depends on chance would give.
fn chance() -> f64 {
    thread_local!(static CALLS: Cell<u64> = const { Cell::new(0) });
    let calls = CALLS.replace(CALLS.get() + 1);
    (calls % 3) as f64 * 1e-14
}

impl<R, Y, X, const W: usize> ForwardRule<R, (Y, X), W> for SquareSum
where
    R: ForwardReturn<W, Out = f64, Forward: 'static>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x): (&mut Y, &mut X)) -> R::Forward {
        let wrong = self.0;
        assert!(wrong != PanicsInForward, "not today");
        let strong = config.strong_zero() && wrong != ForgetsStrongZero;
        let tangent = |x: f64, dx: f64| match wrong {
            FlipsSign => scaled(-2.0 * x, dx, strong),
            SquaresTangent => scaled(2.0 * x * dx, dx, strong),
            AddsConstantTangent => scaled(2.0 * x, dx, strong) + 1e-3,
            DividesByWidth => scaled(2.0 * x, dx, strong) / W as f64,
            RoundsTangentUp if dx != 0.0 => scaled(2.0 * x, dx, strong) + 1e-15,
            _ => scaled(2.0 * x, dx, strong),
        };
        let of = |lane: usize| match wrong {
            TangentOfLaneZero => 0,
            TangentOfNextLane => (lane + 1) % W,
            _ => lane,
        };
        let mut sum = match wrong {
            MutatesOnlyIfNeeded if !config.needs_primal() => x.primal().iter().map(|x| x * x).sum(),
            SumsBackwards => {
                square_sum(y.primal_mut(), x.primal());
                y.primal().iter().rev().sum()
            }
            _ => square_sum(y.primal_mut(), x.primal()),
        };
        match wrong {
            MutatesTwice => y.primal_mut().iter_mut().for_each(|y| *y *= *y),
            ReturnsAnotherPrimal => sum *= 1.0 + 1e-14,
            _ => {}
        }
        y.assign(|lane, _, dy| {
            let tangents = x
                .tangent(of(lane))
                .map(|dx| x.primal().iter().zip(dx).map(|(x, dx)| tangent(*x, *dx)));
            let tangents: Vec<f64> = tangents.map_or(vec![0.0; dy.len()], Iterator::collect);
            let skip = usize::from(wrong == ForgetsLastEntry);
            let entries = dy.len() - skip.min(dy.len());
            for (dy, tangent) in dy.iter_mut().zip(tangents).take(entries) {
                match wrong {
                    AddsToStaleShadow => *dy += tangent,
                    LeavesStaleShadow => {}
                    _ => *dy = tangent,
                }
            }
            if let (ZeroesFirstTangent, Some(dy)) = (wrong, dy.first_mut()) {
                *dy = 0.0;
            }
        });
        let noise = match wrong {
            DependsOnChance => chance(),
            _ => 0.0,
        };
        let again = wrong == RemembersLastCall && remembered(x.primal(), x.tangent(0));
        let config = match wrong {
            ReturnsPrimalAlways => config.with_needs_primal(true),
            ReturnsPrimalNever => config.with_needs_primal(false),
            _ => *config,
        };
        R::forward(
            &config,
            || sum,
            |lane| {
                let Some(dx) = x.tangent(of(lane)) else {
                    return 0.0;
                };
                let total: f64 = x
                    .primal()
                    .iter()
                    .zip(dx)
                    .map(|(x, dx)| tangent(*x, *dx))
                    .sum();
                match wrong {
                    HalvesReturn => total / 2.0,
                    DropsReturn => 0.0,
                    DependsOnChance => total * (1.0 + noise),
                    RemembersLastCall if again => total * (1.0 + f64::EPSILON),
                    _ => total,
                }
            },
        )
    }
}

thread_local! {
    /// Where `GlobalTape` keeps its tape.
    static TAPE: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

impl<R, Y, X, const W: usize> ReverseRule<R, (Y, X), W> for SquareSum
where
    R: ReverseReturn<W, Out = f64>,
    Y: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x): (&mut Y, &mut X),
    ) -> AugmentedReturn<f64, R::Shadow, Self::Tape> {
        let wrong = self.0;
        assert!(wrong != PanicsInAugmented, "not today");
        assert!(
            wrong != PanicsIfConst || x.is_active(),
            "nobody calls this with a constant"
        );
        let tape = match wrong {
            ReadsXInPlace => Saved::new(x.primal(), false),
            AsksForTheWrongArgument => Saved::new(x.primal(), config.overwritten(0)),
            SavesTheWrongArgument => Saved::new(y.primal(), config.overwritten(1)),
            SavesHalf => {
                let mut half = x.primal().to_vec();
                let middle = half.len() / 2;
                half[middle..].fill(0.0);
                Saved::new(&half[..], config.overwritten(1))
            }
            SavesAlways => Saved::new(x.primal(), true),
            _ => Saved::new(x.primal(), config.overwritten(1)),
        };
        if wrong == GlobalTape {
            TAPE.set(x.primal().to_vec());
        }
        let mut sum = match wrong {
            AugmentedMutatesOnlyIfNeeded if !config.needs_primal() => 0.0,
            _ => square_sum(y.primal_mut(), x.primal()),
        };
        match wrong {
            AugmentedClearsX => {
                x.accumulate(|_, _, mut dx| dx.accumulate_with(|dx| dx.fill(0.0)));
            }
            AugmentedSeedsX => {
                x.accumulate(|_, _, mut dx| {
                    dx.accumulate_with(|dx| dx.iter_mut().for_each(|dx| *dx += 1.0))
                });
            }
            AugmentedClearsY => {
                y.consume();
            }
            AugmentedReturnsAnotherPrimal => sum += 1e-12,
            _ => {}
        }
        let config = match wrong {
            AugmentedReturnsPrimalAlways => config.with_needs_primal(true),
            AugmentedReturnsPrimalNever => config.with_needs_primal(false),
            _ => *config,
        };
        R::augmented(&config, sum, tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (y, x): (&mut Y, &mut X),
    ) -> (Y::Gradient, X::Gradient) {
        let wrong = self.0;
        assert!(wrong != PanicsInReverse, "not today");
        let strong = config.strong_zero() && wrong != ForgetsStrongZeroBack;
        let noise = match wrong {
            DependsOnChanceBack => chance(),
            _ => 0.0,
        };
        let dx = x.accumulate(|lane, x, mut dx| {
            let of = if wrong == CotangentOfLaneZero {
                0
            } else {
                lane
            };
            let dret = dret.lane(of).copied().unwrap_or(0.0);
            let global = TAPE.with_borrow(Vec::clone);
            let saved = match wrong {
                GlobalTape => &global[..],
                MasksNan if x.iter().any(|x| x.is_nan()) => tape.get(x),
                MasksNan => x,
                _ => tape.get(x),
            };
            let n = saved.len();
            for i in 0..n {
                let dy = y.cotangent(of).map_or(0.0, |dy| dy[i]);
                let seed = match wrong {
                    DropsCotangentOfY => dret,
                    DropsCotangentOfReturn => dy,
                    SquaresCotangent => (dret + dy) * (dret + dy),
                    AddsConstantCotangent => dret + dy + 1e-3,
                    LanesShare if W > 1 => {
                        dret + dy + y.cotangent((lane + 1) % W).map_or(0.0, |dy| dy[i])
                    }
                    _ => dret + dy,
                };
                let at = if wrong == SwapsEntries && n > 1 && i < 2 {
                    1 - i
                } else {
                    i
                };
                let partial = match wrong {
                    ForgetsFactor => saved[at],
                    OneEntryOff if i == n - 1 => 2.0 * saved[at] * (1.0 + 1e-5),
                    DependsOnChanceBack => 2.0 * saved[at] * (1.0 + noise),
                    _ => 2.0 * saved[at],
                };
                let add = scaled(partial, seed, strong);
                dx.accumulate_with(|dx| match wrong {
                    LeavesOutRemainder if i >= n / 4 * 4 => {}
                    AssignsX => dx[i] = add,
                    ScalesX => dx[i] = 2.0 * dx[i] + add,
                    SubtractsX => dx[i] -= add,
                    AccumulatesInSingle if dx[i] != 0.0 => dx[i] = f64::from((dx[i] + add) as f32),
                    _ => dx[i] += add,
                });
            }
        });
        match wrong {
            ReverseRunsPrimalAgain => {
                square_sum(y.primal_mut(), tape.get(x.primal()));
            }
            ReverseClearsY => y.primal_mut().fill(0.0),
            _ => {}
        }
        let dy = match wrong {
            KeepsY => y.transform(|_, _, _| {}),
            HalvesY => y.transform(|_, _, dy| dy.iter_mut().for_each(|dy| *dy /= 2.0)),
            KeepsLastY => y.transform(|_, _, dy| {
                let n = dy.len();
                dy[..n.saturating_sub(1)].fill(0.0);
            }),
            _ => y.consume(),
        };
        (dy, dx)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (out(5).named("y"), input(5).named("x"));
    let tester = crate::shared!(Setting::new(arguments).function("square_sum", SquareSum(wrong)));
    let tester = tester.const_buffers(severed("as Enzyme does"));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        forward [DuplicatedNoNeed; DuplicatedNoNeed, Duplicated]
        forward [Const; Duplicated, Const]
        forward [Const; Const, Const]
        forward [DuplicatedNoNeed; Duplicated, Const]
        reverse [Active; Duplicated, Duplicated]
        reverse [Const; Duplicated, Duplicated]
        reverse [Active; DuplicatedNoNeed, Duplicated]
        reverse [Active; Const, Duplicated]
        reverse [Active; Duplicated, Const]
        reverse [Const; Const, Const]
    )
}

fn forward(wrong: Wrong) -> Report {
    let arguments = (out(5).named("y"), input(5).named("x"));
    let tester = crate::shared!(Setting::new(arguments).function("square_sum", SquareSum(wrong)));
    crate::in_mixes!(tester; only forward [Duplicated; Duplicated, Duplicated])
}

fn reverse(wrong: Wrong) -> Report {
    let arguments = (out(5).named("y"), input(5).named("x"));
    let tester = crate::shared!(Setting::new(arguments).function("square_sum", SquareSum(wrong)));
    crate::in_mixes!(tester; only reverse [Active; Duplicated, Duplicated])
}

crate::variants!(judge: Nothing, SumsBackwards, SavesAlways);

crate::mutants! {
    judge {
        AddsToStaleShadow => F2, "where   y.shadow";
        LeavesStaleShadow => F2, "where   y.shadow";
        HalvesReturn => F1, "where   ret.tangent";
        DropsReturn => F1, "where   ret.tangent";
        FlipsSign => F1, "where   ret.tangent";
        TangentOfLaneZero => B1, "lane 1: B1";
        TangentOfNextLane => B1, "B1";
        DividesByWidth => B1, "B1";
        MutatesOnlyIfNeeded => P2, "where   y: P2";
        MutatesTwice => P2, "where   y: P2";
        ReturnsPrimalAlways => I1, "needs_primal = false, but a primal was returned";
        ReturnsPrimalNever => I1, "needs_primal = true, but no primal was returned";
        ReturnsAnotherPrimal => P1, "where   ret: P1";
        AddsConstantTangent => L1, "L1";
        SquaresTangent => L1, "L1";
        ForgetsStrongZero => N1, "N1";
        ForgetsLastEntry => F2, "[4] ";
        ZeroesFirstTangent => F2, "[0] ";
        PanicsInForward => E1, "`forward` panicked: not today";
        DependsOnChance => D1, "where   ret.tangent";
        AssignsX => R1, "where   x.shadow";
        ScalesX => R1, "where   x.shadow";
        SubtractsX => R1z, "where   x.shadow";
        AccumulatesInSingle => R1, "where   x.shadow";
        KeepsY => R4, "where   y.shadow";
        HalvesY => R4, "where   y.shadow";
        KeepsLastY => R4, "[4] ";
        ReadsXInPlace => R6, "NaN from argument 1";
        AsksForTheWrongArgument => R6, "where   x.shadow";
        SavesTheWrongArgument => R6, "where   x.shadow";
        SavesHalf => R6, "[4] ";
        MasksNan => R6, "where   x.shadow";
        DropsCotangentOfY => R1z, "where   x.shadow";
        DropsCotangentOfReturn => R1z, "where   x.shadow";
        ForgetsFactor => R1z, "where   x.shadow";
        OneEntryOff => R1z, "[4] ";
        SwapsEntries => R1z, "[1] ";
        LeavesOutRemainder => R1z, "[4] ";
        CotangentOfLaneZero => B1, "lane 1: B1";
        LanesShare => B1, "B1";
        AugmentedClearsX => R10, "where   x.shadow";
        AugmentedClearsY => R10, "where   y.shadow";
        AugmentedSeedsX => R10, "where   x.shadow";
        ReverseRunsPrimalAgain => R9, "where   y: R9";
        ReverseClearsY => R9, "where   y: R9";
        GlobalTape => D2, "where   x.shadow";
        DependsOnChanceBack => D1, "where   x.shadow";
        AddsConstantCotangent => L1, "where   x.shadow";
        SquaresCotangent => L1, "where   x.shadow";
        ForgetsStrongZeroBack => N1, "where   x.shadow";
        AugmentedMutatesOnlyIfNeeded => P2, "where   y: P2";
        AugmentedReturnsPrimalAlways => I1, "but a primal was returned";
        AugmentedReturnsPrimalNever => I1, "but no primal was returned";
        AugmentedReturnsAnotherPrimal => P1, "where   ret: P1";
        PanicsInAugmented => E1, "`augmented_primal` panicked: not today";
        PanicsInReverse => E1, "`reverse` panicked: not today";
        PanicsIfConst => E1, "nobody calls this with a constant";
    }
    forward {
        AddsToStaleShadow => F2, "where   y.shadow";
        RoundsTangentUp => L1, "L1";
        RemembersLastCall => D1, "where   ret.tangent";
    }
    reverse {
        KeepsY => R4, "where   y.shadow";
        AugmentedClearsY => R10, "where   y.shadow";
    }
}
