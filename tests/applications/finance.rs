//! Finance: options, yields, paths.

use std::f64::consts::PI;

use coenzyme::{differentiable, inactive};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn normal_cdf(x: f64) -> f64 {
    const A: [f64; 5] = [
        0.319381530,
        -0.356563782,
        1.781477937,
        -1.821255978,
        1.330274429,
    ];
    let l = x.abs();
    let k = 1.0 / (1.0 + 0.2316419 * l);
    let mut poly = 0.0;
    for a in A.iter().rev() {
        poly = (poly + a) * k;
    }
    let w = 1.0 - 1.0 / (2.0 * PI).sqrt() * (-l * l / 2.0).exp() * poly;
    if x < 0.0 { 1.0 - w } else { w }
}

#[differentiable]
fn black_scholes(s: f64, k: f64, r: f64, sigma: f64, t: f64) -> f64 {
    let d1 = ((s / k).ln() + (r + 0.5 * sigma.powi(2)) * t) / (sigma * t.sqrt());
    let d2 = d1 - sigma * t.sqrt();
    s * normal_cdf(d1) - k * (-r * t).exp() * normal_cdf(d2)
}

#[differentiable]
fn american_put(s: f64, k: f64, r: f64, sigma: f64, n: usize) -> f64 {
    let dt = 1.0 / n as f64;
    let u = (sigma * dt.sqrt()).exp();
    let d = 1.0 / u;
    let p = ((r * dt).exp() - d) / (u - d);
    let disc = (-r * dt).exp();
    let mut values: Vec<f64> = (0..=n)
        .map(|i| (k - s * u.powi(2 * i as i32 - n as i32)).max(0.0))
        .collect();
    for step in (0..n).rev() {
        for i in 0..=step {
            let hold = disc * (p * values[i + 1] + (1.0 - p) * values[i]);
            let exercise = k - s * u.powi(2 * i as i32 - step as i32);
            values[i] = if exercise > hold { exercise } else { hold };
        }
    }
    values[0]
}

#[differentiable]
fn npv(rate: f64, flows: &[f64]) -> f64 {
    flows
        .iter()
        .enumerate()
        .map(|(t, cf)| cf / (1.0 + rate).powi(t as i32))
        .sum()
}

#[differentiable]
fn irr(flows: &[f64], guess: f64) -> f64 {
    let mut r = guess;
    loop {
        let (mut f, mut df) = (0.0, 0.0);
        for (t, cf) in flows.iter().enumerate() {
            let disc = (1.0 + r).powi(-(t as i32));
            f += cf * disc;
            df -= t as f64 * cf * disc / (1.0 + r);
        }
        let step = f / df;
        r -= step;
        if step.abs() < 1e-13 {
            break r;
        }
    }
}

#[differentiable]
fn drawdown(returns: &[f64]) -> f64 {
    let mut peak = 1.0_f64;
    let mut value = 1.0;
    let mut worst = 0.0_f64;
    for r in returns {
        value *= 1.0 + r;
        peak = peak.max(value);
        worst = worst.max(1.0 - value / peak);
    }
    worst
}

#[differentiable]
fn tax(income: f64) -> f64 {
    match income {
        x if x < 10.0 => 0.1 * x,
        x if x < 20.0 => 1.0 + 0.2 * (x - 10.0),
        x => 3.0 + 0.3 * (x - 20.0),
    }
}

#[differentiable]
fn tax_ranges(income: f64) -> f64 {
    match income {
        ..10.0 => 0.1 * income,
        10.0..20.0 => 1.0 + 0.2 * (income - 10.0),
        _ => 3.0 + 0.3 * (income - 20.0),
    }
}

#[differentiable]
fn first_crossing(paths: &[Vec<f64>], barrier: f64) -> f64 {
    let mut payoff = 0.0;
    'paths: for path in paths {
        let mut average = 0.0;
        for (i, &p) in path.iter().enumerate() {
            if p > barrier {
                continue 'paths;
            }
            average += (p - average) / (i as f64 + 1.0);
        }
        payoff += (average - 0.1).max(0.0);
    }
    payoff / paths.len() as f64
}

#[inactive]
fn next_uniform(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    ((*state >> 11) as f64) / ((1u64 << 53) as f64)
}

#[differentiable]
fn monte_carlo(s0: f64, sigma: f64, paths: usize) -> f64 {
    let mut seed = 42u64;
    let mut sum = 0.0;
    for _ in 0..paths {
        let u1 = next_uniform(&mut seed);
        let u2 = next_uniform(&mut seed);
        let z = (-2.0 * u1.ln()).sqrt() * (2.0 * std::f64::consts::PI * u2).cos();
        let st = s0 * (sigma * z - 0.5 * sigma * sigma).exp();
        sum += (st - 1.0).max(0.0);
    }
    sum / paths as f64
}

judge! {
    normal_cdf(0.7) (-0.3);
    black_scholes(1.1, 1.0, 0.03, 0.4, 0.7);
    american_put(1.0, 1.1, 0.03, 0.3, 4);
    npv(0.05, &any(4));
    irr(&vec![-1.0, 0.4, 0.5, 0.6], 0.1);
    drawdown(&any(5));
    tax(5.0) (15.0) (25.0);
    tax_ranges(5.0) (15.0) (25.0);
    first_crossing(&vec![any(3), positive(3), any(4)], 0.9);
    monte_carlo(1.1, 0.3, 4);
}
