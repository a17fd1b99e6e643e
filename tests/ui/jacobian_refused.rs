//! Calls of `jacobian!`, `jvp!` and `vjp!` in which something is missing.

use coenzyme::prelude::*;
use coenzyme::{jacobian, jvp, vjp};

#[differentiable]
fn scaled(x: &[f64], k: f64) -> Vec<f64> {
    x.iter().map(|x| k * x).collect()
}

struct Table(Vec<f64>);

#[differentiable]
fn looked_up(#[constant] table: &mut Table, x: f64) -> f64 {
    table.0[0] * x
}

fn main() {
    let x = [1.0, 2.0];
    jacobian!(scaled);
    jvp!(scaled, &x);
    jvp!(scaled, &x, &x, 2.0);
    vjp!(scaled, &x);
    vjp!(scaled);
    jacobian!(looked_up, Const(&mut Table(vec![])), 1.0);
}
