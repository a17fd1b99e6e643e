//! Functions of two numbers whose partials are wrong where few look: where both are tiny, far out, where all derivatives are zero, and
//! between one drawn point and the next.

use coenzyme::{
    Adjoint, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Lanes, ReverseArg,
    ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    // Right: the function and its partials as they should be.
    Hypot,
    Angle,
    Clamped,
    Blunt,
    Root,
    Cube,
    // N3: both near zero.
    AngleBesideAPlaceholder,
    AngleByASafeSquare,
    // N2, N3: where the function is constant, or nearly a line.
    ForgetsUpperClamp,
    RootEndsFarOut,
    BluntBySquares,
    // N3: at one number, and between two.
    OneAtThree,
    LineNearThree,
}

use Wrong::*;

pub(crate) struct Outskirts(Wrong);

impl Wrong {
    fn call(self, x: f64, y: f64) -> f64 {
        match self {
            Hypot => x.hypot(y),
            Angle | AngleBesideAPlaceholder | AngleByASafeSquare => x.atan2(y),
            Clamped | ForgetsUpperClamp => x.clamp(0.0, 6.0) + y,
            Blunt | BluntBySquares => x * x.abs() * y,
            Root | RootEndsFarOut => (1.0 + x * x).sqrt() + y,
            Cube | OneAtThree | LineNearThree => (x - 3.0).powi(3) * y,
        }
    }

    /// By `x`, and by `y`.
    fn partials(self, x: f64, y: f64) -> [f64; 2] {
        let h = x.hypot(y);
        match self {
            Hypot => [x / h, y / h],
            Angle => [y / h / h, -x / h / h],
            AngleBesideAPlaceholder => [y, -x].map(|part| part / (h * h + 1e-14)),
            AngleByASafeSquare => [y, -x].map(|part| part / (h * h).max(1e-9)),
            Clamped => [f64::from(u8::from((0.0..6.0).contains(&x))), 1.0],
            ForgetsUpperClamp => [f64::from(u8::from(x >= 0.0)), 1.0],
            Blunt => [2.0 * x.abs() * y, x * x.abs()],
            BluntBySquares => [2.0 * x * x / x.abs() * y, x * x.abs()],
            Root => [x / (1.0 + x * x).sqrt(), 1.0],
            RootEndsFarOut if x.abs() > 1e6 => [0.0, 1.0],
            RootEndsFarOut => Root.partials(x, y),
            Cube => [3.0 * (x - 3.0).powi(2) * y, (x - 3.0).powi(3)],
            OneAtThree if x == 3.0 => [1.0, 0.0],
            LineNearThree if (2.5..3.5).contains(&x) => [1e-2, (x - 3.0).powi(3)],
            OneAtThree | LineNearThree => Cube.partials(x, y),
        }
    }
}

impl Function<(f64, f64)> for Outskirts {
    type Output = f64;

    fn call(&self, (x, y): (f64, f64)) -> f64 {
        self.0.call(x, y)
    }
}

impl<R, X, Y, const W: usize> ForwardRule<R, (X, Y), W> for Outskirts
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<f64, W>,
    Y: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (x, y): (&mut X, &mut Y)) -> R::Forward {
        let [by_x, by_y] = self.0.partials(*x.primal(), *y.primal());
        let tangent = |lane| {
            let along = |by: f64, seed: Option<&f64>| seed.map_or(0.0, |seed| scaled(by, *seed, config.strong_zero()));
            along(by_x, x.tangent(lane)) + along(by_y, y.tangent(lane))
        };
        R::forward(config, || self.0.call(*x.primal(), *y.primal()), tangent)
    }
}

impl<R, X, Y, const W: usize> ReverseRule<R, (X, Y), W> for Outskirts
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<f64, W>,
    Y: ReverseArg<f64, W>,
{
    type Tape = [f64; 2];

    fn augmented_primal(&self, config: &ReverseConfig, (x, y): (&mut X, &mut Y)) -> AugmentedReturn<f64, R::Shadow, [f64; 2]> {
        let (x, y) = (*x.primal(), *y.primal());
        R::augmented(config, self.0.call(x, y), self.0.partials(x, y))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        [by_x, by_y]: [f64; 2],
        (x, y): (&mut X, &mut Y),
    ) -> (X::Gradient, Y::Gradient) {
        let back = |by: f64, lane| dret.lane(lane).map_or(0.0, |seed| scaled(by, *seed, config.strong_zero()));
        let dx = x.accumulate(|lane, _: &f64, mut dx: Adjoint<'_, f64>| dx += back(by_x, lane));
        let dy = y.accumulate(|lane, _: &f64, mut dy: Adjoint<'_, f64>| dy += back(by_y, lane));
        (dx, dy)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (value(0.7).named("x"), value(1.2).named("y"));
    let tester = Setting::new(arguments).function("outskirts", Outskirts(wrong));
    crate::in_mixes!(tester;
        forward [Duplicated; Duplicated, Duplicated]
        reverse [Active; Active, Active]
    )
}

crate::variants!(judge: Hypot, Angle, Clamped, Blunt, Root, Cube);

crate::mutants! {
    judge {
        AngleBesideAPlaceholder => N3, "where   ";
        AngleByASafeSquare => N3, "where   ";
        ForgetsUpperClamp => N3, "where   ";
        RootEndsFarOut => N2, "where   ";
        BluntBySquares => N3, "NaN";
        OneAtThree => N3, "where   ";
        LineNearThree => N3, "where   ";
    }
}
