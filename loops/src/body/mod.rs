//! How loops and solvers call the functions they are given.
//!
//! A body is a function with rules: anything under `#[differentiable]` or `#[primitive]`, or a type that implements
//! [`Function`](coenzyme::Function), [`ForwardRule`](coenzyme::ForwardRule) and [`ReverseRule`](coenzyme::ReverseRule) itself and carries data. It is
//! differentiated with activities that are known at run time ([`DynArg`](coenzyme::DynArg)), so one rule that is generic over activities serves. The traits
//! here name, for each shape of body, what that means; they are implemented for every function that has such rules.
//!
//! | body | traits |
//! |---|---|
//! | `f(&mut x, &p, t)`, a step | [`ForwardStep`], [`ReverseStep`] |
//! | `f(&mut c, &x, &p) -> y`, a step of a scan | [`ForwardCarry`], [`ReverseCarry`] |
//! | `f(item, &p) -> y`, a term of a sum | [`ForwardTerm`], [`ReverseTerm`] |
//! | `f(&mut r, &x, &p)`, a residual | [`ForwardResidual`], [`ReverseResidual`] |
//! | `f(&mut dx, &x, &p, t)`, the right-hand side of a differential equation | [`ForwardField`], [`ReverseField`] |

mod carry;
mod field;
mod residual;
mod step;
mod term;

pub use carry::{ForwardCarry, ReverseCarry};
pub use field::{ForwardField, ReverseField};
pub use residual::{ForwardResidual, ReverseResidual};
pub use step::{ForwardStep, ReverseStep};
pub use term::{ForwardTerm, ReverseTerm};

use coenzyme::{ForwardArg, Lane, Outcome, ReverseConfig};

/// The tangents of all lanes of an argument, if it is active.
pub(crate) fn tangents<T: ?Sized, X: ForwardArg<T, W>, const W: usize>(x: &X) -> Option<[&T; W]> {
    x.is_active().then(|| {
        std::array::from_fn(|lane| x.tangent(lane).expect("an active argument has tangents"))
    })
}

/// The shadows of all lanes, lent, if the argument is active.
pub(crate) fn lent<'a, T: ?Sized, const W: usize>(
    lanes: &'a mut [Lane<'_, T>; W],
) -> Option<[&'a mut T; W]> {
    let shadows: Vec<&mut T> = lanes.iter_mut().filter_map(Lane::as_deref_mut).collect();
    shadows.try_into().ok()
}

/// The configuration of a body whose arguments stay as they are between its two halves.
pub(crate) fn undisturbed(config: &ReverseConfig) -> ReverseConfig {
    config.with_none_overwritten()
}

/// What is inside the outcome of a body.
pub(crate) fn inside<U: Outcome, V>(of: U::Of<V>) -> V {
    let mut slot = None;
    U::map_of(of, |inside| slot = Some(inside));
    slot.expect("a value that is its own outcome is there")
}
