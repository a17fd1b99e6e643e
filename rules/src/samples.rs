//! Arrays for tests.

use ndarray::{Array, ShapeBuilder};

/// Numbers between −1 and 1, other ones for each seed: multiples of the golden ratio.
pub(crate) fn samples<S: ShapeBuilder>(seed: u32, shape: S) -> Array<f64, S::Dim> {
    let mut at = (f64::from(seed) * 0.317).fract();
    Array::from_shape_simple_fn(shape, || {
        at = (at + 0.618_033_988_749_894_9).fract();
        2.0 * at - 1.0
    })
}
