//! Layers, losses, optimizers, as they are written without a framework.

use coenzyme::{Tangent, differentiable};
use num_traits::Float;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    Relu,
    Tanh,
    Sigmoid,
    LeakyRelu,
}

#[differentiable]
pub fn sigmoid<T: Float>(x: T) -> T {
    T::one() / (T::one() + (-x).exp())
}

#[differentiable]
pub fn gelu(x: f64) -> f64 {
    0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh())
}

#[differentiable]
fn activate(x: f64, #[constant] by: Activation) -> f64 {
    match by {
        Activation::Relu => x.max(0.0),
        Activation::Tanh => x.tanh(),
        Activation::Sigmoid => sigmoid(x),
        Activation::LeakyRelu => {
            if x > 0.0 {
                x
            } else {
                0.01 * x
            }
        }
    }
}

#[derive(Debug, Clone, Tangent)]
pub struct Dense {
    pub weights: Vec<Vec<f64>>,
    pub bias: Vec<f64>,
}

#[differentiable]
impl Dense {
    pub fn forward(&self, input: &[f64]) -> Vec<f64> {
        self.weights
            .iter()
            .zip(&self.bias)
            .map(|(row, b)| row.iter().zip(input).map(|(w, x)| w * x).sum::<f64>() + b)
            .collect()
    }
}

#[derive(Debug, Clone, Tangent)]
pub struct Mlp {
    pub layers: Vec<Dense>,
}

#[differentiable]
impl Mlp {
    pub fn predict(&self, x: &[f64]) -> Vec<f64> {
        let mut h = x.to_vec();
        for (i, layer) in self.layers.iter().enumerate() {
            h = layer.forward(&h);
            if i + 1 < self.layers.len() {
                for v in h.iter_mut() {
                    *v = v.tanh();
                }
            }
        }
        h
    }
}

#[differentiable]
pub fn mlp_loss(net: &Mlp, inputs: &[Vec<f64>], targets: &[f64]) -> f64 {
    let mut loss = 0.0;
    for (x, t) in inputs.iter().zip(targets) {
        let y = net.predict(x);
        loss += (y[0] - t).powi(2);
    }
    loss / inputs.len() as f64
}

#[differentiable]
pub fn softmax(x: &[f64]) -> Vec<f64> {
    let max = x
        .iter()
        .fold(f64::NEG_INFINITY, |m, &v| if v > m { v } else { m });
    let exps: Vec<f64> = x.iter().map(|v| (v - max).exp()).collect();
    let sum: f64 = exps.iter().sum();
    exps.into_iter().map(|e| e / sum).collect()
}

#[differentiable]
pub fn softmax_in_place<T: Float + std::iter::Sum>(x: &mut [T]) {
    let max = x.iter().copied().fold(T::neg_infinity(), T::max);
    for v in x.iter_mut() {
        *v = (*v - max).exp();
    }
    let sum: T = x.iter().copied().sum();
    for v in x {
        *v = *v / sum;
    }
}

#[differentiable]
pub fn cross_entropy(logits: &[f64], label: usize) -> Option<f64> {
    let p = softmax(logits);
    p.get(label).map(|p| -p.ln())
}

#[differentiable]
pub fn mse(y: &[f64], t: &[f64]) -> Result<f64, String> {
    if y.len() != t.len() {
        return Err(format!("{} predictions, {} targets", y.len(), t.len()));
    }
    Ok(y.iter().zip(t).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / y.len() as f64)
}

#[differentiable]
pub fn rmse(y: &[f64], t: &[f64]) -> Result<f64, String> {
    mse(y, t).map(|e| e.sqrt())
}

#[differentiable]
pub fn regularized(y: &[f64], t: &[f64], w: &[f64], lambda: f64) -> Result<f64, String> {
    let penalty: f64 = w.iter().map(|w| w.powi(2)).sum();
    mse(y, t)
        .map(|e| e + 0.5 * lambda * penalty)
        .map_err(|e| format!("loss: {e}"))
}

#[differentiable]
pub fn huber<T: Float>(r: T, delta: T) -> T {
    let half = T::from(0.5).unwrap();
    if r.abs() <= delta {
        half * r * r
    } else {
        delta * (r.abs() - half * delta)
    }
}

#[differentiable]
pub fn layer_norm(x: &mut [f64], gain: &[f64], bias: &[f64]) {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let var = x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
    let inv = 1.0 / (var + 1e-5).sqrt();
    for ((v, g), b) in x.iter_mut().zip(gain.iter()).zip(bias.iter()) {
        *v = (*v - mean) * inv * g + b;
    }
}

#[differentiable]
pub fn conv1d(signal: &[f64], kernel: &[f64]) -> Vec<f64> {
    signal
        .windows(kernel.len())
        .map(|w| w.iter().zip(kernel.iter()).map(|(a, b)| a * b).sum())
        .collect()
}

