//! Derivatives that are right at ordinary numbers: beside a zero or a tie they cancel, far out they overflow.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Report, Setting, input};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    // Σ sin(x)/x
    Sinc,
    SincByTheQuotient,
    SincWithAWrongTerm,
    SincWithAShortSeries,
    SincWrongAtZeros,
    // Σ ln(1 + eˣ)
    Softplus,
    SoftplusByTheQuotient,
    // Σ x²/(1 + x²)
    Rational,
    RationalByTheQuotient,
    RationalNanBesideZero,
    // Σ (e^x₀ − e^xᵢ)/(x₀ − xᵢ)
    Slope,
    SlopeByTheQuotient,
    SlopeHalvedAtTies,
    // Σ xᵢ²
    Energy,
    EnergyNanAtZero,
    EnergyOneAtZero,
    EnergyOnTheSphere,
    EnergyClippedFarOut,
    // Σ ⌊xᵢ⌋·x₀
    Stairs,
    // Σ (xᵢ − x̄)²
    Variance,
    VarianceNanIfLevel,
    VarianceOfThreeEqual,
    VarianceOfTheLastTwo,
}

use Wrong::*;

fn sinc(x: f64) -> f64 {
    match x.abs() < 1e-3 {
        true => 1.0 - x * x / 6.0,
        false => x.sin() / x,
    }
}

/// (eᵗ − 1)/t
fn growth(t: f64) -> f64 {
    if t == 0.0 { 1.0 } else { t.exp_m1() / t }
}

/// The derivative of [`growth`], by its series near zero.
fn growth_slope(t: f64) -> f64 {
    match t.abs() < 1e-2 {
        true => 0.5 + t * (1.0 / 3.0 + t * (1.0 / 8.0 + t * (1.0 / 30.0 + t / 144.0))),
        false => (t.exp() * (t - 1.0) + 1.0) / (t * t),
    }
}

fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len().max(1) as f64
}

impl Wrong {
    fn value(self, x: &[f64]) -> f64 {
        let each = |f: fn(f64) -> f64| x.iter().map(|x| f(*x)).sum();
        match self {
            Sinc | SincByTheQuotient | SincWithAWrongTerm | SincWithAShortSeries | SincWrongAtZeros => each(sinc),
            Softplus | SoftplusByTheQuotient => each(|x| x.max(0.0) + (-x.abs()).exp().ln_1p()),
            Rational | RationalByTheQuotient | RationalNanBesideZero => each(|x| 1.0 / (1.0 + (1.0 / x) * (1.0 / x))),
            Energy | EnergyNanAtZero | EnergyOneAtZero | EnergyOnTheSphere | EnergyClippedFarOut => each(|x| x * x),
            Stairs => x.first().map_or(0.0, |first| first * x.iter().skip(1).map(|x| x.floor()).sum::<f64>()),
            Variance | VarianceNanIfLevel | VarianceOfThreeEqual | VarianceOfTheLastTwo => {
                let mean = mean(x);
                x.iter().map(|x| (x - mean) * (x - mean)).sum()
            }
            Slope | SlopeByTheQuotient | SlopeHalvedAtTies => {
                x.iter().skip(1).map(|y| y.exp() * growth(x[0] - y)).sum()
            }
        }
    }

