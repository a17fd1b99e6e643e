//! y ← A·b: a product of arrays with two active factors.

use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Function, Holds, HoldsMut, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn,
    ReverseRule, Saved, scaled,
};
use coenzyme_testutils::{Report, Setting, input, out, severed};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    SumsBackwards,
    SumsInPairs,
    // Forward.
    ForgetsTangentOfA,
    ForgetsTangentOfB,
    AddsToStaleShadow,
    MultipliesTangents,
    TransposesTangent,
    ForgetsTangentIfBothActive,
    ForgetsLastRow,
    AddsToOutput,
    // Reverse.
    ForgetsCotangentOfA,
    ForgetsCotangentOfB,
    TransposesCotangent,
    AssignsA,
    AssignsB,
    SavesOnlyA,
    SavesOnlyB,
    SwapsOverwritten,
    KeepsY,
    LosesBIfAIsConst,
    LosesAIfBIsConst,
    ReadsYInsteadOfB,
    DriftsB,
}

use Wrong::*;

pub(crate) struct Matvec(Wrong);

/// `Σₖ aᵢₖ·bₖ` for each row, with an optional other order of summation.
fn product(wrong: Wrong, a: &[f64], b: &[f64], row: usize) -> f64 {
    let n = b.len();
    let terms = (0..n).map(|k| a[row * n + k] * b[k]);
    match wrong {
        SumsBackwards => terms.rev().sum(),
        SumsInPairs => {
            let terms: Vec<f64> = terms.collect();
            terms.chunks(2).map(|pair| pair.iter().sum::<f64>()).sum()
        }
        _ => terms.sum(),
    }
}

impl<Y: HoldsMut<[f64]>, A: Holds<[f64]>, B: Holds<[f64]>> Function<(Y, A, B)> for Matvec {
    type Output = ();

    fn call(&self, (mut y, a, b): (Y, A, B)) {
        for (row, y) in y.get_mut().iter_mut().enumerate() {
            *y = product(Nothing, a.get(), b.get(), row);
        }
    }
}

impl<R, Y, A, B, const W: usize> ForwardRule<R, (Y, A, B), W> for Matvec
where
    R: ForwardReturn<W, Out = ()>,
    Y: ForwardArgMut<[f64], W>,
    A: ForwardArg<[f64], W>,
    B: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, a, b): (&mut Y, &mut A, &mut B)) -> R::Forward {
        let wrong = self.0;
        for (row, y) in y.primal_mut().iter_mut().enumerate() {
            let value = product(wrong, a.primal(), b.primal(), row);
            match wrong {
                AddsToOutput => *y += value,
                _ => *y = value,
            }
        }
        y.assign(|lane, _, dy| {
            let (pa, pb, n, rows) = (a.primal(), b.primal(), b.primal().len(), dy.len());
            for (row, dy) in dy.iter_mut().enumerate() {
                let mut sum = 0.0;
                for k in 0..n {
                    let at = match wrong {
                        TransposesTangent => (k * rows + row) % (rows * n),
                        _ => row * n + k,
                    };
                    let both = a.is_active() && b.is_active();
                    let skip_b =
                        wrong == ForgetsTangentOfB || wrong == ForgetsTangentIfBothActive && both;
                    if let (Some(da), false) = (a.tangent(lane), wrong == ForgetsTangentOfA) {
                        sum += scaled(pb[k], da[row * n + k], config.strong_zero());
                    }
                    if let (Some(db), false) = (b.tangent(lane), skip_b) {
                        sum += scaled(pa[at], db[k], config.strong_zero());
                    }
                    if let (MultipliesTangents, Some(da), Some(db)) =
                        (wrong, a.tangent(lane), b.tangent(lane))
                    {
                        sum += da[row * n + k] * db[k];
                    }
                }
                match wrong {
                    AddsToStaleShadow => *dy += sum,
                    ForgetsLastRow if row + 1 == rows => {}
                    _ => *dy = sum,
                }
            }
        });
        R::forward(config, || (), |_| ())
    }
}

