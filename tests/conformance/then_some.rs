//! Conditions that give values, `c.then_some(x)`, and slices that patterns take apart where a branch gives an entry.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn some_of_them(x: &[f64]) -> f64 {
    let kept: Vec<Option<f64>> = x
        .iter()
        .enumerate()
        .map(|(i, &v)| (i % 3 != 1).then_some(v))
        .collect();
    kept.iter().flatten().map(|z| z * z).sum()
}

#[differentiable]
fn entry_of_a_slice(x: &[f64]) -> f64 {
    let v = x.to_vec();
    match v.as_slice() {
        [a, b, ..] => {
            if *a > 0.0 {
                *b
            } else {
                a * b
            }
        }
        _ => 0.0,
    }
}

#[differentiable]
fn entries_of_slices(x: &[f64]) -> f64 {
    entry_of_a_slice(x)
        + entry_of_a_slice(&[x[0].exp(), x[1]]) * entry_of_a_slice(&[-x[0].exp(), x[1], x[2]])
}

judge! {
    some_of_them(&any(4)); entries_of_slices(&any(3));
}
