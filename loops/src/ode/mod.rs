//! Differential equations `x′ = f(x, p, t)`, by Runge–Kutta methods.
//!
//! The derivative is the exact one of the discrete solver (*discretize, then optimize*), with the step sizes held fixed: it agrees with differences of
//! what the solver computes, not only with the limit of small steps. The reverse pass keeps some of the states and computes the others again. The derivative of the
//! solution instead (*optimize, then discretize*) is that of an [`Adjoint`] that is asked for.
//!
//! The equation is a function `f(dx, x, p, t)` that writes the slope to `dx`. Time has no derivative: a function that is generic over its numbers marks
//! it `#[constant] t: f64`, to make numbers of it.

mod continuous;
mod event;
mod solve;
mod step;
mod tableau;

pub use continuous::Adjoint;
pub use event::{EventTape, integrate_until};
pub use solve::{Ode, OdeTape, integrate};
pub use tableau::Method;
