//! y ← y + a·x², returns Σ x·w: memory that is read and written, two read-only arguments of one type, a number, a return.

use std::cell::{Cell, RefCell};
use std::sync::Mutex;

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Function, Holds, HoldsMut, Lanes, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn,
    ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Report, Setting, inout, input, severed, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    SumsBackwards,
    CachesOnce,
    // Forward.
    SkipsIfFirstTangentIsZero,
    BreaksAtZeroTangent,
    LooksAtLaneZero,
    StrongZeroDrops,
    ClipsTangents,
    DropsSmallTangents,
    ErrsAtNegativeX,
    ErrsAtNegativeA,
    ErrsWithoutPrimal,
    OffInOneEntry,
    ForgetsTangentOfW,
    ForgetsTangentOfA,
    ForgetsOldTangent,
    TellsByAddress,
    ErrsInThreeLanes,
    Leaks,
    RightOnceInAWhile,
    // Reverse.
    StackOfTapes,
    QueueOfTapes,
    ZeroesWhatItReads,
    DoublesWhatItReads,
    StopsAtZeroReturn,
    BreaksAtZeroCotangent,
    LooksAtLaneZeroBack,
    StrongZeroDropsBack,
    ClipsCotangents,
    DropsSmallCotangents,
    SeedsBySize,
    DividesSeedByItself,
    SavesRounded,
    SwapsTapesIfBothOverwritten,
    SkipsMutationIfOverwritten,
    ClearsShadowIfOverwritten,
    PanicsIfOverwritten,
    ErrsWithoutPrimalBack,
    LosesWIfAIsConst,
    LosesXIfReturnIsConst,
    NegatesLastEntry,
    EverySecondCallDoesNothing,
    SwapsGradients,
    LeaksTape,
    SavesAlways,
    SavesTwice,
    AllocatesPerEntry,
    SharesScratch,
    RestoresY,
    DividesByWidth,
    LanesReversed,
    ASlightlyOff,
    ReadsNewY,
    TellsByAddressBack,
    OnlyLastLane,
}

use Wrong::*;

pub(crate) struct Fused(Wrong);

fn fused(y: &mut [f64], x: &[f64], w: &[f64], a: f64) -> f64 {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x * x);
    x.iter().zip(w).map(|(x, w)| x * w).sum()
}

impl<Y, X, V> Function<(Y, X, V, f64)> for Fused
where
    Y: HoldsMut<[f64]>,
    X: Holds<[f64]>,
    V: Holds<[f64]>,
{
    type Output = f64;

    fn call(&self, (mut y, x, w, a): (Y, X, V, f64)) -> f64 {
        fused(y.get_mut(), x.get(), w.get(), a)
    }
}

/// The tangent or cotangent after a limit that only some seeds meet.
fn limited(clips: bool, drops: bool, seed: f64) -> f64 {
    match seed {
        _ if clips => seed.clamp(-1e3, 1e3),
        _ if drops && seed.abs() < 1e-9 => 0.0,
        _ => seed,
    }
}

