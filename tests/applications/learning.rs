//! Learning: layers, losses, optimizers, clusters.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn cross_entropy(logits: &[f64], label: usize) -> f64 {
    let max = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exps: Vec<f64> = logits.iter().map(|&l| (l - max).exp()).collect();
    let sum: f64 = exps.iter().sum();
    -(exps[label] / sum).ln()
}

#[derive(Clone, Debug, Tangent)]
struct Dense {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
}

#[differentiable]
impl Dense {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        self.w
            .iter()
            .zip(&self.b)
            .map(|(row, b)| {
                let z: f64 = row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b;
                z.tanh()
            })
            .collect()
    }
}

#[differentiable]
fn network(layers: &[Dense], input: &[f64]) -> f64 {
    let mut h = input.to_vec();
    for layer in layers {
        h = layer.forward(&h);
    }
    h.iter().sum()
}

fn layers() -> Vec<Dense> {
    vec![
        Dense {
            w: vec![any(2), positive(2), any(2)],
            b: any(3),
        },
        Dense {
            w: vec![any(3), positive(3)],
            b: any(2),
        },
    ]
}

#[derive(Clone, Debug, Tangent)]
struct Adam {
    m: Vec<f64>,
    v: Vec<f64>,
    lr: f64,
}

#[differentiable]
fn adam_step(state: &mut Adam, params: &mut [f64], grads: &[f64], t: i32) {
    let (b1, b2) = (0.9_f64, 0.999_f64);
    let bias1 = 1.0 - b1.powi(t);
    let bias2 = 1.0 - b2.powi(t);
    for (i, p) in params.iter_mut().enumerate() {
        state.m[i] = b1 * state.m[i] + (1.0 - b1) * grads[i];
        state.v[i] = b2 * state.v[i] + (1.0 - b2) * grads[i].powi(2);
        let m_hat = state.m[i] / bias1;
        let v_hat = state.v[i] / bias2;
        *p -= state.lr * m_hat / (v_hat.sqrt() + 1e-8);
    }
}

#[differentiable]
fn adam_zip(m: &mut [f64], v: &mut [f64], params: &mut [f64], grads: &[f64]) {
    for (((p, m), v), g) in params
        .iter_mut()
        .zip(m.iter_mut())
        .zip(v.iter_mut())
        .zip(grads)
    {
        *m = 0.9 * *m + 0.1 * g;
        *v = 0.99 * *v + 0.01 * g * g;
        *p -= 0.1 * *m / (v.sqrt() + 1e-8);
    }
}

#[differentiable]
fn attention(q: &[Vec<f64>], k: &[Vec<f64>], v: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let scale = 1.0 / (q[0].len() as f64).sqrt();
    let mut out = Vec::with_capacity(q.len());
    for qi in q {
        let scores: Vec<f64> = k
            .iter()
            .map(|kj| qi.iter().zip(kj).map(|(a, b)| a * b).sum::<f64>() * scale)
            .collect();
        let max = scores.iter().fold(f64::NEG_INFINITY, |m, &s| m.max(s));
        let weights: Vec<f64> = scores.iter().map(|s| (s - max).exp()).collect();
        let total: f64 = weights.iter().sum();
        let mut row = vec![0.0; v[0].len()];
        for (w, vj) in weights.iter().zip(v) {
            for (r, x) in row.iter_mut().zip(vj) {
                *r += w / total * x;
            }
        }
        out.push(row);
    }
    out
}

#[differentiable]
fn conv2d(image: &[Vec<f64>], kernel: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let (h, w) = (image.len(), image[0].len());
    let (kh, kw) = (kernel.len(), kernel[0].len());
    let mut out = vec![vec![0.0; w - kw + 1]; h - kh + 1];
    for i in 0..=h - kh {
        for j in 0..=w - kw {
            let mut acc = 0.0;
            for (di, krow) in kernel.iter().enumerate() {
                for (dj, &kv) in krow.iter().enumerate() {
                    acc += image[i + di][j + dj] * kv;
                }
            }
            out[i][j] = acc.max(0.0);
        }
    }
    out
}

#[differentiable]
fn inertia(points: &[[f64; 2]], centers: &[[f64; 2]]) -> f64 {
    points
        .iter()
        .map(|p| {
            centers
                .iter()
                .map(|c| (p[0] - c[0]).powi(2) + (p[1] - c[1]).powi(2))
                .fold(f64::INFINITY, f64::min)
        })
        .sum()
}

#[differentiable]
fn inertia_min_by(points: &[[f64; 2]], centers: &[[f64; 2]]) -> f64 {
    let mut total = 0.0;
    for p in points {
        let best = centers
            .iter()
            .map(|c| (p[0] - c[0]).powi(2) + (p[1] - c[1]).powi(2))
            .min_by(|a, b| a.partial_cmp(b).unwrap())
            .unwrap();
        total += best;
    }
    total
}

#[differentiable]
fn loss(pred: &[f64], target: &[f64], weights: &Option<Vec<f64>>) -> f64 {
    let mut total = 0.0;
    for i in 0..pred.len() {
        let d = pred[i] - target[i];
        let w = if let Some(w) = weights { w[i] } else { 1.0 };
        total += w * d * d;
    }
    total
}

judge! {
    cross_entropy(&any(4), 2);
    network(&layers(), &any(2));
    adam_zip(&mut any(3), &mut positive(3), &mut any(3), &any(3));
    attention(&vec![any(2), positive(2)], &vec![positive(2), any(2)], &vec![any(2), positive(2)]);
    conv2d(&vec![any(3), positive(3), any(3)], &vec![positive(2), any(2)]);
    inertia(&vec![[0.1, 0.2], [0.4, -0.3], [1.0, 0.9]], &vec![[0.0, 0.1], [0.7, 0.8]]);
    inertia_min_by(&vec![[0.1, 0.2], [0.4, -0.3], [1.0, 0.9]], &vec![[0.0, 0.1], [0.7, 0.8]]);
    adam_step(&mut Adam { m: any(2), v: positive(2), lr: 0.1 }, &mut any(2), &positive(2), 3);
    loss(&any(2), &positive(2), &Some(any(2))) (&any(2), &positive(2), &None);
}
