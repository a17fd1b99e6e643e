//! ½k·Σ (x − r)², of a spring that is a struct with an integer in it.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved, Tangent, scaled,
};
use coenzyme_testutils::{Report, Setting, by_ref, input};

/// A spring: its stiffness, where it rests, and its number, which has no derivative.
#[derive(Clone, Debug, Tangent)]
pub(crate) struct Spring {
    stiffness: f64,
    rest: Vec<f64>,
    number: u32,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    BySteps,
    // Forward.
    ForgetsStiffness,
    ForgetsRest,
    RestWithWrongSign,
    DividesByStiffness,
    // Reverse.
    ForgetsStiffnessBack,
    ForgetsRestBack,
    RestWithWrongSignBack,
    AssignsField,
    SwapsXAndRest,
    HalvesStiffness,
    DividesByStiffnessBack,
    SavesOnlyStiffness,
    SavesStale,
    LosesRestIfXIsConst,
    LosesXIfSpringIsConst,
    FirstRestOnly,
    MultipliesByNumber,
}

use Wrong::*;

pub(crate) struct Energy(Wrong);

fn energy(spring: &Spring, x: &[f64]) -> f64 {
    spring.stiffness * per_stiffness(spring, x)
}

/// ½Σ (x − r)²
fn per_stiffness(spring: &Spring, x: &[f64]) -> f64 {
    let squares = x.iter().zip(&spring.rest).map(|(x, r)| (x - r) * (x - r));
    0.5 * squares.sum::<f64>()
}

impl<S: Holds<Spring>, X: Holds<[f64]>> Function<(S, X)> for Energy {
    type Output = f64;

    fn call(&self, (spring, x): (S, X)) -> f64 {
        energy(spring.get(), x.get())
    }
}

impl<R, S, X, const W: usize> ForwardRule<R, (S, X), W> for Energy
where
    R: ForwardReturn<W, Out = f64>,
    S: ForwardArg<Spring, W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (s, x): (&mut S, &mut X)) -> R::Forward {
        let (wrong, strong) = (self.0, config.strong_zero());
        let (spring, xs) = (s.primal(), x.primal());
        let tangent = |lane: usize| {
            let mut total = 0.0;
            for i in 0..xs.len() {
                let force = spring.stiffness * (xs[i] - spring.rest[i]);
                total += x.tangent(lane).map_or(0.0, |dx| scaled(force, dx[i], strong));
                if let Some(ds) = s.tangent(lane) {
                    let by_rest = scaled(-force, ds.rest[i], strong);
                    total += match wrong {
                        ForgetsRest => 0.0,
                        RestWithWrongSign => -by_rest,
                        _ => by_rest,
                    };
                }
            }
            let per_stiffness = match wrong {
                DividesByStiffness => energy(spring, xs) / spring.stiffness,
                _ => per_stiffness(spring, xs),
            };
            let by_stiffness = s.tangent(lane).map_or(0.0, |ds| scaled(per_stiffness, ds.stiffness, strong));
            total + if wrong == ForgetsStiffness { 0.0 } else { by_stiffness }
        };
        R::forward(config, || energy(spring, xs), tangent)
    }
}

/// The spring and the coordinates, as far as they may change.
type Kept = (Saved<Spring>, Saved<[f64]>);

