//! Lists that functions return, or that a chain was collected into, gone through where they are made; rows that are repeated.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
#[differentiable]
fn squares(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| x * x).collect()
}
#[differentiable]
fn beside(v: Vec<Vec<f64>>) -> f64 {
    v[0].iter().zip(&v[1]).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn returned(x: &[f64]) -> f64 {
    let jac = [[x[0], x[1], 0.3], [x[2], 0.1, x[0]], [x[1], x[2], 1.0]];
    let det = jac[0]
        .iter()
        .zip(cross(&jac[1], &jac[2]).iter())
        .map(|(a, b)| a * b)
        .sum::<f64>();
    let s = squares(x)
        .iter()
        .zip(squares(&jac[1]).iter())
        .map(|(a, b)| a * b)
        .sum::<f64>();
    let m = squares(x).iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let mut t = 0.0;
    for (i, v) in squares(x).iter().enumerate() {
        t += v * i as f64;
    }
    det * s + m + t + squares(x).into_iter().map(|v| v.sin()).sum::<f64>() + squares(x).len() as f64
}
#[differentiable]
fn by_methods(x: &[f64]) -> f64 {
    let q = beside(x.chunks(3).map(<[f64]>::to_vec).collect());
    let s: Vec<f64> = x.iter().map(f64::clone).collect();
    q + s[1] + x.iter().copied().map(f64::sin).sum::<f64>()
}
#[differentiable]
fn collected(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.to_vec().into_iter().rev() {
        s = s * v + 1.0;
    }
    let doubled = x.iter().map(|v| v * 2.0).collect::<Vec<_>>();
    for (i, v) in doubled.into_iter().enumerate() {
        s = s * v + i as f64;
    }
    for (i, v) in x
        .iter()
        .map(|v| v * v)
        .collect::<Vec<_>>()
        .into_iter()
        .enumerate()
    {
        s = s * v + i as f64;
    }
    let z: Vec<f64> = x
        .iter()
        .map(|v| v + 1.0)
        .collect::<Vec<f64>>()
        .into_iter()
        .rev()
        .collect();
    s * z[0] + x.to_vec().into_iter().fold(1.0, |a: f64, b| a.min(b))
}
#[differentiable]
fn changed_while_it_is_gone_through(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for (i, v) in y
        .iter()
        .map(|v| v * v)
        .collect::<Vec<_>>()
        .into_iter()
        .enumerate()
    {
        y[(i + 1) % 3] += v;
    }
    y[0] * y[1] + y[2]
}
#[differentiable]
fn repeated(x: &[f64], n: usize) -> f64 {
    let a = x.to_vec();
    let mut m: Vec<Vec<f64>> = vec![x.to_vec(); n];
    m[0][1] *= 2.0;
    let z = vec![vec![x[0]; 2]; 2];
    let w = vec![x.iter().map(|v| v * v).collect::<Vec<_>>(); n];
    let rows = vec![a.clone(), a];
    let mut s = z[0][1] * z[1][0] + w[1][2] * w[0][0];
    for (i, r) in rows.iter().enumerate() {
        for v in r {
            s += v * v * (i + 1) as f64;
        }
    }
    s * m[0][1] * m[n - 1][0]
}

judge! {
    returned(&any(3));
    by_methods(&any(6));
    collected(&any(3));
    changed_while_it_is_gone_through(&any(3));
    repeated(&any(3), 3);
}
