//! What the rules of all equations have in common: a solution `x` of an equation in `x` and `p`, and a linear system there.
//!
//! | | forward | reverse |
//! |---|---|---|
//! | `x` is found | `ẋ` from one solve a lane | nothing |
//! | at `x` | | the system is kept; one solve a lane, and its result is pulled to `p̄` |
//!
//! What fails is an error before a shadow is touched, and the initial guess has no derivative: these two are here, once.

use std::borrow::Borrow;

use coenzyme::{
    Annotation, ForwardArgMut, Lane, Memory, ReverseArg, ReverseArgMut, ReverseConfig, Saved,
};

use crate::{Copied, Error, Operand};

/// What a reverse pass of an implicit function reads again: the solution with its linear system, and the parameter if it may be overwritten.
pub struct SolutionTape<S: ToOwned + ?Sized, P: ToOwned + ?Sized, K> {
    at: Option<(Copied<S>, K)>,
    p: Saved<P>,
}

/// Finds the solution, and writes its tangents, which `tangents` computes from it for all lanes.
pub(super) fn pushed<X, S, M, const W: usize>(
    x: &mut X,
    find: impl FnOnce(&mut S) -> Result<usize, Error>,
    tangents: impl FnOnce(&S) -> Result<Vec<M>, Error>,
    write: impl Fn(&mut S, M),
) -> Result<usize, Error>
where
    S: Operand + ?Sized,
    X: ForwardArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
{
    let (x, mut dx) = x.split_mut();
    let steps = find(x)?;
    if dx.iter().any(Lane::is_active) {
        for (lane, tangent) in dx.iter_mut().zip(tangents(x)?) {
            if let Some(dx) = lane.as_deref_mut() {
                write(dx, tangent);
            }
        }
    }
    Ok(steps)
}

/// Finds the solution, and keeps it with its linear system if both arguments are active.
pub(super) fn taped<X, Q, S, P, K, const W: usize>(
    config: &ReverseConfig,
    x: &mut X,
    p: &Q,
    find: impl FnOnce(&mut S, &P) -> Result<usize, Error>,
    keep: impl FnOnce(&S, &P) -> Result<K, Error>,
) -> Result<(usize, SolutionTape<S, P, K>), Error>
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    X: ReverseArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
{
    let active = x.is_active() && p.is_active();
    let saved = Saved::new(p.primal(), active && config.overwritten(1));
    let (x, p) = (x.primal_mut(), p.primal());
    let steps = find(x, p)?;
    let at = match active {
        true => Some((x.to_owned(), keep(x, p)?)),
        false => None,
    };
    Ok((steps, SolutionTape { at, p: saved }))
}

/// Solves the system for the cotangents of `x` in all lanes, then pulls each multiplier to the shadow of `p`.
pub(super) fn pulled<X, Q, S, P, K, M, const W: usize>(
    tape: SolutionTape<S, P, K>,
    x: &mut X,
    p: &mut Q,
    solve: impl Fn(&S, &P, &K, &S) -> M,
    pull: impl Fn(&S, &P, M, &mut P),
) -> (X::Gradient, Q::Gradient)
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    X: ReverseArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
{
    let mut of_p = p.no_gradient();
    if let Some((solution, kept)) = &tape.at {
        let (p, mut dp) = p.split(&mut of_p);
        let (p, solution) = (tape.p.get(p), solution.borrow());
        let multiplier = |lane| {
            let dx = x.cotangent(lane);
            let dx = dx.expect("an active argument has cotangents");
            solve(solution, p, kept, dx)
        };
        let multipliers: Vec<M> = (0..W).map(multiplier).collect();
        for (multiplier, dp) in multipliers.into_iter().zip(&mut dp) {
            if let Some(dp) = dp.as_deref_mut() {
                pull(solution, p, multiplier, dp);
            }
        }
    }
    // the initial guess does not matter
    (x.consume(), of_p)
}
