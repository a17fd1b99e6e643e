//! What has no numbers by which a loop with a derivative could go through it, backwards too.

use std::collections::BTreeMap;

use coenzyme::prelude::*;

#[inactive]
fn neighbours(i: usize) -> impl Iterator<Item = usize> {
    i..i + 2
}

#[differentiable]
fn weighted(x: &[f64], n: usize) -> f64 {
    let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
    weights.insert(n, 2.0);
    let mut sum = 0.0;
    for (i, w) in &weights {
        sum += w * x[*i];
    }
    sum
}

fn main() {}
