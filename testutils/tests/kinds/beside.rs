//! What stands beside a reverse rule is judged by the macros too: its forward rule, copies of its tape, and the second half on another thread.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};

use coenzyme::{
    AsActive, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function,
    Lanes, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::__private::{Outcomes, ReverseLevel as _};
use coenzyme_testutils::{__lanes, Report, Setting, Verdict, test_reverse, value};

#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Nothing,
    SlightlyOffForward,
    TakesFromTape,
    KnowsItsThread,
}

use Wrong::*;

/// x³.
struct Cube(Wrong);

thread_local!(static PARTIAL: Cell<f64> = const { Cell::new(0.0) });

impl Function<(f64,)> for Cube {
    type Output = f64;

    fn call(&self, (x,): (f64,)) -> f64 {
        x * x * x
    }
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for Cube
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let off = if self.0 == SlightlyOffForward {
            1e-10
        } else {
            0.0
        };
        let partial = 3.0 * x.primal() * x.primal() * (1.0 + off);
        let tangent = |dx: &f64| scaled(partial, *dx, config.strong_zero());
        let value = x.primal().powi(3);
        R::forward(
            config,
            || value,
            |lane| x.tangent(lane).map_or(0.0, tangent),
        )
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for Cube
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<f64, W>,
{
    /// The partial.
    type Tape = Arc<Mutex<f64>>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedReturn<f64, R::Shadow, Self::Tape> {
        let (value, partial) = (x.primal().powi(3), 3.0 * x.primal() * x.primal());
        PARTIAL.set(partial);
        R::augmented(config, value, Arc::new(Mutex::new(partial)))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let mut shared = tape.lock().unwrap_or_else(PoisonError::into_inner);
        // there is none yet where the first half has never run
        let partial = match PARTIAL.get() {
            0.0 if self.0 == KnowsItsThread => 0.0,
            _ => *shared,
        };
        if self.0 == TakesFromTape {
            *shared = 0.0;
        }
        let gradient = x.accumulate(|lane, _, mut dx| {
            let seed = dret.lane(lane).copied().unwrap_or(0.0);
            dx += scaled(partial, seed, config.strong_zero());
        });
        (gradient,)
    }
}

/// As a test of `test_rule!` does.
fn judge(wrong: Wrong) -> Report {
    let facts = [("mode", "reverse"), ("x", "Active"), ("ret", "Active")];
    let mut outcomes = Outcomes::new("cube", &facts, &[]);
    let tester = Setting::new((value(1.25).named("x"),)).function("cube", Cube(wrong));
    let (mix, rules) = (tester.mix(AsActive, (AsActive,)), tester.rules());
    __lanes!(reverse [outcomes mix rules] [1 3] [Active] Active);
    outcomes.report()
}

#[test]
fn a_rule_is_judged_by_what_stands_beside_it() {
    judge(Nothing).assert();
    for wrong in [SlightlyOffForward, TakesFromTape, KnowsItsThread] {
        let verdict = judge(wrong).verdict();
        assert!(matches!(verdict, Verdict::Fail(_)), "{verdict:?}");
    }
}

#[test]
fn a_right_rule_passes_alone() {
    test_reverse!((Cube(Nothing)), Active, (value(1.25), Active));
}

#[test]
#[should_panic = "R2"]
fn a_single_mix_is_compared_with_its_forward_rule() {
    test_reverse!((Cube(SlightlyOffForward)), Active, (value(1.25), Active));
}

#[test]
#[should_panic = "FAIL"]
fn a_single_mix_gets_copies_of_its_tape() {
    test_reverse!((Cube(TakesFromTape)), Active, (value(1.25), Active));
}

#[test]
#[should_panic = "FAIL"]
fn a_single_mix_runs_on_another_thread() {
    test_reverse!((Cube(KnowsItsThread)), Active, (value(1.25), Active));
}
