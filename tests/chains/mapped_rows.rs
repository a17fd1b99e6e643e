//! `map` of rows that are fixed arrays: the type of what they are rows of tells.

use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn lent(rates: &[[f64; 3]], k: f64) -> f64 {
    let mut sum = 0.0;
    for r in rates {
        let w = r.map(|x| x - k);
        let n = w.iter().map(|x| x * x).sum::<f64>().sqrt();
        sum += w.map(|x| x / n)[1];
    }
    sum
}
#[differentiable]
fn copied(rates: &[[f64; 3]], k: f64) -> f64 {
    let mut sum = 0.0;
    for &r in rates {
        let [a, b, _] = r.map(|x| x * x - k);
        sum += a * b;
    }
    sum
}
#[differentiable]
fn by_index(rates: &[[f64; 3]], k: f64) -> f64 {
    let w = rates[0].map(|x| x - k);
    let v: [f64; 3] = rates[1].map(f64::sin);
    w[0] * v[1]
}
#[differentiable]
fn in_a_chain(rates: &[[f64; 3]], k: f64) -> f64 {
    let lengths = rates.iter().map(|r| {
        let w = r.map(|x| x - k);
        w[0] * w[1] + w[2]
    });
    lengths.sum()
}
#[differentiable]
fn of_a_vector(rates: &Vec<[f64; 2]>, k: f64) -> f64 {
    let scaled: Vec<[f64; 2]> = rates.iter().map(|r| r.map(|x| x * k)).collect();
    scaled.iter().map(|[a, b]| a * b).sum()
}

judge! {
    lent(&[[0.1, 0.5, 0.9], [0.2, 1.1, 0.4]], 0.7);
    copied(&[[0.1, 0.5, 0.9], [0.2, 1.1, 0.4]], 0.7);
    by_index(&[[0.1, 0.5, 0.9], [0.2, 1.1, 0.4]], 0.7);
    in_a_chain(&[[0.1, 0.5, 0.9], [0.2, 1.1, 0.4]], 0.7);
    of_a_vector(&vec![[0.1, 0.5], [0.2, 1.1]], 0.7);
}
