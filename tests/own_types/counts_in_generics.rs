//! Numbers of a type parameter that are made of counts in fields.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

/// Statistics generic over a float trait
use coenzyme::Real;
#[derive(Clone, Debug, Tangent)]
struct Moments<T> {
    n: usize,
    mean: T,
    m2: T,
    m3: T,
}
#[differentiable]
impl<T: Real> Moments<T> {
    fn new() -> Self {
        Moments {
            n: 0,
            mean: T::zero(),
            m2: T::zero(),
            m3: T::zero(),
        }
    }
    fn push(&mut self, x: T) {
        let n1 = T::from(self.n).unwrap();
        self.n += 1;
        let n = T::from(self.n).unwrap();
        let delta = x - self.mean;
        let dn = delta / n;
        let term = delta * dn * n1;
        self.mean = self.mean + dn;
        self.m3 = self.m3 + term * dn * (n - T::from(2.0).unwrap())
            - T::from(3.0).unwrap() * dn * self.m2;
        self.m2 = self.m2 + term;
    }
    fn variance(&self) -> Option<T> {
        if self.n < 2 {
            None
        } else {
            Some(self.m2 / T::from(self.n - 1).unwrap())
        }
    }
    fn skewness(&self) -> T {
        T::from(self.n).unwrap().sqrt() * self.m3 / (self.m2 * self.m2 * self.m2).sqrt()
    }
}
#[differentiable]
fn describe(a: f64, b: f64, c: f64) -> f64 {
    let mut m = Moments::new();
    for x in [a, b, c, a * b, b - c] {
        m.push(x);
    }
    m.variance().unwrap_or(0.0) + m.skewness() * m.mean
}
judge! { describe(0.9, 1.7, -0.4); }
