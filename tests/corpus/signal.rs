//! Filters, windows, transforms, control.

use std::f64::consts::PI;

use coenzyme::{Tangent, differentiable};
use num_traits::Float;

#[derive(Debug, Clone, Copy, PartialEq, Tangent)]
pub struct Biquad {
    pub b0: f64,
    pub b1: f64,
    pub b2: f64,
    pub a1: f64,
    pub a2: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FilterError {
    AboveNyquist { frequency: f64, rate: f64 },
    Quality(f64),
}

#[differentiable]
impl Biquad {
    pub fn lowpass(fc: f64, q: f64, fs: f64) -> Result<Self, FilterError> {
        if fc >= fs / 2.0 {
            return Err(FilterError::AboveNyquist {
                frequency: fc,
                rate: fs,
            });
        }
        if q <= 0.0 {
            return Err(FilterError::Quality(q));
        }
        let w = 2.0 * PI * fc / fs;
        let (s, c) = w.sin_cos();
        let alpha = s / (2.0 * q);
        let a0 = 1.0 + alpha;
        Ok(Self {
            b0: (1.0 - c) / 2.0 / a0,
            b1: (1.0 - c) / a0,
            b2: (1.0 - c) / 2.0 / a0,
            a1: -2.0 * c / a0,
            a2: (1.0 - alpha) / a0,
        })
    }

    pub fn run(&self, input: &[f64]) -> Vec<f64> {
        let (mut z1, mut z2) = (0.0, 0.0);
        input
            .iter()
            .map(|&x| {
                let y = self.b0 * x + z1;
                z1 = self.b1 * x - self.a1 * y + z2;
                z2 = self.b2 * x - self.a2 * y;
                y
            })
            .collect()
    }

    pub fn gain(&self, w: f64) -> f64 {
        let (c1, c2) = (w.cos(), (2.0 * w).cos());
        let num = self.b0.powi(2)
            + self.b1.powi(2)
            + self.b2.powi(2)
            + 2.0 * (self.b0 * self.b1 + self.b1 * self.b2) * c1
            + 2.0 * self.b0 * self.b2 * c2;
        let den = 1.0
            + self.a1 * self.a1
            + self.a2 * self.a2
            + 2.0 * (self.a1 + self.a1 * self.a2) * c1
            + 2.0 * self.a2 * c2;
        (num / den).sqrt()
    }
}

#[differentiable]
pub fn filtered_energy(fc: f64, q: f64, signal: &[f64]) -> Result<f64, FilterError> {
    let filter = Biquad::lowpass(fc, q, 1.0)?;
    Ok(filter.run(signal).iter().map(|y| y * y).sum())
}

#[differentiable]
pub fn cutoff_gain(fc: f64, q: f64) -> Result<f64, FilterError> {
    Biquad::lowpass(fc, q, 1.0).map(|f| f.gain(2.0 * PI * fc))
}

#[differentiable]
pub fn exponential_smoothing(x: &[f64], alpha: f64) -> Vec<f64> {
    let mut out = Vec::with_capacity(x.len());
    let mut s = x[0];
    for &v in x {
        s = alpha * v + (1.0 - alpha) * s;
        out.push(s);
    }
    out
}

#[differentiable]
pub fn ema<T: Float>(data: &[T], alpha: T) -> Option<T> {
    let (first, rest) = data.split_first()?;
    Some(
        rest.iter()
            .fold(*first, |s, &x| alpha * x + (T::one() - alpha) * s),
    )
}

#[differentiable]
pub fn moving_average(x: &[f64], n: usize) -> Vec<f64> {
    x.windows(n)
        .map(|w| w.iter().sum::<f64>() / n as f64)
        .collect()
}

#[differentiable]
pub fn convolve(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            out[i + j] += x * y;
        }
    }
    out
}

#[differentiable]
pub fn autocorrelation(x: &[f64], lag: usize) -> Option<f64> {
    if lag >= x.len() {
        return None;
    }
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let num: f64 = x
        .iter()
        .zip(&x[lag..])
        .map(|(a, b)| (a - mean) * (b - mean))
        .sum();
    let den: f64 = x.iter().map(|a| (a - mean).powi(2)).sum();
    Some(num / den)
}

#[differentiable]
pub fn hann<T: Float>(n: usize, i: usize, x: T) -> T {
    let pi = T::from(PI).unwrap();
    let phase = (pi + pi) * T::from(i).unwrap() / T::from(n - 1).unwrap();
    x * (T::one() - phase.cos()) / (T::one() + T::one())
}

