//! w·Σ v², of a value that holds a number and owns memory.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    SumsFirst,
    // Forward.
    ForgetsWeight,
    ForgetsVector,
    // Reverse.
    ForgetsWeightBack,
    ForgetsVectorBack,
    AssignsWeight,
    AssignsVector,
    SwapsFields,
    ForgetsLastEntry,
}

use Wrong::*;

/// A weight and a vector.
type Pair = (f64, Vec<f64>);

pub(crate) struct Weighted(Wrong);

fn squares(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum()
}

impl Function<(Pair,)> for Weighted {
    type Output = f64;

    fn call(&self, ((w, v),): (Pair,)) -> f64 {
        w * squares(&v)
    }
}

impl<R: ForwardReturn<W, Out = f64>, P: ForwardArg<Pair, W>, const W: usize> ForwardRule<R, (P,), W>
    for Weighted
{
    fn forward(&self, config: &ForwardConfig, (p,): (&mut P,)) -> R::Forward {
        let ((w, v), strong) = (p.primal(), config.strong_zero());
        R::forward(
            config,
            || w * squares(v),
            |lane| {
                let Some((dw, dv)) = p.tangent(lane) else {
                    return 0.0;
                };
                let by_weight = match self.0 {
                    ForgetsWeight => 0.0,
                    _ => scaled(squares(v), *dw, strong),
                };
                let by_vector: f64 = match self.0 {
                    ForgetsVector => 0.0,
                    _ => v
                        .iter()
                        .zip(dv)
                        .map(|(v, dv)| scaled(2.0 * w * v, *dv, strong))
                        .sum(),
                };
                by_weight + by_vector
            },
        )
    }
}

impl<R: ReverseReturn<W, Out = f64>, P: ReverseArg<Pair, W>, const W: usize> ReverseRule<R, (P,), W>
    for Weighted
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (p,): (&mut P,),
    ) -> AugmentedReturn<f64, R::Shadow, ()> {
        let (w, v) = p.primal();
        R::augmented(config, w * squares(v), ())
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (p,): (&mut P,),
    ) -> (P::Gradient,) {
        let strong = config.strong_zero();
        let gradient = p.accumulate(|lane, (w, v), mut dp| {
            let Some(seed) = dret.lane(lane) else { return };
            dp.accumulate_with(|(dw, dv)| {
                let add = scaled(squares(v), *seed, strong);
                match self.0 {
                    ForgetsWeightBack => {}
                    AssignsWeight => *dw = add,
                    SwapsFields => *dw += scaled(*w, *seed, strong),
                    _ => *dw += add,
                }
                let kept = v.len() - usize::from(self.0 == ForgetsLastEntry);
                for (dv, v) in dv.iter_mut().zip(v).take(kept) {
                    match self.0 {
                        ForgetsVectorBack => {}
                        AssignsVector => *dv = scaled(2.0 * w * v, *seed, strong),
                        SumsFirst => *dv += scaled(w * v + w * v, *seed, strong),
                        _ => *dv += scaled(2.0 * w * v, *seed, strong),
                    }
                }
            });
        });
        (gradient,)
    }
}

fn judge(wrong: Wrong) -> Report {
    let pair = (1.25, vec![0.5, -1.5, 2.0]);
    let tester = crate::shared!(Setting::new((value(pair).named("p"),)).function("weighted", Weighted(wrong)));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated]
        forward [DuplicatedNoNeed; Const]
        reverse [Active; Mixed]
        reverse [Active; Active]
        reverse [Active; Const]
        reverse [Const; Mixed]
    )
}

crate::variants!(judge: Nothing, SumsFirst);

crate::mutants! {
    judge {
        ForgetsWeight => F1, "where   ret.tangent";
        ForgetsVector => F1, "where   ret.tangent";
        ForgetsWeightBack => R1z, "[0] ";
        ForgetsVectorBack => R1z, "where   p.shadow";
        AssignsWeight => R1, "[0] ";
        AssignsVector => R1, "where   p.shadow";
        SwapsFields => R1z, "[0] ";
        ForgetsLastEntry => R1z, "[3] ";
    }
}
