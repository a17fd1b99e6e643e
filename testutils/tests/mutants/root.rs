//! √x for x ≥ 0, in place: a function that returns an error, and then has changed nothing.

use coenzyme::{
    AugmentedReturn, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, Function, HoldsMut,
    ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, inout};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    DividesLast,
    RefusesAll,
    AcceptsNegative,
    ChangesFirst,
    ChangesShadowFirst,
    RefusesAllBack,
    AcceptsNegativeBack,
    ChangesFirstBack,
    ClearsShadowBack,
    PanicsOnNegative,
}

use Wrong::*;

/// No root: a number was negative.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Negative;

pub(crate) struct Root(Wrong);

fn root(x: &mut [f64]) -> Result<(), Negative> {
    if x.iter().any(|x| *x < 0.0) {
        return Err(Negative);
    }
    x.iter_mut().for_each(|x| *x = x.sqrt());
    Ok(())
}

impl<X: HoldsMut<[f64]>> Function<(X,)> for Root {
    type Output = Result<(), Negative>;

    fn call(&self, (mut x,): (X,)) -> Result<(), Negative> {
        root(x.get_mut())
    }
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for Root
where
    R: ForwardReturn<W, Out = Result<(), Negative>>,
    X: ForwardArgMut<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> Result<R::Forward, Negative> {
        match self.0 {
            RefusesAll => return Err(Negative),
            AcceptsNegative => x.primal_mut().iter_mut().for_each(|x| *x = x.abs()),
            ChangesFirst => x.primal_mut()[0] += 1.0,
            ChangesShadowFirst => x.assign(|_, _, dx| dx.fill(0.0)),
            PanicsOnNegative => assert!(x.primal().iter().all(|x| *x >= 0.0), "a negative number"),
            _ => {}
        }
        root(x.primal_mut())?;
        x.assign(|_, root, dx| {
            for (dx, root) in dx.iter_mut().zip(root) {
                *dx = match self.0 {
                    DividesLast if *dx != 0.0 => 0.5 * *dx / root,
                    _ => scaled(0.5 / root, *dx, config.strong_zero()),
                };
            }
        });
        Ok(R::forward(config, || (), |_| ()))
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for Root
where
    R: ReverseReturn<W, Out = Result<(), Negative>>,
    X: ReverseArgMut<[f64], W>,
{
    /// The roots: what is in `x` may change.
    type Tape = Vec<f64>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> Result<AugmentedReturn<(), R::Shadow, Vec<f64>>, Negative> {
        match self.0 {
            RefusesAllBack => return Err(Negative),
            AcceptsNegativeBack => x.primal_mut().iter_mut().for_each(|x| *x = x.abs()),
            ChangesFirstBack => x.primal_mut()[0] += 1.0,
            ClearsShadowBack => drop(x.consume()),
            _ => {}
        }
        root(x.primal_mut())?;
        Ok(R::augmented(config, (), x.primal().to_vec()))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        roots: Vec<f64>,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let gradient = x.transform(|_, _, dx| {
            for (dx, root) in dx.iter_mut().zip(&roots) {
                *dx = scaled(0.5 / root, *dx, config.strong_zero());
            }
        });
        (gradient,)
    }
}

fn judge(wrong: Wrong) -> Report {
    let at = |x: [f64; 3]| {
        let tester = Setting::new((inout(x).named("x"),)).function("root", Root(wrong));
        crate::in_mixes!(tester;
            forward [Const; Duplicated]
            forward [Const; Const]
            reverse [Const; Duplicated]
            reverse [Const; Const]
        )
    };
    // Where it succeeds, and where it does not.
    at([1.5, 0.5, 2.25]).worse(at([1.5, -0.5, 2.25]))
}

crate::variants!(judge: Nothing, DividesLast);

crate::mutants! {
    judge {
        RefusesAll => E1, "`forward` returned an error where the primal did not";
        AcceptsNegative => E1, "the primal returns an error here, but `forward` does not";
        ChangesFirst => E1, "where   x: E1";
        ChangesShadowFirst => E1, "where   x.shadow";
        RefusesAllBack => E1, "`augmented_primal` returned an error where the primal did not";
        AcceptsNegativeBack => E1, "the primal returns an error here, but `augmented_primal` does not";
        ChangesFirstBack => E1, "where   x: E1";
        ClearsShadowBack => E1, "where   x.shadow";
        PanicsOnNegative => E1, "`forward` panicked: a negative number";
    }
}
