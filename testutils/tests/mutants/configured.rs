//! Σ x[k]ᵖ over some indices `k`, or their mean: mistakes with a configuration that is a struct, and with a list of indices.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Tangent, scaled,
};
use coenzyme_testutils::{Report, Setting, by_ref, input};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    AssumesCubes,
    ForgetsToDivide,
    ForgetsToSkip,
    MeanOfLines,
    MeanOfAll,
    TakesSevenForSix,
    ForgetsToDivideFives,
    TakesIndicesForDifferent,
    TakesIndicesForSorted,
}

use Wrong::*;

/// What is summed.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Settings {
    power: i32,
    mean: bool,
    skip: usize,
}

pub(crate) struct Chosen(Wrong);

fn chosen<'k>(indices: &'k [usize], of: &Settings) -> &'k [usize] {
    &indices[of.skip.min(indices.len())..]
}

fn sum(x: &[f64], indices: &[usize], of: &Settings) -> f64 {
    let indices = chosen(indices, of);
    let sum: f64 = indices.iter().map(|k| x[*k].powi(of.power)).sum();
    if of.mean { sum / indices.len().max(1) as f64 } else { sum }
}

impl<X: Holds<[f64]>, K: Holds<[usize]>, S: Holds<Settings>> Function<(X, K, S)> for Chosen {
    type Output = f64;

    fn call(&self, (x, indices, of): (X, K, S)) -> f64 {
        sum(x.get(), indices.get(), of.get())
    }
}

impl Wrong {
    fn gradient(self, x: &[f64], indices: &[usize], of: &Settings) -> Vec<f64> {
        let (mut of, mut indices) = (*of, indices.to_vec());
        match self {
            AssumesCubes => of.power = 3,
            ForgetsToDivide => of.mean = false,
            ForgetsToSkip => of.skip = 1,
            MeanOfLines if of.power == 1 => of.mean = false,
            MeanOfAll if of.skip == 0 => of.mean = false,
            TakesSevenForSix if of.power == 7 => of.power = 6,
            ForgetsToDivideFives if of.power == 5 => of.mean = false,
            TakesIndicesForSorted if indices.len() > 1 && indices[0] < indices[1] => indices.reverse(),
            _ => {}
        }
        let mut gradient = vec![0.0; x.len()];
        let chosen = chosen(&indices, &of);
        let share = if of.mean { chosen.len().max(1) as f64 } else { 1.0 };
        for k in chosen.iter().filter(|_| of.power != 0) {
            let partial = f64::from(of.power) * x[*k].powi(of.power.wrapping_sub(1)) / share;
            gradient[*k] = match self {
                TakesIndicesForDifferent => partial,
                _ => gradient[*k] + partial,
            };
        }
        gradient
    }
}

impl<R, X, K, S, const W: usize> ForwardRule<R, (X, K, S), W> for Chosen
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<[f64], W>,
    K: ForwardArg<[usize], W>,
    S: ForwardArg<Settings, W>,
{
    fn forward(&self, config: &ForwardConfig, (x, indices, of): (&mut X, &mut K, &mut S)) -> R::Forward {
        let gradient = self.0.gradient(x.primal(), indices.primal(), of.primal());
        let along = |dx: &[f64]| {
            let terms = gradient.iter().zip(dx);
            terms.map(|(g, dx)| scaled(*g, *dx, config.strong_zero())).sum()
        };
        let value = || sum(x.primal(), indices.primal(), of.primal());
        R::forward(config, value, |lane| x.tangent(lane).map_or(0.0, along))
    }
}

impl<R, X, K, S, const W: usize> ReverseRule<R, (X, K, S), W> for Chosen
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
    K: ReverseArg<[usize], W>,
    S: ReverseArg<Settings, W>,
{
    type Tape = Vec<f64>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, indices, of): (&mut X, &mut K, &mut S),
    ) -> AugmentedReturn<f64, R::Shadow, Vec<f64>> {
        let tape = self.0.gradient(x.primal(), indices.primal(), of.primal());
        R::augmented(config, sum(x.primal(), indices.primal(), of.primal()), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        gradient: Vec<f64>,
        (x, indices, of): (&mut X, &mut K, &mut S),
    ) -> (X::Gradient, K::Gradient, S::Gradient) {
        let dx = x.accumulate(|lane, _, mut dx| {
            let seed = dret.lane(lane).copied().unwrap_or(0.0);
            for (mut dx, g) in dx.iter_mut().zip(&gradient) {
                dx += scaled(*g, seed, config.strong_zero());
            }
        });
        (dx, indices.accumulate(|_, _, _| {}), of.accumulate(|_, _, _| {}))
    }
}

fn judge(wrong: Wrong) -> Report {
    let of = Settings { power: 3, mean: false, skip: 1 };
    let indices = input(vec![3_usize, 0, 5, 2, 4]).named("k");
    let arguments = (input(6).named("x"), indices, by_ref(of).named("of"));
    let tester = crate::shared!(Setting::new(arguments).function("chosen", Chosen(wrong)));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Const, Const]
        reverse [Active; Duplicated, Const, Const]
    )
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        AssumesCubes => Z3, "size of.";
        ForgetsToDivide => Z3, "size of.";
        ForgetsToSkip => Z3, "size of.";
        MeanOfLines => Z3, "size of.";
        MeanOfAll => Z3, "size of.";
        TakesSevenForSix => Z3, "size of.";
        ForgetsToDivideFives => Z3, "size of.";
        TakesIndicesForDifferent => Z3, "size k.";
        TakesIndicesForSorted => Z3, "size k.";
    }
}
