//! What has no numbers by which a loop with a derivative could go through it, backwards too.

use coenzyme::prelude::*;

#[inactive]
fn neighbours(i: usize) -> impl Iterator<Item = usize> {
    i..i + 2
}

/// Whether it ends is known to nobody.
struct Doubled(u64);

impl Iterator for Doubled {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0 *= 2;
        Some(self.0)
    }
}

#[differentiable]
fn weighted(x: &[f64]) -> f64 {
    Doubled(1).zip(x).map(|(w, x)| w as f64 * x).sum()
}

fn main() {}
