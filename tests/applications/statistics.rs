//! Statistics: moments, likelihoods, filters, dynamic programs.

use std::f64::consts::TAU;

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn log_sum_exp(x: &[f64]) -> f64 {
    let m = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    m + x.iter().map(|v| (v - m).exp()).sum::<f64>().ln()
}

#[differentiable]
fn softmax(x: &[f64]) -> Vec<f64> {
    let max = x.iter().cloned().fold(f64::NEG_INFINITY, |a, b| a.max(b));
    let e: Vec<f64> = x.iter().map(|v| (v - max).exp()).collect();
    let total: f64 = e.iter().sum();
    e.iter().map(|v| v / total).collect()
}

#[differentiable]
fn softmax_in_place(x: &mut [f64]) {
    let max = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for v in x.iter_mut() {
        *v = (*v - max).exp();
        sum += *v;
    }
    for v in x.iter_mut() {
        *v /= sum;
    }
}

#[differentiable]
fn variance(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)
}

#[differentiable]
fn welford(x: &[f64]) -> (f64, f64) {
    let mut count = 0.0;
    let mut mean = 0.0;
    let mut m2 = 0.0;
    for &v in x.iter() {
        count += 1.0;
        let delta = v - mean;
        mean += delta / count;
        m2 += delta * (v - mean);
    }
    (mean, m2 / count)
}

#[differentiable]
fn compensated(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut c = 0.0;
    for i in 0..x.len() {
        let y = x[i] * x[i] - c;
        let t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    sum
}

#[differentiable]
fn levenshtein_soft(a: &[f64], b: &[f64]) -> f64 {
    let (n, m) = (a.len(), b.len());
    let mut d = vec![vec![0.0; m + 1]; n + 1];
    for i in 1..=n {
        d[i][0] = i as f64;
    }
    for j in 1..=m {
        d[0][j] = j as f64;
    }
    for i in 1..=n {
        for j in 1..=m {
            let cost = (a[i - 1] - b[j - 1]).abs();
            let best = (d[i - 1][j] + 1.0)
                .min(d[i][j - 1] + 1.0)
                .min(d[i - 1][j - 1] + cost);
            d[i][j] = best;
        }
    }
    d[n][m]
}

#[differentiable]
fn viterbi_score(scores: &[Vec<f64>], transition: &[f64]) -> f64 {
    let k = scores[0].len();
    let mut best = scores[0].clone();
    for row in scores.iter().skip(1) {
        let mut next = vec![0.0; k];
        for j in 0..k {
            let mut m = best[0] + transition[j];
            for i in 1..k {
                let c = best[i] + transition[i * k + j];
                if c > m {
                    m = c;
                }
            }
            next[j] = m + row[j];
        }
        best = next;
    }
    best.iter().fold(best[0], |m, v| m.max(*v))
}

#[differentiable]
fn gaussian_log_likelihood(data: &[f64], mu: f64, log_sigma: f64) -> f64 {
    let sigma = log_sigma.exp();
    let n = data.len() as f64;
    let ss: f64 = data.iter().map(|x| ((x - mu) / sigma).powi(2)).sum();
    -0.5 * ss - n * sigma.ln() - 0.5 * n * TAU.ln()
}

#[differentiable]
fn correlation(xs: &[f64], ys: &[f64]) -> f64 {
    assert_eq!(xs.len(), ys.len());
    let n = xs.len() as f64;
    let mean = |v: &[f64]| v.iter().copied().sum::<f64>() / n;
    let (mx, my) = (mean(xs), mean(ys));
    let mut sxy = 0.0;
    let mut sxx = 0.0;
    let mut syy = 0.0;
    for (x, y) in xs.iter().copied().zip(ys.iter().copied()) {
        let dx = x - mx;
        let dy = y - my;
        sxy += dx * dy;
        sxx += dx * dx;
        syy += dy * dy;
    }
    sxy / (sxx * syy).sqrt()
}

#[differentiable]
fn moments(data: &[f64]) -> (f64, f64, f64) {
    let n = data.len() as f64;
    let mean = data.iter().sum::<f64>() / n;
    let (m2, m3) = data.iter().fold((0.0, 0.0), |(m2, m3), x| {
        let d = x - mean;
        (m2 + d * d, m3 + d * d * d)
    });
    let var = m2 / n;
    (mean, var, m3 / n / var.powf(1.5))
}

#[differentiable]
fn hmm(init: &[f64], trans: &[Vec<f64>], emit: &[Vec<f64>], obs: &[usize]) -> f64 {
    let n = init.len();
    let mut alpha: Vec<f64> = (0..n).map(|i| init[i] * emit[i][obs[0]]).collect();
    let mut log_lik = 0.0;
    for &o in &obs[1..] {
        let mut next = vec![0.0; n];
        for (j, nj) in next.iter_mut().enumerate() {
            for i in 0..n {
                *nj += alpha[i] * trans[i][j];
            }
            *nj *= emit[j][o];
        }
        let norm: f64 = next.iter().sum();
        log_lik += norm.ln();
        alpha = next.iter().map(|v| v / norm).collect();
    }
    log_lik + alpha.iter().sum::<f64>().ln()
}

#[differentiable]
fn median(xs: &[f64]) -> f64 {
    let mut v = xs.to_vec();
    v.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let n = v.len();
    if n % 2 == 1 {
        v[n / 2]
    } else {
        0.5 * (v[n / 2 - 1] + v[n / 2])
    }
}

#[derive(Clone, Debug, Tangent)]
struct Kalman {
    x: f64,
    p: f64,
    q: f64,
    r: f64,
}

#[differentiable]
impl Kalman {
    fn predict(&mut self) {
        self.p += self.q;
    }
    fn update(&mut self, z: f64) -> f64 {
        let s = self.p + self.r;
        let k = self.p / s;
        let innovation = z - self.x;
        self.x += k * innovation;
        self.p *= 1.0 - k;
        -0.5 * (innovation * innovation / s + s.ln())
    }
}

#[differentiable]
fn kalman_loglik(zs: &[f64], q: f64, r: f64) -> f64 {
    let mut filter = Kalman {
        x: 0.0,
        p: 1.0,
        q,
        r,
    };
    let mut ll = 0.0;
    for &z in zs {
        filter.predict();
        ll += filter.update(z);
    }
    ll
}

#[differentiable]
fn rbf(a: &[f64], b: &[f64], length: f64) -> f64 {
    let d2: f64 = a.iter().zip(b.iter()).map(|(x, y)| (x - y).powi(2)).sum();
    (-0.5 * d2 / length.powi(2)).exp()
}

#[differentiable]
fn gp(xs: &[Vec<f64>], ys: &[f64], length: f64, noise: f64) -> f64 {
    let n = xs.len();
    let mut k = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            k[i][j] = rbf(&xs[i], &xs[j], length);
            if i == j {
                k[i][j] += noise;
            }
        }
    }
    // cholesky in place
    for j in 0..n {
        for p in 0..j {
            for i in j..n {
                k[i][j] -= k[i][p] * k[j][p];
            }
        }
        let d = k[j][j].sqrt();
        for i in j..n {
            k[i][j] /= d;
        }
    }
    let mut alpha = ys.to_vec();
    for i in 0..n {
        for j in 0..i {
            alpha[i] -= k[i][j] * alpha[j];
        }
        alpha[i] /= k[i][i];
    }
    let quad: f64 = alpha.iter().map(|a| a * a).sum();
    let logdet: f64 = k.iter().enumerate().map(|(i, row)| row[i].ln()).sum();
    -0.5 * quad - logdet - 0.5 * n as f64 * (2.0 * std::f64::consts::PI).ln()
}

