//! What `#[store]`, `#[recompute]` and `#[checkpoint]` cannot stand on.

use coenzyme::differentiable;

#[differentiable]
fn an_argument_is_changed(y: &mut [f64], n: usize) {
    #[checkpoint(3)]
    for _ in 0..n {
        y[0] *= y[0];
    }
}

#[differentiable]
fn an_argument_is_changed_later(y: &mut [f64], n: usize) -> f64 {
    let mut s = 1.0;
    #[checkpoint(3)]
    for _ in 0..n {
        s = (s * y[0]).sin();
    }
    y[0] = s;
    s
}

#[differentiable]
fn a_round_asks(x: f64, text: &str) -> Result<f64, std::num::ParseFloatError> {
    let mut s = x;
    #[checkpoint]
    for _ in 0..3 {
        let by: f64 = text.parse()?;
        s *= by;
    }
    Ok(s)
}

#[differentiable]
fn stored_loop(x: f64) -> f64 {
    let mut s = x;
    #[store]
    for _ in 0..3 {
        s *= s;
    }
    s
}

#[differentiable]
fn checkpoint_on_a_sum(x: f64) -> f64 {
    #[checkpoint]
    let s = x * x;
    s
}

#[differentiable]
fn recomputed_call(x: f64) -> f64 {
    #[recompute]
    let s = checkpoint_on_a_sum(x);
    s * s
}

#[differentiable]
fn two_at_once(x: f64) -> f64 {
    #[store]
    #[recompute]
    let s = x.sin();
    s * s
}

#[differentiable]
fn store_with_arguments(x: f64) -> f64 {
    #[store(3)]
    let s = x.sin();
    s * s
}

fn main() {}
