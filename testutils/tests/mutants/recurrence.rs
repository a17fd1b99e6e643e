//! yᵢ ← yᵢ + c·yᵢ₋₁² in place, first to last: memory whose every entry is read after it was written. Returns nothing.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Function, HoldsMut, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule,
    scaled,
};
use coenzyme_testutils::{Report, Setting, inout, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // Forward.
    ReadsOldNeighbour,
    TangentsBackwards,
    ForgetsC,
    SkipsLast,
    // Reverse.
    FirstToLast,
    ZeroesWhatItKeeps,
    LeavesWhatItChanges,
    ReadsItsOutput,
    KeepsNothing,
    GradientOfCTwice,
    ForgetsNeighbour,
    TapeOfOneLane,
    ScalesC,
    RestoresOldMemory,
}

use Wrong::*;

#[derive(Clone, Copy)]
pub(crate) struct Recurrence(Wrong);

fn recurrence(y: &mut [f64], c: f64) {
    for i in 1..y.len() {
        y[i] += c * y[i - 1] * y[i - 1];
    }
}

impl<Y: HoldsMut<[f64]>> Function<(Y, f64)> for Recurrence {
    type Output = ();

    fn call(&self, (mut y, c): (Y, f64)) {
        recurrence(y.get_mut(), c);
    }
}

impl<R, Y, C, const W: usize> ForwardRule<R, (Y, C), W> for Recurrence
where
    R: ForwardReturn<W, Out = ()>,
    Y: ForwardArgMut<[f64], W>,
    C: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (y, c): (&mut Y, &mut C)) -> R::Forward {
        let (wrong, strong, c0) = (self.0, config.strong_zero(), *c.primal());
        let old = y.primal().to_vec();
        recurrence(y.primal_mut(), c0);
        y.assign(|lane, y, dy| {
            let dc = c.tangent(lane).copied().unwrap_or(0.0);
            let dc = if wrong == ForgetsC { 0.0 } else { dc };
            let read = match wrong {
                ReadsOldNeighbour => &old,
                _ => y,
            };
            let last = y.len().saturating_sub(usize::from(wrong == SkipsLast));
            let mut step = |i: usize| {
                let before = read[i - 1];
                dy[i] += scaled(2.0 * c0 * before, dy[i - 1], strong) + scaled(before * before, dc, strong);
            };
            match wrong {
                TangentsBackwards => (1..last).rev().for_each(&mut step),
                _ => (1..last).for_each(&mut step),
            }
        });
        R::forward(config, || (), |_| ())
    }
}

impl<R, Y, C, const W: usize> ReverseRule<R, (Y, C), W> for Recurrence
where
    R: ReverseReturn<W, Out = ()>,
    Y: ReverseArgMut<[f64], W>,
    C: ReverseArg<f64, W>,
{
    /// The memory after the call, all but the last entry of which is read; for a mistake, the memory before.
    type Tape = Vec<f64>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, c): (&mut Y, &mut C),
    ) -> AugmentedReturn<(), R::Shadow, Vec<f64>> {
        let old = y.primal().to_vec();
        recurrence(y.primal_mut(), *c.primal());
        let tape = match self.0 {
            ReadsItsOutput => old,
            RestoresOldMemory => [y.primal(), &old].concat(),
            KeepsNothing => vec![],
            _ => y.primal().to_vec(),
        };
        R::augmented(config, (), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        tape: Vec<f64>,
        (y, c): (&mut Y, &mut C),
    ) -> (Y::Gradient, C::Gradient) {
        let (wrong, strong, c0) = (self.0, config.strong_zero(), *c.primal());
        let n = y.primal().len();
        let now = y.primal().to_vec();
        let read = if wrong == KeepsNothing { &now } else { &tape };
        if wrong == RestoresOldMemory {
            y.primal_mut().copy_from_slice(&tape[n..]);
        }
        let mut sums = [0.0; W];
        let dy = y.transform(|lane, _, dy| {
            let mut step = |i: usize| {
                let before = read[i - 1];
                let factor = if wrong == GradientOfCTwice { 2.0 } else { 1.0 };
                sums[lane] += factor * scaled(before * before, dy[i], strong);
                if wrong != ForgetsNeighbour {
                    dy[i - 1] += scaled(2.0 * c0 * before, dy[i], strong);
                }
            };
            match wrong {
                LeavesWhatItChanges => {}
                FirstToLast => (1..n).for_each(&mut step),
                TapeOfOneLane if lane > 0 => {}
                _ => (1..n).rev().for_each(&mut step),
            }
            if wrong == ZeroesWhatItKeeps {
                dy.fill(0.0);
            }
        });
        let dc = c.accumulate(|lane, c, mut dc| {
            dc += match wrong {
                ScalesC => scaled(*c, sums[lane], strong),
                _ => sums[lane],
            };
        });
        (dy, dc)
    }
}

fn judge(wrong: Wrong) -> Report {
    use coenzyme::{AsActive, AsConst, AsDuplicated};
    let arguments = (inout(4).named("y"), value(0.4375).named("c"));
    let tester = crate::shared!(Setting::new(arguments).function("recurrence", Recurrence(wrong)));
    let ahead = tester.mix(AsConst, (AsDuplicated, AsDuplicated));
    let back = tester.mix(AsConst, (AsDuplicated, AsActive));
    Report::worst([
        ahead.forward::<1>(),
        ahead.forward::<2>(),
        back.reverse::<_, _, 1>(),
        back.reverse::<_, _, 2>(),
        back.pairing::<_, 1>(),
    ])
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        ReadsOldNeighbour => F2, "where   y.shadow";
        TangentsBackwards => F2, "where   y.shadow";
        ForgetsC => F2, "the tangent of c";
        SkipsLast => F2, "[3] ";
        FirstToLast => R1z, "where   y.shadow";
        ZeroesWhatItKeeps => R1z, "where   y.shadow";
        LeavesWhatItChanges => R1z, "where   y.shadow";
        ReadsItsOutput => R1z, "where   y.shadow";
        KeepsNothing => R6, "where   y.shadow";
        GradientOfCTwice => R1z, "where   c.gradient";
        ForgetsNeighbour => R1z, "where   y.shadow";
        TapeOfOneLane => B1, "lane 1: B1";
        ScalesC => R1z, "where   c.gradient";
        RestoresOldMemory => R9, "where   y: R9";
    }
}
