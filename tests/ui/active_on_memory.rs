use coenzyme::prelude::*;

#[primitive]
fn scale(x: &[f64], by: f64) -> f64 {
    x.iter().sum::<f64>() * by
}

easy_rule! {
    fn scale(x: &[f64], by: f64) -> y: f64;
    dy/dx = vec![by; x.len()];
    dy/dby = x.iter().sum::<f64>();
}

fn main() {
    let x = [1.0, 2.0];
    autodiff!(Reverse, scale, Active, Active(&x), Active(2.0));
}
