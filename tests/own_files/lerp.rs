use coenzyme::differentiable;

#[differentiable]
pub fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

#[differentiable]
pub fn twice(a: f64) -> f64 {
    lerp(a, a * a, 0.5) * 2.0
}