impl<R, Y, X, V, A, const W: usize> ForwardRule<R, (Y, X, V, A), W> for Fused
where
    R: ForwardReturn<W, Out = f64>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
    V: ForwardArg<[f64], W>,
    A: ForwardArg<f64, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (y, x, w, a): (&mut Y, &mut X, &mut V, &mut A),
    ) -> R::Forward {
        let (wrong, strong) = (self.0, config.strong_zero());
        let sum = fused(y.primal_mut(), x.primal(), w.primal(), *a.primal());
        let (xs, ws, a0) = (x.primal(), w.primal(), *a.primal());
        let n = xs.len();
        let factor = match wrong {
            StrongZeroDrops if strong => 0.0,
            ErrsWithoutPrimal if !R::needs_primal(config) => 1.5,
            ErrsAtNegativeA if a0 < 0.0 => -1.0,
            TellsByAddress if std::ptr::eq(xs, ws) && n > 0 => 2.0,
            ErrsInThreeLanes if W == 3 => 1.25,
            _ => 1.0,
        };
        let limit = |seed| limited(wrong == ClipsTangents, wrong == DropsSmallTangents, seed);
        if wrong == Leaks {
            std::mem::forget(vec![1_u8; 3]);
        }
        let silent = |dx: Option<&[f64]>| match wrong {
            SkipsIfFirstTangentIsZero => dx.is_some_and(|dx| dx.first() == Some(&0.0)),
            LooksAtLaneZero if W > 1 => x
                .tangent(0)
                .is_some_and(|dx| !dx.is_empty() && dx.iter().all(|dx| *dx == 0.0)),
            _ => false,
        };
        let last = |dx: Option<&[f64]>| match (wrong, dx) {
            (BreaksAtZeroTangent, Some(dx)) => dx.iter().position(|dx| *dx == 0.0).unwrap_or(n),
            _ => n,
        };
        y.assign(|lane, _, dy| {
            let (dx, da) = (x.tangent(lane), a.tangent(lane).copied());
            for i in 0..last(dx) {
                let by_x = dx.map_or(0.0, |dx| scaled(2.0 * a0 * xs[i], limit(dx[i]), strong));
                let by_x = match wrong {
                    ErrsAtNegativeX if xs[i] < 0.0 => -by_x,
                    OffInOneEntry if i == 3 => by_x * (1.0 + 1e-5),
                    _ => by_x,
                };
                let by_a = da.map_or(0.0, |da| scaled(xs[i] * xs[i], da, strong));
                let by_a = if wrong == ForgetsTangentOfA {
                    0.0
                } else {
                    by_a
                };
                let old = if wrong == ForgetsOldTangent {
                    0.0
                } else {
                    dy[i]
                };
                dy[i] = if silent(dx) {
                    old
                } else {
                    old + factor * (by_x + by_a)
                };
            }
        });
        R::forward(
            config,
            || sum,
            |lane| {
                let (dx, dw) = (x.tangent(lane), w.tangent(lane));
                if silent(dx) {
                    return 0.0;
                }
                let mut total = 0.0;
                for i in 0..last(dx) {
                    total += dx.map_or(0.0, |dx| scaled(ws[i], limit(dx[i]), strong));
                    if wrong != ForgetsTangentOfW {
                        total += dw.map_or(0.0, |dw| scaled(xs[i], dw[i], strong));
                    }
                }
                match wrong {
                    RightOnceInAWhile if turn().is_multiple_of(7) => total * 1.5,
                    _ => factor * total,
                }
            },
        )
    }
}

/// How many calls this thread has made.
fn turn() -> u64 {
    thread_local!(static TURNS: Cell<u64> = const { Cell::new(0) });
    TURNS.replace(TURNS.get() + 1)
}

thread_local! {
    /// Where `StackOfTapes` and `QueueOfTapes` keep their tapes.
    static TAPES: RefCell<Vec<Vec<f64>>> = const { RefCell::new(Vec::new()) };
}
/// What `SharesScratch` computes in.
static SCRATCH: Mutex<Vec<f64>> = Mutex::new(Vec::new());
/// What `CachesOnce` computes once.
static CACHE: std::sync::OnceLock<Vec<f64>> = std::sync::OnceLock::new();

pub(crate) struct FusedTape {
    x: Saved<[f64]>,
    w: Saved<[f64]>,
    more: Vec<f64>,
}

