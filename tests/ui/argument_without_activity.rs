use coenzyme::prelude::*;

#[primitive]
fn square(x: f64) -> f64 {
    x * x
}

easy_rule! {
    fn square(x: f64) -> y: f64;
    dy/dx = 2.0 * x;
}

fn main() {
    autodiff!(Forward, square, 2.0);
}
