use coenzyme::differentiable;

#[differentiable]
fn squares(x: &[f64], ids: &[Option<usize>]) -> f64 {
    ids.iter().flatten().map(|&k| x[k] * x[k]).sum()
}

#[differentiable]
fn in_a_loop(x: &[f64], ids: Vec<Option<usize>>, by: f64) -> f64 {
    let mut sum = 0.0;
    for k in ids.iter().copied().flatten() {
        sum += x[k] * by;
    }
    sum
}

fn main() {}