impl<R, Y, X, V, A, const W: usize> ReverseRule<R, (Y, X, V, A), W> for Fused
where
    R: ReverseReturn<W, Out = f64>,
    Y: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
    V: ReverseArg<[f64], W>,
    A: ReverseArg<f64, W>,
{
    type Tape = FusedTape;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x, w, a): (&mut Y, &mut X, &mut V, &mut A),
    ) -> AugmentedReturn<f64, R::Shadow, FusedTape> {
        let wrong = self.0;
        let (xo, wo) = (config.overwritten(1), config.overwritten(2));
        let (mut x_saved, mut w_saved) = (Saved::new(x.primal(), xo), Saved::new(w.primal(), wo));
        let mut more = vec![];
        match wrong {
            SavesRounded if xo => {
                let rounded: Vec<f64> = x.primal().iter().map(|x| f64::from(*x as f32)).collect();
                let off: Vec<f64> = rounded.iter().map(|x| x * (1.0 + 1e-15)).collect();
                x_saved = Saved::new(&off, true);
            }
            SwapsTapesIfBothOverwritten if xo && wo => std::mem::swap(&mut x_saved, &mut w_saved),
            SavesAlways => x_saved = Saved::new(x.primal(), true),
            SavesTwice if xo => more = x.primal().to_vec(),
            LeaksTape => std::mem::forget(x.primal().to_vec()),
            StackOfTapes | QueueOfTapes => {
                TAPES.with_borrow_mut(|tapes| tapes.push(x.primal().to_vec()));
            }
            CachesOnce => drop(CACHE.get_or_init(|| vec![1.0; 100]).first()),
            _ => {}
        }
        let skips = wrong == SkipsMutationIfOverwritten && config.overwritten(0);
        let old = skips.then(|| y.primal().to_vec());
        let mut sum = fused(y.primal_mut(), x.primal(), w.primal(), *a.primal());
        if let Some(old) = old {
            y.primal_mut().copy_from_slice(&old);
        }
        if wrong == SumsBackwards {
            let products = x.primal().iter().zip(w.primal()).map(|(x, w)| x * w);
            sum = products.rev().sum();
        }
        if wrong == ClearsShadowIfOverwritten && xo {
            x.accumulate(|_, _, mut dx| dx.accumulate_with(|dx| dx.fill(0.0)));
        }
        let tape = FusedTape {
            x: x_saved,
            w: w_saved,
            more,
        };
        R::augmented(config, sum, tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: FusedTape,
        (y, x, w, a): (&mut Y, &mut X, &mut V, &mut A),
    ) -> (Y::Gradient, X::Gradient, V::Gradient, A::Gradient) {
        let wrong = self.0;
        let strong = config.strong_zero();
        assert!(
            wrong != PanicsIfOverwritten || !config.overwritten(2),
            "w is gone"
        );
        let mut xs = tape.x.get(x.primal()).to_vec();
        let ws = tape.w.get(w.primal()).to_vec();
        let a0 = *a.primal();
        let n = xs.len();
        TAPES.with_borrow_mut(|tapes| match wrong {
            StackOfTapes => xs = tapes.pop().expect("the first half has pushed one"),
            QueueOfTapes if !tapes.is_empty() => xs = tapes.remove(0),
            _ => {}
        });
        match wrong {
            ReadsNewY => xs = y.primal().to_vec(),
            AllocatesPerEntry => (0..n).for_each(|i| drop(std::hint::black_box(vec![i]))),
            SharesScratch => {
                let mut scratch = SCRATCH.lock().expect("nobody panics here");
                scratch.clone_from(&xs);
                drop(scratch);
                // Another thread comes by.
                (0..8).for_each(|_| std::thread::yield_now());
                xs.clone_from(&SCRATCH.lock().expect("nobody panics here"));
            }
            _ => {}
        }
        let idle = wrong == EverySecondCallDoesNothing && turn() % 2 == 1;
        let factor = match wrong {
            _ if idle => 0.0,
            StrongZeroDropsBack if strong => 0.0,
            ErrsWithoutPrimalBack if !config.needs_primal() => 1.5,
            DividesByWidth => 1.0 / W as f64,
            TellsByAddressBack if std::ptr::eq(x.primal(), w.primal()) && n > 0 => 2.0,
            _ => 1.0,
        };
        let of = |lane: usize| match wrong {
            LanesReversed => W - 1 - lane,
            OnlyLastLane => W - 1,
            _ => lane,
        };
        let ret = |lane: usize| {
            let seed = dret.lane(of(lane)).copied().unwrap_or(0.0);
            match wrong {
                SeedsBySize => seed.abs(),
                DividesSeedByItself => seed.powi(2) / seed,
                _ => limited(
                    wrong == ClipsCotangents,
                    wrong == DropsSmallCotangents,
                    seed,
                ),
            }
        };
        let dy = |lane: usize, i: usize| y.cotangent(of(lane)).map_or(0.0, |dy| dy[i]);
        let quiet = |lane: usize| match wrong {
            StopsAtZeroReturn => dret.lane(lane) == Some(&0.0),
            LooksAtLaneZeroBack if W > 1 => dret.lane(0) == Some(&0.0),
            _ => false,
        };
        let end = |lane: usize| match wrong {
            BreaksAtZeroCotangent if y.is_active() => {
                (0..n).position(|i| dy(lane, i) == 0.0).unwrap_or(n)
            }
            _ => n,
        };
        let by_x = |lane: usize, i: usize| {
            let by_y = scaled(2.0 * a0 * xs[i], dy(lane, i), strong);
            let by_ret = scaled(ws[i], ret(lane), strong);
            match wrong {
                NegatesLastEntry if i == n - 1 => -(by_y + by_ret),
                LosesXIfReturnIsConst if !R::ACTIVE => 0.0,
                _ => factor * (by_y + by_ret),
            }
        };
        let by_w = |lane: usize, i: usize| factor * scaled(xs[i], ret(lane), strong);
        let swapped = wrong == SwapsGradients;
        let dx = x.accumulate(|lane, _, mut dx| {
            dx.accumulate_with(|dx| {
                for i in 0..if quiet(lane) { 0 } else { end(lane) } {
                    dx[i] += if swapped {
                        by_w(lane, i)
                    } else {
                        by_x(lane, i)
                    };
                }
            });
        });
        let lost = wrong == LosesWIfAIsConst && !a.is_active();
        let dw = w.accumulate(|lane, _, mut dw| {
            dw.accumulate_with(|dw| {
                for i in 0..if quiet(lane) || lost { 0 } else { n } {
                    dw[i] += if swapped {
                        by_x(lane, i)
                    } else {
                        by_w(lane, i)
                    };
                }
            });
        });
        let off = if wrong == ASlightlyOff {
            1.0 + 1e-5
        } else {
            1.0
        };
        let da = a.accumulate(|lane, _, mut da| {
            for i in 0..if quiet(lane) { 0 } else { end(lane) } {
                da += off * factor * scaled(xs[i] * xs[i], dy(lane, i), strong);
            }
        });
        drop(tape.more);
        if wrong == RestoresY {
            let new = y.primal_mut().iter_mut().zip(&xs);
            new.for_each(|(y, x)| *y -= a0 * x * x);
        }
        let dy = match wrong {
            ZeroesWhatItReads => y.consume(),
            DoublesWhatItReads => y.transform(|_, _, dy| dy.iter_mut().for_each(|dy| *dy *= 2.0)),
            _ => y.transform(|_, _, _| {}),
        };
        (dy, dx, dw, da)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (
        inout(5).named("y"),
        input(5).named("x"),
        input(5).named("w"),
        value(1.0).within(-3.0..3.0).named("a"),
    );
    let tester = Setting::new(arguments)
        .function("fused", Fused(wrong))
        .const_buffers(severed("as Enzyme does"))
        .tape_budget(|config| {
            let saved = [1, 2].map(|argument| usize::from(config.overwritten(argument)));
            saved.iter().sum::<usize>() * 5 * size_of::<f64>()
        })
        .allocation_budget(5);
    let tester = crate::shared!(tester);
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated, Duplicated, Duplicated]
        forward [DuplicatedNoNeed; Duplicated, Duplicated, Const, Duplicated]
        forward [Const; Duplicated, Const, Const, Duplicated]
        reverse [Active; Duplicated, Duplicated, Duplicated, Active]
        reverse [Const; Duplicated, Duplicated, Const, Active]
        reverse [Active; Duplicated, Const, Duplicated, Const]
        reverse [Active; Const, Duplicated, Duplicated, Active]
    )
}

