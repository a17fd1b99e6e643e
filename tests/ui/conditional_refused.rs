//! Conditions that are not seen, or too many.

use coenzyme::prelude::*;

#[differentiable]
fn in_a_macro(x: f64) -> f64 {
    let v = vec![
        x,
        #[cfg(test)]
        1.0,
    ];
    v[0]
}

#[differentiable]
fn of_many(x: f64) -> f64 {
    #[cfg(unix)]
    let x = x * x;
    #[cfg(windows)]
    let x = x * 2.0;
    #[cfg(test)]
    let x = x * 3.0;
    #[cfg(debug_assertions)]
    let x = x * 4.0;
    #[cfg(target_pointer_width = "64")]
    let x = x * 5.0;
    x
}

fn main() {}
