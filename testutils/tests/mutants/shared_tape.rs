//! x³, with a tape that is shared instead of copied.

use std::sync::{Arc, Mutex, PoisonError};

use coenzyme::{
    AsActive, AugmentedReturn, Function, Lanes, ReverseArg, ReverseConfig, ReverseReturn,
    ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    TakesFromTape,
    AddsToTape,
}

use Wrong::*;

pub(crate) struct Cube(Wrong);

impl Function<(f64,)> for Cube {
    type Output = f64;

    fn call(&self, (x,): (f64,)) -> f64 {
        x * x * x
    }
}

impl<R: ReverseReturn<W, Out = f64>, X: ReverseArg<f64, W>, const W: usize> ReverseRule<R, (X,), W>
    for Cube
{
    /// The partial.
    type Tape = Arc<Mutex<f64>>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedReturn<f64, R::Shadow, Self::Tape> {
        let x = *x.primal();
        R::augmented(config, x * x * x, Arc::new(Mutex::new(3.0 * x * x)))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let mut shared = tape.lock().unwrap_or_else(PoisonError::into_inner);
        let partial = *shared;
        match self.0 {
            TakesFromTape => *shared = 0.0,
            AddsToTape => *shared += 1.0,
            Nothing => {}
        }
        let strong = config.strong_zero();
        let gradient = x.accumulate(|lane, _, mut dx| {
            dx += dret
                .lane(lane)
                .map_or(0.0, |seed| scaled(partial, *seed, strong));
        });
        (gradient,)
    }
}

fn judge(wrong: Wrong) -> Report {
    let tester = crate::shared!(Setting::new((value(1.25).named("x"),)).function("cube", Cube(wrong)));
    let mix = tester.mix(AsActive, (AsActive,));
    mix.reverse::<_, _, 2>().worse(mix.reuse::<_, 1>())
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        TakesFromTape => D3, "where   x.gradient";
        AddsToTape => D3, "where   x.gradient";
    }
}
