use coenzyme::prelude::*;

fn square(x: f64) -> f64 {
    x * x
}

fn main() {
    autodiff!(Forward, square, Duplicated(2.0, 1.0));
}