    fn gradient(self, x: &[f64]) -> Vec<f64> {
        let zeros = x.iter().filter(|x| **x == 0.0).count();
        let each = |f: &dyn Fn(f64) -> f64| x.iter().map(|x| f(*x)).collect();
        let quotient = |x: f64| (x * x.cos() - x.sin()) / (x * x);
        let series = |x: f64| x * (-1.0 / 3.0 + x * x * (1.0 / 30.0 - x * x / 840.0));
        match self {
            Sinc => each(&|x| if x.abs() < 1e-1 { series(x) } else { quotient(x) }),
            SincByTheQuotient => each(&|x| if x == 0.0 { 0.0 } else { quotient(x) }),
            SincWithAWrongTerm => each(&|x| if x.abs() < 1e-3 { -x / 4.0 } else { quotient(x) }),
            SincWithAShortSeries => each(&|x| if x.abs() < 0.02 { -x / 3.0 + x * x * x / 3.0 } else { quotient(x) }),
            SincWrongAtZeros if zeros > 1 => vec![1.0; x.len()],
            SincWrongAtZeros => Sinc.gradient(x),
            Softplus => each(&|x| 1.0 / (1.0 + (-x).exp())),
            SoftplusByTheQuotient => each(&|x| x.exp() / (1.0 + x.exp())),
            // 2x/(1 + x²)²
            Rational => each(&|x| match x.abs() < 1.0 {
                true => 2.0 * x / (1.0 + x * x).powi(2),
                false => 2.0 / (x * (x + 1.0 / x).powi(2)),
            }),
            RationalByTheQuotient => each(&|x| (2.0 * x * (1.0 + x * x) - x * x * 2.0 * x) / (1.0 + x * x).powi(2)),
            RationalNanBesideZero => each(&|x| match x.abs() < 1e-160 && x != 0.0 {
                true => (2.0 / x) / (1.0 / x / x),
                false => Rational.gradient(&[x])[0],
            }),
            EnergyNanAtZero if zeros == x.len() => vec![f64::NAN; x.len()],
            EnergyOneAtZero if zeros == x.len() => vec![1.0; x.len()],
            EnergyOnTheSphere if (Energy.value(x) - 1.0).abs() < 1e-12 => x.to_vec(),
            EnergyClippedFarOut => each(&|x| (2.0 * x).clamp(-1e7, 1e7)),
            Energy | EnergyNanAtZero | EnergyOneAtZero | EnergyOnTheSphere => each(&|x| 2.0 * x),
            Stairs => {
                let mut gradient = vec![0.0; x.len()];
                if let [by_first, ..] = &mut gradient[..] {
                    *by_first = x.iter().skip(1).map(|x| x.floor()).sum();
                }
                gradient
            }
            VarianceNanIfLevel if x.len() > 1 && x.iter().all(|other| *other == x[0]) => vec![f64::NAN; x.len()],
            VarianceOfThreeEqual if x.len() > 3 && x[..3] == [x[0]; 3] && x[3] != x[0] => vec![0.0; x.len()],
            VarianceOfTheLastTwo if x.len() > 3 && x[x.len() - 2..] == [x[x.len() - 1]; 2] && x[0] != x[x.len() - 1] => {
                vec![0.0; x.len()]
            }
            Variance | VarianceNanIfLevel | VarianceOfThreeEqual | VarianceOfTheLastTwo => {
                let mean = mean(x);
                each(&|x| 2.0 * (x - mean))
            }
            Slope | SlopeByTheQuotient | SlopeHalvedAtTies => {
                let mut gradient = vec![0.0; x.len()];
                for (i, y) in x.iter().enumerate().skip(1) {
                    let t = x[0] - y;
                    let mut slope = match self {
                        SlopeByTheQuotient if t != 0.0 => (t.exp() * (t - 1.0) + 1.0) / (t * t),
                        _ => growth_slope(t),
                    };
                    if self == SlopeHalvedAtTies && t == 0.0 {
                        slope = 0.25;
                    }
                    gradient[0] += y.exp() * slope;
                    gradient[i] = y.exp() * (growth(t) - slope);
                }
                gradient
            }
        }
    }
}

pub(crate) struct Extreme(Wrong);

impl<X: Holds<[f64]>> Function<(X,)> for Extreme {
    type Output = f64;

    fn call(&self, (x,): (X,)) -> f64 {
        self.0.value(x.get())
    }
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for Extreme
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let gradient = self.0.gradient(x.primal());
        let along = |dx: &[f64]| {
            let terms = gradient.iter().zip(dx);
            terms.map(|(g, dx)| scaled(*g, *dx, config.strong_zero())).sum()
        };
        R::forward(config, || self.0.value(x.primal()), |lane| x.tangent(lane).map_or(0.0, along))
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for Extreme
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> AugmentedReturn<f64, R::Shadow, Saved<[f64]>> {
        let tape = Saved::new(x.primal(), config.overwritten(0));
        R::augmented(config, self.0.value(x.primal()), tape)
    }

    fn reverse(&self, config: &ReverseConfig, dret: R::Cotangent, tape: Saved<[f64]>, (x,): (&mut X,)) -> (X::Gradient,) {
        let add = |lane, x: &[f64], mut dx: coenzyme::Adjoint<'_, [f64]>| {
            let seed = dret.lane(lane).copied().unwrap_or(0.0);
            for (mut dx, g) in dx.iter_mut().zip(self.0.gradient(tape.get(x))) {
                dx += scaled(g, seed, config.strong_zero());
            }
        };
        (x.accumulate(add),)
    }
}

fn judge(wrong: Wrong) -> Report {
    let tester = Setting::new((input(4).named("x"),)).function("extreme", Extreme(wrong));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated]
        reverse [Active; Duplicated]
    )
}

crate::variants!(judge: Sinc, Softplus, Rational, Slope, Energy, Variance, Stairs);

crate::mutants! {
    judge {
        SincByTheQuotient => N3, "ret.tangent";
        SincWithAWrongTerm => N3, "ret.tangent";
        SincWithAShortSeries => N3, "ret.tangent";
        SincWrongAtZeros => N3, "ret.tangent";
        SlopeByTheQuotient => N3, "ret.tangent";
        SlopeHalvedAtTies => N3, "ret.tangent";
        SoftplusByTheQuotient => N3, "ret.tangent";
        RationalByTheQuotient => N2, "ret.tangent";
        RationalNanBesideZero => N2, "ret.tangent";
        EnergyNanAtZero => N3, "ret.tangent";
        EnergyOneAtZero => N3, "ret.tangent";
        EnergyOnTheSphere => N3, "ret.tangent";
        EnergyClippedFarOut => N2, "ret.tangent";
        VarianceNanIfLevel => N3, "ret.tangent";
        VarianceOfThreeEqual => N3, "ret.tangent";
        VarianceOfTheLastTwo => N3, "ret.tangent";
    }
}
