//! A rule that takes long is tried at fewer sizes, and the report says at which it was not.

use std::time::{Duration, Instant};

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsDuplicated, AugmentedReturn, Function, Holds, scaled};
use coenzyme_testutils::{Setting, input};

/// ½ Σ x², whose rules take the power of the length in time.
#[derive(Clone, Copy)]
struct Slow {
    power: u32,
}

impl Slow {
    /// Nothing, slowly.
    fn wait(self, length: usize) -> f64 {
        let turns = (0..length.pow(self.power)).map(|turn| std::hint::black_box(turn as f64));
        0.0 * turns.sum::<f64>()
    }
}

impl<X: Holds<[f64]>> Function<(X,)> for Slow {
    type Output = f64;

    fn call(&self, (x,): (X,)) -> f64 {
        0.5 * x.get().iter().map(|x| x * x).sum::<f64>()
    }
}

impl<R: ForwardReturn<W, Out = f64>, X: ForwardArg<[f64], W>, const W: usize>
    ForwardRule<R, (X,), W> for Slow
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let xs = x.primal();
        let waited = self.wait(xs.len());
        let tangent = |lane| {
            let terms = xs.iter().zip(x.tangent(lane).unwrap_or_default());
            terms.fold(waited, |sum, (x, dx)| {
                sum + scaled(*x, *dx, config.strong_zero())
            })
        };
        R::forward(
            config,
            || 0.5 * xs.iter().map(|x| x * x).sum::<f64>(),
            tangent,
        )
    }
}

impl<R: ReverseReturn<W, Out = f64>, X: ReverseArg<[f64], W>, const W: usize>
    ReverseRule<R, (X,), W> for Slow
{
    type Tape = Vec<f64>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedReturn<f64, R::Shadow, Vec<f64>> {
        let xs = x.primal().to_vec();
        R::augmented(config, 0.5 * xs.iter().map(|x| x * x).sum::<f64>(), xs)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Vec<f64>,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let waited = self.wait(tape.len());
        let dx = x.accumulate(|lane, _, mut dx| {
            let seed = dret.lane(lane).copied().unwrap_or(0.0);
            dx.accumulate_with(|dx| {
                for (dx, x) in dx.iter_mut().zip(&tape) {
                    *dx += scaled(*x, seed, config.strong_zero()) + waited;
                }
            });
        });
        (dx,)
    }
}

/// What is said of sizes that were left out, forward and in reverse.
fn left_out(power: u32) -> Vec<String> {
    let tester = Setting::new((input(5).named("x"),)).function("slow", Slow { power });
    let mix = tester.mix(AsActive, (AsDuplicated,));
    let forward = tester.mix(AsDuplicated, (AsDuplicated,)).forward::<1>();
    let reports = [forward, mix.reverse::<_, _, 1>()];
    let advice = reports.iter().inspect(|report| report.assert());
    let advice = advice.flat_map(|report| report.advice().iter().cloned());
    advice
        .filter(|text| text.contains("numbers and more were not tried"))
        .collect()
}

#[test]
fn a_rule_that_takes_the_cube_of_the_length_is_not_tried_at_a_thousand() {
    let started = Instant::now();
    let said = left_out(3);
    eprintln!("{:?} {said:#?}", started.elapsed());
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.iter().all(|text| text.contains("`longest = ")));
    assert!(
        started.elapsed() < Duration::from_secs(60),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_rule_that_takes_as_long_as_its_argument_is_tried_at_all_sizes() {
    let started = Instant::now();
    assert_eq!(left_out(1), Vec::<String>::new());
    eprintln!("{:?}", started.elapsed());
}
