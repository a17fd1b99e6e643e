//! Implementations of a marked trait for numbers of any kind, and traits with parameters that are numbers: their rules are those of some types.

use std::ops::{Add, Div, Mul, Neg, Sub};

use coenzyme::prelude::*;
use num_traits::Float;

use crate::subject::judge;

pub(crate) trait BaseFloat: Float {}
impl BaseFloat for f64 {}

#[differentiable]
pub(crate) trait Area {
    fn times(&self, k: f64) -> f64;
    fn name(&self) -> String;
}

#[differentiable]
pub(crate) trait Scaled<S> {
    fn by(&self, k: S) -> S;
    fn set(&mut self, k: S);
    fn sides(&self) -> f64 {
        4.0
    }
}

#[derive(Clone, Copy, Debug, Tangent)]
pub(crate) struct Disc<S> {
    r: S,
}

#[differentiable]
impl<S: BaseFloat> Area for Disc<S> {
    fn times(&self, k: f64) -> f64 {
        k * k
    }
    fn name(&self) -> String {
        "disc".to_owned()
    }
}

#[differentiable]
impl<S: BaseFloat> Scaled<S> for Disc<S> {
    fn by(&self, k: S) -> S {
        self.r * self.r * k
    }
    fn set(&mut self, k: S) {
        self.r = k * k;
    }
}

#[differentiable]
impl<S: BaseFloat> Disc<S> {
    fn both(&mut self, k: S) -> S {
        let a = self.by(k);
        self.set(a);
        self.by(a)
    }
}

#[differentiable]
fn of_a_disc(x: &[f64]) -> f64 {
    let mut disc = Disc { r: x[0] };
    disc.both(x[1]) * disc.by(x[0]) + disc.times(x[1])
}

#[differentiable]
pub(crate) trait Noise<const N: usize> {
    fn get(&self, at: [f64; N]) -> f64;
}

#[derive(Clone, Tangent)]
pub(crate) struct Wave {
    k: f64,
}

#[differentiable]
impl Noise<2> for Wave {
    fn get(&self, at: [f64; 2]) -> f64 {
        (self.k * at[0]).sin() * at[1]
    }
}

#[derive(Clone, Tangent)]
pub(crate) struct Sum<A, B> {
    a: A,
    b: B,
}

/// The name of a method of slices, on parts of types that are not seen.
#[differentiable]
impl<A: Noise<2>, B: Noise<2>> Noise<2> for Sum<A, B> {
    fn get(&self, at: [f64; 2]) -> f64 {
        self.a.get(at) + 2.0 * self.b.get([at[1], at[0]])
    }
}

#[derive(Clone, Tangent)]
pub(crate) struct Low {
    y: f64,
    a: f64,
}

#[differentiable]
impl Low {
    fn next(&mut self, x: f64) -> f64 {
        self.y += self.a * (x - self.y);
        self.y
    }
    fn last(&self) -> f64 {
        self.y * self.a
    }
}

#[derive(Clone, Tangent)]
pub(crate) struct Chain {
    first: Low,
    second: Low,
}

#[differentiable]
impl Chain {
    fn step(&mut self, x: f64) -> f64 {
        let u = self.first.next(x);
        self.second.next(u * u) * self.first.last()
    }
}

#[differentiable]
fn of_a_sum(x: &[f64]) -> f64 {
    let sum = Sum {
        a: Wave { k: x[0] },
        b: Wave { k: x[0] * x[1] },
    };
    sum.get([x[1], x[0]])
}

#[differentiable]
fn of_a_chain(x: &[f64]) -> f64 {
    let mut chain = Chain {
        first: Low { y: 0.0, a: x[0] },
        second: Low {
            y: 0.1,
            a: x[0] * x[0],
        },
    };
    let mut sum = 0.0;
    for i in 0..3 {
        sum += chain.step(x[1] * f64::from(i));
    }
    sum
}

/// Numbers with a zero and a conversion of their own, beside those of `num_traits`.
pub(crate) trait FloatType:
    Copy
    + From<i16>
    + PartialOrd
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    fn zero() -> Self;
    fn third() -> Self {
        Self::from(1i16) / Self::from(3i16)
    }
}

impl FloatType for f64 {
    fn zero() -> f64 {
        0.0
    }
}

#[differentiable]
fn root<F: FloatType>(b: F, c: F) -> F {
    let two = F::from(2i16);
    if b == F::zero() {
        return c;
    }
    let d = b * b - F::from(-4) * c;
    (F::zero() - b + d * d * F::third()) / two
}

#[differentiable]
fn of_own_numbers(x: &[f64]) -> f64 {
    root(x[0], x[1]) * x[0] + root(0.0, x[1])
}

judge! {
    of_a_disc (&[0.7, 1.3]);
    of_own_numbers (&[0.7, 1.3]);
    of_a_sum (&[0.7, 1.3]);
    of_a_chain (&[0.7, 1.3]);
}
