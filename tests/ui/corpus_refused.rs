//! Functions of the corpus (`tests/corpus`) that the compiler does not accept, and what it says of them.

use coenzyme::differentiable;

// refused: the elements of `successors` do not come from memory
#[differentiable]
pub fn newton_sqrt(a: f64) -> Option<f64> {
    std::iter::successors(Some(0.5 * (a + 1.0)), |x| Some(0.5 * (x + a / x)))
        .take(8)
        .last()
}

fn main() {}
