//! Elements that a chain chooses, `let (i, &v) = ….enumerate().min_by(…).unwrap()`, bound by patterns.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn greedy(cost: &[Vec<f64>], k: f64) -> f64 {
    let mut free: Vec<usize> = (0..cost.len()).collect();
    let mut total = 0.0;
    for row in cost {
        let (pos, &col) = free
            .iter()
            .enumerate()
            .min_by(|a, b| row[*a.1].partial_cmp(&row[*b.1]).unwrap())
            .unwrap();
        total += row[col] * row[col] * k;
        free.remove(pos);
    }
    total
}
#[differentiable]
fn nearest(x: &[f64], y: &[f64], k: f64) -> f64 {
    let (i, best) = x
        .iter()
        .enumerate()
        .max_by(|a, b| (a.1 * k).total_cmp(&(b.1 * k)))
        .unwrap();
    let (a, &b) = x
        .iter()
        .zip(y)
        .min_by(|p, q| (p.0 * p.1).total_cmp(&(q.0 * q.1)))
        .unwrap();
    let (c, d) = x.iter().zip(y.iter().copied()).last().unwrap();
    let (j, mut e) = y.iter().copied().enumerate().nth(1).unwrap();
    e *= k;
    let &f = x.iter().find(|v| **v > 0.5).unwrap();
    best * y[i] + a * b * k + c * d + e * j as f64 + f * f
}
#[differentiable]
fn sorted_out(x: &[f64]) -> f64 {
    let (i, (a, b)) = x
        .windows(2)
        .map(|w| (w[0], w[1] * w[0]))
        .enumerate()
        .max_by(|p, q| p.1.1.total_cmp(&q.1.1))
        .unwrap();
    a * b * (i + 1) as f64
}
judge! {
    greedy(&[vec![0.3, 0.9, 0.4], vec![0.2, 0.8, 0.1], vec![0.7, 0.6, 0.5]], 1.2);
    nearest(&[0.3, 0.9, 0.7], &[1.1, 0.4, 0.8], 1.3);
    sorted_out(&[0.3, 0.9, 0.7, 1.4]);
}
