//! yᵢ ← wᵢ·arcsin xᵢ: mistakes where seeds are numbers of the call, where lanes or memory are alike, and where the domain ends.

use std::cell::RefCell;
use std::collections::BTreeMap;

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, Function,
    Holds, HoldsMut, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, input, out};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // U1.
    StopsIfSeedsAddUpToNothing,
    // U3.
    StopsIfSeedIsOutput,
    HalvesIfSeedIsPoint,
    StopsIfTangentIsPoint,
    // B2.
    TakesLaneForCopy,
    TakesLaneForCopyAhead,
    // A1.
    TellsTangentsByAddress,
    // D2.
    KeepsByLengthForOnes,
    // N5.
    ClampsNearTheEnd,
    PadsTheRoot,
    // N3.
    StopsAtUnitWeights,
    StopsAtBalancedWeights,
    StopsAcrossZero,
}

use Wrong::*;

pub(crate) struct Arcs(Wrong);

fn arcs(y: &mut [f64], x: &[f64], w: &[f64]) {
    assert!(y.len() == x.len() && x.len() == w.len(), "lengths differ");
    let rows = y.iter_mut().zip(x).zip(w);
    rows.for_each(|((y, x), w)| *y = w * x.asin());
}

impl<Y: HoldsMut<[f64]>, X: Holds<[f64]>, B: Holds<[f64]>> Function<(Y, X, B)> for Arcs {
    type Output = ();

    fn call(&self, (mut y, x, w): (Y, X, B)) {
        arcs(y.get_mut(), x.get(), w.get());
    }
}

impl Wrong {
    /// w/√(1 − x²)
    fn by_x(self, x: &[f64], w: &[f64], i: usize) -> f64 {
        let unit = w[0] == 1.0 && w[1..].iter().all(|w| *w == 0.0);
        let balanced = w.iter().sum::<f64>() == 0.0 && w[0] != 0.0;
        let across = w[0] < 0.0 && x.iter().all(|x| *x == 0.0);
        let cosine = |x: f64| (1.0 - x * x).sqrt();
        match self {
            ClampsNearTheEnd => w[i] / cosine(x[i].clamp(-0.998, 0.998)),
            PadsTheRoot => w[i] / (1.0 - x[i] * x[i]).max(1e-3).sqrt(),
            StopsAtUnitWeights if unit => 0.0,
            StopsAtBalancedWeights if balanced => 0.0,
            StopsAcrossZero if across => 0.0,
            _ => w[i] / cosine(x[i]),
        }
    }
}

impl<R, Y, X, B, const W: usize> ForwardRule<R, (Y, X, B), W> for Arcs
where
    R: ForwardReturn<W, Out = ()>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
    B: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x, w): (&mut Y, &mut X, &mut B)) -> R::Forward {
        let (wrong, strong) = (self.0, config.strong_zero());
        let (xs, ws) = (x.primal(), w.primal());
        arcs(y.primal_mut(), xs, ws);
        y.assign(|lane, _, dy| {
            let (dx, dw) = (x.tangent(lane), w.tangent(lane));
            let address = |of: Option<&[f64]>| of.map(|of| of.as_ptr().addr());
            let stops = match wrong {
                StopsIfTangentIsPoint => dx == Some(xs),
                TakesLaneForCopyAhead => lane > 0 && dx == x.tangent(lane - 1) && dx.is_some(),
                TellsTangentsByAddress => address(dx) == address(dw),
                _ => false,
            };
            for (i, dy) in dy.iter_mut().enumerate() {
                let by_x = dx.map_or(0.0, |dx| scaled(wrong.by_x(xs, ws, i), dx[i], strong));
                let by_w = dw.map_or(0.0, |dw| scaled(xs[i].asin(), dw[i], strong));
                *dy = if stops { 0.0 } else { by_x + by_w };
            }
        });
        R::forward(config, || (), |_| ())
    }
}

