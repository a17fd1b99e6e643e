//! y ← a·x², with ten thousand entries: too many for a Jacobian.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Function, Holds, HoldsMut, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn,
    ReverseRule, Saved, scaled,
};
use coenzyme_testutils::__private::Points;
use coenzyme_testutils::{Report, Setting, input, out, severed, value};

/// The differences are the same for all mutants.
static POINTS: Points = Points::new();

const LENGTH: usize = 10_000;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    // Forward.
    NegatesOneFar,
    ForgetsTangentOfA,
    // Reverse.
    DropsOneFar,
    OffInOneFar,
    NegatesPastALimit,
    SkipsLastOfA,
    AssignsFar,
    KeepsOneOfY,
}

use Wrong::*;

/// An entry far from both ends.
const FAR: usize = 7_319;

pub(crate) struct Squares(Wrong);

fn squares(y: &mut [f64], x: &[f64], a: f64) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = a * x * x);
}

impl<Y: HoldsMut<[f64]>, X: Holds<[f64]>> Function<(Y, X, f64)> for Squares {
    type Output = ();

    fn call(&self, (mut y, x, a): (Y, X, f64)) {
        squares(y.get_mut(), x.get(), a);
    }
}

impl<R, Y, X, A, const W: usize> ForwardRule<R, (Y, X, A), W> for Squares
where
    R: ForwardReturn<W, Out = ()>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
    A: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x, a): (&mut Y, &mut X, &mut A)) -> R::Forward {
        let (strong, a0) = (config.strong_zero(), *a.primal());
        squares(y.primal_mut(), x.primal(), a0);
        y.assign(|lane, _, dy| {
            let (dx, da) = (x.tangent(lane), a.tangent(lane).copied());
            for (i, (dy, x)) in dy.iter_mut().zip(x.primal()).enumerate() {
                let by_x = dx.map_or(0.0, |dx| scaled(2.0 * a0 * x, dx[i], strong));
                let by_a = match da {
                    Some(da) if self.0 != ForgetsTangentOfA => scaled(x * x, da, strong),
                    _ => 0.0,
                };
                *dy = match self.0 {
                    NegatesOneFar if i == FAR => -by_x - by_a,
                    _ => by_x + by_a,
                };
            }
        });
        R::forward(config, || (), |_| ())
    }
}

impl<R, Y, X, A, const W: usize> ReverseRule<R, (Y, X, A), W> for Squares
where
    R: ReverseReturn<W, Out = ()>,
    Y: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
    A: ReverseArg<f64, W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x, a): (&mut Y, &mut X, &mut A),
    ) -> AugmentedReturn<(), R::Shadow, Self::Tape> {
        squares(y.primal_mut(), x.primal(), *a.primal());
        R::augmented(config, (), Saved::new(x.primal(), config.overwritten(1)))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        tape: Self::Tape,
        (y, x, a): (&mut Y, &mut X, &mut A),
    ) -> (Y::Gradient, X::Gradient, A::Gradient) {
        let (wrong, strong, a0) = (self.0, config.strong_zero(), *a.primal());
        let da = a.accumulate(|lane, _, mut da| {
            let Some(dy) = y.cotangent(lane) else { return };
            let terms = tape.get(x.primal()).iter().zip(dy);
            let kept = dy.len() - usize::from(wrong == SkipsLastOfA);
            da += terms.take(kept).map(|(x, dy)| scaled(x * x, *dy, strong)).sum::<f64>();
        });
        let dx = x.accumulate(|lane, x, mut dx| {
            let Some(dy) = y.cotangent(lane) else { return };
            let x = tape.get(x);
            dx.accumulate_with(|dx| {
                for i in 0..dx.len() {
                    let add = scaled(2.0 * a0 * x[i], dy[i], strong);
                    match wrong {
                        DropsOneFar if i == FAR => {}
                        OffInOneFar if i == FAR => dx[i] += add * (1.0 + 1e-5),
                        NegatesPastALimit if i >= 8192 => dx[i] -= add,
                        AssignsFar if i == FAR => dx[i] = add,
                        _ => dx[i] += add,
                    }
                }
            });
        });
        let dy = match wrong {
            KeepsOneOfY => y.transform(|_, _, dy| {
                let kept = dy[FAR];
                dy.fill(0.0);
                dy[FAR] = kept;
            }),
            _ => y.consume(),
        };
        (dy, dx, da)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (
        out(LENGTH).named("y"),
        input(LENGTH).named("x"),
        value(1.25).named("a"),
    );
    let tester = Setting::new(arguments).function("squares", Squares(wrong));
    let tester = tester.sharing(&POINTS, "long", false);
    let tester = tester.const_buffers(severed("as Enzyme does"));
    use coenzyme::{AsActive, AsConst, AsDuplicated};
    let ahead = tester.mix(AsConst, (AsDuplicated, AsDuplicated, AsDuplicated));
    let back = tester.mix(AsConst, (AsDuplicated, AsDuplicated, AsActive));
    let severed = tester.mix(AsConst, (AsConst, AsDuplicated, AsActive));
    Report::worst([
        ahead.forward::<2>(),
        back.reverse::<_, _, 1>(),
        back.pairing::<_, 1>(),
        severed.reverse::<_, _, 1>(),
    ])
}

crate::variants!(judge: Nothing);

crate::mutants! {
    judge {
        NegatesOneFar => F2, "[7319] ";
        ForgetsTangentOfA => F2, "where   y.shadow";
        DropsOneFar => R1z, "[7319] ";
        OffInOneFar => R1z, "[7319] ";
        NegatesPastALimit => R1z, "where   x.shadow";
        SkipsLastOfA => R1z, "where   a.gradient";
        AssignsFar => R1, "[7319] ";
        KeepsOneOfY => R4, "[7319] ";
    }
}
