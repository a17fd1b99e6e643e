//! Functions of two numbers, each with a partial that is wrong at numbers of its own; and of numbers in single precision.

use coenzyme::{
    AsActive, AsDuplicated, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds,
    Lanes, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Report, Setting, input, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // N2.
    CosineByTwoExponentials,
    SinhByItsPrimal,
    // N3.
    NearlyEqual,
    NearPi,
    BothFarOut,
    // In single precision.
    OneInTenThousand,
    InverseInHalf,
    ZeroAtZero,
    TiesAreHalves,
    LogisticByTheQuotient,
}

use Wrong::*;

/// sinh(a)·b, or sinh(a − b).
pub(crate) struct Sinh(Wrong);

fn sinh(wrong: Wrong, a: f64, b: f64) -> f64 {
    match wrong {
        NearlyEqual => (a - b).exp(),
        NearPi => a.sin() * b,
        BothFarOut => (a * 1e-3).tanh() + (b * 1e-3).tanh(),
        _ => a.sinh() * b,
    }
}

fn partials(wrong: Wrong, a: f64, b: f64) -> [f64; 2] {
    let saturated = |x: f64| 1e-3 / (x * 1e-3).cosh().powi(2);
    match wrong {
        CosineByTwoExponentials => [(a.exp() + (-a).exp()) / 2.0 * b, a.sinh()],
        SinhByItsPrimal => [(1.0 + a.sinh() * a.sinh()).sqrt() * b, a.sinh()],
        NearlyEqual if (a - b).abs() < 1e-4 => [1.0, -1.0],
        NearlyEqual => [(a - b).exp(), -(a - b).exp()],
        NearPi if (a.abs() - std::f64::consts::PI).abs() < 1e-3 => [0.0, a.sin()],
        NearPi => [a.cos() * b, a.sin()],
        BothFarOut if a.abs() > 150.0 && b.abs() > 150.0 => [saturated(a), 2.0 * saturated(b)],
        BothFarOut => [saturated(a), saturated(b)],
        _ => [a.cosh() * b, a.sinh()],
    }
}

impl<A: Holds<f64>, B: Holds<f64>> Function<(A, B)> for Sinh {
    type Output = f64;

    fn call(&self, (a, b): (A, B)) -> f64 {
        sinh(self.0, *a.get(), *b.get())
    }
}

impl<R, A, B, const W: usize> ForwardRule<R, (A, B), W> for Sinh
where
    R: ForwardReturn<W, Out = f64>,
    A: ForwardArg<f64, W>,
    B: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (a, b): (&mut A, &mut B)) -> R::Forward {
        let (x, y, strong) = (*a.primal(), *b.primal(), config.strong_zero());
        let [by_a, by_b] = partials(self.0, x, y);
        R::forward(config, || sinh(self.0, x, y), |lane| {
            let of = |partial, seed: Option<&f64>| seed.map_or(0.0, |seed| scaled(partial, *seed, strong));
            of(by_a, a.tangent(lane)) + of(by_b, b.tangent(lane))
        })
    }
}

impl<R, A, B, const W: usize> ReverseRule<R, (A, B), W> for Sinh
where
    R: ReverseReturn<W, Out = f64>,
    A: ReverseArg<f64, W>,
    B: ReverseArg<f64, W>,
{
    type Tape = [f64; 2];

    fn augmented_primal(&self, config: &ReverseConfig, (a, b): (&mut A, &mut B)) -> AugmentedReturn<f64, R::Shadow, [f64; 2]> {
        let (x, y) = (*a.primal(), *b.primal());
        R::augmented(config, sinh(self.0, x, y), [x, y])
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        [x, y]: [f64; 2],
        (a, b): (&mut A, &mut B),
    ) -> (A::Gradient, B::Gradient) {
        let [by_a, by_b] = partials(self.0, x, y);
        let strong = config.strong_zero();
        let term = |partial: f64, lane: usize| scaled(partial, dret.lane(lane).copied().unwrap_or(0.0), strong);
        let da = a.accumulate(|lane, _, mut da| da.accumulate_with(|da| *da += term(by_a, lane)));
        let db = b.accumulate(|lane, _, mut db| db.accumulate_with(|db| *db += term(by_b, lane)));
        (da, db)
    }
}