impl<R, Y, A, B, const W: usize> ReverseRule<R, (Y, A, B), W> for Matvec
where
    R: ReverseReturn<W, Out = ()>,
    Y: ReverseArgMut<[f64], W>,
    A: ReverseArg<[f64], W>,
    B: ReverseArg<[f64], W>,
{
    type Tape = (Saved<[f64]>, Saved<[f64]>);

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, a, b): (&mut Y, &mut A, &mut B),
    ) -> AugmentedReturn<(), R::Shadow, Self::Tape> {
        let wrong = self.0;
        for (row, y) in y.primal_mut().iter_mut().enumerate() {
            *y = product(wrong, a.primal(), b.primal(), row);
        }
        let (first, second) = match wrong {
            SwapsOverwritten => (config.overwritten(2), config.overwritten(1)),
            _ => (config.overwritten(1), config.overwritten(2)),
        };
        let tape = (
            Saved::new(a.primal(), first && wrong != SavesOnlyB),
            Saved::new(b.primal(), second && wrong != SavesOnlyA),
        );
        R::augmented(config, (), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        (saved_a, saved_b): Self::Tape,
        (y, a, b): (&mut Y, &mut A, &mut B),
    ) -> (Y::Gradient, A::Gradient, B::Gradient) {
        let wrong = self.0;
        let strong = config.strong_zero();
        let (rows, n) = (y.primal().len(), b.primal().len());
        let (a_const, b_const) = (!a.is_active(), !b.is_active());
        let da = a.accumulate(|lane, _, mut da| {
            let Some(dy) = y.cotangent(lane) else { return };
            for at in 0..rows * n {
                let value = match wrong {
                    ReadsYInsteadOfB => y.primal()[at % n],
                    _ => saved_b.get(b.primal())[at % n],
                };
                let wrong_here =
                    wrong == ForgetsCotangentOfA || wrong == LosesAIfBIsConst && b_const;
                let add = if wrong_here {
                    0.0
                } else {
                    scaled(value, dy[at / n], strong)
                };
                da.accumulate_with(|da| match wrong {
                    AssignsA => da[at] = add,
                    _ => da[at] += add,
                });
            }
        });
        let db = b.accumulate(|lane, _, mut db| {
            let Some(dy) = y.cotangent(lane) else { return };
            for k in 0..n {
                let at = |row: usize| match wrong {
                    TransposesCotangent => (k * rows + row) % (rows * n),
                    _ => row * n + k,
                };
                let a = saved_a.get(a.primal());
                let sum: f64 = (0..rows)
                    .map(|row| scaled(a[at(row)], dy[row], strong))
                    .sum();
                let wrong_here =
                    wrong == ForgetsCotangentOfB || wrong == LosesBIfAIsConst && a_const;
                let add = if wrong_here { -sum } else { sum };
                db.accumulate_with(|db| match wrong {
                    AssignsB => db[k] = add,
                    DriftsB => db[k] = db[k] * (1.0 + 128.0 * f64::EPSILON) + add,
                    _ => db[k] += add,
                });
            }
        });
        let dy = match wrong {
            KeepsY => y.transform(|_, _, _| {}),
            _ => y.consume(),
        };
        (dy, da, db)
    }
}

fn judge(wrong: Wrong) -> Report {
    let arguments = (out(3).named("y"), input(6).named("a"), input(2).named("b"));
    let tester = crate::shared!(Setting::new(arguments).function("matvec", Matvec(wrong)));
    let tester = tester.const_buffers(severed("as Enzyme does"));
    crate::in_mixes!(tester;
        forward [Const; Duplicated, Duplicated, Duplicated]
        forward [Const; DuplicatedNoNeed, Const, Duplicated]
        forward [Const; Duplicated, Duplicated, Const]
        reverse [Const; Duplicated, Duplicated, Duplicated]
        reverse [Const; DuplicatedNoNeed, Const, Duplicated]
        reverse [Const; Duplicated, Duplicated, Const]
    )
}

crate::variants!(judge: Nothing, SumsBackwards, SumsInPairs);

crate::mutants! {
    judge {
        ForgetsTangentOfA => F2, "where   y.shadow";
        ForgetsTangentOfB => F2, "where   y.shadow";
        AddsToStaleShadow => F2, "where   y.shadow";
        MultipliesTangents => L1, "where   y.shadow";
        TransposesTangent => F2, "where   y.shadow";
        ForgetsTangentIfBothActive => F2, "where   y.shadow";
        ForgetsLastRow => F2, "[2] ";
        AddsToOutput => P2, "where   y: P2";
        ForgetsCotangentOfA => R1z, "where   a.shadow";
        ForgetsCotangentOfB => R1z, "where   b.shadow";
        TransposesCotangent => R1z, "where   b.shadow";
        AssignsA => R1, "where   a.shadow";
        AssignsB => R1, "where   b.shadow";
        SavesOnlyA => R6, "where   a.shadow";
        SavesOnlyB => R6, "where   b.shadow";
        SwapsOverwritten => R6, "shadow";
        KeepsY => R4, "where   y.shadow";
        LosesBIfAIsConst => R1z, "a=Const b=Duplicated";
        LosesAIfBIsConst => R1z, "b=Const";
        ReadsYInsteadOfB => R6, "where   a.shadow";
        DriftsB => R3, "where   b.shadow";
    }
}