crate::variants!(judge: Nothing, SumsBackwards, CachesOnce);

crate::mutants! {
    judge {
        SkipsIfFirstTangentIsZero => F1, "where   ret.tangent";
        BreaksAtZeroTangent => F1, "where   ret.tangent";
        LooksAtLaneZero => F1, "lane 1";
        StrongZeroDrops => N1, "where   ret.tangent";
        ClipsTangents => L1, "L1";
        DropsSmallTangents => L1, "L1";
        ErrsAtNegativeX => F2, "where   y.shadow";
        ErrsAtNegativeA => F1, "where   ret.tangent";
        ErrsWithoutPrimal => F1, "needs_primal=false";
        OffInOneEntry => F2, "[3] ";
        ForgetsTangentOfW => F1, "where   ret.tangent";
        ForgetsTangentOfA => F2, "where   y.shadow";
        ForgetsOldTangent => F2, "where   y.shadow";
        TellsByAddress => A1, "where   ret.tangent";
        ErrsInThreeLanes => B1, "width 3";
        Leaks => T2, "leaves 3 bytes allocated for ever";
        RightOnceInAWhile => D1, "where   ret.tangent";
        StackOfTapes => D2, "D2";
        QueueOfTapes => D1, "x.shadow";
        ZeroesWhatItReads => R1z, "where   y.shadow";
        DoublesWhatItReads => R1z, "where   y.shadow";
        StopsAtZeroReturn => R1z, "x.shadow";
        BreaksAtZeroCotangent => R1z, "x.shadow";
        LooksAtLaneZeroBack => R1z, "lane 1";
        StrongZeroDropsBack => N1, "x.shadow";
        ClipsCotangents => L1, "x.shadow";
        DropsSmallCotangents => L1, "x.shadow";
        SeedsBySize => L1, "x.shadow";
        DividesSeedByItself => L1, "x.shadow";
        SavesRounded => R6, "x.shadow";
        SwapsTapesIfBothOverwritten => R6, "x.shadow";
        SkipsMutationIfOverwritten => P2, "where   y: P2";
        ClearsShadowIfOverwritten => R10, "where   x.shadow";
        PanicsIfOverwritten => E1, "`reverse` panicked: w is gone";
        ErrsWithoutPrimalBack => R1z, "needs_primal=false";
        LosesWIfAIsConst => R1z, "where   w.shadow";
        LosesXIfReturnIsConst => R1z, "where   x.shadow";
        NegatesLastEntry => R1z, "[4] ";
        EverySecondCallDoesNothing => D1, "where   x.shadow";
        SwapsGradients => R1z, "where   w.shadow";
        LeaksTape => T2, "leaves 40 bytes allocated for ever";
        SavesAlways => T1, "the tape owns 40 bytes where {} is overwritten, budget 0";
        SavesTwice => T1, "the tape owns 80 bytes where {x} is overwritten, budget 40";
        AllocatesPerEntry => T2, "`reverse` allocates 7 times, budget 5";
        SharesScratch => H1, "x.shadow";
        RestoresY => R9, "where   y: R9";
        DividesByWidth => B1, "B1";
        LanesReversed => B1, "B1";
        ASlightlyOff => R1z, "where   a.gradient";
        ReadsNewY => R6, "x.shadow";
        TellsByAddressBack => A1, "x.shadow";
        OnlyLastLane => B1, "B1";
    }
}
