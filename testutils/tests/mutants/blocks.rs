//! Σ x², in blocks of four, at several sizes: rules that are wrong at some sizes only, and mixes without a rule.

use coenzyme::{
    AsActive, AsConst, AsDuplicated, AugmentedReturn, Function, Holds, Lanes, ReverseArg,
    ReverseConfig, ReverseReturn, ReverseRule, Saved, scaled,
};
use coenzyme_testutils::__private::{
    Facts, ForwardLevel as _, Outcomes, Points, ReverseLevel as _, Unsupported,
};
use coenzyme_testutils::{Report, Setting, input};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    SumsBlocks,
    LeavesOutRemainder,
    AssumesTwoEntries,
    PanicsIfEmpty,
    RemainderTwice,
    NegatesEighth,
    // Z2, Z4: at no size that was given.
    ForgetsTheLastOf37,
    ForgetsTheLastOf29,
}

use Wrong::*;

pub(crate) struct Blocks(Wrong);

fn squares(wrong: Wrong, x: &[f64]) -> f64 {
    match wrong {
        SumsBlocks => x.chunks(4).map(|x| x.iter().map(|x| x * x).sum::<f64>()).sum(),
        _ => x.iter().map(|x| x * x).sum(),
    }
}

impl<X: Holds<[f64]>> Function<(X,)> for Blocks {
    type Output = f64;

    fn call(&self, (x,): (X,)) -> f64 {
        squares(Nothing, x.get())
    }
}

impl<R: ReverseReturn<W, Out = f64>, X: ReverseArg<[f64], W>, const W: usize> ReverseRule<R, (X,), W>
    for Blocks
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedReturn<f64, R::Shadow, Self::Tape> {
        let first = x.primal().first();
        assert!(self.0 != PanicsIfEmpty || first.is_some(), "nothing to sum");
        let tape = Saved::new(x.primal(), config.overwritten(0));
        R::augmented(config, squares(self.0, x.primal()), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let gradient = x.accumulate(|lane, x, mut dx| {
            let (x, Some(seed)) = (tape.get(x), dret.lane(lane)) else { return };
            let whole = x.len() / 4 * 4;
            dx.accumulate_with(|dx| {
                for (i, (dx, at)) in dx.iter_mut().zip(x).enumerate() {
                    let add = scaled(2.0 * at, *seed, strong);
                    match wrong {
                        LeavesOutRemainder if i >= whole => {}
                        RemainderTwice if i >= whole && whole > 0 => *dx += 2.0 * add,
                        AssumesTwoEntries if i >= 2 => {}
                        NegatesEighth if i == 7 => *dx -= add,
                        ForgetsTheLastOf37 if x.len() == 37 && i == 36 => {}
                        ForgetsTheLastOf29 if x.len() == 29 && i == 28 => {}
                        _ => *dx += add,
                    }
                }
            });
        });
        (gradient,)
    }
}

/// As `test_rule!` does with `sizes`.
fn judge(wrong: Wrong) -> Report {
    let facts = [("mode", "reverse"), ("x", "Duplicated"), ("ret", "Active")];
    let mut outcomes = Outcomes::new("blocks", &facts, &[]);
    for n in [0, 1, 2, 3, 5, 8, 17] {
        static POINTS: Points = Points::new();
        let tester = Setting::new((input(n).named("x"),)).function("blocks", Blocks(wrong));
        let tester = tester.sharing(&POINTS, &n.to_string(), n == 17);
        let mix = tester.mix(AsActive, (AsDuplicated,));
        outcomes.add(1, Some(mix.reverse::<_, _, 1>()));
        outcomes.add(3, Some(mix.reverse::<_, _, 3>()));
        outcomes.of(Facts::of(&tester));
    }
    outcomes.report()
}

/// [`Blocks`] without any forward rule.
fn missing(_: Wrong) -> Report {
    let facts = [("mode", "forward"), ("x", "Duplicated"), ("ret", "Duplicated")];
    let mut outcomes = Outcomes::new("blocks", &facts, &[]);
    let tester = Setting::new((input(3).named("x"),)).function("blocks", Blocks(Nothing));
    let mix = tester.mix(AsDuplicated, (AsDuplicated,));
    let found = coenzyme_testutils::__found!(forward mix 1);
    tester.rules().forward(&mut outcomes, 1, &found, &found);
    outcomes.report()
}

/// A line that says there is no rule, where there is one.
fn stale(_: Wrong) -> Report {
    const LINES: &[Unsupported] = &[Unsupported {
        of: &[("x", "Const")],
        reason: "nobody needs it",
    }];
    let facts = [("mode", "reverse"), ("x", "Const"), ("ret", "Active")];
    let mut outcomes = Outcomes::new("blocks", &facts, LINES);
    let tester = Setting::new((input(3).named("x"),)).function("blocks", Blocks(Nothing));
    let mix = tester.mix(AsActive, (AsConst,));
    let found = coenzyme_testutils::__found!(reverse mix 1);
    tester.rules().reverse(&mut outcomes, 1, &found, &found);
    outcomes.report()
}

crate::variants!(judge: Nothing, SumsBlocks);

crate::mutants! {
    judge {
        LeavesOutRemainder => Z1, "right at 2 of 7 sizes";
        AssumesTwoEntries => Z1, "right at 3 of 7 sizes";
        PanicsIfEmpty => Z1, "right at 6 of 7 sizes";
        RemainderTwice => Z1, "right at 5 of 7 sizes";
        NegatesEighth => Z1, "right at 5 of 7 sizes";
        ForgetsTheLastOf37 => Z2, "size 17.37";
        ForgetsTheLastOf29 => Z4, "size 17.29";
    }
    missing {
        Nothing => C1, "no forward rule in width [1]";
    }
    stale {
        Nothing => C1, "a line says `unsupported` (nobody needs it), but there is a rule";
    }
}
