mod count;
mod inner;

pub use count::count;
pub use inner::inner;

#[coenzyme::differentiable]
pub fn deep(x: f64) -> f64 {
    inner(x) * 3.0
}

#[coenzyme::differentiable]
pub fn counted(x: f64) -> f64 {
    count(x) as f64 * 2.0
}
