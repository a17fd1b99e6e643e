//! Traits with integers, lengths and tuples for arguments: a type that implements one of them once has methods by their names.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
trait Discrete<K, T> {
    fn pmf(&self, x: K) -> T;
    fn ln_pmf(&self, x: K) -> T;
}

#[derive(Clone, Copy, Tangent)]
struct Geometric {
    p: f64,
    most: u64,
}

#[differentiable]
impl Discrete<u64, f64> for Geometric {
    fn pmf(&self, x: u64) -> f64 {
        if x > self.most {
            return 0.0;
        }
        self.p * (1.0 - self.p).powi(x as i32)
    }
    fn ln_pmf(&self, x: u64) -> f64 {
        self.pmf(x).ln()
    }
}

#[derive(Clone, Copy, Tangent)]
struct Shifted {
    inner: Geometric,
    by: f64,
}

#[differentiable]
impl Discrete<u64, f64> for Shifted {
    fn pmf(&self, x: u64) -> f64 {
        self.inner.pmf(x + 1) + self.by
    }
    fn ln_pmf(&self, x: u64) -> f64 {
        self.inner.ln_pmf(x + 1) * self.by
    }
}

#[differentiable]
impl Shifted {
    fn entropy(&self) -> Option<f64> {
        let sum = (0..self.inner.most).fold(0.0, |sum, x| {
            let p = self.pmf(x);
            sum - p * self.ln_pmf(x)
        });
        Some(sum)
    }
}

#[differentiable]
fn discrete(p: f64, by: f64) -> f64 {
    let inner = Geometric { p, most: 4 };
    let shifted = Shifted { inner, by };
    shifted.entropy().unwrap() + inner.ln_pmf(2) * shifted.pmf(1)
}

#[differentiable]
trait Field<const N: usize> {
    fn at(&self, point: [f64; N]) -> f64;
}

#[derive(Clone, Copy, Tangent)]
struct Bowl(f64);

#[differentiable]
impl Field<2> for Bowl {
    fn at(&self, point: [f64; 2]) -> f64 {
        self.0 * point[0] * point[0] + point[1]
    }
}

/// Two of one trait: neither is found by the name alone, and each by its type.
#[derive(Clone, Copy, Tangent)]
struct Wave(f64);

#[differentiable]
impl Field<1> for Wave {
    fn at(&self, point: [f64; 1]) -> f64 {
        (self.0 * point[0]).sin()
    }
}

#[differentiable]
impl Field<2> for Wave {
    fn at(&self, point: [f64; 2]) -> f64 {
        (self.0 * point[0]).cos() * point[1]
    }
}

#[differentiable]
fn everywhere<F: Field<2>>(field: &F, x: f64) -> f64 {
    field.at([x, x * x]) * x
}

#[differentiable]
fn fields(a: f64, x: f64) -> f64 {
    Bowl(a).at([x, a]) * everywhere(&Bowl(x), a) + everywhere(&Wave(a), x)
}

judge! {
    discrete(0.3, 0.2);
    fields(0.7, 1.3);
}
