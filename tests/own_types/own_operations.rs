//! Methods of own types that have the names of operations on numbers, `fn sin(self) -> Self`, on what operators and other methods give.

use std::ops::{Add, Mul, Neg};

use coenzyme::{Tangent, differentiable};
use num_traits::Float;

use crate::subject::judge;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Jet {
    re: f64,
    eps: f64,
}
#[differentiable]
impl Jet {
    fn var(x: f64) -> Self {
        Self {
            re: x,
            ..Self { re: 0.0, eps: 1.0 }
        }
    }
    fn conj(self) -> Self {
        Self {
            re: self.re,
            eps: -self.eps,
        }
    }
    fn sin(self) -> Self {
        Self {
            re: self.re.sin(),
            eps: self.eps * self.re.cos(),
        }
    }
    fn exp(&self) -> Self {
        Self {
            re: self.re.exp(),
            eps: self.eps * self.re.exp(),
        }
    }
    fn abs(&self) -> f64 {
        (self.re * self.re + self.eps * self.eps).sqrt()
    }
    fn powi(self, n: u32) -> Self {
        let mut s = self;
        for _ in 1..n {
            s = s * self;
        }
        s
    }
    fn max(self, other: Self) -> Self {
        if self.re > other.re { self } else { other }
    }
    fn clamp(self, low: f64, high: f64) -> Self {
        if self.re < low {
            Self { re: low, eps: 0.0 }
        } else if self.re > high {
            Self { re: high, eps: 0.0 }
        } else {
            self
        }
    }
}
#[differentiable]
impl Mul for Jet {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self {
            re: self.re * o.re,
            eps: self.re * o.eps + self.eps * o.re,
        }
    }
}
#[differentiable]
impl Add<f64> for Jet {
    type Output = Self;
    fn add(self, o: f64) -> Self {
        Self {
            re: self.re + o,
            ..self
        }
    }
}
#[differentiable]
impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            re: -self.re,
            eps: -self.eps,
        }
    }
}
#[differentiable]
fn of_results(x: f64, y: f64) -> f64 {
    let d = Jet::var(x);
    let e = (d * d + y).sin() * Jet::var(y).sin() * d.powi(3);
    let g = (-(d * e)).exp() * d.conj().sin();
    e.re + e.eps * y + g.eps * g.re + (d * g).abs() + d.conj().abs()
}
#[differentiable]
fn of_two(x: f64, y: f64) -> f64 {
    let d = Jet::var(x * y);
    let m = (d * d).max(d.conj()).max(Jet::var(y).clamp(0.2, 0.8));
    let c = d.conj().clamp(x * 0.1, 2.0 * y);
    m.re * m.eps + c.re * c.eps
}
#[differentiable]
fn in_a_chain(x: &[f64]) -> f64 {
    let jets: Vec<Jet> = x.iter().map(|v| Jet::var(*v).conj()).collect();
    jets.iter().map(|j| (*j * *j).sin().abs()).sum::<f64>()
        + jets.iter().map(|j| j.exp().eps).fold(0.0, f64::max)
}
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Dual<T> {
    re: T,
    eps: T,
}
#[differentiable]
impl<T: Float> Dual<T> {
    fn new(re: T, eps: T) -> Self {
        Self { re, eps }
    }
    fn sin(self) -> Self {
        Self {
            re: self.re.sin(),
            eps: self.eps * self.re.cos(),
        }
    }
    fn sqrt(&self) -> Self {
        let r = self.re.sqrt();
        Self {
            re: r,
            eps: self.eps / (r + r),
        }
    }
    fn powi(self, n: i32) -> Self {
        Self {
            re: self.re.powi(n),
            eps: self.eps * self.re.powi(n - 1),
        }
    }
}
#[differentiable]
impl<T: Float> Mul for Dual<T> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self {
            re: self.re * o.re,
            eps: self.re * o.eps + self.eps * o.re,
        }
    }
}
#[differentiable]
fn of_generic_types(x: f64, y: f64) -> f64 {
    let d = Dual::new(x, y);
    let e = (d * d).sin() * (d * d).sqrt() * d.powi(2);
    e.re * e.eps
}

judge! { of_results(0.9, 1.1); of_two(0.9, 1.1) (0.3, 0.4); in_a_chain(&[0.3, -0.8]);
of_generic_types(0.9, 1.1); }
