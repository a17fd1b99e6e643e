//! Σ xᵢ² or their mean, as a text says: mistakes at lengths that the test does not name. A text has no length that must fit.

use coenzyme::{
    AsActive, AsConst, AsDuplicated, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Holds, Lanes, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule,
    scaled,
};
use coenzyme_testutils::{Check, Report, Setting, Verdict, by_ref, input};

#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Nothing,
    DividesByAtMostEight,
    ForgetsTheNinth,
}

use Wrong::*;

struct Told(Wrong);

fn told(x: &[f64], how: &str) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>() / divisor(x, how)
}

fn divisor(x: &[f64], how: &str) -> f64 {
    if how == "mean" {
        x.len().max(1) as f64
    } else {
        1.0
    }
}

impl Wrong {
    fn gradient(self, x: &[f64], how: &str) -> Vec<f64> {
        let divisor = match self {
            DividesByAtMostEight => divisor(x, how).min(8.0),
            _ => divisor(x, how),
        };
        let mut gradient: Vec<f64> = x.iter().map(|x| 2.0 * x / divisor).collect();
        if let (ForgetsTheNinth, Some(ninth)) = (self, gradient.get_mut(8)) {
            *ninth = 0.0;
        }
        gradient
    }
}

impl<X: Holds<[f64]>, H: Holds<String>> Function<(X, H)> for Told {
    type Output = f64;

    fn call(&self, (x, how): (X, H)) -> f64 {
        told(x.get(), how.get())
    }
}

impl<R, X, H, const W: usize> ForwardRule<R, (X, H), W> for Told
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<[f64], W>,
    H: ForwardArg<String, W>,
{
    fn forward(&self, config: &ForwardConfig, (x, how): (&mut X, &mut H)) -> R::Forward {
        let gradient = self.0.gradient(x.primal(), how.primal());
        let tangent = |lane| {
            let terms = gradient.iter().zip(x.tangent(lane).unwrap_or_default());
            terms
                .map(|(g, dx)| scaled(*g, *dx, config.strong_zero()))
                .sum()
        };
        R::forward(config, || told(x.primal(), how.primal()), tangent)
    }
}

impl<R, X, H, const W: usize> ReverseRule<R, (X, H), W> for Told
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
    H: ReverseArg<String, W>,
{
    type Tape = Vec<f64>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, how): (&mut X, &mut H),
    ) -> AugmentedReturn<f64, R::Shadow, Vec<f64>> {
        let gradient = self.0.gradient(x.primal(), how.primal());
        R::augmented(config, told(x.primal(), how.primal()), gradient)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        gradient: Vec<f64>,
        (x, how): (&mut X, &mut H),
    ) -> (X::Gradient, H::Gradient) {
        let of_x = x.accumulate(|lane, _, mut dx| {
            let seed = dret.lane(lane).copied().unwrap_or(0.0);
            let add = |(dx, g): (&mut f64, &f64)| *dx += scaled(*g, seed, config.strong_zero());
            dx.accumulate_with(|dx| dx.iter_mut().zip(&gradient).for_each(add));
        });
        (of_x, how.no_gradient())
    }
}

fn judge(wrong: Wrong) -> [Report; 2] {
    let arguments = (
        input(3).named("x"),
        by_ref(String::from("mean")).named("how"),
    );
    let tester = Setting::new(arguments).function("told", Told(wrong));
    [
        tester
            .mix(AsDuplicated, (AsDuplicated, AsConst))
            .forward::<1>(),
        tester
            .mix(AsActive, (AsDuplicated, AsConst))
            .reverse::<_, _, 1>(),
    ]
}

#[test]
fn other_lengths_are_tried_beside_a_text() {
    judge(Nothing)
        .into_iter()
        .for_each(|report| report.assert());
    for wrong in [DividesByAtMostEight, ForgetsTheNinth] {
        for report in judge(wrong) {
            let verdict = report.verdict();
            assert!(
                matches!(verdict, Verdict::Fail(Check::Z2 | Check::Z4)),
                "{verdict:?}"
            );
        }
    }
}
