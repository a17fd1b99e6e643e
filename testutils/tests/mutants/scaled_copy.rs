//! a·x, in new memory: a function that returns an array.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Report, Setting, input, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    AddsRepeatedly,
    // Forward.
    ForgetsTangentOfA,
    TangentTooShort,
    TangentReversed,
    PrimalTooShort,
    // Reverse.
    ShadowIsPrimal,
    ShadowTooShort,
    ForgetsCotangentOfA,
    ForgetsCotangentOfX,
    AssignsX,
    ReadsXInPlace,
    SharesLanes,
    ReadsCotangentReversed,
    SumsOneTooFew,
}

use Wrong::*;

pub(crate) struct ScaledCopy(Wrong);

fn scaled_copy(a: f64, x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| a * x).collect()
}

impl<X: Holds<[f64]>> Function<(f64, X)> for ScaledCopy {
    type Output = Vec<f64>;

    fn call(&self, (a, x): (f64, X)) -> Vec<f64> {
        scaled_copy(a, x.get())
    }
}

impl<R, A, X, const W: usize> ForwardRule<R, (A, X), W> for ScaledCopy
where
    R: ForwardReturn<W, Out = Vec<f64>>,
    A: ForwardArg<f64, W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (a, x): (&mut A, &mut X)) -> R::Forward {
        let wrong = self.0;
        let mut primal = scaled_copy(*a.primal(), x.primal());
        if wrong == PrimalTooShort {
            primal.pop();
        }
        let strong = config.strong_zero();
        R::forward(
            config,
            || primal,
            |lane| {
                let entry = |i: usize| {
                    let by_a = match a.tangent(lane) {
                        Some(da) if wrong != ForgetsTangentOfA => {
                            scaled(x.primal()[i], *da, strong)
                        }
                        _ => 0.0,
                    };
                    by_a + x
                        .tangent(lane)
                        .map_or(0.0, |dx| scaled(*a.primal(), dx[i], strong))
                };
                let mut tangent: Vec<f64> = (0..x.primal().len()).map(entry).collect();
                match wrong {
                    TangentTooShort => drop(tangent.pop()),
                    TangentReversed => tangent.reverse(),
                    _ => {}
                }
                tangent
            },
        )
    }
}

impl<R, A, X, const W: usize> ReverseRule<R, (A, X), W> for ScaledCopy
where
    R: ReverseReturn<W, Out = Vec<f64>>,
    A: ReverseArg<f64, W>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (a, x): (&mut A, &mut X),
    ) -> AugmentedReturn<Vec<f64>, R::Shadow, Self::Tape> {
        let primal = scaled_copy(*a.primal(), x.primal());
        let tape = Saved::new(x.primal(), config.overwritten(1) && self.0 != ReadsXInPlace);
        let shadow = R::shadow(|_| match self.0 {
            ShadowIsPrimal => primal.clone(),
            ShadowTooShort => vec![],
            _ => vec![0.0; primal.len()],
        });
        AugmentedReturn::new(config.needs_primal().then_some(primal), shadow, tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (a, x): (&mut A, &mut X),
    ) -> (A::Gradient, X::Gradient) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let da = a.accumulate(|lane, _, mut da| {
            let Some(dret) = dret.lane(lane) else { return };
            let x = tape.get(x.primal());
            let skip = usize::from(wrong == SumsOneTooFew);
            for i in 0..x.len().saturating_sub(skip) {
                let add = scaled(x[i], dret[i], strong);
                if wrong != ForgetsCotangentOfA {
                    da += add;
                }
            }
        });
        let factor = *a.primal();
        let dx = x.accumulate(|lane, x, mut dx| {
            let of = if wrong == SharesLanes { 0 } else { lane };
            let Some(dret) = dret.lane(of) else { return };
            for i in 0..x.len() {
                let at = if wrong == ReadsCotangentReversed {
                    x.len() - 1 - i
                } else {
                    i
                };
                let add = scaled(factor, dret[at], strong);
                dx.accumulate_with(|dx| match wrong {
                    ForgetsCotangentOfX => {}
                    AssignsX => dx[i] = add,
                    AddsRepeatedly => {
                        dx[i] += add / 2.0;
                        dx[i] += add / 2.0;
                    }
                    _ => dx[i] += add,
                });
            }
        });
        (da, dx)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (value(-1.5).named("a"), input(4).named("x"));
    let tester = crate::shared!(Setting::new(arguments).function("scaled_copy", ScaledCopy(wrong)));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        forward [DuplicatedNoNeed; Duplicated, Const]
        forward [Const; Const, Duplicated]
        reverse [Duplicated; Active, Duplicated]
        reverse [DuplicatedNoNeed; Active, Const]
        reverse [Duplicated; Const, Duplicated]
        reverse [Const; Active, Duplicated]
    )
}

crate::variants!(judge: Nothing, AddsRepeatedly);

crate::mutants! {
    judge {
        ForgetsTangentOfA => F1, "where   ret.tangent";
        TangentTooShort => F1, "ret.tangent has 3 floats, expected 4";
        TangentReversed => F1, "where   ret.tangent";
        PrimalTooShort => P1, "ret has 3 floats, expected 4";
        ShadowIsPrimal => I2, "the shadow of the return is not 4 zeros";
        ShadowTooShort => I2, "the shadow of the return is not 4 zeros";
        ForgetsCotangentOfA => R1z, "where   a.gradient";
        ForgetsCotangentOfX => R1z, "where   x.shadow";
        AssignsX => R1, "where   x.shadow";
        ReadsXInPlace => R6, "where   a.gradient";
        SharesLanes => B1, "x.shadow lane 1: B1";
        ReadsCotangentReversed => R1z, "where   x.shadow";
        SumsOneTooFew => R1z, "where   a.gradient";
    }
}
