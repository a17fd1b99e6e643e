//! ‖x‖·Σ wᵢ: mistakes that only a longer argument shows.

use std::cell::RefCell;
use std::collections::BTreeMap;

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, input};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    KeepsHeadOfLong,
    StopsFarOutIfLong,
    HalvesTiesIfLong,
    ForgetsThirdLaneIfLong,
    ForgetsOneIfLongBesideConst,
}

use Wrong::*;

pub(crate) struct Norms(Wrong);

fn norm(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |norm: f64, x| norm.hypot(*x))
}

impl<X: Holds<[f64]>, B: Holds<[f64]>> Function<(X, B)> for Norms {
    type Output = f64;

    fn call(&self, (x, w): (X, B)) -> f64 {
        norm(x.get()) * w.get().iter().sum::<f64>()
    }
}

/// The direction of `x`, by its length and its first four numbers.
fn kept_direction(x: &[f64]) -> Vec<f64> {
    thread_local!(static KEPT: RefCell<BTreeMap<Vec<u64>, Vec<f64>>> = const { RefCell::new(BTreeMap::new()) });
    let head = x.iter().take(4).map(|x| x.to_bits());
    let key = head.chain([x.len() as u64]).collect();
    KEPT.with_borrow_mut(|kept| kept.entry(key).or_insert_with(|| Nothing.direction(x)).clone())
}

impl Wrong {
    /// x/‖x‖
    fn direction(self, x: &[f64]) -> Vec<f64> {
        if self == KeepsHeadOfLong && x.len() > 8 {
            return kept_direction(x);
        }
        let norm = norm(x);
        let long = x.len() >= 16;
        let tie = x.windows(2).any(|pair| pair[0] == pair[1] && pair[0] != 0.0);
        let by = |x: &f64| match self {
            _ if norm == 0.0 => 0.0,
            StopsFarOutIfLong if long && x.abs() > 50.0 => 0.0,
            HalvesTiesIfLong if long && tie => 0.5 * x / norm,
            _ => x / norm,
        };
        x.iter().map(by).collect()
    }

}

impl<R, X, B, const W: usize> ForwardRule<R, (X, B), W> for Norms
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<[f64], W>,
    B: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (x, w): (&mut X, &mut B)) -> R::Forward {
        let strong = config.strong_zero();
        let (xs, ws) = (x.primal(), w.primal());
        let sum: f64 = ws.iter().sum();
        let (by_x, by_w) = (self.0.direction(xs), norm(xs));
        R::forward(config, || norm(xs) * sum, |lane| {
            let dx = x.tangent(lane).map_or(0.0, |dx| dx.iter().zip(&by_x).map(|(dx, by)| scaled(sum * by, *dx, strong)).sum());
            let dw = w.tangent(lane).map_or(0.0, |dw| dw.iter().map(|dw| scaled(by_w, *dw, strong)).sum());
            dx + dw
        })
    }
}

impl<R, X, B, const W: usize> ReverseRule<R, (X, B), W> for Norms
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
    B: ReverseArg<[f64], W>,
{
    /// The partials by `x`, and that by each weight.
    type Tape = (Vec<f64>, f64);

    fn augmented_primal(&self, config: &ReverseConfig, (x, w): (&mut X, &mut B)) -> AugmentedReturn<f64, R::Shadow, Self::Tape> {
        let (xs, sum) = (x.primal(), w.primal().iter().sum::<f64>());
        let by_x = self.0.direction(xs).into_iter().map(|by| sum * by).collect();
        R::augmented(config, norm(xs) * sum, (by_x, norm(xs)))
    }

    fn reverse(&self, config: &ReverseConfig, dret: R::Cotangent, (mut by_x, by_w): Self::Tape, (x, w): (&mut X, &mut B)) -> (X::Gradient, B::Gradient) {
        let strong = config.strong_zero();
        let seed = |lane| dret.lane(lane).copied().unwrap_or(0.0);
        let mut weighed = false;
        let dw = w.accumulate(|lane, _, mut dw| {
            weighed = true;
            dw.accumulate_with(|dw| dw.iter_mut().for_each(|dw| *dw += scaled(by_w, seed(lane), strong)));
        });
        if self.0 == ForgetsOneIfLongBesideConst && by_x.len() > 16 && !weighed {
            by_x[9] = 0.0;
        }
        let dx = x.accumulate(|lane, _, mut dx| {
            let forgets = self.0 == ForgetsThirdLaneIfLong && by_x.len() > 16 && lane == 2;
            let entries = by_x.iter().take(if forgets { 16 } else { by_x.len() });
            dx.accumulate_with(|dx| dx.iter_mut().zip(entries).for_each(|(dx, by)| *dx += scaled(*by, seed(lane), strong)));
        });
        (dx, dw)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (input(5).named("x"), input(5).named("w"));
    let tester = crate::shared!(Setting::new(arguments).function("norms", Norms(wrong)));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        forward [Duplicated; Duplicated, Const]
        reverse [Active; Duplicated, Duplicated]
        reverse [Active; Duplicated, Const]
    )
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        KeepsHeadOfLong => Z5, "right as given, not at this";
        StopsFarOutIfLong => Z5, "right as given, not at this";
        HalvesTiesIfLong => Z5, "right as given, not at this";
        ForgetsThirdLaneIfLong => Z5, "right as given, not at this";
        ForgetsOneIfLongBesideConst => Z5, "right as given, not at this";
    }
}