impl<R, S, X, const W: usize> ReverseRule<R, (S, X), W> for Energy
where
    R: ReverseReturn<W, Out = f64>,
    S: ReverseArg<Spring, W>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Kept;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (s, x): (&mut S, &mut X),
    ) -> AugmentedReturn<f64, R::Shadow, Kept> {
        let (so, xo) = (config.overwritten(0), config.overwritten(1));
        let spring = match self.0 {
            SavesOnlyStiffness if so => {
                let rest = vec![0.0; s.primal().rest.len()];
                Saved::new(&Spring { rest, ..s.primal().clone() }, true)
            }
            _ => Saved::new(s.primal(), so),
        };
        let kept = (spring, Saved::new(x.primal(), xo && self.0 != SavesStale));
        R::augmented(config, energy(s.primal(), x.primal()), kept)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        (spring, xs): Kept,
        (s, x): (&mut S, &mut X),
    ) -> (S::Gradient, X::Gradient) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let (spring, xs) = (spring.get(s.primal()).clone(), xs.get(x.primal()).to_vec());
        let force: Vec<f64> = xs.iter().zip(&spring.rest).map(|(x, r)| spring.stiffness * (x - r)).collect();
        let per_stiffness = match wrong {
            BySteps => xs.iter().zip(&spring.rest).map(|(x, r)| 0.5 * (x - r) * (x - r)).sum(),
            HalvesStiffness => per_stiffness(&spring, &xs) / 2.0,
            DividesByStiffnessBack => energy(&spring, &xs) / spring.stiffness,
            _ => per_stiffness(&spring, &xs),
        };
        let (s_const, x_const) = (!s.is_active(), !x.is_active());
        let ds = s.accumulate(|lane, _, mut ds| {
            let Some(seed) = dret.lane(lane) else { return };
            let seed = match wrong {
                MultipliesByNumber => seed * f64::from(spring.number),
                _ => *seed,
            };
            ds.accumulate_with(|ds| {
                let add = scaled(per_stiffness, seed, strong);
                match wrong {
                    ForgetsStiffnessBack => {}
                    AssignsField => ds.stiffness = add,
                    _ => ds.stiffness += add,
                }
                for (i, dr) in ds.rest.iter_mut().enumerate() {
                    let add = scaled(force[i], seed, strong);
                    match wrong {
                        ForgetsRestBack => {}
                        LosesRestIfXIsConst if x_const => {}
                        FirstRestOnly if i > 0 => {}
                        RestWithWrongSignBack | SwapsXAndRest => *dr += add,
                        _ => *dr -= add,
                    }
                }
            });
        });
        let dx = x.accumulate(|lane, _, mut dx| {
            let Some(seed) = dret.lane(lane) else { return };
            dx.accumulate_with(|dx| {
                for (dx, force) in dx.iter_mut().zip(&force) {
                    let add = scaled(*force, *seed, strong);
                    match wrong {
                        LosesXIfSpringIsConst if s_const => {}
                        SwapsXAndRest => *dx -= add,
                        _ => *dx += add,
                    }
                }
            });
        });
        (ds, dx)
    }
}

fn judge(wrong: Wrong) -> Report {
    let spring = Spring { stiffness: 2.5, rest: vec![0.5, -1.25, 0.75], number: 7 };
    let arguments = (by_ref(spring).named("spring"), input(3).named("x"));
    let tester = crate::shared!(Setting::new(arguments).function("energy", Energy(wrong)));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        forward [DuplicatedNoNeed; Duplicated, Const]
        forward [Const; Const, Duplicated]
        reverse [Active; Duplicated, Duplicated]
        reverse [Active; Duplicated, Const]
        reverse [Active; Const, Duplicated]
        reverse [Const; Duplicated, Duplicated]
    )
}

crate::variants!(judge: Nothing, BySteps);

crate::mutants! {
    judge {
        ForgetsStiffness => F1, "where   ret.tangent";
        ForgetsRest => F1, "where   ret.tangent";
        RestWithWrongSign => F1, "where   ret.tangent";
        DividesByStiffness => F1, "spring=[0.0";
        DividesByStiffnessBack => R1z, "spring=[0.0";
        ForgetsStiffnessBack => R1z, "[0] ";
        ForgetsRestBack => R1z, "where   spring.shadow";
        RestWithWrongSignBack => R1z, "where   spring.shadow";
        AssignsField => R1, "[0] ";
        SwapsXAndRest => R1z, "where   x.shadow";
        HalvesStiffness => R1z, "[0] ";
        SavesOnlyStiffness => R6, "where   spring.shadow";
        SavesStale => R6, "where   spring.shadow";
        LosesRestIfXIsConst => R1z, "spring=Duplicated x=Const";
        LosesXIfSpringIsConst => R1z, "spring=Const x=Duplicated";
        FirstRestOnly => R1z, "where   spring.shadow";
        MultipliesByNumber => R1z, "[0] ";
    }
}
