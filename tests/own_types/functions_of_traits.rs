//! Functions without receiver of traits with `#[differentiable]`, called by a type parameter: `A::activate(x)`; and generic implementations whose
//! methods take and give values of the type.

use std::marker::PhantomData;

use coenzyme::prelude::*;
use num_traits::Float;

use crate::subject::judge;

#[differentiable]
trait Activation {
    fn activate(x: f64) -> f64;

    /// A default that calls another by `Self`.
    fn gated(x: f64, gate: f64) -> f64 {
        gate * Self::activate(x) + x
    }

    /// Memory, read and written.
    fn weighted(w: &[f64], x: &[f64]) -> f64;

    fn scale(x: &mut [f64], by: f64) {
        for e in x {
            *e *= Self::activate(by);
        }
    }

    /// These have no rules, and need none.
    fn name() -> &'static str;
    fn from_parts(x: f64) -> Self
    where
        Self: Sized;
}

struct Tanh;
struct Square;

#[differentiable]
impl Activation for Tanh {
    fn activate(x: f64) -> f64 {
        x.tanh()
    }
    fn weighted(w: &[f64], x: &[f64]) -> f64 {
        (0..w.len()).map(|i| w[i] * x[i]).sum()
    }
    fn name() -> &'static str {
        "tanh"
    }
    #[skip]
    fn from_parts(_: f64) -> Self {
        Tanh
    }
}

#[differentiable]
impl Activation for Square {
    fn activate(x: f64) -> f64 {
        x * x
    }
    fn gated(x: f64, gate: f64) -> f64 {
        gate * gate * x
    }
    fn weighted(w: &[f64], x: &[f64]) -> f64 {
        w[0] * x[1] * x[1]
    }
    fn name() -> &'static str {
        "square"
    }
    #[skip]
    fn from_parts(_: f64) -> Self {
        Square
    }
}

/// No argument tells `A`, and the memory of the caller is handed on.
#[differentiable]
fn layer<A: Activation>(w: &[f64], x: &[f64]) -> f64 {
    let h = A::activate(A::weighted(w, x));
    let mut scaled = [h, x[0]];
    A::scale(&mut scaled, x[1]);
    scaled[0] * A::gated(scaled[1], w[1])
}

#[differentiable]
fn layers(w: &[f64], x: &[f64]) -> f64 {
    layer::<Tanh>(w, x) + layer::<Square>(w, x) + Square::activate(x[0])
}

/// The argument tells it.
#[differentiable]
fn in_rounds<A: Activation>(x: f64, bias: f64, #[constant] _of: PhantomData<A>) -> f64 {
    let mut h = x;
    for _ in 0..3 {
        h = A::gated(h, 0.3) + bias * A::activate(x);
    }
    h
}

#[differentiable]
fn units(x: f64) -> f64 {
    in_rounds(x, 0.4, PhantomData::<Tanh>) * in_rounds(x, 0.6, PhantomData::<Square>)
}

/// Of all `S: Float` nothing is known of tangents: on a type that is known the methods have their rules.
#[differentiable]
trait Blend {
    fn blend(self, other: Self) -> Self;
    fn first(&self) -> f64;
}

#[derive(Clone, Copy, Tangent)]
struct Pair<S> {
    a: S,
    b: S,
}

#[differentiable]
impl<S: Float> Blend for Pair<S> {
    fn blend(self, other: Self) -> Self {
        let quarter = S::from(0.25).unwrap();
        Pair {
            a: self.a + quarter * (other.a - self.a),
            b: self.b * other.b,
        }
    }
    fn first(&self) -> f64 {
        1.0
    }
}

#[differentiable]
impl Blend for (f64, f64) {
    fn blend(self, other: Self) -> Self {
        (self.0 + 0.25 * other.0, self.1 * other.1)
    }
    fn first(&self) -> f64 {
        self.0
    }
}

#[differentiable]
fn between<B: Blend>(a: B, b: B) -> B {
    a.blend(b)
}

#[differentiable]
fn blended(x: f64, y: f64) -> f64 {
    let p = Pair { a: x, b: y }.blend(Pair { a: y, b: x * x });
    let q = between((x, y), (y, 2.0));
    p.a * p.b + q.0 * q.1
}

/// Types in capitals, as constants are written.
trait WhitePoint {
    const Y: f64;
}
struct D65;
struct E;
impl WhitePoint for D65 {
    const Y: f64 = 0.9;
}
impl WhitePoint for E {
    const Y: f64 = 1.0;
}
const DEGREE: usize = 3;

#[differentiable]
fn lightness<W: WhitePoint>(y: f64) -> f64 {
    116.0 * (y / W::Y).cbrt() - 16.0
}
#[differentiable]
fn power<W: WhitePoint, const N: usize>(y: f64) -> f64 {
    lightness::<W>(y).powi(N as i32)
}
#[differentiable]
fn in_capitals(y: f64) -> f64 {
    lightness::<D65>(y) * lightness::<E>(y) + power::<D65, { DEGREE }>(y)
}

judge! {
    layers (&[0.4, -0.7], &[0.3, 1.2]);
    units (0.7) (-0.4);
    blended (1.5, 2.0) (-0.4, 0.3);
    in_capitals(0.7);
}
