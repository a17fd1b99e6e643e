//! Which of the two derivatives of a complex result is meant, only the caller knows.

use coenzyme::prelude::*;
use num_complex::Complex;

#[differentiable]
fn squared(z: Complex<f64>) -> Complex<f64> {
    z * z
}

fn main() {
    let z = Complex::new(1.0, 2.0);
    let _ = autodiff!(Reverse, squared, Active, Active(z));
    let _ = autodiff!(Reverse, squared, Active(z));
    let thunk = Thunk::<_, Active<Complex<f64>>>::new(squared {});
    let args = &mut (Active(z),);
    let augmented = thunk.augmented(args);
    let _ = thunk.reverse([Complex::new(0.0, 1.0)], augmented.tape, args);
}
