//! Densities, likelihoods, estimators.

use std::f64::consts::PI;
use std::fmt;

use coenzyme::{Tangent, differentiable};
use num_traits::Float;

#[derive(Debug, Clone, PartialEq)]
pub enum StatsError {
    Empty,
    BadScale(f64),
    Mismatch { expected: usize, found: usize },
}

impl fmt::Display for StatsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

pub type Result<T> = std::result::Result<T, StatsError>;

/// Normal distribution.
#[derive(Debug, Clone, Copy, Tangent)]
pub struct Normal {
    pub mean: f64,
    pub std_dev: f64,
}

#[differentiable]
impl Normal {
    pub fn new(mean: f64, std_dev: f64) -> Result<Normal> {
        if std_dev.is_nan() || std_dev <= 0.0 {
            Err(StatsError::BadScale(std_dev))
        } else {
            Ok(Normal { mean, std_dev })
        }
    }

    pub fn ln_pdf(&self, x: f64) -> f64 {
        let d = (x - self.mean) / self.std_dev;
        -0.5 * d * d - self.std_dev.ln() - 0.5 * (2.0 * PI).ln()
    }

    pub fn pdf(&self, x: f64) -> f64 {
        self.ln_pdf(x).exp()
    }

    pub fn cdf(&self, x: f64) -> f64 {
        let z = (x - self.mean) / (self.std_dev * std::f64::consts::SQRT_2);
        0.5 * (1.0 + erf_approx(z))
    }
}

