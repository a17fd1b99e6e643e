//! A replicated value may not meet a rank's own data before `vary`.

use coenzyme_collective::typed::{Replicated, local};

fn misuse(w: &Replicated<Vec<f64>>, x: f64) -> f64 {
    local(w)[0] * x
}

fn main() {}
