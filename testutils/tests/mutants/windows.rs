//! Σᵢ maxⱼ kⱼ·xᵢ₊ⱼ, of two slices that are not of one length: mistakes at lengths that the test does not name, and places that are kept
//! outside the tape.

use std::sync::Mutex;

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, input};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // Z2.
    OneWeightIsConstant,
    EightWeights,
    // D2.
    PlacesOfTheProcess,
    PlacesByLength,
}

use Wrong::*;

pub(crate) struct Windows(Wrong);

/// Where the largest product of each window stands.
fn places(x: &[f64], k: &[f64]) -> Vec<usize> {
    let product = |at: usize, j: usize| k[j] * x[at + j];
    let place = |at: usize| (1..k.len()).fold(0, |best, j| if product(at, j) > product(at, best) { j } else { best });
    if k.is_empty() { vec![] } else { (0..(x.len() + 1).saturating_sub(k.len())).map(place).collect() }
}

fn windows(x: &[f64], k: &[f64]) -> f64 {
    places(x, k).iter().enumerate().map(|(at, j)| k[*j] * x[at + j]).sum()
}

/// What was kept last, on any thread, for any call.
static KEPT: Mutex<Vec<usize>> = Mutex::new(vec![]);

impl Wrong {
    /// The derivatives by `x` and by `k`, of which each window has one.
    fn gradient(self, x: &[f64], k: &[f64], places: &[usize]) -> [Vec<f64>; 2] {
        let (mut gx, mut gk) = (vec![0.0; x.len()], vec![0.0; k.len()]);
        for (at, j) in places.iter().enumerate() {
            gx[at + j] += k[*j];
            let lost = (self == OneWeightIsConstant && k.len() == 1) || (self == EightWeights && *j >= 8);
            gk[*j] += if lost { 0.0 } else { x[at + j] };
        }
        [gx, gk]
    }
}

impl<X: Holds<[f64]>, K: Holds<[f64]>> Function<(X, K)> for Windows {
    type Output = f64;

    fn call(&self, (x, k): (X, K)) -> f64 {
        windows(x.get(), k.get())
    }
}

impl<R, X, K, const W: usize> ForwardRule<R, (X, K), W> for Windows
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<[f64], W>,
    K: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (x, k): (&mut X, &mut K)) -> R::Forward {
        let [gx, gk] = self.0.gradient(x.primal(), k.primal(), &places(x.primal(), k.primal()));
        let along = |g: &[f64], d: Option<&[f64]>| -> f64 {
            let terms = g.iter().zip(d.unwrap_or_default());
            terms.map(|(g, d)| scaled(*g, *d, config.strong_zero())).sum()
        };
        let tangent = |lane| along(&gx, x.tangent(lane)) + along(&gk, k.tangent(lane));
        R::forward(config, || windows(x.primal(), k.primal()), tangent)
    }
}

impl<R, X, K, const W: usize> ReverseRule<R, (X, K), W> for Windows
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
    K: ReverseArg<[f64], W>,
{
    type Tape = [Vec<f64>; 2];

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, k): (&mut X, &mut K),
    ) -> AugmentedReturn<f64, R::Shadow, [Vec<f64>; 2]> {
        let sum = windows(x.primal(), k.primal());
        *KEPT.lock().expect("nobody panics here") = places(x.primal(), k.primal());
        R::augmented(config, sum, [x.primal().to_vec(), k.primal().to_vec()])
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        [x0, k0]: [Vec<f64>; 2],
        (x, k): (&mut X, &mut K),
    ) -> (X::Gradient, K::Gradient) {
        let (own, kept) = (places(&x0, &k0), KEPT.lock().expect("nobody panics here").clone());
        let places = match self.0 {
            PlacesOfTheProcess if own.len() == kept.len() && kept.iter().all(|j| *j < k0.len()) => kept,
            PlacesByLength if own.len() == kept.len() && own.len() == 4 && k0.len() == 3 => kept,
            _ => own,
        };
        let [gx, gk] = self.0.gradient(&x0, &k0, &places);
        let seed = |lane| dret.lane(lane).copied().unwrap_or(0.0);
        let add = |shadow: &mut [f64], g: &[f64], lane| {
            let entries = shadow.iter_mut().zip(g);
            entries.for_each(|(d, g)| *d += scaled(*g, seed(lane), config.strong_zero()));
        };
        let dx = x.accumulate(|lane, _, mut d| d.accumulate_with(|d| add(d, &gx, lane)));
        let dk = k.accumulate(|lane, _, mut d| d.accumulate_with(|d| add(d, &gk, lane)));
        (dx, dk)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (input(6).named("x"), input(3).named("k"));
    let tester = crate::shared!(Setting::new(arguments).function("windows", Windows(wrong)));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        reverse [Active; Duplicated, Duplicated]
    )
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        OneWeightIsConstant => Z2, "size 1_";
        EightWeights => Z2, "size ";
        PlacesOfTheProcess => D2, "where   x.shadow";
        PlacesByLength => D2, "where   x.shadow";
    }
}
