use coenzyme::differentiable;

#[differentiable]
pub fn product(x: &[f64]) -> f64 {
    x[0] * x[1]
}
