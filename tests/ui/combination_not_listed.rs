use coenzyme::prelude::*;

#[differentiable(combinations(Reverse(Active, Const)))]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

fn main() {
    let _ = gradient!(product, 2.0_f64, 3.0_f64);
}
