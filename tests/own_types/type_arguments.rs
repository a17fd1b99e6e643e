//! Blocks for one type with other arguments: `impl Moments<2>` beside `impl Moments<3>`, whose methods have the same names.

use std::marker::PhantomData;

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Copy, Debug, Tangent)]
struct Moments<const N: usize> {
    sums: [f64; N],
}

#[differentiable]
impl Moments<2> {
    fn new(a: f64) -> Self {
        Moments { sums: [a, a * a] }
    }
    fn total(&self) -> f64 {
        self.sums[0] * self.sums[1]
    }
    fn add(&mut self, x: f64) {
        self.sums[0] += x;
        self.sums[1] += x * x;
    }
}

#[differentiable]
impl Moments<3> {
    fn begun(a: f64) -> Self {
        Moments {
            sums: [a, a * a, 2.0 * a],
        }
    }
    fn total(&self) -> f64 {
        self.sums[0] * self.sums[1] * self.sums[2]
    }
    fn add(&mut self, x: f64) {
        self.sums[0] += x;
        self.sums[1] += x * x;
        self.sums[2] += x * x * x;
    }
}

#[differentiable]
impl std::ops::Mul<f64> for Moments<2> {
    type Output = Self;
    fn mul(self, by: f64) -> Self {
        Moments {
            sums: [self.sums[0] * by, self.sums[1] * by],
        }
    }
}

#[differentiable]
impl std::ops::Mul<f64> for Moments<3> {
    type Output = Self;
    fn mul(self, by: f64) -> Self {
        let [a, b, c] = self.sums;
        Moments {
            sums: [a * by, b * by, c * by],
        }
    }
}

#[differentiable]
impl From<f64> for Moments<2> {
    fn from(a: f64) -> Self {
        Moments { sums: [a, a] }
    }
}

#[differentiable]
impl From<f64> for Moments<3> {
    fn from(a: f64) -> Self {
        Moments {
            sums: [a * a, a, a],
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Meter;
#[derive(Clone, Copy, Debug)]
struct Foot;

#[derive(Clone, Copy, Debug, Tangent)]
struct Length<U> {
    value: f64,
    unit: PhantomData<U>,
}

#[differentiable]
impl Length<Meter> {
    fn squared(&self) -> f64 {
        self.value * self.value
    }
}

#[differentiable]
impl Length<Foot> {
    fn squared(&self) -> f64 {
        0.3048 * 0.3048 * self.value * self.value
    }
}

#[differentiable]
fn of_two_lengths(x: f64, y: f64) -> f64 {
    let mut a: Moments<2> = Moments::<2>::new(x);
    let mut b = Moments::<3>::begun(y);
    a.add(y);
    b.add(x);
    let (c, mut d) = (a * y, b * x);
    let e: Moments<3> = y.into();
    d.add(e.sums[0]);
    let f: Moments<2> = x.into();
    c.total() + d.total() * f.total()
}

#[differentiable]
fn of_two_units(x: f64, y: f64) -> f64 {
    let meters = Length::<Meter> {
        value: x,
        unit: PhantomData,
    };
    let feet: Length<Foot> = Length {
        value: y,
        unit: PhantomData,
    };
    meters.squared() * feet.squared()
}

/// Implementations that tuples tell apart.
#[differentiable]
trait Weighed<T> {
    fn weight(&self, by: f64) -> f64;
}

#[differentiable]
impl Weighed<(f64, f64)> for Moments<2> {
    fn weight(&self, by: f64) -> f64 {
        self.sums[0] * by
    }
}

#[differentiable]
impl Weighed<(f64, f64, f64)> for Moments<2> {
    fn weight(&self, by: f64) -> f64 {
        self.sums[1] * by * by
    }
}

#[differentiable]
fn pair_of<W: Weighed<(f64, f64)>>(of: &W, by: f64) -> f64 {
    of.weight(by)
}

#[differentiable]
fn triple_of<W: Weighed<(f64, f64, f64)>>(of: &W, by: f64) -> f64 {
    of.weight(by)
}

#[differentiable]
fn of_tuples(x: f64, y: f64) -> f64 {
    let moments = Moments::<2>::new(x);
    pair_of(&moments, y) * triple_of(&moments, x * y)
}

judge! {
    of_tuples (0.3, 1.2);
    of_two_lengths (0.3, 1.2);
    of_two_units (0.3, 1.2);
}
