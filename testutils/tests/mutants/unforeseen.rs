//! Σ bᵢ·xᵢ², and mistakes that only unusual calls show: seeds of one, shadows that are partly zero, memory that is used again,
//! another thread, slices side by side.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::thread::{self, ThreadId};

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Report, Setting, input};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // U1.
    ForgetsFactorForOne,
    ForgetsSignOfMinusOne,
    TakesFirstForUnitVector,
    ForgetsFactorForOneAhead,
    ForgetsOthersForUnitVectors,
    ForgetsOthersIfOneIsLeftOut,
    TakesAllIfTheLastIsLeftOut,
    StopsIfTangentsAddUpToNothing,
    // A2.
    TakesAdjacentForOne,
    TakesAdjacentForOneBack,
    TakesAdjacentTangentsForOne,
    // R5.
    AssignsAllIfFirstIsZero,
    AssignsAllIfOneIsZero,
    AssignsAllIfLastIsZero,
    AssignsOtherIfThisIsZero,
    SkipsLanesOfZeros,
    SkipsNegativeZero,
    TakesNegativeZeroForNegative,
    // R8.
    SkipsWhatIsThere,
    SkipsWhatCancels,
    SubtractsBelowZero,
    // N6.
    TakesNoNumberForZero,
    CutsOffInfinities,
    // D4.
    KeepsByAddress,
    KeepsByAddressAhead,
    KeepsByAddressAndLast,
    // D5.
    KeepsOnThread,
    HalvesElsewhere,
    // S2.
    SkipsUnalignedTangent,
    SkipsUnalignedShadow,
    SkipsUnalignedInput,
}

use Wrong::*;

pub(crate) struct Weighted(Wrong);

fn weighted(x: &[f64], b: &[f64]) -> f64 {
    x.iter().zip(b).map(|(x, b)| b * x * x).sum()
}

impl<X: Holds<[f64]>, B: Holds<[f64]>> Function<(X, B)> for Weighted {
    type Output = f64;

    fn call(&self, (x, b): (X, B)) -> f64 {
        weighted(x.get(), b.get())
    }
}

/// Whether a register of two can be loaded from where a slice begins.
fn is_aligned(slice: &[f64]) -> bool {
    slice.as_ptr().addr().is_multiple_of(16)
}

/// The only entry that is not zero, if there is only one.
fn only(seeds: &[f64]) -> Option<usize> {
    let mut others = seeds.iter().enumerate().filter(|(_, seed)| **seed != 0.0);
    let (index, _) = others.next()?;
    others.next().is_none().then_some(index)
}

/// The only entry that is zero, if all others are one.
fn left_out(seeds: &[f64]) -> Option<usize> {
    let zero = seeds.iter().position(|seed| *seed == 0.0)?;
    let others = seeds.iter().filter(|seed| **seed == 1.0).count();
    (seeds.len() > 2 && others + 1 == seeds.len()).then_some(zero)
}

/// Whether one slice ends where the other begins.
fn is_adjacent(one: &[f64], other: &[f64]) -> bool {
    !one.is_empty() && one.as_ptr_range().end == other.as_ptr()
}

/// The squares of `x`, or those that were kept under its address when all but one entry were the same.
fn kept_squares(x: &[f64], beside: usize) -> Vec<f64> {
    type Kept = (usize, Vec<u64>, Vec<f64>);
    thread_local!(static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) });
    let others = x.iter().enumerate().filter(|(index, _)| *index != beside);
    let others: Vec<u64> = others.map(|(_, x)| x.to_bits()).collect();
    let address = x.as_ptr().addr();
    KEPT.with_borrow_mut(|kept| match kept {
        Some((at, like, squares)) if *at == address && *like == others => squares.clone(),
        _ => {
            let squares: Vec<f64> = x.iter().map(|x| x * x).collect();
            *kept = Some((address, others, squares.clone()));
            squares
        }
    })
}

