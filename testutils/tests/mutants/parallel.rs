//! y ← sin(s·x), on the threads of rayon, returns Σ y: a rule that is parallel inside.

use std::cell::Cell;
use std::sync::Mutex;
use std::thread;

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Function, Holds, HoldsMut, Lanes, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn,
    ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Check, Report, Setting, Verdict, input, out, severed, value};
use rayon::prelude::*;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    InLargerChunks,
    OnAThreadOfItsOwn,
    // Forward.
    SumsAsTheyCome,
    LosesLastChunk,
    ForgetsTangentOfS,
    // Reverse.
    SumsAsTheyComeBack,
    LosesLastChunkBack,
    OffsetsChunks,
    SharesPartialSums,
    AssignsInParallel,
    OneShadowForAllLanes,
    PanicsOnAThread,
    ForgetsCotangentOfReturn,
    ReadsXInPlace,
    LeaksOnOtherThreads,
}

use Wrong::*;

pub(crate) struct Sines(Wrong);

/// Entries that one task takes.
const CHUNK: usize = 4;

fn sines(y: &mut [f64], x: &[f64], s: f64) -> f64 {
    let chunks = y.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK));
    chunks.for_each(|(y, x)| y.iter_mut().zip(x).for_each(|(y, x)| *y = (s * x).sin()));
    in_order(y.par_chunks(CHUNK).map(|y| y.iter().sum()))
}

/// The sum of the parts in their order, whichever comes first.
fn in_order(parts: impl IndexedParallelIterator<Item = f64>) -> f64 {
    parts.collect::<Vec<f64>>().into_iter().sum()
}

/// The sum of the parts as they come: with another rounding at every call.
fn as_they_come(parts: impl IndexedParallelIterator<Item = f64>) -> f64 {
    thread_local!(static CALLS: Cell<u8> = const { Cell::new(0) });
    let call = CALLS.replace((CALLS.get() + 1) % 7);
    in_order(parts) * (1.0 + f64::from(call) * f64::EPSILON)
}

impl<Y: HoldsMut<[f64]>, X: Holds<[f64]>> Function<(Y, X, f64)> for Sines {
    type Output = f64;

    fn call(&self, (mut y, x, s): (Y, X, f64)) -> f64 {
        sines(y.get_mut(), x.get(), s)
    }
}

impl<R, Y, X, S, const W: usize> ForwardRule<R, (Y, X, S), W> for Sines
where
    R: ForwardReturn<W, Out = f64>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
    S: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x, s): (&mut Y, &mut X, &mut S)) -> R::Forward {
        let (wrong, strong, s0) = (self.0, config.strong_zero(), *s.primal());
        let sum = sines(y.primal_mut(), x.primal(), s0);
        let xs = x.primal();
        let n = xs.len();
        let tangents = |lane: usize| -> Vec<f64> {
            let (dx, ds) = (x.tangent(lane), s.tangent(lane).copied());
            let at = |i: usize| {
                let cos = (s0 * xs[i]).cos();
                let by_x = dx.map_or(0.0, |dx| scaled(s0 * cos, dx[i], strong));
                let by_s = match ds {
                    Some(ds) if wrong != ForgetsTangentOfS => scaled(xs[i] * cos, ds, strong),
                    _ => 0.0,
                };
                match wrong {
                    LosesLastChunk if i >= n / CHUNK * CHUNK => 0.0,
                    _ => by_x + by_s,
                }
            };
            // One lane at a time, for handles stay on their thread.
            (0..n).map(at).collect()
        };
        let of_lanes: Vec<Vec<f64>> = (0..W).map(tangents).collect();
        y.assign(|lane, _, dy| {
            dy.par_chunks_mut(CHUNK)
                .zip(of_lanes[lane].par_chunks(CHUNK))
                .for_each(|(dy, tangent)| dy.copy_from_slice(tangent));
        });
        R::forward(
            config,
            || sum,
            |lane| {
                let parts = of_lanes[lane].par_chunks(CHUNK).map(|dy| dy.iter().sum());
                match wrong {
                    SumsAsTheyCome => as_they_come(parts),
                    _ => in_order(parts),
                }
            },
        )
    }
}

/// Where `SharesPartialSums` adds up.
static PARTIAL: Mutex<f64> = Mutex::new(0.0);

