//! Methods that have the names of operations and are none: they lend their receivers, or give options, lists and tuples.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Tangent)]
struct Turn {
    a: f64,
    k: Vec<f64>,
}
#[differentiable]
impl Turn {
    fn exp(self) -> f64 {
        self.a.exp() * self.k[0]
    }
    fn sin(&self) -> f64 {
        self.a.sin() * self.k[1]
    }
    fn max(&self, o: f64) -> f64 {
        if self.a > o { self.a } else { o * o }
    }
    fn powi(&self, n: i32) -> f64 {
        self.a.powi(n)
    }
    fn sqrt(&self) -> Option<f64> {
        if self.a > 0.0 {
            Some(self.a.sqrt())
        } else {
            None
        }
    }
    fn ln(&self) -> Result<f64, String> {
        if self.a > 0.0 {
            Ok(self.a.ln())
        } else {
            Err("neg".into())
        }
    }
    fn abs(&mut self) {
        self.a = self.a.abs() * 2.0;
    }
    fn tanh(&self) -> Vec<f64> {
        self.k.iter().map(|k| k.tanh() * self.a).collect()
    }
    fn cos(&self) -> (f64, f64) {
        (self.a.cos(), self.k[0])
    }
}

#[differentiable]
fn turned(x: f64, y: f64) -> f64 {
    let mut r = Turn {
        a: x,
        k: vec![y, x * y],
    };
    let s = r.sin() + r.max(y) * r.powi(3);
    r.abs();
    let t = r.tanh();
    let c = r.cos();
    s * t[0] * t[1] + c.0 * c.1 + r.exp()
}

judge! { turned(0.9, 0.4); }
