//! Signatures that `#[differentiable]` refuses.

use coenzyme::differentiable;

#[differentiable]
async fn asynchronous(x: f64) -> f64 {
    x
}

#[differentiable]
unsafe fn not_safe(x: f64) -> f64 {
    x
}

#[differentiable]
fn implicit(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiable]
fn returns_a_reference(x: &[f64]) -> &f64 {
    &x[0]
}

struct Scale(f64);

impl Scale {
    #[differentiable]
    fn apply(&self, x: f64) -> f64 {
        self.0 * x
    }
}

#[differentiable]
struct NotAFunction;

#[differentiable(fast)]
fn unknown_option(x: f64) -> f64 {
    x
}

fn main() {}
