//! Functions that are given to drivers, and not marked.

use coenzyme::prelude::*;

fn square(x: f64) -> f64 {
    x * x
}

fn main() {
    let _ = gradient!(square, 3.0);
    let _ = autodiff!(Reverse, square, Active, Active(3.0));
    let _ = autodiff!(Forward, square, Duplicated(3.0, 1.0));
}
