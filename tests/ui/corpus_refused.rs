//! Functions of the corpus (`tests/corpus`) that the compiler does not accept, and what it says of them.

use std::collections::HashMap;

use coenzyme::differentiable;

// refused: what a map holds has a key, and no place that a derivative could follow
#[differentiable]
pub fn energy_by_site(sites: &[usize], x: &[f64]) -> f64 {
    let mut sums: HashMap<usize, f64> = HashMap::new();
    for (site, v) in sites.iter().zip(x) {
        *sums.entry(*site).or_insert(0.0) += v;
    }
    sums.values().map(|s| s * s).sum()
}

fn main() {}
