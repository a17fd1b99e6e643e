use coenzyme::Real;

#[coenzyme::differentiable]
pub fn norm<T: Real>(x: &[T]) -> T {
    let mut sum = T::zero();
    for v in x {
        sum += *v * *v;
    }
    sum.sqrt()
}