#[differentiable]
pub fn dft_power(x: &[f64], k: usize) -> f64 {
    let n = x.len();
    let (re, im) = x.iter().enumerate().fold((0.0, 0.0), |(re, im), (t, v)| {
        let w = -2.0 * PI * (k * t) as f64 / n as f64;
        (re + v * w.cos(), im + v * w.sin())
    });
    (re * re + im * im) / n as f64
}

#[differentiable]
pub fn goertzel(x: &[f64], w: f64) -> f64 {
    let k = 2.0 * w.cos();
    let (s1, s2) = x
        .iter()
        .fold((0.0, 0.0), |(s1, s2), v| (v + k * s1 - s2, s1));
    s1 * s1 + s2 * s2 - k * s1 * s2
}

#[differentiable]
pub fn rms_db(x: &[f64]) -> Option<f64> {
    if x.is_empty() {
        return None;
    }
    let rms = (x.iter().map(|v| v * v).sum::<f64>() / x.len() as f64).sqrt();
    Some(20.0 * rms.log10())
}

#[derive(Debug, Clone, Tangent)]
pub struct Kalman {
    pub x: f64,
    pub p: f64,
    pub q: f64,
    pub r: f64,
}

#[differentiable]
impl Kalman {
    pub fn correct(&mut self, z: f64) -> f64 {
        let k = self.p / (self.p + self.r);
        let innovation = z - self.x;
        self.x += k * innovation;
        self.p *= 1.0 - k;
        innovation
    }
}

#[differentiable]
pub fn kalman_nll(q: f64, r: f64, zs: &[f64]) -> f64 {
    let mut filter = Kalman {
        x: 0.0,
        p: 1.0,
        q,
        r,
    };
    let mut nll = 0.0;
    for &z in zs {
        filter.x += 0.1;
        filter.p += filter.q;
        let s = filter.p + filter.r;
        let v = filter.correct(z);
        nll += 0.5 * (v * v / s + s.ln());
    }
    nll
}

#[differentiable]
pub fn rk4_step<F>(f: F, y: f64, h: f64) -> f64
where
    F: Fn(f64) -> f64,
{
    let k1 = f(y);
    let k2 = f(y + 0.5 * h * k1);
    let k3 = f(y + 0.5 * h * k2);
    let k4 = f(y + h * k3);
    y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
}

#[differentiable]
pub fn decay(rate: f64, y0: f64) -> f64 {
    let mut y = y0;
    for _ in 0..5 {
        y = rk4_step(|y: f64| -rate * y * y, y, 0.1);
    }
    y
}

#[differentiable]
pub fn envelope(x: &[f64], attack: f64, release: f64) -> f64 {
    x.iter()
        .scan(0.0, |state, &v| {
            let v = v.abs();
            let k = if v > *state { attack } else { release };
            *state = k * *state + (1.0 - k) * v;
            Some(*state)
        })
        .sum()
}

#[differentiable]
pub fn table_lookup(table: &[f64], phase: f64) -> f64 {
    let n = table.len();
    let position = phase.rem_euclid(1.0) * n as f64;
    let i = position as usize;
    let frac = position - i as f64;
    table[i % n] * (1.0 - frac) + table[(i + 1) % n] * frac
}

fn s() -> Vec<f64> {
    vec![0.3, 1.1, -0.4, 0.8, -0.9, 0.5]
}

#[derive(Debug, Clone, Copy, Tangent)]
pub struct Pid {
    pub kp: f64,
    pub kd: f64,
    last: Option<f64>,
}

#[differentiable]
impl Pid {
    pub fn update(&mut self, error: f64, dt: f64) -> f64 {
        let derivative = match self.last {
            Some(last) => (error - last) / dt,
            None => 0.0,
        };
        self.last = Some(error);
        self.kp * error + self.kd * derivative
    }
}

#[differentiable]
pub fn controlled(pid: &mut Pid, errors: &[f64], dt: f64) -> f64 {
    let mut total = 0.0;
    for &error in errors {
        total += pid.update(error, dt).powi(2);
    }
    total
}

crate::subject::judge! {
    controlled(&mut Pid { kp: 1.2, kd: 0.3, last: Some(0.1) }, &[0.5, 0.3, -0.2], 0.1);
    filtered_energy(0.1, 0.7, &s());
    cutoff_gain(0.1, 0.7);
    exponential_smoothing(&s(), 0.3);
    ema(&s(), 0.3);
    moving_average(&s(), 3);
    convolve(&s(), &[0.4, -0.3]);
    autocorrelation(&s(), 2);
    hann(8, 3, 0.7);
    dft_power(&s(), 2);
    goertzel(&s(), 0.8);
    rms_db(&s());
    kalman_nll(0.1, 0.5, &s());
    decay(0.7, 1.3);
    envelope(&s(), 0.3, 0.8);
    table_lookup(&s(), 0.37);
}
