//! Σ ln(x² + π), a function that is generic over the scalar: constants with too few digits, in double and in single precision.

use coenzyme::{
    Adjoint, AsActive, AsDuplicated, AugmentedReturn, Dual, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function,
    Lanes, Real, ReverseArg, ReverseConfig,
    ReverseReturn, ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Report, Setting, input};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    OtherFormula,
    CancelsThreeDigits,
    PiWithTwelveDigits,
    HalfAnIteration,
    RoughWithAllDigits,
    PiWithThreeDigits,
    InverseWithFourDigits,
}

use Wrong::*;

pub(crate) struct Logs(Wrong);

fn logs<T: Real>(x: &[T], pi: T) -> T {
    let mut sum = T::zero();
    for x in x {
        sum += (*x * *x + pi).ln();
    }
    sum
}

macro_rules! functions {
    ($($t:ty: $pi:expr;)*) => {$(
        impl Function<(&[$t],)> for Logs {
            type Output = $t;

            fn call(&self, (x,): (&[$t],)) -> $t {
                logs(x, $pi)
            }
        }
    )*};
}

functions! {
    f64: std::f64::consts::PI;
    Dual<f64>: Dual::constant(std::f64::consts::PI);
}

impl Wrong {
    #[allow(clippy::approx_constant, reason = "that is the mistake")]
    fn partial(self, x: f64) -> f64 {
        let pi = match self {
            PiWithTwelveDigits => 3.14159265358,
            PiWithThreeDigits => 3.14,
            _ => std::f64::consts::PI,
        };
        let inverse = match self {
            // one step of Newton's method from single precision
            HalfAnIteration => f64::from(((1.0 / (x * x + pi)) as f32) * (1.0 + 2e-6)),
            InverseWithFourDigits => (1e4 / (x * x + pi)).round() / 1e4,
            _ => 1.0 / (x * x + pi),
        };
        match self {
            // right at short mantissas, as the first point has them
            RoughWithAllDigits if (x * 1024.0).fract() != 0.0 => 2.0 * x * inverse * (1.0 + 1e-11),
            HalfAnIteration => 2.0 * x * inverse * (2.0 - inverse * (x * x + pi)),
            OtherFormula => 2.0 / (x + pi / x),
            // 2·x as a difference of squares
            CancelsThreeDigits => ((x + 30.0) * (x + 30.0) - x * x - 900.0) / 30.0 * inverse,
            _ => 2.0 * x * inverse,
        }
    }
}

macro_rules! rules {
    ($($t:ty)*) => {$(
        impl<R, X, const W: usize> ReverseRule<R, (X,), W> for Logs
        where
            R: ReverseReturn<W, Out = $t>,
            X: ReverseArg<[$t], W>,
            Logs: for<'a> Function<(&'a [$t],), Output = $t>,
        {
            type Tape = Saved<[$t]>;

            fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> AugmentedReturn<$t, R::Shadow, Saved<[$t]>> {
                let tape = Saved::new(x.primal(), config.overwritten(0));
                R::augmented(config, self.call((x.primal(),)), tape)
            }

            fn reverse(&self, config: &ReverseConfig, dret: R::Cotangent, tape: Saved<[$t]>, (x,): (&mut X,)) -> (X::Gradient,) {
                let add = |lane, x: &[$t], mut dx: Adjoint<'_, [$t]>| {
                    let seed = dret.lane(lane).copied().unwrap_or(0.0);
                    for (mut dx, x) in dx.iter_mut().zip(tape.get(x)) {
                        let partial = self.0.partial((*x).into()) as $t;
                        dx += scaled(partial, seed, config.strong_zero());
                    }
                };
                (x.accumulate(add),)
            }
        }
    )*};
}

macro_rules! ahead {
    ($($t:ty)*) => {$(
        impl<R, X, const W: usize> ForwardRule<R, (X,), W> for Logs
        where
            R: ForwardReturn<W, Out = $t>,
            X: ForwardArg<[$t], W>,
            Logs: for<'a> Function<(&'a [$t],), Output = $t>,
        {
            fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
                let xs = x.primal();
                let along = |dx: &[$t]| {
                    let terms = xs.iter().zip(dx);
                    terms.map(|(x, dx)| scaled(self.0.partial((*x).into()) as $t, *dx, config.strong_zero())).sum()
                };
                R::forward(config, || self.call((xs,)), |lane| x.tangent(lane).map_or(0.0, along))
            }
        }
    )*};
}

rules! { f64 }
ahead! { f64 }

fn judge(wrong: Wrong) -> Report {
    let tester = crate::shared!(Setting::new((input(3).named("x"),)).function("logs", Logs(wrong)));
    let mix = tester.mix(AsActive, (AsDuplicated,));
    Report::worst([mix.reverse::<_, _, 1>(), mix.digits()])
}

/// The same in single precision: only the digits, since differences of single precision know too few.
pub(crate) mod single {
    use super::*;

    pub(crate) struct Logs(pub(crate) Wrong);

    functions! {
        f32: std::f32::consts::PI;
        Dual<f64>: Dual::constant(std::f64::consts::PI);
    }

    rules! { f32 }
    ahead! { f32 }
}

fn ahead(wrong: Wrong) -> Report {
    let tester = crate::shared!(Setting::new((input(3).named("x"),)).function("logs", Logs(wrong)));
    let mix = tester.mix(AsDuplicated, (AsDuplicated,));
    Report::worst([mix.forward::<1>(), mix.digits_ahead()])
}

fn ahead_in_single(wrong: Wrong) -> Report {
    let x = input(vec![0.75_f32, -1.5, 2.25]).named("x");
    let tester = crate::shared!(Setting::new((x,)).function("logs", single::Logs(wrong)));
    tester.mix(AsDuplicated, (AsDuplicated,)).digits_ahead()
}

fn in_single(wrong: Wrong) -> Report {
    let x = input(vec![0.75_f32, -1.5, 2.25]).named("x");
    let tester = crate::shared!(Setting::new((x,)).function("logs", single::Logs(wrong)));
    tester.mix(AsActive, (AsDuplicated,)).digits()
}

crate::variants!(judge: Nothing, OtherFormula, CancelsThreeDigits);

crate::mutants! {
    judge {
        PiWithTwelveDigits => X3, "dual numbers";
        HalfAnIteration => X3, "where   x.shadow";
        RoughWithAllDigits => X3, "where   x.shadow";
    }
    in_single {
        PiWithThreeDigits => X4, "dual numbers";
        InverseWithFourDigits => X4, "where   x.shadow";
    }
    ahead {
        PiWithTwelveDigits => X3, "where   ret.tangent";
        HalfAnIteration => X3, "where   ret.tangent";
        RoughWithAllDigits => X3, "where   ret.tangent";
    }
    ahead_in_single {
        PiWithThreeDigits => X4, "where   ret.tangent";
        InverseWithFourDigits => X4, "where   ret.tangent";
    }
}