/// Sums of weights, by how many there are.
fn kept(w: &[f64], new: bool) -> Vec<f64> {
    thread_local!(static KEPT: RefCell<BTreeMap<usize, Vec<f64>>> = const { RefCell::new(BTreeMap::new()) });
    KEPT.with_borrow_mut(|kept| {
        if new {
            kept.insert(w.len(), w.to_vec());
        }
        BTreeMap::get(kept, &w.len()).cloned().unwrap_or_default()
    })
}

impl<R, Y, X, B, const W: usize> ReverseRule<R, (Y, X, B), W> for Arcs
where
    R: ReverseReturn<W, Out = ()>,
    Y: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
    B: ReverseArg<[f64], W>,
{
    type Tape = (Vec<f64>, Vec<f64>);

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x, w): (&mut Y, &mut X, &mut B),
    ) -> AugmentedReturn<(), R::Shadow, Self::Tape> {
        arcs(y.primal_mut(), x.primal(), w.primal());
        kept(w.primal(), true);
        R::augmented(config, (), (x.primal().to_vec(), w.primal().to_vec()))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        (xs, ws): Self::Tape,
        (y, x, w): (&mut Y, &mut X, &mut B),
    ) -> (Y::Gradient, X::Gradient, B::Gradient) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let seeds: Vec<Option<Vec<f64>>> = (0..W).map(|lane| y.cotangent(lane).map(<[f64]>::to_vec)).collect();
        let output: Vec<f64> = xs.iter().zip(&ws).map(|(x, w)| w * x.asin()).collect();
        let dx = x.accumulate(|lane, _, mut dx| {
            let Some(seeds) = &seeds[lane] else { return };
            let ones = seeds.iter().all(|seed| *seed == 1.0);
            let ws = if wrong == KeepsByLengthForOnes && ones { kept(&ws, false) } else { ws.clone() };
            let factor = match wrong {
                StopsIfSeedsAddUpToNothing if seeds[0] != 0.0 && seeds.iter().sum::<f64>() == 0.0 => 0.0,
                StopsIfSeedIsOutput if *seeds == output => 0.0,
                HalvesIfSeedIsPoint if *seeds == xs => 0.5,
                _ => 1.0,
            };
            dx.accumulate_with(|dx| {
                for (i, dx) in dx.iter_mut().enumerate() {
                    *dx += scaled(factor * wrong.by_x(&xs, &ws, i), seeds[i], strong);
                }
            });
        });
        let dw = w.accumulate(|lane, _, mut dw| {
            let Some(of_lane) = &seeds[lane] else { return };
            if wrong == TakesLaneForCopy && lane > 0 && seeds[lane] == seeds[lane - 1] {
                return;
            }
            dw.accumulate_with(|dw| {
                for (i, dw) in dw.iter_mut().enumerate() {
                    *dw += scaled(xs[i].asin(), of_lane[i], strong);
                }
            });
        });
        (y.consume(), dx, dw)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (
        out(3).named("y"),
        input([0.375, -0.5, 0.625]).named("x"),
        input([1.5, -0.75, 2.0]).named("w"),
    );
    let tester = crate::shared!(Setting::new(arguments).function("arcs", Arcs(wrong)));
    crate::in_mixes!(tester;
        forward [Const; Duplicated, Duplicated, Duplicated]
        reverse [Const; Duplicated, Duplicated, Duplicated]
    )
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        StopsIfSeedsAddUpToNothing => U1, "where   x.shadow";
        StopsIfSeedIsOutput => U3, "seeds are what they are seeds of";
        HalvesIfSeedIsPoint => U3, "seeds are the numbers of x";
        StopsIfTangentIsPoint => U3, "seeds are ";
        TakesLaneForCopy => B2, "where   w.shadow";
        TakesLaneForCopyAhead => B2, "where   y.shadow";
        TellsTangentsByAddress => A1, "where   y.shadow";
        KeepsByLengthForOnes => D2, "where   x.shadow";
        ClampsNearTheEnd => N5, "where   ";
        PadsTheRoot => N5, "where   ";
        StopsAtUnitWeights => N3, "where   ";
        StopsAtBalancedWeights => N3, "where   ";
        StopsAcrossZero => N3, "where   ";
    }
}
