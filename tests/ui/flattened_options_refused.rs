use coenzyme::differentiable;

#[differentiable]
fn squares(readings: &[Option<f64>]) -> f64 {
    readings.iter().flatten().map(|r| r * r).sum()
}

#[differentiable]
fn in_a_loop(readings: Vec<Option<f64>>, by: f64) -> f64 {
    let mut sum = 0.0;
    for r in readings.iter().copied().flatten() {
        sum += r * by;
    }
    sum
}

fn main() {}