impl<R, Y, X, S, const W: usize> ReverseRule<R, (Y, X, S), W> for Sines
where
    R: ReverseReturn<W, Out = f64>,
    Y: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
    S: ReverseArg<f64, W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x, s): (&mut Y, &mut X, &mut S),
    ) -> AugmentedReturn<f64, R::Shadow, Self::Tape> {
        let copies = config.overwritten(1) && self.0 != ReadsXInPlace;
        let tape = Saved::new(x.primal(), copies);
        R::augmented(config, sines(y.primal_mut(), x.primal(), *s.primal()), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (y, x, s): (&mut Y, &mut X, &mut S),
    ) -> (Y::Gradient, X::Gradient, S::Gradient) {
        let (wrong, strong, s0) = (self.0, config.strong_zero(), *s.primal());
        let xs = tape.get(x.primal());
        let xs = match wrong {
            OnAThreadOfItsOwn => thread::scope(|scope| scope.spawn(|| xs.to_vec()).join()),
            _ => Ok(xs.to_vec()),
        };
        let xs = xs.expect("nothing can fail in a copy");
        let n = xs.len();
        // cos(s·x)·(ȳ + r̄), for each lane.
        let pulled = |lane: usize| -> Vec<f64> {
            let of = if wrong == OneShadowForAllLanes { 0 } else { lane };
            let dret = match dret.lane(of) {
                Some(dret) if wrong != ForgetsCotangentOfReturn => *dret,
                _ => 0.0,
            };
            let seeds: Vec<f64> = match y.cotangent(of) {
                Some(dy) => dy.iter().map(|dy| dy + dret).collect(),
                None => vec![dret; n],
            };
            let chunk = if wrong == InLargerChunks { 64 } else { CHUNK };
            let mut pulled = vec![0.0; n];
            let tasks = pulled.par_chunks_mut(chunk).enumerate();
            tasks.for_each(|(task, pulled)| {
                assert!(wrong != PanicsOnAThread || task == 0, "a thread is tired");
                if wrong == LeaksOnOtherThreads {
                    std::mem::forget(vec![0.0_f64; 2]);
                }
                for (i, pulled) in pulled.iter_mut().enumerate() {
                    let at = task * chunk + i;
                    let read = match wrong {
                        OffsetsChunks => i,
                        _ => at,
                    };
                    *pulled = match wrong {
                        LosesLastChunkBack if at >= n / CHUNK * CHUNK => 0.0,
                        _ => scaled((s0 * xs[read]).cos(), seeds[at], strong),
                    };
                }
            });
            pulled
        };
        let of_lanes: Vec<Vec<f64>> = (0..W).map(pulled).collect();
        let dx = x.accumulate(|lane, _, mut dx| {
            dx.accumulate_with(|dx| {
                dx.par_chunks_mut(CHUNK)
                    .zip(of_lanes[lane].par_chunks(CHUNK))
                    .for_each(|(dx, pulled)| {
                        for (dx, pulled) in dx.iter_mut().zip(pulled) {
                            match wrong {
                                AssignsInParallel => *dx = scaled(s0, *pulled, strong),
                                _ => *dx += scaled(s0, *pulled, strong),
                            }
                        }
                    });
            });
        });
        let ds = s.accumulate(|lane, _, mut ds| {
            let products: Vec<f64> =
                of_lanes[lane].iter().zip(&xs).map(|(pulled, x)| scaled(*x, *pulled, strong)).collect();
            let parts = products.par_chunks(CHUNK).map(|part| part.iter().sum());
            ds += match wrong {
                SumsAsTheyComeBack => as_they_come(parts),
                SharesPartialSums => {
                    *PARTIAL.lock().expect("nobody panics here") = in_order(parts);
                    // Another thread comes by.
                    (0..8).for_each(|_| thread::yield_now());
                    *PARTIAL.lock().expect("nobody panics here")
                }
                _ => in_order(parts),
            };
        });
        (y.consume(), dx, ds)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (
        out(11).named("y"),
        input(11).named("x"),
        value(0.75).named("s"),
    );
    let tester = crate::shared!(Setting::new(arguments).function("sines", Sines(wrong)));
    let tester = tester.const_buffers(severed("as Enzyme does"));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated, Duplicated]
        forward [DuplicatedNoNeed; Duplicated, Const, Duplicated]
        reverse [Active; Duplicated, Duplicated, Active]
        reverse [Active; Const, Duplicated, Active]
    )
}

crate::variants!(judge: Nothing, InLargerChunks, OnAThreadOfItsOwn);

#[test]
fn leaks_beside_threads_of_its_own_are_not_judged() {
    let report = judge(OnAThreadOfItsOwn);
    assert_eq!(report.verdict(), Verdict::Pass, "{report}");
    let checks = report.unjudged().iter().map(|(check, _)| *check);
    assert!(checks.eq([Check::T2]));
    assert!(report.to_string().contains("T2 not judged: leaks"));
}

crate::mutants! {
    judge {
        SumsAsTheyCome => D1, "where   ret.tangent";
        LosesLastChunk => F1, "where   ret.tangent";
        ForgetsTangentOfS => F1, "where   ret.tangent";
        SumsAsTheyComeBack => D1, "where   s.gradient";
        LosesLastChunkBack => R1z, "where   s.gradient";
        OffsetsChunks => R1z, "where   s.gradient";
        SharesPartialSums => H1, "where   s.gradient";
        AssignsInParallel => R1, "where   x.shadow";
        OneShadowForAllLanes => B1, "lane 1: B1";
        PanicsOnAThread => E1, "`reverse` panicked: a thread is tired";
        ForgetsCotangentOfReturn => R1z, "s.gradient";
        ReadsXInPlace => R6, "s.gradient";
        LeaksOnOtherThreads => T2, "leaves 48 bytes allocated for ever";
    }
}
