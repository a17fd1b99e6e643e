//! sin(a)/b: a scalar function of two arguments.

use coenzyme::{
    Adjoint, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function,
    Lanes, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    MultipliesByReciprocal,
    ReusesThePrimal,
    // Forward.
    ForgetsTangentOfB,
    SineForCosine,
    SlightlyOffForward,
    TangentPerWidth,
    TangentOfLaneZero,
    ReturnsNanIfBothConst,
    WeakZeroForward,
    // Reverse.
    ForgetsMinus,
    SwapsGradients,
    ReciprocalSquaredLost,
    SlightlyOff,
    LosesAIfBIsConst,
    GradientOfLastLane,
    GradientDependsOnWidth,
    SeedsByItself,
    AddsTwice,
    WeakZero,
    RoundsToSingle,
    RoundsByWidth,
}

use Wrong::*;

pub(crate) struct Quotient(Wrong);

impl Function<(f64, f64)> for Quotient {
    type Output = f64;

    fn call(&self, (a, b): (f64, f64)) -> f64 {
        a.sin() / b
    }
}

impl Quotient {
    /// The value and the two partials.
    fn partials(&self, a: f64, b: f64) -> (f64, f64, f64) {
        let value = match self.0 {
            MultipliesByReciprocal => a.sin() * (1.0 / b),
            _ => a.sin() / b,
        };
        let by_a = match self.0 {
            SineForCosine => a.sin() / b,
            MultipliesByReciprocal => a.cos() * (1.0 / b),
            _ => a.cos() / b,
        };
        let by_b = match self.0 {
            ReusesThePrimal => -value / b,
            ForgetsMinus => a.sin() / (b * b),
            ReciprocalSquaredLost => -a.sin() / b,
            _ => -a.sin() / (b * b),
        };
        (value, by_a, by_b)
    }
}

impl<R, A, B, const W: usize> ForwardRule<R, (A, B), W> for Quotient
where
    R: ForwardReturn<W, Out = f64>,
    A: ForwardArg<f64, W>,
    B: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (a, b): (&mut A, &mut B)) -> R::Forward {
        let wrong = self.0;
        let strong = config.strong_zero() && wrong != WeakZeroForward;
        let (value, by_a, by_b) = self.partials(*a.primal(), *b.primal());
        R::forward(
            config,
            || value,
            |lane| {
                let lane = if wrong == TangentOfLaneZero { 0 } else { lane };
                if wrong == ReturnsNanIfBothConst
                    && a.tangent(lane).is_none()
                    && b.tangent(lane).is_none()
                {
                    return f64::NAN;
                }
                let mut sum = a.tangent(lane).map_or(0.0, |da| scaled(by_a, *da, strong));
                if wrong != ForgetsTangentOfB {
                    sum += b.tangent(lane).map_or(0.0, |db| scaled(by_b, *db, strong));
                }
                match wrong {
                    TangentPerWidth => sum * (1 + lane) as f64,
                    SlightlyOffForward => sum * (1.0 + 1e-13),
                    _ => sum,
                }
            },
        )
    }
}

impl<R, A, B, const W: usize> ReverseRule<R, (A, B), W> for Quotient
where
    R: ReverseReturn<W, Out = f64>,
    A: ReverseArg<f64, W>,
    B: ReverseArg<f64, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (a, b): (&mut A, &mut B),
    ) -> AugmentedReturn<f64, R::Shadow, ()> {
        R::augmented(config, self.partials(*a.primal(), *b.primal()).0, ())
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (a, b): (&mut A, &mut B),
    ) -> (A::Gradient, B::Gradient) {
        let wrong = self.0;
        let strong = config.strong_zero() && wrong != WeakZero;
        let (_, by_a, by_b) = self.partials(*a.primal(), *b.primal());
        let (by_a, by_b) = if wrong == SwapsGradients {
            (by_b, by_a)
        } else {
            (by_a, by_b)
        };
        let b_const = !b.is_active();
        let add = |lane: usize, partial: f64, mut adjoint: Adjoint<'_, f64>| {
            let lane = if wrong == GradientOfLastLane {
                W - 1
            } else {
                lane
            };
            let Some(seed) = dret.lane(lane) else { return };
            let seed = if wrong == SeedsByItself { 1.0 } else { *seed };
            let gradient = scaled(partial, seed, strong);
            adjoint += match wrong {
                SlightlyOff => gradient * (1.0 + 1e-13),
                GradientDependsOnWidth => gradient * W as f64,
                AddsTwice => 2.0 * gradient,
                RoundsByWidth => gradient * (1.0 + (W - 1) as f64 * f64::EPSILON),
                RoundsToSingle => f64::from(gradient as f32),
                _ => gradient,
            };
        };
        let by_a = if wrong == LosesAIfBIsConst && b_const {
            0.0
        } else {
            by_a
        };
        (
            a.accumulate(|lane, _, da| add(lane, by_a, da)),
            b.accumulate(|lane, _, db| add(lane, by_b, db)),
        )
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (value(1.375).named("a"), value(-0.75).named("b"));
    let tester = crate::shared!(Setting::new(arguments).function("quotient", Quotient(wrong)));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        forward [DuplicatedNoNeed; Const, Duplicated]
        forward [Duplicated; Const, Const]
        forward [Const; Duplicated, Const]
        reverse [Active; Active, Active]
        reverse [Active; Active, Const]
        reverse [Active; Const, Active]
        reverse [Const; Active, Active]
    )
}

fn forward(wrong: Wrong) -> Report {
    let arguments = (value(1.375).named("a"), value(-0.75).named("b"));
    let tester = crate::shared!(Setting::new(arguments).function("quotient", Quotient(wrong)));
    crate::in_mixes!(tester; only forward [Duplicated; Duplicated, Duplicated])
}

fn reverse(wrong: Wrong) -> Report {
    let arguments = (value(1.375).named("a"), value(-0.75).named("b"));
    let tester = crate::shared!(Setting::new(arguments).function("quotient", Quotient(wrong)));
    crate::in_mixes!(tester; only reverse [Active; Active, Active])
}

crate::variants!(judge: Nothing, MultipliesByReciprocal, ReusesThePrimal);

crate::mutants! {
    judge {
        ForgetsTangentOfB => F1, "where   ret.tangent";
        SineForCosine => F1, "where   ret.tangent";
        SlightlyOffForward => R2, "R2";
        TangentPerWidth => B1, "lane 1: B1";
        TangentOfLaneZero => B1, "lane 1: B1";
        ReturnsNanIfBothConst => F1, "a=Const b=Const";
        WeakZeroForward => N1, "where   ret.tangent";
        ForgetsMinus => F1, "where   ret.tangent";
        SwapsGradients => R1z, "gradient";
        ReciprocalSquaredLost => F1, "where   ret.tangent";
        SlightlyOff => R2, "R2";
        LosesAIfBIsConst => R1z, "a=Active b=Const";
        GradientOfLastLane => B1, "gradient lane 0: B1";
        GradientDependsOnWidth => B1, "B1";
        SeedsByItself => L1, "gradient";
        AddsTwice => R1z, "gradient";
        WeakZero => N1, "gradient";
        RoundsToSingle => R1z, "gradient";
    }
    forward {
        SineForCosine => F1, "where   ret.tangent";
    }
    reverse {
        AddsTwice => R1z, "gradient";
        RoundsByWidth => B1, "B1";
    }
}
