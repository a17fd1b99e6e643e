//! Lists and numbers that `mem::take` and `mem::replace` take out, and that go elsewhere.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn logged(x: &[f64]) -> f64 {
    let mut now = x.to_vec();
    let mut log = Vec::new();
    for _ in 0..2 {
        let before = std::mem::take(&mut now);
        now = before.iter().map(|w| w * w).collect();
        log.push(before);
    }
    log[1][0] * now[1]
}

#[differentiable]
fn replaced(x: &[f64], n: usize) -> f64 {
    let mut now = x.to_vec();
    let mut log: Vec<Vec<f64>> = Vec::new();
    for _ in 0..n {
        let next: Vec<f64> = now.iter().map(|v| v.sin() * v).collect();
        let before = std::mem::replace(&mut now, next);
        log.push(before);
    }
    let pairs = log.iter().zip(&log[1..]);
    pairs.map(|(a, b)| a[0] * b[1]).sum::<f64>() + now[0]
}

#[differentiable]
fn of_numbers(x: &[f64]) -> f64 {
    let mut sum = 0.5;
    let mut sums = Vec::new();
    for v in x {
        sum += v * v;
        if *v > 0.0 {
            let done = std::mem::take(&mut sum);
            sums.push(done * v);
        }
    }
    sums.iter().sum::<f64>() * sum
}

judge! {
    logged(&any(3));
    replaced(&any(3), 3);
    of_numbers(&any(5));
}
