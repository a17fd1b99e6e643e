//! Methods that change their receivers, called on what is made there.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};
#[derive(Clone, Debug, Tangent)]
struct Vm {
    s: f64,
}
#[differentiable]
impl Vm {
    fn new(s: f64) -> Vm {
        Vm { s }
    }
    fn run(&mut self, k: f64) -> Result<f64, String> {
        if k < 0.0 {
            return Err("no".to_string());
        }
        self.s *= k;
        Ok(self.s * k)
    }
    fn go(&mut self, k: f64) -> f64 {
        self.s *= k;
        self.s * k
    }
}
#[differentiable]
fn a(x: f64, y: f64) -> f64 {
    Vm::new(x).go(y) * y
}
#[differentiable]
fn b(x: f64, y: f64) -> f64 {
    let r = Vm::new(x).run(y).unwrap();
    r * x
}
#[differentiable]
fn c(x: f64, y: f64) -> f64 {
    match Vm::new(x).run(y) {
        Ok(v) => v * x,
        Err(_) => 0.0,
    }
}
#[differentiable]
fn d(x: f64, y: f64) -> f64 {
    if let Ok(v) = (Vm { s: x * y }).run(y) {
        v * x
    } else {
        1.0
    }
}
#[differentiable]
fn e(x: f64, y: f64) -> Result<f64, String> {
    let v = Vm::new(x).run(y)?;
    Ok(v * y)
}
#[differentiable]
fn g(x: f64, y: f64) -> f64 {
    e(x, y).unwrap_or(0.0) + Vm::new(x).run(y).unwrap_or(0.0) + Vm { s: y }.go(x)
}
#[differentiable]
fn h(x: f64, y: f64) -> f64 {
    let v = Vm::new(x);
    let Ok(z) = v.clone().run(y) else { return 0.0 };
    z * v.s
}
judge! { a(0.9, 1.1); b(0.9, 1.1); c(0.9, 1.1); d(0.9, 1.1); g(0.9, 1.1); h(0.9, 1.1); }
