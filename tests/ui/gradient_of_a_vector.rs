use coenzyme::prelude::*;

#[primitive]
fn twice(x: f64) -> Vec<f64> {
    vec![x, x]
}

easy_rule! {
    fn twice(x: f64) -> y: Vec<f64>;
    dy/dx = vec![1.0, 1.0];
}

fn main() {
    gradient!(twice, 1.0);
}
