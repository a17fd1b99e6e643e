#[coenzyme::inactive]
pub fn count(x: f64) -> usize {
    x.floor() as usize
}
