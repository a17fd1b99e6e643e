//! Functions of three numbers, each with partials that are wrong in few places: beside a series, at a tie, far from one.

use coenzyme::{
    AsActive, AsDuplicated, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule,
    Function, Lanes, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{ByValue, Report, Setting, value};

type Point = [f64; 3];
type Value = fn(Point) -> f64;
type Gradient = fn(Point) -> Point;

/// A function, and what its rules take for its partials.
#[derive(Clone, Copy)]
struct Scalar {
    function: Value,
    partials: Gradient,
}

impl Function<(f64, f64, f64)> for Scalar {
    type Output = f64;

    fn call(&self, (x, y, z): (f64, f64, f64)) -> f64 {
        (self.function)([x, y, z])
    }
}

impl<R, X, Y, Z, const W: usize> ForwardRule<R, (X, Y, Z), W> for Scalar
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<f64, W>,
    Y: ForwardArg<f64, W>,
    Z: ForwardArg<f64, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, y, z): (&mut X, &mut Y, &mut Z),
    ) -> R::Forward {
        let at = [*x.primal(), *y.primal(), *z.primal()];
        let (partials, strong) = ((self.partials)(at), config.strong_zero());
        let tangent = |lane: usize| {
            let seeds = [x.tangent(lane), y.tangent(lane), z.tangent(lane)];
            let terms = partials.iter().zip(seeds);
            terms.fold(0.0, |sum, (partial, seed)| match seed {
                Some(seed) => sum + scaled(*partial, *seed, strong),
                None => sum,
            })
        };
        R::forward(config, || (self.function)(at), tangent)
    }
}

impl<R, X, Y, Z, const W: usize> ReverseRule<R, (X, Y, Z), W> for Scalar
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<f64, W>,
    Y: ReverseArg<f64, W>,
    Z: ReverseArg<f64, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, y, z): (&mut X, &mut Y, &mut Z),
    ) -> AugmentedReturn<f64, R::Shadow, ()> {
        let at = [*x.primal(), *y.primal(), *z.primal()];
        R::augmented(config, (self.function)(at), ())
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (x, y, z): (&mut X, &mut Y, &mut Z),
    ) -> (X::Gradient, Y::Gradient, Z::Gradient) {
        let at = [*x.primal(), *y.primal(), *z.primal()];
        let (partials, strong) = ((self.partials)(at), config.strong_zero());
        let term = |lane, partial| dret.lane(lane).map_or(0.0, |seed| scaled(partial, *seed, strong));
        let dx = x.accumulate(|lane, _, mut dx| dx += term(lane, partials[0]));
        let dy = y.accumulate(|lane, _, mut dy| dy += term(lane, partials[1]));
        let dz = z.accumulate(|lane, _, mut dz| dz += term(lane, partials[2]));
        (dx, dy, dz)
    }
}

/// `sin x / x·y + z`
fn sinc([x, y, z]: Point) -> f64 {
    let sinc = if x.abs() < 0.25 { series(x * x) } else { x.sin() / x };
    sinc * y + z
}

/// `sin √u / √u`
fn series(u: f64) -> f64 {
    let terms = [1.0 / 42.0, 1.0 / 20.0, 1.0 / 6.0];
    // 1 − u/6·(1 − u/20·(1 − u/42·…
    let next = 1.0 - u / 72.0;
    terms.iter().fold(next, |rest, over| 1.0 - u * over * rest)
}

fn sinc_slope(x: f64, third: f64) -> f64 {
    match x.abs() < 0.25 {
        true => x * (-1.0 / 3.0 + x * x * (third - x * x * (1.0 / 840.0 - x * x / 45_360.0))),
        false => (x.cos() - x.sin() / x) / x,
    }
}

/// `x·y·z`
fn product([x, y, z]: Point) -> f64 {
    x * y * z
}

/// `max(x, y) + z`
fn larger([x, y, z]: Point) -> f64 {
    x.max(y) + z
}

/// `ln(eˣ + eʸ)·z`
fn soft([x, y, z]: Point) -> f64 {
    let top = x.max(y);
    (top + ((x - top).exp() + (y - top).exp()).ln()) * z
}

/// The weight of `x` in [`soft`].
fn weight(x: f64, y: f64) -> f64 {
    1.0 / (1.0 + (y - x).exp())
}

/// `|x|·y + z²`
fn size([x, y, z]: Point) -> f64 {
    x.abs() * y + z * z
}

#[derive(Clone, Copy)]
pub(crate) enum Wrong {
    Sinc,
    Product,
    Larger,
    Soft,
    Size,
    // Wrong near zero.
    SeriesOff,
    SeriesTooShort,
    DividesByX,
    DividesByY,
    ZeroHasNoSlope,
    // Wrong where two are equal.
    TieIsNobodys,
    TieDivides,
    // Wrong elsewhere.
    SwapsPartials,
    SignOfX,
    ForgetsZ,
    WeightOverflows,
    SlightlyOff,
    SlopeOfSquare,
    // Wrong between two that are near each other, and at a zero above all others.
    BetweenNeighbours,
    ZeroAboveOthers,
    // Wrong where two make a unit vector.
    OnTheCircle,
    OnTheOtherCircle,
}

use Wrong::*;

