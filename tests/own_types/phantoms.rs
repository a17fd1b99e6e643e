//! Types with fields that hold no numbers whatever their type parameters are: `PhantomData<T>`, function pointers.

use std::marker::PhantomData;

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

/// Without a tangent space.
#[derive(Clone, Copy, Debug)]
struct Meter;

#[derive(Clone, Copy, Debug, Tangent)]
struct Length<U> {
    value: f64,
    unit: PhantomData<U>,
}

#[differentiable]
impl<U> std::ops::Add for Length<U> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Length {
            value: self.value + other.value,
            unit: PhantomData,
        }
    }
}

#[differentiable]
impl<U> std::ops::Mul<f64> for Length<U> {
    type Output = Self;
    fn mul(self, by: f64) -> Self {
        Length {
            value: self.value * by,
            unit: self.unit,
        }
    }
}

#[derive(Clone, Debug, Tangent)]
struct Scaled<T, V> {
    by: f64,
    of: PhantomData<T>,
    shape: fn(f64) -> f64,
    values: V,
    marked: std::marker::PhantomData<fn(&V) -> [u8]>,
}

#[differentiable]
impl<T, V: Copy> Scaled<T, V> {
    fn apply(&self, x: f64) -> f64 {
        self.by * x * x
    }
    fn with_by(self, by: f64) -> Self {
        Scaled {
            by: by * by,
            ..self
        }
    }
    fn set_by(&mut self, by: f64) {
        self.by = by * by * self.by;
    }
}

#[differentiable]
fn lengths(k: f64, x: f64) -> f64 {
    let a: Length<u8> = Length {
        value: k,
        unit: PhantomData,
    };
    let b: Length<u8> = Length {
        value: x,
        unit: PhantomData,
    };
    let c = a * x + b * k;
    c.value * c.value
}

#[differentiable]
fn changed(k: f64, x: f64) -> f64 {
    let w: Scaled<String, f64> = Scaled {
        by: k,
        of: PhantomData,
        shape: f64::cos,
        values: x,
        marked: PhantomData,
    };
    let mut v = w.with_by(k * x);
    v.set_by(k);
    v.apply(x) * v.values
}

#[differentiable]
fn meters(length: Length<Meter>, by: f64) -> f64 {
    length.value * by * by
}

#[differentiable]
fn of_a_type_without_values(x: f64, by: f64) -> f64 {
    let length = Length::<Meter> {
        value: x * x,
        unit: PhantomData,
    };
    meters(length, by)
}

judge! {
    lengths (0.3, 1.2);
    changed (0.3, 1.2);
    of_a_type_without_values (0.3, 1.2);
}