#[derive(Clone, Debug, Tangent)]
struct Gmm {
    weights: Vec<f64>,
    comps: Vec<Component>,
}

#[derive(Clone, Debug, Tangent)]
struct Component {
    mean: Vec<f64>,
    log_scale: f64,
}

#[differentiable]
fn gmm(model: &Gmm, xs: &[Vec<f64>]) -> f64 {
    let mut total = 0.0;
    for x in xs {
        let terms: Vec<f64> = model
            .comps
            .iter()
            .zip(&model.weights)
            .map(|(c, w)| {
                let s = c.log_scale.exp();
                let q: f64 = x
                    .iter()
                    .zip(&c.mean)
                    .map(|(a, m)| ((a - m) / s).powi(2))
                    .sum();
                w.ln() - 0.5 * q - x.len() as f64 * c.log_scale
            })
            .collect();
        let max = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        total += max + terms.iter().map(|t| (t - max).exp()).sum::<f64>().ln();
    }
    total
}

fn gmm_model() -> Gmm {
    Gmm {
        weights: vec![0.3, 0.7],
        comps: vec![
            Component {
                mean: any(2),
                log_scale: 0.1,
            },
            Component {
                mean: positive(2),
                log_scale: -0.2,
            },
        ],
    }
}

#[differentiable]
fn collected_filter(x: &[f64]) -> f64 {
    let kept: Vec<f64> = x.iter().copied().filter(|v| *v > 0.0).collect();
    let n = kept.len() as f64;
    let mean = kept.iter().sum::<f64>() / n;
    kept.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n
}

judge! {
    log_sum_exp(&any(4));
    softmax(&any(4));
    softmax_in_place(&mut any(4));
    variance(&any(4));
    welford(&any(4));
    compensated(&any(4));
    levenshtein_soft(&any(3), &positive(2));
    viterbi_score(&vec![any(2), positive(2), any(2)], &any(4));
    gaussian_log_likelihood(&any(5), 0.3, -0.2);
    correlation(&any(5), &positive(5));
    moments(&any(5));
    median(&any(5)) (&any(4));
    kalman_loglik(&any(4), 0.1, 0.5);
    gp(&vec![any(2), positive(2), vec![1.0, 0.0]], &any(3), 0.8, 0.1);
    gmm(&gmm_model(), &vec![any(2), vec![0.2, 0.3]]);
    collected_filter(&any(5));
    hmm(&positive(2), &vec![any(2), positive(2)], &vec![positive(2), positive(2)], &vec![0, 1, 1]);
}
