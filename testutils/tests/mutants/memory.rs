//! x³, by a rule that remembers more than its tape.

use std::cell::RefCell;
use std::sync::Mutex;
use std::thread;

use coenzyme::{
    AsActive, AsConst, AsDuplicated, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Lanes, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    CachesTangents,
    // Forward.
    CachesInSingle,
    // Reverse.
    TapeOfTheThread,
    StackOfTheThread,
    TapeOfTheProcess,
}

use Wrong::*;

pub(crate) struct Cube(Wrong);

impl Function<(f64,)> for Cube {
    type Output = f64;

    fn call(&self, (x,): (f64,)) -> f64 {
        x * x * x
    }
}

thread_local! {
    /// The last call of a forward rule on this thread: what it was asked, in bits, and its answers.
    static LAST: RefCell<(Vec<u64>, Vec<f64>)> = const { RefCell::new((vec![], vec![])) };
    /// What first halves have kept on this thread.
    static KEPT: RefCell<Vec<f64>> = const { RefCell::new(vec![]) };
}

/// What first halves have kept on any thread.
static ANYWHERE: Mutex<f64> = Mutex::new(0.0);

/// `answer`, or what it was when the same was asked last.
fn cached(wrong: Wrong, asked: &[u64], answer: impl FnOnce() -> Vec<f64>) -> Vec<f64> {
    LAST.with_borrow_mut(|(last, kept)| match (wrong, *last == asked) {
        (CachesTangents, true) => kept.clone(),
        (CachesInSingle, true) => kept.iter().map(|x| f64::from(*x as f32)).collect(),
        _ => {
            *kept = answer();
            *last = asked.to_vec();
            kept.clone()
        }
    })
}

impl<R: ForwardReturn<W, Out = f64>, X: ForwardArg<f64, W>, const W: usize> ForwardRule<R, (X,), W>
    for Cube
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let (x0, strong) = (*x.primal(), config.strong_zero());
        let seeds = || (0..W).map(|lane| x.tangent(lane).copied().unwrap_or_default());
        let settings = [config.needs_primal(), strong].map(u64::from);
        let floats = std::iter::once(x0).chain(seeds()).map(f64::to_bits);
        let asked: Vec<u64> = settings.into_iter().chain(floats).collect();
        let answer = || seeds().map(|dx| scaled(3.0 * x0 * x0, dx, strong)).collect();
        let tangents: Vec<f64> = cached(self.0, &asked, answer);
        R::forward(config, || x0 * x0 * x0, |lane| tangents[lane])
    }
}

impl<R: ReverseReturn<W, Out = f64>, X: ReverseArg<f64, W>, const W: usize> ReverseRule<R, (X,), W>
    for Cube
{
    /// The partial.
    type Tape = f64;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedReturn<f64, R::Shadow, f64> {
        let x = *x.primal();
        let partial = 3.0 * x * x;
        match self.0 {
            TapeOfTheThread => KEPT.set(vec![partial]),
            StackOfTheThread => KEPT.with_borrow_mut(|kept| kept.push(partial)),
            TapeOfTheProcess => {
                *ANYWHERE.lock().expect("nobody panics here") = partial;
                // Another thread comes by.
                (0..8).for_each(|_| thread::yield_now());
            }
            _ => {}
        }
        R::augmented(config, x * x * x, partial)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: f64,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let kept = match self.0 {
            TapeOfTheThread => KEPT.with_borrow(|kept| kept.first().copied()),
            StackOfTheThread => KEPT.with_borrow_mut(Vec::pop),
            TapeOfTheProcess => Some(*ANYWHERE.lock().expect("nobody panics here")),
            _ => None,
        };
        let (partial, strong) = (kept.unwrap_or(tape), config.strong_zero());
        let dx = x.accumulate(|lane, _, mut dx| {
            dx += dret
                .lane(lane)
                .map_or(0.0, |seed| scaled(partial, *seed, strong));
        });
        (dx,)
    }
}

fn forward(wrong: Wrong) -> Report {
    let tester = crate::shared!(Setting::new((value(1.3125).named("x"),)).function("cube", Cube(wrong)));
    tester.mix(AsDuplicated, (AsDuplicated,)).forward::<1>()
}

/// In several lanes, of which two may ask for the same (B2).
fn wide(wrong: Wrong) -> Report {
    let tester = crate::shared!(Setting::new((value(1.3125).named("x"),)).function("cube", Cube(wrong)));
    let mix = tester.mix(AsDuplicated, (AsDuplicated,));
    mix.forward::<2>().worse(mix.forward::<3>())
}

fn reverse(wrong: Wrong) -> Report {
    let tester = crate::shared!(Setting::new((value(1.3125).named("x"),)).function("cube", Cube(wrong)));
    let mix = tester.mix(AsActive, (AsActive,));
    let inactive = tester.mix(AsActive, (AsConst,));
    Report::worst([
        mix.reverse::<_, _, 1>(),
        mix.reverse::<_, _, 2>(),
        inactive.reverse::<_, _, 1>(),
    ])
}

fn judge(wrong: Wrong) -> Report {
    forward(wrong).worse(wide(wrong)).worse(reverse(wrong))
}

crate::variants!(judge: Nothing, CachesTangents);

crate::mutants! {
    forward {
        CachesInSingle => D1, "where   ret.tangent";
    }
    reverse {
        TapeOfTheThread => D2, "where   x.gradient";
        StackOfTheThread => D2, "where   x.gradient";
        TapeOfTheProcess => D2, "where   x.gradient";
    }
}
