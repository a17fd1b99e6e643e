use coenzyme::prelude::*;

#[primitive]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

easy_rule! {
    fn product(x: f64, y: f64) -> z: f64;
    dz/dx = y;
}

easy_rule! {
    fn product(x: f64, y: f64) -> z: f64;
    dz/dx = y;
    dz/dx = y;
    dz/dy = x;
    dw/dt = x;
}

easy_rule! {
    fn product(x: &mut f64, #[constant] y: f64) -> z: f64;
    dz/dx = y;
    dz/dy = x;
}

easy_rule! {
    fn product(x: f64, y: f64) -> f64;
    dz/dx = y;
}

easy_rule! {
    fn product(x: f64, y: f64) -> z: f64;
    dz/dx = y;
    let s = 2.0;
    dz/dy = s;
}

fn main() {}
