//! Drivers: run a function's derivative from outside.
//!
//! | driver | what for |
//! |---|---|
//! | [`autodiff`], [`autodiff!`](crate::autodiff!) | one differentiated call in a [mode](Mode) |
//! | [`Thunk`] | reverse mode in two halves, any time apart |
//! | [`gradient`], [`value_and_gradient`], [`gradient_into`] | all derivatives of a scalar function |
//! | [`jacobian`], [`value_and_jacobian`], [`jacobian_forward`], [`jacobian_reverse`] | all derivatives of a function of a vector |
//! | [`jvp`], [`vjp`] | those along one direction, or of one combination of outputs |
//! | [`jacobian!`](crate::jacobian!), [`jvp!`](crate::jvp!), [`vjp!`](crate::vjp!) | the same of functions of any arguments |
//! | [`hvp`], [`hessian`]; [`hvp!`](crate::hvp!), [`hessian!`](crate::hessian!) | second derivatives, forward over reverse |
//! | [`jacobian_sparse`], [`hessian_sparse`] | entries of a [`Pattern`], in as many passes as it has colours |
//! | `Checked(mode)` | any of these modes, compared with differences (feature `checked`) |

#[cfg(feature = "checked-modes")]
#[doc(hidden)]
pub mod checked;
mod chunks;
mod collapse;
mod gradient;
mod hessian;
mod jacobian;
mod mode;
mod points;
mod probed;
mod returning;
#[doc(hidden)]
pub mod second;
mod sparse;
mod thunk;
#[doc(hidden)]
pub mod whole;

#[cfg(feature = "checked-modes")]
pub use checked::{
    CalledBy, Checked, CheckedForwardKind, CheckedIfAsked, CheckedReverseKind, Probed, ProbedArg,
    ProbedArgs, Pushed, PushedArgs, check_gradient, check_tangent,
};
use chunks::chunks;
pub use collapse::Collapse;
pub use gradient::{GradientArg, GradientArgs, gradient, gradient_into, value_and_gradient};
pub use hessian::{hessian, hvp, hvp_and_gradient};
pub use jacobian::{
    Jacobian, jacobian, jacobian_forward, jacobian_reverse, jvp, value_and_jacobian, vjp,
};
pub use mode::{
    Batch, Forward, ForwardWithPrimal, Mode, ModeWidth, Nested, Reverse, ReverseWithPrimal,
    StrongZero,
};
pub use returning::{
    AsActive, AsConst, AsDuplicated, AsDuplicatedNoNeed, ForwardKind, Natural, NaturalReturn,
    ReverseKind, ScalarOutcome,
};
pub use sparse::{Pattern, hessian_sparse, jacobian_sparse};
pub use thunk::Thunk;

use crate::activity::{Join, Known, Resolve};
use crate::rule::{Annotated, Function};

/// Differentiates one call of `f`.
///
/// `returns` is the activity of the returned value: [`Natural`] lets its type decide, otherwise [`AsConst`], [`AsActive`],
/// [`AsDuplicated`], [`AsDuplicatedNoNeed`]. The width of the call is that of its arguments, or of a [`Batch`] mode.
/// [`autodiff!`](crate::autodiff!) is the same with less to write.
///
/// | mode | returns |
/// |---|---|
/// | [`Forward`] | `(tangent,)`, or `()` if the return is `Const` |
/// | [`ForwardWithPrimal`] | `(tangent, primal)`, or `(primal,)` |
/// | [`Reverse`] | `((gradient of each argument…),)`, `()` for an argument that is not `Active` |
/// | [`ReverseWithPrimal`] | `((gradients…), primal)` |
///
/// With more than one lane every tangent and gradient is an array of lanes. If the function returns `Result` or `Option`,
/// so does the driver. Reverse mode seeds an `Active` return with one in every lane.
///
/// ```
/// use coenzyme::{AsActive, AsDuplicated, BatchDuplicated, Duplicated, Forward, ReverseWithPrimal, autodiff};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// let x = [1.0, 2.0];
/// let dx = [1.0, 0.5];
/// let args = (Duplicated(&x[..], &dx[..]),);
/// assert_eq!(autodiff(Forward, &cubes {}, AsDuplicated, args), (9.0,));
/// let args = (BatchDuplicated(&x[..], [&[1.0, 0.0][..], &[0.0, 1.0][..]]),);
/// assert_eq!(autodiff(Forward, &cubes {}, AsDuplicated, args), ([3.0, 12.0],));
///
/// let mut dx = [0.0, 100.0];
/// let args = (Duplicated(&x[..], &mut dx[..]),);
/// assert_eq!(autodiff(ReverseWithPrimal, &cubes {}, AsActive, args), (((),), 9.0));
/// assert_eq!(dx, [3.0, 112.0]);
/// # }
/// ```
///
/// # Panics
/// As the function and its rules do.
#[inline]
pub fn autodiff<M, F, K, A, C, O, const W: usize>(mode: M, f: &F, returns: K, args: A) -> O
where
    A: Annotated,
    M: ModeWidth,
    A::Width: Join<M::Width>,
    <A::Width as Join<M::Width>>::Joined: Resolve<W>,
    F: Function<A::Primals>,
    F::Output: Known<A::Checked, Known = C>,
    M: Mode<F, K, C, W, Output = O>,
{
    mode.run(f, returns, F::Output::known(args.checked()))
}