thread_local! {
    static TAPES: RefCell<HashMap<u64, Vec<f64>>> = RefCell::new(HashMap::new());
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

/// A tape that leaves on its thread what it should carry.
pub(crate) struct Tape {
    x: Saved<[f64]>,
    b: Saved<[f64]>,
    squares: Option<Vec<f64>>,
    left: Option<u64>,
    thread: ThreadId,
}

impl Drop for Tape {
    fn drop(&mut self) {
        if let Some(left) = self.left {
            TAPES.with_borrow_mut(|tapes| tapes.remove(&left));
        }
    }
}

impl<R, X, B, const W: usize> ForwardRule<R, (X, B), W> for Weighted
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<[f64], W>,
    B: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (x, b): (&mut X, &mut B)) -> R::Forward {
        let (wrong, strong) = (self.0, config.strong_zero());
        let sum = weighted(x.primal(), b.primal());
        let squares: Vec<f64> = match wrong {
            KeepsByAddressAhead => kept_squares(x.primal(), x.primal().len().saturating_sub(1)),
            _ => x.primal().iter().map(|x| x * x).collect(),
        };
        let (x_, b_) = (x.primal(), b.primal());
        R::forward(config, || sum, |lane| {
            let (dx, db) = (x.tangent(lane), b.tangent(lane));
            let term = |partial: f64, seed: f64| match wrong {
                CutsOffInfinities => scaled(partial, seed, strong).clamp(-1e300, 1e300),
                _ => scaled(partial, seed, strong),
            };
            let mut tangent = 0.0;
            for (i, (x, b)) in x.primal().iter().zip(b.primal()).enumerate() {
                let factor = |seed: f64| match wrong {
                    ForgetsFactorForOneAhead if seed == 1.0 => b * x,
                    _ => 2.0 * b * x,
                };
                let hot = dx.and_then(only);
                let cold = dx.and_then(left_out);
                let last = x_.len() - 1;
                let one = wrong == TakesAdjacentForOne && is_adjacent(x_, b_)
                    || wrong == TakesAdjacentTangentsForOne
                        && dx.zip(db).is_some_and(|(dx, db)| is_adjacent(dx, db));
                match wrong {
                    SkipsUnalignedTangent if i == 0 && dx.is_some_and(|dx| !is_aligned(dx)) => {}
                    ForgetsOthersForUnitVectors if hot.is_some_and(|hot| hot > 0) => {}
                    ForgetsOthersIfOneIsLeftOut if cold.is_some() && i == last => {}
                    TakesAllIfTheLastIsLeftOut if cold == Some(last) && i == last => tangent += 2.0 * b * x,
                    _ if one && i == last => {}
                    StopsIfTangentsAddUpToNothing if dx.is_some_and(|dx| dx[0] != 0.0 && dx.iter().sum::<f64>() == 0.0) => {}
                    _ => tangent += dx.map_or(0.0, |dx| term(factor(dx[i]), dx[i])),
                }
                tangent += db.map_or(0.0, |db| term(squares[i], db[i]));
            }
            tangent
        })
    }
}

