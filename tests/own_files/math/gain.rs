#[coenzyme::differentiable]
pub fn gain(x: f64) -> f64 {
    x * x * super::deep::deep(x)
}
