//! (x − low)·(high − x), which is given as low < high < x, and mistakes that show where the three have another order.

use coenzyme::{
    AsActive, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function,
    Lanes, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, value};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    Between,
    InTheMiddle,
    FallsBelowZero,
}

use Wrong::*;

pub(crate) struct Order(Wrong);

impl Order {
    fn partials(&self, x: f64, low: f64, high: f64) -> [f64; 3] {
        let wrong = match self.0 {
            Nothing => false,
            Between => low < x && x < high && low > 0.0 && high < 2.5,
            InTheMiddle => x == (low + high) / 2.0 && low != high && x != 0.0,
            FallsBelowZero => 0.0 > low && low > high && high > x,
        };
        let by_x = if wrong { high + low } else { high + low - 2.0 * x };
        [by_x, x - high, x - low]
    }
}

impl Function<(f64, f64, f64)> for Order {
    type Output = f64;

    fn call(&self, (x, low, high): (f64, f64, f64)) -> f64 {
        (x - low) * (high - x)
    }
}

impl<R, X, L, H, const W: usize> ForwardRule<R, (X, L, H), W> for Order
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<f64, W>,
    L: ForwardArg<f64, W>,
    H: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (x, low, high): (&mut X, &mut L, &mut H)) -> R::Forward {
        let at = (*x.primal(), *low.primal(), *high.primal());
        let partials = self.partials(at.0, at.1, at.2);
        R::forward(config, || self.call(at), |lane| {
            let tangents = [x.tangent(lane), low.tangent(lane), high.tangent(lane)];
            let terms = tangents.into_iter().zip(partials);
            terms.map(|(t, p)| t.map_or(0.0, |t| scaled(p, *t, config.strong_zero()))).sum()
        })
    }
}

impl<R, X, L, H, const W: usize> ReverseRule<R, (X, L, H), W> for Order
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<f64, W>,
    L: ReverseArg<f64, W>,
    H: ReverseArg<f64, W>,
{
    type Tape = [f64; 3];

    fn augmented_primal(&self, config: &ReverseConfig, (x, low, high): (&mut X, &mut L, &mut H)) -> AugmentedReturn<f64, R::Shadow, [f64; 3]> {
        let at = (*x.primal(), *low.primal(), *high.primal());
        R::augmented(config, self.call(at), self.partials(at.0, at.1, at.2))
    }

    fn reverse(&self, config: &ReverseConfig, dret: R::Cotangent, [by_x, by_low, by_high]: [f64; 3], (x, low, high): (&mut X, &mut L, &mut H)) -> (X::Gradient, L::Gradient, H::Gradient) {
        let add = |by: f64, lane: usize| {
            let seed = dret.lane(lane).copied().unwrap_or(0.0);
            scaled(by, seed, config.strong_zero())
        };
        let dx = x.accumulate(|lane, _, mut dx| dx += add(by_x, lane));
        let dlow = low.accumulate(|lane, _, mut dlow| dlow += add(by_low, lane));
        let dhigh = high.accumulate(|lane, _, mut dhigh| dhigh += add(by_high, lane));
        (dx, dlow, dhigh)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (value(2.25).named("x"), value(0.5).named("low"), value(1.75).named("high"));
    let tester = crate::shared!(Setting::new(arguments).function("order", Order(wrong)));
    let mix = tester.mix(AsActive, (AsActive, AsActive, AsActive));
    mix.reverse::<_, _, 1>()
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        Between => N3, "x.gradient";
        InTheMiddle => N3, "x.gradient";
        FallsBelowZero => N3, "x.gradient";
    }
}
