use coenzyme::prelude::*;

#[primitive]
fn cube(x: f64) -> f64 {
    x * x * x
}

fn main() {
    autodiff!(Forward, cube, Duplicated(2.0, 1.0));
}
