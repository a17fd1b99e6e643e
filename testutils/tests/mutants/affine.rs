//! x ← scale·x + shift in place, for a scale and a shift inside the function: a closure with data that reads what it writes.

use coenzyme::{
    AugmentedReturn, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, Function, HoldsMut,
    ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, inout};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    ScalesByHalves,
    // Forward.
    ForgetsIncoming,
    KeepsIncoming,
    ShiftsTangent,
    MutatesTwice,
    // Reverse.
    Consumes,
    LeavesShadow,
    AddsToShadow,
    RestoresPrimal,
    DividesByScale,
    SkipsOddEntries,
    LeavesOutLastLane,
}

use Wrong::*;

pub(crate) struct Affine {
    scale: f64,
    shift: f64,
    wrong: Wrong,
}

impl Affine {
    fn apply(&self, x: &mut [f64]) {
        x.iter_mut().for_each(|x| *x = self.scale * *x + self.shift);
    }
}

impl<X: HoldsMut<[f64]>> Function<(X,)> for Affine {
    type Output = ();

    fn call(&self, (mut x,): (X,)) {
        self.apply(x.get_mut());
    }
}

impl<R: ForwardReturn<W, Out = ()>, X: ForwardArgMut<[f64], W>, const W: usize>
    ForwardRule<R, (X,), W> for Affine
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        self.apply(x.primal_mut());
        if self.wrong == MutatesTwice {
            self.apply(x.primal_mut());
        }
        x.assign(|_, _, dx| {
            for dx in dx {
                let tangent = scaled(self.scale, *dx, config.strong_zero());
                *dx = match self.wrong {
                    ForgetsIncoming => 0.0,
                    KeepsIncoming => *dx,
                    ShiftsTangent => tangent + self.shift,
                    _ => tangent,
                };
            }
        });
        R::forward(config, || (), |_| ())
    }
}

impl<R: ReverseReturn<W, Out = ()>, X: ReverseArgMut<[f64], W>, const W: usize>
    ReverseRule<R, (X,), W> for Affine
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedReturn<(), R::Shadow, ()> {
        self.apply(x.primal_mut());
        R::augmented(config, (), ())
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        (): (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        if self.wrong == RestoresPrimal {
            x.primal_mut()
                .iter_mut()
                .for_each(|x| *x = (*x - self.shift) / self.scale);
        }
        let strong = config.strong_zero();
        let gradient = x.transform(|lane, _, dx| {
            for (i, dx) in dx.iter_mut().enumerate() {
                let pulled = scaled(self.scale, *dx, strong);
                *dx = match self.wrong {
                    Consumes => 0.0,
                    LeavesShadow => *dx,
                    AddsToShadow => *dx + pulled,
                    DividesByScale => *dx / self.scale,
                    SkipsOddEntries if i % 2 == 1 => *dx,
                    LeavesOutLastLane if W > 1 && lane + 1 == W => *dx,
                    ScalesByHalves => 2.0 * scaled(self.scale / 2.0, *dx, strong),
                    _ => pulled,
                };
            }
        });
        (gradient,)
    }
}

fn judge(wrong: Wrong) -> Report {
    let affine = Affine {
        scale: 1.75,
        shift: -0.5,
        wrong,
    };
    let tester = crate::shared!(Setting::new((inout(3).named("x"),)).function("affine", affine));
    crate::in_mixes!(tester;
        forward [Const; Duplicated]
        forward [Const; Const]
        reverse [Const; Duplicated]
        reverse [Const; Const]
    )
}

crate::variants!(judge: Nothing, ScalesByHalves);

crate::mutants! {
    judge {
        ForgetsIncoming => F2, "where   x.shadow";
        KeepsIncoming => F2, "where   x.shadow";
        ShiftsTangent => L1, "where   x.shadow";
        MutatesTwice => P2, "where   x: P2";
        Consumes => R1z, "where   x.shadow";
        LeavesShadow => R1z, "where   x.shadow";
        AddsToShadow => R1z, "where   x.shadow";
        RestoresPrimal => R9, "where   x: R9";
        DividesByScale => R1z, "where   x.shadow";
        SkipsOddEntries => R1z, "[1] ";
        LeavesOutLastLane => B1, "lane 1: B1";
    }
}
