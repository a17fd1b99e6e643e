//! Signals: filters, transforms, alignments.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn fir(signal: &[f64], taps: &[f64]) -> Vec<f64> {
    signal
        .windows(taps.len())
        .map(|w| w.iter().zip(taps.iter().rev()).map(|(s, t)| s * t).sum())
        .collect()
}

#[differentiable]
fn biquad(x: &[f64], b: [f64; 3], a: [f64; 2], y: &mut [f64]) {
    let (mut x1, mut x2, mut y1, mut y2) = (0.0, 0.0, 0.0, 0.0);
    for (xi, yi) in x.iter().zip(y.iter_mut()) {
        let out = b[0] * xi + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2;
        x2 = x1;
        x1 = *xi;
        y2 = y1;
        y1 = out;
        *yi = out;
    }
}

#[differentiable]
fn power(signal: &[f64], bin: usize) -> f64 {
    let n = signal.len();
    let mut re = 0.0;
    let mut im = 0.0;
    for (t, &s) in signal.iter().enumerate() {
        let angle = -2.0 * std::f64::consts::PI * (bin * t) as f64 / n as f64;
        re += s * angle.cos();
        im += s * angle.sin();
    }
    (re.powi(2) + im.powi(2)) / n as f64
}

#[differentiable]
fn fft(re: &mut [f64], im: &mut [f64]) {
    let n = re.len();
    let mut j = 0;
    for i in 1..n {
        let mut bit = n >> 1;
        while j & bit != 0 {
            j ^= bit;
            bit >>= 1;
        }
        j ^= bit;
        if i < j {
            re.swap(i, j);
            im.swap(i, j);
        }
    }
    let mut len = 2;
    while len <= n {
        let ang = 2.0 * std::f64::consts::PI / len as f64;
        for i in (0..n).step_by(len) {
            for k in 0..len / 2 {
                let (s, c) = (ang * k as f64).sin_cos();
                let (ur, ui) = (re[i + k], im[i + k]);
                let vr = re[i + k + len / 2] * c - im[i + k + len / 2] * s;
                let vi = re[i + k + len / 2] * s + im[i + k + len / 2] * c;
                re[i + k] = ur + vr;
                im[i + k] = ui + vi;
                re[i + k + len / 2] = ur - vr;
                im[i + k + len / 2] = ui - vi;
            }
        }
        len <<= 1;
    }
}

#[differentiable]
fn dot_unrolled(a: &[f64], b: &[f64]) -> f64 {
    let mut acc = [0.0; 4];
    let ca = a.chunks_exact(4);
    let cb = b.chunks_exact(4);
    let (ra, rb) = (ca.remainder(), cb.remainder());
    for (x, y) in ca.zip(cb) {
        for i in 0..4 {
            acc[i] += x[i] * y[i];
        }
    }
    let mut s: f64 = acc.iter().sum();
    for (x, y) in ra.iter().zip(rb) {
        s += x * y;
    }
    s
}

#[differentiable]
fn haar(x: &mut [f64]) {
    let half = x.len() / 2;
    let old = x.to_vec();
    let (low, high) = x.split_at_mut(half);
    for i in 0..half {
        low[i] = (old[2 * i] + old[2 * i + 1]) / 2.0;
        high[i] = (old[2 * i] - old[2 * i + 1]) / 2.0;
    }
}

#[differentiable]
fn xorshift_noise(x: f64, n: usize) -> f64 {
    let mut state: u32 = 2463534242;
    let mut y = x;
    for _ in 0..n {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let u = state as f64 / u32::MAX as f64;
        y = y.sin() + u * x;
    }
    y
}

#[differentiable]
fn dtw(a: &[f64], b: &[f64]) -> f64 {
    let (n, m) = (a.len(), b.len());
    let mut d = vec![vec![f64::INFINITY; m + 1]; n + 1];
    d[0][0] = 0.0;
    for i in 1..=n {
        for j in 1..=m {
            let cost = (a[i - 1] - b[j - 1]).abs();
            d[i][j] = cost + d[i - 1][j].min(d[i][j - 1]).min(d[i - 1][j - 1]);
        }
    }
    d[n][m]
}

judge! {
    fir(&any(6), &any(3));
    biquad(&any(5), [0.2, 0.3, 0.1], [-0.4, 0.2], &mut vec![0.0; 5]);
    power(&any(5), 2);
    fft(&mut any(8), &mut positive(8));
    dot_unrolled(&any(6), &positive(6));
    haar(&mut any(6));
    xorshift_noise(0.4, 4);
    dtw(&any(3), &positive(4));
}
