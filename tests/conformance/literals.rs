//! Locals of float literals, whose type is that of their uses: generated code has some of these only.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn annual(x: f64, y: f64) -> f64 {
    let dt = 1.0 / 252.0;
    let (beta, floor) = (0.9, 0.01);
    let w = [0.25, 0.75];
    let mut total = 0.0;
    for k in 0..3 {
        let drift = (x - y * w[0]) * dt;
        total += drift * dt.sqrt() * y + x * (beta * y) * beta.powi(k) + w[1].sqrt() * y;
    }
    total.max(floor) * x
}
#[differentiable]
fn chosen(x: f64, y: f64, n: usize) -> f64 {
    let h = if n > 3 { 0.1 } else { -0.4 };
    let k = 0.5 * h;
    let a = x * k;
    a + y * k.exp() * (k * h).cos() + x * y * h.abs()
}
/// A generator beside it, so that rounds are not run again.
#[differentiable]
fn paths(s0: f64, vol: f64, rate: f64, n: usize) -> f64 {
    let mut state = 7u64;
    let dt = 0.25;
    let mut total = 0.0;
    for _ in 0..n {
        let mut s = s0;
        for _ in 0..4 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let z = (state >> 40) as f64 / (1u64 << 24) as f64;
            s *= ((rate - 0.5 * vol * vol) * dt + vol * dt.sqrt() * z).exp();
        }
        total += (s - 0.5).max(0.0);
    }
    (-rate).exp() * total / n as f64
}

judge! {
    annual(0.9, 1.1);
    chosen(0.9, 1.1, 2) (0.3, 0.7, 4);
    paths(0.9, 0.3, 0.05, 5);
}
