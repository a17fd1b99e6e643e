//! x²·y³ of any real numbers: rules whose second derivatives are wrong, though their first are right.

use coenzyme::{
    AsActive, AsConst, AugmentedReturn, Dual, Function, Lanes, Real, ReverseArg, ReverseConfig,
    ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    ByPowers,
    PlainPartials,
    PlainPartialOfX,
    PlainPrimalOfY,
    DoublesCurvature,
    PlainSeed,
}

use Wrong::*;

pub(crate) struct Curved(Wrong);

impl<T: Real> Function<(T, T)> for Curved {
    type Output = T;

    fn call(&self, (x, y): (T, T)) -> T {
        x * x * y * y * y
    }
}

/// The number as a constant.
fn plain<T: Real>(x: T) -> T {
    T::lit(x.to_plain())
}

impl<T, R, X, Y, const W: usize> ReverseRule<R, (X, Y), W> for Curved
where
    T: Real,
    R: ReverseReturn<W, Out = T>,
    X: ReverseArg<T, W>,
    Y: ReverseArg<T, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, y): (&mut X, &mut Y),
    ) -> AugmentedReturn<T, R::Shadow, ()> {
        R::augmented(config, self.call((*x.primal(), *y.primal())), ())
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (x, y): (&mut X, &mut Y),
    ) -> (X::Gradient, Y::Gradient) {
        let (wrong, strong) = (self.0, config.strong_zero());
        let (x0, mut y0) = (*x.primal(), *y.primal());
        if wrong == PlainPrimalOfY {
            y0 = plain(y0);
        }
        let (two, three) = (T::lit(2.0), T::lit(3.0));
        let mut by_x = match wrong {
            ByPowers => two * x0 * y0.powi(3),
            _ => two * x0 * y0 * y0 * y0,
        };
        let mut by_y = three * x0 * x0 * y0 * y0;
        match wrong {
            PlainPartials => (by_x, by_y) = (plain(by_x), plain(by_y)),
            PlainPartialOfX => by_x = plain(by_x),
            DoublesCurvature => by_y = by_y + by_y - plain(by_y),
            _ => {}
        }
        let seed = |lane: usize| {
            let seed = dret.lane(lane).copied().unwrap_or(T::zero());
            if wrong == PlainSeed { seed * plain(y0) / y0 } else { seed }
        };
        let dx = x.accumulate(|lane, _, mut dx| dx += scaled(by_x, seed(lane), strong));
        let dy = y.accumulate(|lane, _, mut dy| dy += scaled(by_y, seed(lane), strong));
        (dx, dy)
    }
}

fn judge(wrong: Wrong) -> Report {
    let zero = || value(Dual::constant(0.0));
    let dual = Setting::new((zero(), zero())).function("curved", Curved(wrong));
    let arguments = (value(1.375).named("x"), value(-0.75).named("y"));
    let tester = Setting::new(arguments).function("curved", Curved(wrong));
    let (both, one) = (
        tester.mix(AsActive, (AsActive, AsActive)),
        tester.mix(AsActive, (AsConst, AsActive)),
    );
    Report::worst([
        both.reverse::<_, _, 1>(),
        one.reverse::<_, _, 2>(),
        both.second_order(&dual),
        one.second_order(&dual),
    ])
}

crate::variants!(judge: Nothing, ByPowers);

crate::mutants! {
    judge {
        PlainPartials => X2, "x.second";
        PlainPartialOfX => X2, "where   x.second";
        PlainPrimalOfY => X2, "y.second";
        DoublesCurvature => X2, "where   y.second";
        PlainSeed => R1z, "gradient";
    }
}