#[differentiable]
pub fn attention(q: &[f64], keys: &[Vec<f64>], values: &[Vec<f64>]) -> Vec<f64> {
    let scale = 1.0 / (q.len() as f64).sqrt();
    let scores: Vec<f64> = keys
        .iter()
        .map(|k| k.iter().zip(q).map(|(a, b)| a * b).sum::<f64>() * scale)
        .collect();
    let weights = softmax(&scores);
    let mut out = vec![0.0; values[0].len()];
    for (w, v) in weights.iter().zip(values) {
        for (o, x) in out.iter_mut().zip(v) {
            *o += w * x;
        }
    }
    out
}

#[derive(Debug, Clone, Tangent)]
pub struct Lstm {
    pub w: [[f64; 2]; 4],
    pub b: [f64; 4],
}

#[differentiable]
impl Lstm {
    fn step(&self, (h, c): (f64, f64), x: f64) -> (f64, f64) {
        let gate = |k: usize| self.w[k][0] * x + self.w[k][1] * h + self.b[k];
        let i = sigmoid(gate(0));
        let f = sigmoid(gate(1));
        let o = sigmoid(gate(2));
        let g = gate(3).tanh();
        let c = f * c + i * g;
        (o * c.tanh(), c)
    }
}

#[differentiable]
pub fn lstm_last(cell: &Lstm, xs: &[f64]) -> f64 {
    let mut state = (0.0, 0.0);
    for &x in xs {
        state = cell.step(state, x);
    }
    state.0
}

#[differentiable]
pub fn activated_sum(xs: &[f64], #[constant] by: Activation) -> f64 {
    xs.iter().map(|&x| activate(x, by)).sum()
}

#[differentiable]
pub fn sigmoid_sum(xs: &[f64]) -> f64 {
    activated_sum(xs, Activation::Sigmoid)
}

#[differentiable]
pub fn max_pool(x: &[f64], size: usize) -> Vec<f64> {
    x.chunks(size)
        .map(|c| c.iter().copied().fold(f64::MIN, f64::max))
        .collect()
}

#[differentiable]
pub fn cosine_similarity(a: &[f64], b: &[f64]) -> Option<f64> {
    let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let (na, nb) = (
        a.iter().map(|x| x * x).sum::<f64>().sqrt(),
        b.iter().map(|x| x * x).sum::<f64>().sqrt(),
    );
    if na == 0.0 || nb == 0.0 {
        None
    } else {
        Some(dot / (na * nb))
    }
}

#[differentiable]
pub fn momentum_step(w: &mut [f64], v: &mut [f64], g: &[f64], lr: f64, beta: f64) {
    for i in 0..w.len() {
        v[i] = beta * v[i] + (1.0 - beta) * g[i];
        w[i] -= lr * v[i];
    }
}

fn net() -> Mlp {
    Mlp {
        layers: vec![
            Dense {
                weights: vec![vec![0.3, -0.5], vec![0.8, 0.1], vec![-0.4, 0.6]],
                bias: vec![0.1, -0.2, 0.05],
            },
            Dense {
                weights: vec![vec![0.7, -0.3, 0.2]],
                bias: vec![0.4],
            },
        ],
    }
}
fn cell() -> Lstm {
    Lstm {
        w: [[0.3, -0.5], [0.8, 0.1], [-0.4, 0.6], [0.2, 0.9]],
        b: [0.1, 0.3, -0.2, 0.4],
    }
}

crate::subject::judge! {
    sigmoid(0.4);
    gelu(0.4);
    mlp_loss(&net(), &vec![vec![0.3, 0.7], vec![-0.2, 1.1]], &[0.4, 0.9]);
    softmax(&[0.3, 1.2, -0.4]);
    softmax_in_place(&mut [0.3, 1.2, -0.4]);
    cross_entropy(&[0.3, 1.2, -0.4], 1);
    mse(&[0.3, 1.2], &[0.5, 0.9]);
    rmse(&[0.3, 1.2], &[0.5, 0.9]);
    regularized(&[0.3, 1.2], &[0.5, 0.9], &[0.4, -0.7], 0.1);
    huber(0.4, 1.0)(1.7, 1.0)(-1.7, 1.0);
    layer_norm(&mut [0.3, 1.2, -0.4], &[1.1, 0.9, 1.3], &[0.0, 0.2, 0.1]);
    conv1d(&[0.3, 1.2, -0.4, 0.8], &[0.5, -0.2]);
    attention(&[0.3, 0.6], &vec![vec![0.1, 0.8], vec![-0.4, 0.2]], &vec![vec![0.5, 0.3], vec![0.9, -0.1]]);
    lstm_last(&cell(), &[0.3, 1.2, -0.4]);
    sigmoid_sum(&[0.3, -1.2, 0.4]);
    max_pool(&[0.3, 1.2, -0.4, 0.8, 0.1], 2);
    cosine_similarity(&[0.3, 1.2], &[0.5, 0.9]);
    momentum_step(&mut [0.3, 1.2], &mut [0.1, 0.2], &[0.5, 0.9], 0.1, 0.9);
}
