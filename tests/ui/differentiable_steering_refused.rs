//! What `#[store]`, `#[recompute]` and `#[checkpoint]` cannot stand on.

use coenzyme::differentiable;

#[differentiable]
fn left_early(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint]
    for _ in 0..n {
        s *= s;
        if s > 2.0 {
            break;
        }
    }
    s
}

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
fn fails(x: f64) -> Result<f64, String> {
    Ok(x * x)
}

#[differentiable]
fn a_round_may_fail(x: f64, n: usize) -> Result<f64, String> {
    let mut s = x;
    #[checkpoint]
    for _ in 0..n {
        s = fails(s)?;
    }
    Ok(s)
}

#[differentiable]
fn on_a_while_loop(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint]
    while s < 10.0 {
        s *= s;
    }
    s
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
