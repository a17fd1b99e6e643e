//! Signatures that `#[differentiable]` refuses.

use coenzyme::{Real, differentiable, inactive};

#[differentiable]
async fn asynchronous(x: f64) -> f64 {
    x
}

#[differentiable]
unsafe fn not_safe(x: f64) -> f64 {
    x
}

#[differentiable]
fn implicit(f: impl AsRef<[f64]>, x: f64) -> f64 {
    x
}

#[differentiable]
fn returns_a_reference(x: &mut [f64]) -> &mut f64 {
    &mut x[0]
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

#[differentiable]
fn passed_in<F: Fn(f64) -> f64>(#[constant] f: &F, x: f64) -> f64 {
    f(x)
}

#[inactive]
fn type_from_nowhere<T: Real>(n: usize) -> Vec<T> {
    vec![T::zero(); n]
}

#[differentiable]
fn case_from_nowhere<const N: bool>(x: f64) -> f64 {
    x * N as u8 as f64
}

trait Field: Real {
    type Part: Real;
}

#[differentiable]
fn of_a_part<N: Field, F: Fn(N::Part) -> N>(f: F, x: N::Part) -> N {
    f(x)
}

fn main() {}
