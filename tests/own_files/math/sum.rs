#[coenzyme::differentiable]
pub fn sum(a: f64, b: f64) -> f64 {
    a + b
}