fn subject(wrong: Wrong) -> Scalar {
    let (function, partials): (Value, Gradient) = match wrong {
        Sinc => (sinc, |[x, y, z]| [sinc_slope(x, 1.0 / 30.0) * y, sinc([x, 1.0, 0.0]), 1.0 + 0.0 * z]),
        SeriesOff => (sinc, |[x, y, _]| [sinc_slope(x, 1.0 / 15.0) * y, sinc([x, 1.0, 0.0]), 1.0]),
        SeriesTooShort => (sinc, |[x, y, _]| {
            let slope = if x.abs() < 0.25 { -x / 3.0 } else { sinc_slope(x, 0.0) };
            [slope * y, sinc([x, 1.0, 0.0]), 1.0]
        }),
        Product => (product, |[x, y, z]| [y * z, x * z, x * y]),
        DividesByX => (product, |[x, y, z]| [x * y * z / x, x * z, x * y]),
        DividesByY => (product, |[x, y, z]| [y * z, x * y * z / y, x * y]),
        ZeroHasNoSlope => (product, |[x, y, z]| [if x == 0.0 { 0.0 } else { y * z }, x * z, x * y]),
        Larger => (larger, |[x, y, _]| if x >= y { [1.0, 0.0, 1.0] } else { [0.0, 1.0, 1.0] }),
        TieIsNobodys => (larger, |[x, y, _]| {
            let share = |larger: bool| if larger { 1.0 } else if x == y { f64::NAN } else { 0.0 };
            [share(x > y), share(y > x), 1.0]
        }),
        TieDivides => (larger, |[x, y, _]| {
            let sign = (x - y) / (x - y).abs();
            [0.5 + 0.5 * sign, 0.5 - 0.5 * sign, 1.0]
        }),
        Soft => (soft, |[x, y, z]| [weight(x, y) * z, weight(y, x) * z, soft([x, y, 1.0])]),
        SwapsPartials => (soft, |[x, y, z]| [weight(y, x) * z, weight(x, y) * z, soft([x, y, 1.0])]),
        WeightOverflows => (soft, |[x, y, z]| {
            let (a, b) = (x.exp(), y.exp());
            [a / (a + b) * z, b / (a + b) * z, soft([x, y, 1.0])]
        }),
        SlightlyOff => (soft, |[x, y, z]| [weight(x, y) * z, weight(y, x) * z * (1.0 + 3e-6), soft([x, y, 1.0])]),
        Size => (size, |[x, y, z]| [if x < 0.0 { -y } else { y }, x.abs(), 2.0 * z]),
        SignOfX => (size, |[x, y, z]| [y, x.abs() + 0.0 * z, 2.0 * z]),
        ForgetsZ => (size, |[x, y, _]| [x.signum() * y, x.abs(), 0.0]),
        OnTheCircle => (product, |[x, y, z]| [if x.hypot(y) == 1.0 { 0.0 } else { y * z }, x * z, x * y]),
        OnTheOtherCircle => (product, |[x, y, z]| [y * z, x * z, if y.hypot(z) == 1.0 { 0.0 } else { x * y }]),
        BetweenNeighbours => (product, |[x, y, z]| {
            let between = (y - x) * (x - z) > 0.0 && (y - z).abs() < 0.02;
            [if between { 0.0 } else { y * z }, x * z, x * y]
        }),
        ZeroAboveOthers => (product, |[x, y, z]| [y * z, if y == 0.0 && x < 0.0 && z < 0.0 { 1.0 } else { x * z }, x * y]),
        SlopeOfSquare => (size, |[x, y, z]| [x / x.abs() * y, x.abs(), 2.0 * z]),
    };
    Scalar { function, partials }
}

fn forward(wrong: Wrong) -> Report {
    let tester = at(wrong).function("scalar", subject(wrong));
    let all = tester.mix(AsDuplicated, (AsDuplicated, AsDuplicated, AsDuplicated));
    Report::worst([all.forward::<1>(), all.forward::<3>()])
}

fn reverse(wrong: Wrong) -> Report {
    let tester = at(wrong).function("scalar", subject(wrong));
    let all = tester.mix(AsActive, (AsActive, AsActive, AsActive));
    Report::worst([all.reverse::<_, _, 1>(), all.reverse::<_, _, 2>()])
}

fn judge(wrong: Wrong) -> Report {
    forward(wrong).worse(reverse(wrong))
}

/// Points on the smooth side of every branch.
fn at(wrong: Wrong) -> Setting<(ByValue<f64>, ByValue<f64>, ByValue<f64>)> {
    let x = if matches!(wrong, SignOfX) { -0.75 } else { 0.75 };
    Setting::new((
        value(x).named("x"),
        value(1.375).named("y"),
        value(-1.625).named("z"),
    ))
}

crate::variants!(judge: Sinc, Product, Larger, Soft, Size);

crate::mutants! {
    forward {
        SeriesOff => F1, "ret.tangent";
        DividesByX => F1, "NaN";
        ZeroHasNoSlope => F1, "x=[0";
        TieDivides => F1, "NaN";
        WeightOverflows => F1, "NaN";
        SlightlyOff => F1, "ret.tangent";
        OnTheCircle => N3, "y=[0.8]";
        BetweenNeighbours => N3, "ret.tangent";
    }
    reverse {
        SeriesTooShort => R1z, "x.gradient";
        DividesByY => R1z, "y=[0.0]";
        TieIsNobodys => R1z, "NaN";
        SwapsPartials => R1z, "x.gradient";
        SignOfX => R1z, "x.gradient";
        ForgetsZ => R1z, "z.gradient";
        SlopeOfSquare => R1z, "x=[0.0]";
        OnTheOtherCircle => N3, "y=[0.6]";
        ZeroAboveOthers => N3, "y=[0.0]";
    }
}
