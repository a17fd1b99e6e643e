//! Bessel functions of the first kind, of integer order.
//!
//! Source: DLMF 10.6.1, `Jₙ′ = (Jₙ₋₁ − Jₙ₊₁)/2`.

use coenzyme::{primitive, scaled};

use super::Special;
use crate::class::{At, Reads, Unary};
use crate::unary_rule;

/// The Bessel function `Jₙ(x)`, of any integer order.
#[primitive]
pub fn bessel_j<T: Special>(x: T, n: i32) -> T {
    x.bessel_j(n)
}

impl bessel_j {
    /// The derivative in `x`.
    pub(super) fn partial<T: Special>(x: T, n: i32) -> T {
        T::lit(0.5) * (x.bessel_j(n - 1) - x.bessel_j(n + 1))
    }
}

unary_rule!(bessel_j[T: Special](x: T; n: i32) = bessel_j);

impl<T: Special> Unary<T> for bessel_j {
    type Out = T;
    type Attrs<'a> = (&'a i32,);
    type Residual = ();

    const READS: Reads = Reads::X;

    fn value(x: &T, (&n,): (&i32,)) -> T {
        x.bessel_j(n)
    }
    fn pushforward(at: &At<'_, T, T, ()>, dx: &T, (&n,): (&i32,)) -> T {
        scaled(Self::partial(*at.x, n), *dx, at.strong_zero)
    }
    fn pullback(at: &At<'_, T, T, ()>, dy: &T, dx: &mut T, (&n,): (&i32,)) {
        *dx += scaled(Self::partial(*at.x, n), *dy, at.strong_zero);
    }
}

crate::elementwise1! {
    pub(crate) mod arrays;
    /// `J₀(x)`: derivative `−J₁(x)`.
    bessel_j0: Special (x, _y) reads X { value: x.bessel_j(0), partial: -x.bessel_j(1) }
    /// `J₁(x)`: derivative `(J₀(x) − J₂(x))/2`.
    bessel_j1: Special (x, _y) reads X { value: x.bessel_j(1), partial: bessel_j::partial(x, 1) }
}