/// Σ ln(1 + e^x) in single precision, or Σ x·(1 + x).
pub(crate) struct Single(Wrong);

fn total(wrong: Wrong, x: &[f32]) -> f32 {
    match wrong {
        LogisticByTheQuotient | InverseInHalf => x.iter().map(|x| x.max(0.0) + (-x.abs()).exp().ln_1p()).sum(),
        _ => x.iter().map(|x| x * (1.0 + x)).sum(),
    }
}

fn partial(wrong: Wrong, i: usize, xs: &[f32]) -> f32 {
    let x = xs[i];
    match wrong {
        OneInTenThousand => (1.0 + 2.0 * x) * (1.0 + 1e-4),
        ZeroAtZero if x == 0.0 => 0.0,
        TiesAreHalves if i == 0 && xs.len() > 1 && x == xs[1] => 0.5 + x,
        LogisticByTheQuotient => x.exp() / (1.0 + x.exp()),
        // eleven bits
        InverseInHalf => (2048.0 / (1.0 + (-x).exp())).round() / 2048.0,
        _ => 1.0 + 2.0 * x,
    }
}

impl<X: Holds<[f32]>> Function<(X,)> for Single {
    type Output = f32;

    fn call(&self, (x,): (X,)) -> f32 {
        total(self.0, x.get())
    }
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for Single
where
    R: ForwardReturn<W, Out = f32>,
    X: ForwardArg<[f32], W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let xs = x.primal();
        R::forward(config, || total(self.0, xs), |lane| {
            let along = |dx: &[f32]| {
                (0..xs.len()).map(|i| scaled(partial(self.0, i, xs), dx[i], config.strong_zero())).sum()
            };
            x.tangent(lane).map_or(0.0, along)
        })
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for Single
where
    R: ReverseReturn<W, Out = f32>,
    X: ReverseArg<[f32], W>,
{
    type Tape = Saved<[f32]>;

    fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> AugmentedReturn<f32, R::Shadow, Saved<[f32]>> {
        R::augmented(config, total(self.0, x.primal()), Saved::new(x.primal(), config.overwritten(0)))
    }

    fn reverse(&self, config: &ReverseConfig, dret: R::Cotangent, tape: Saved<[f32]>, (x,): (&mut X,)) -> (X::Gradient,) {
        let xs = tape.get(x.primal()).to_vec();
        let dx = x.accumulate(|lane, _, mut dx| {
            let seed = dret.lane(lane).copied().unwrap_or(0.0);
            for (i, mut dx) in dx.iter_mut().enumerate() {
                dx += scaled(partial(self.0, i, &xs), seed, config.strong_zero());
            }
        });
        (dx,)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (value(1.25).named("a"), value(-0.5).named("b"));
    let tester = Setting::new(arguments).function("sinh", Sinh(wrong));
    let forward = tester.mix(AsDuplicated, (AsDuplicated, AsDuplicated)).forward::<1>();
    forward.worse(tester.mix(AsActive, (AsActive, AsActive)).reverse::<_, _, 1>())
}

fn in_single(wrong: Wrong) -> Report {
    let x = input(vec![0.75_f32, -1.5, 2.25]).named("x");
    let tester = Setting::new((x,)).function("total", Single(wrong));
    let forward = tester.mix(AsDuplicated, (AsDuplicated,)).forward::<1>();
    forward.worse(tester.mix(AsActive, (AsDuplicated,)).reverse::<_, _, 1>())
}

pub(crate) fn variants() -> Vec<(String, Report)> {
    vec![
        ("numbers::Nothing".to_owned(), judge(Nothing)),
        ("numbers::Nothing in single precision".to_owned(), in_single(Nothing)),
    ]
}

crate::mutants! {
    judge {
        CosineByTwoExponentials => N2, "where   ";
        SinhByItsPrimal => N2, "where   ";
        NearlyEqual => N3, "where   ";
        NearPi => N3, "where   ";
        BothFarOut => N3, "where   ";
    }
    in_single {
        OneInTenThousand => F1, "where   ret.tangent";
        InverseInHalf => F1, "where   ret.tangent";
        ZeroAtZero => N3, "where   ret.tangent";
        TiesAreHalves => N3, "where   ret.tangent";
        LogisticByTheQuotient => F1, "where   ret.tangent";
    }
}