impl<R, X, B, const W: usize> ReverseRule<R, (X, B), W> for Weighted
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
    B: ReverseArg<[f64], W>,
{
    type Tape = Tape;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, b): (&mut X, &mut B),
    ) -> AugmentedReturn<f64, R::Shadow, Tape> {
        let last = x.primal().len().saturating_sub(1);
        let squares = match self.0 {
            KeepsByAddress => Some(kept_squares(x.primal(), last)),
            KeepsByAddressAndLast => Some(kept_squares(x.primal(), 0)),
            TakesAdjacentForOneBack if is_adjacent(x.primal(), b.primal()) => {
                Some(vec![0.0; x.primal().len()])
            }
            _ => None,
        };
        let left = (self.0 == KeepsOnThread).then(|| {
            let next = NEXT.replace(NEXT.get() + 1);
            TAPES.with_borrow_mut(|tapes| tapes.insert(next, x.primal().to_vec()));
            next
        });
        let tape = Tape {
            x: Saved::new(x.primal(), config.overwritten(0)),
            b: Saved::new(b.primal(), config.overwritten(1)),
            squares,
            left,
            thread: thread::current().id(),
        };
        R::augmented(config, weighted(x.primal(), b.primal()), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Tape,
        (x, b): (&mut X, &mut B),
    ) -> (X::Gradient, B::Gradient) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let seed = |lane| dret.lane(lane).copied().unwrap_or(0.0);
        let (xs, bs) = (tape.x.get(x.primal()).to_vec(), tape.b.get(b.primal()).to_vec());
        let mut silent = [false; W];
        let dx = x.accumulate(|lane, _, mut dx| {
            let seed = match (wrong, seed(lane)) {
                (ForgetsFactorForOne, 1.0) => 0.5,
                (ForgetsSignOfMinusOne, -1.0) => 1.0,
                (TakesNoNumberForZero, seed) if seed.is_nan() => 0.0,
                (HalvesElsewhere, seed) if thread::current().id() != tape.thread => seed / 2.0,
                (_, seed) => seed,
            };
            let left = TAPES.with_borrow(|tapes| tape.left.and_then(|left| tapes.get(&left).cloned()));
            let xs = match wrong {
                KeepsOnThread => left.unwrap_or(vec![0.0; xs.len()]),
                _ => xs.clone(),
            };
            dx.accumulate_with(|dx| {
                let zero = |index: usize| index < dx.len() && dx[index] == 0.0;
                let assigns = match wrong {
                    AssignsAllIfFirstIsZero => zero(0),
                    AssignsAllIfLastIsZero => zero(xs.len().saturating_sub(1)),
                    AssignsAllIfOneIsZero => dx.contains(&0.0),
                    _ => false,
                };
                silent[lane] = dx.iter().all(|dx| *dx == 0.0);
                let skipped = match wrong {
                    SkipsUnalignedShadow if !is_aligned(dx) => 1,
                    _ => 0,
                };
                let below = dx.len() == 5 && dx.iter().all(|dx| *dx < 0.0);
                for i in skipped..xs.len() {
                    let add = scaled(2.0 * bs[i] * xs[i], seed, strong);
                    match wrong {
                        SkipsNegativeZero if dx[i].to_bits() == (-0.0_f64).to_bits() => continue,
                        TakesNegativeZeroForNegative if dx[i].to_bits() == (-0.0_f64).to_bits() => {
                            dx[i] = -add;
                            continue;
                        }
                        SkipsWhatIsThere if dx[i] == add => continue,
                        SkipsWhatCancels if dx[i] == -add => continue,
                        SubtractsBelowZero if below => {
                            dx[i] -= add;
                            continue;
                        }
                        _ => {}
                    }
                    dx[i] = if assigns { add } else { dx[i] + add };
                }
            });
        });
        let db = b.accumulate(|lane, b, mut db| {
            let skipped = match wrong {
                SkipsUnalignedInput if !is_aligned(b) => 1,
                _ => 0,
            };
            let other = lane > 0 && silent[lane] && !silent[0];
            db.accumulate_with(|db| {
                for i in skipped..xs.len() {
                    let square = tape.squares.as_ref().map_or(xs[i] * xs[i], |squares| squares[i]);
                    let square = match wrong {
                        TakesFirstForUnitVector if seed(lane).abs() == 1.0 => xs[0] * xs[0],
                        _ => square,
                    };
                    let add = scaled(square, seed(lane), strong);
                    match wrong {
                        AssignsOtherIfThisIsZero if silent[lane] => db[i] = add,
                        SkipsLanesOfZeros if other => {}
                        _ => db[i] += add,
                    }
                }
            });
        });
        (dx, db)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (input(5).named("x"), input(5).named("b"));
    let tester = crate::shared!(Setting::new(arguments).function("weighted", Weighted(wrong)));
    let report = crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        reverse [Active; Duplicated, Duplicated]
    );
    use coenzyme::{AsActive, AsDuplicated};
    let mix = tester.mix(AsActive, (AsDuplicated, AsDuplicated));
    report.worse(mix.elsewhere::<_, 1>())
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        ForgetsFactorForOne => U1, "where   x.shadow";
        ForgetsSignOfMinusOne => U1, "where   x.shadow";
        TakesFirstForUnitVector => U1, "where   b.shadow";
        ForgetsFactorForOneAhead => U1, "where   ret.tangent";
        ForgetsOthersForUnitVectors => U1, "where   ret.tangent";
        ForgetsOthersIfOneIsLeftOut => U1, "where   ret.tangent";
        TakesAllIfTheLastIsLeftOut => U1, "where   ret.tangent";
        StopsIfTangentsAddUpToNothing => U1, "where   ret.tangent";
        TakesAdjacentForOne => A2, "where   ret.tangent";
        TakesAdjacentTangentsForOne => A2, "where   ret.tangent";
        TakesAdjacentForOneBack => A2, "where   b.shadow";
        AssignsAllIfFirstIsZero => R5, "where   x.shadow";
        AssignsAllIfOneIsZero => R5, "where   x.shadow";
        AssignsAllIfLastIsZero => R5, "where   x.shadow";
        AssignsOtherIfThisIsZero => R5, "where   b.shadow";
        SkipsLanesOfZeros => R5, "where   b.shadow";
        SkipsNegativeZero => R5, "where   x.shadow";
        TakesNegativeZeroForNegative => R5, "where   x.shadow";
        SkipsWhatIsThere => R8, "where   x.shadow";
        SkipsWhatCancels => R8, "where   x.shadow";
        SubtractsBelowZero => R8, "where   x.shadow";
        TakesNoNumberForZero => N6, "where every seed is NaN";
        CutsOffInfinities => N6, "where every seed is inf";
        KeepsByAddress => D4, "where   b.shadow";
        KeepsByAddressAhead => D4, "where   ret.tangent";
        KeepsByAddressAndLast => D4, "where   b.shadow";
        KeepsOnThread => D5, "where   x.shadow";
        HalvesElsewhere => D5, "where   x.shadow";
        SkipsUnalignedTangent => S2, "where   ret.tangent";
        SkipsUnalignedShadow => S2, "where   x.shadow";
        SkipsUnalignedInput => S2, "where   b.shadow";
    }
}