#[differentiable]
pub fn erf_approx(x: f64) -> f64 {
    // Abramowitz & Stegun 7.1.26
    let t = 1.0 / (1.0 + 0.3275911 * x.abs());
    let poly = t
        * (0.254829592
            + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    let y = 1.0 - poly * (-x * x).exp();
    if x < 0.0 { -y } else { y }
}

#[differentiable]
pub fn mean(data: &[f64]) -> Result<f64> {
    if data.is_empty() {
        return Err(StatsError::Empty);
    }
    Ok(data.iter().sum::<f64>() / data.len() as f64)
}

#[differentiable]
pub fn variance(data: &[f64]) -> Result<f64> {
    let m = mean(data)?;
    let ss = data.iter().map(|x| (x - m).powi(2)).sum::<f64>();
    Ok(ss / (data.len() - 1) as f64)
}

#[differentiable]
pub fn std_dev(data: &[f64]) -> Result<f64> {
    variance(data).map(|v| v.sqrt())
}

#[differentiable]
pub fn std_dev_by_name(data: &[f64]) -> Result<f64> {
    variance(data).map(f64::sqrt)
}

#[differentiable]
pub fn coefficient_of_variation(data: &[f64]) -> Result<f64> {
    let (m, s) = (mean(data)?, std_dev(data)?);
    if m == 0.0 {
        return Err(StatsError::BadScale(m));
    }
    Ok(s / m)
}

#[differentiable]
pub fn normal_log_likelihood(data: &[f64], mu: f64, sigma: f64) -> Result<f64> {
    let dist = Normal::new(mu, sigma)?;
    Ok(data.iter().map(|&x| dist.ln_pdf(x)).sum())
}

#[differentiable]
pub fn density_at(mu: f64, sigma: f64, x: f64) -> Result<f64> {
    Normal::new(mu, sigma).map(|d| d.pdf(x))
}

#[differentiable]
pub fn survival(mu: f64, sigma: f64, x: f64) -> Option<f64> {
    let n = Normal::new(mu, sigma).ok()?;
    Some(1.0 - n.cdf(x))
}

#[differentiable]
pub fn covariance(x: &[f64], y: &[f64]) -> Result<f64> {
    if x.len() != y.len() {
        return Err(StatsError::Mismatch {
            expected: x.len(),
            found: y.len(),
        });
    }
    let (mx, my) = (mean(x)?, mean(y)?);
    let s: f64 = x
        .iter()
        .zip(y.iter())
        .map(|(a, b)| (a - mx) * (b - my))
        .sum();
    Ok(s / (x.len() as f64 - 1.0))
}

#[differentiable]
pub fn pearson(x: &[f64], y: &[f64]) -> Result<f64> {
    let c = covariance(x, y)?;
    let sx = std_dev(x)?;
    let sy = std_dev(y)?;
    Ok(c / (sx * sy))
}

#[differentiable]
pub fn linear_fit(x: &[f64], y: &[f64]) -> Option<(f64, f64)> {
    let n = x.len() as f64;
    let sx: f64 = x.iter().sum();
    let sy: f64 = y.iter().sum();
    let sxx: f64 = x.iter().map(|v| v * v).sum();
    let sxy: f64 = x.iter().zip(y).map(|(a, b)| a * b).sum();
    let det = n * sxx - sx * sx;
    if det.abs() < 1e-12 {
        return None;
    }
    let slope = (n * sxy - sx * sy) / det;
    Some((slope, (sy - slope * sx) / n))
}

#[differentiable]
pub fn predict(x: &[f64], y: &[f64], at: f64) -> Option<f64> {
    linear_fit(x, y).map(|(slope, intercept)| slope * at + intercept)
}

#[differentiable]
pub fn r_squared(x: &[f64], y: &[f64]) -> Option<f64> {
    let (a, b) = linear_fit(x, y)?;
    let m = mean(y).ok()?;
    let (mut ss_res, mut ss_tot) = (0.0, 0.0);
    for (xi, yi) in x.iter().zip(y.iter()) {
        ss_res += (yi - (a * xi + b)).powi(2);
        ss_tot += (yi - m).powi(2);
    }
    Some(1.0 - ss_res / ss_tot)
}

#[differentiable]
pub fn weighted_mean<T: Float>(values: &[T], weights: &[T]) -> T {
    let mut sum = T::zero();
    let mut total = T::zero();
    for (v, w) in values.iter().zip(weights.iter()) {
        sum = sum + *v * *w;
        total = total + *w;
    }
    sum / total
}

#[differentiable]
pub fn logsumexp(x: &[f64]) -> f64 {
    let max = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    max + x.iter().map(|v| (v - max).exp()).sum::<f64>().ln()
}

#[differentiable]
pub fn logsumexp_generic<T: Float>(x: &[T]) -> T {
    let m = x.iter().fold(T::neg_infinity(), |a, &b| a.max(b));
    m + x
        .iter()
        .map(|&v| (v - m).exp())
        .fold(T::zero(), |a, b| a + b)
        .ln()
}

#[differentiable]
pub fn mixture_ln_pdf(x: f64, weights: &[f64], means: &[f64], sds: &[f64]) -> f64 {
    let terms: Vec<f64> = weights
        .iter()
        .zip(means.iter().zip(sds))
        .map(|(w, (m, s))| {
            let z = (x - m) / s;
            w.ln() - s.ln() - 0.5 * z * z
        })
        .collect();
    logsumexp(&terms) - 0.5 * (2.0 * PI).ln()
}

#[differentiable]
pub fn skewness(data: &[f64]) -> Option<f64> {
    let n = data.len();
    if n < 3 {
        return None;
    }
    let m = data.iter().sum::<f64>() / n as f64;
    let (m2, m3) = data.iter().fold((0.0, 0.0), |(m2, m3), &x| {
        let d = x - m;
        (m2 + d * d, m3 + d * d * d)
    });
    let (m2, m3) = (m2 / n as f64, m3 / n as f64);
    Some(m3 / m2.powf(1.5))
}

#[differentiable]
pub fn welford(data: &[f64]) -> (f64, f64, usize) {
    let mut count = 0;
    let mut mean = 0.0;
    let mut m2 = 0.0;
    for &x in data {
        count += 1;
        let delta = x - mean;
        mean += delta / count as f64;
        m2 += delta * (x - mean);
    }
    (mean, m2 / (count - 1) as f64, count)
}

#[differentiable]
pub fn geometric_mean(data: &[f64]) -> Option<f64> {
    if data.iter().any(|&x| x <= 0.0) {
        None
    } else {
        Some((data.iter().map(|x| x.ln()).sum::<f64>() / data.len() as f64).exp())
    }
}

#[differentiable]
pub fn min_max_scale(data: &[f64]) -> Option<Vec<f64>> {
    let min = data.iter().copied().reduce(f64::min)?;
    let max = data.iter().copied().reduce(f64::max)?;
    if max == min {
        return None;
    }
    Some(data.iter().map(|x| (x - min) / (max - min)).collect())
}

#[differentiable]
pub fn largest(data: &[f64]) -> Option<f64> {
    data.iter().copied().reduce(f64::max)
}

#[differentiable]
pub fn studentized(data: &[f64], i: usize) -> Result<f64> {
    let x = data.get(i).ok_or(StatsError::Empty)?;
    let s = std_dev(data)?;
    let m = mean(data)?;
    Ok((x - m) / s)
}

#[differentiable]
pub fn logistic_nll(theta: &[f64], xs: &[[f64; 2]], ys: &[f64]) -> f64 {
    xs.iter()
        .zip(ys)
        .map(|(x, y)| {
            let eta = theta[0] + theta[1] * x[0] + theta[2] * x[1];
            let p = 1.0 / (1.0 + (-eta).exp());
            -(y * p.ln() + (1.0 - y) * (1.0 - p).ln())
        })
        .sum::<f64>()
        / ys.len() as f64
}

mod points {
    pub(super) fn data() -> Vec<f64> {
        vec![0.31, 1.72, 0.94, 2.45, 1.13, 0.58]
    }
    pub(super) fn other() -> Vec<f64> {
        vec![1.2, 2.6, 1.9, 4.1, 2.2, 1.4]
    }
}
use points::{data, other};

crate::subject::judge! {
    erf_approx(0.7)(-0.4);
    mean(&data());
    variance(&data());
    std_dev(&data());
    std_dev_by_name(&data());
    coefficient_of_variation(&data());
    normal_log_likelihood(&data(), 1.1, 0.8);
    density_at(0.2, 1.3, 0.9);
    survival(0.2, 1.3, 0.9);
    covariance(&data(), &other());
    pearson(&data(), &other());
    linear_fit(&data(), &other());
    predict(&data(), &other(), 1.4);
    r_squared(&data(), &other());
    weighted_mean(&data(), &other());
    logsumexp(&data());
    logsumexp_generic(&data());
    mixture_ln_pdf(0.4, &[0.3, 0.7], &[-0.5, 1.0], &[0.9, 1.4]);
    skewness(&data());
    welford(&data());
    geometric_mean(&data());
    min_max_scale(&data());
    largest(&data());
    studentized(&data(), 2);
    logistic_nll(&[0.1, -0.4, 0.8], &[[0.5, 1.2], [-0.3, 0.4], [1.5, -0.7]], &[1.0, 0.0, 1.0]);
}
