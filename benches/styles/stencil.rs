//! Diffusion with a quadratic sink on a line, fixed at its ends. `x` is the two coefficients, and what the line begins with; as many
//! steps as there are data, each with a source.

use coenzyme::prelude::*;

use crate::measure::{Bench, numbers};
use crate::style::styles;

#[differentiable]
fn written_out(x: &[f64], #[constant] sources: &[f64]) -> f64 {
    let n = x.len() - 2;
    let mut now = x[2..].to_vec();
    let mut next = x[2..].to_vec();
    for s in 0..sources.len() {
        for i in 1..n - 1 {
            let flux = now[i - 1] - 2.0 * now[i] + now[i + 1];
            next[i] = now[i] + x[0] * flux - x[1] * now[i] * now[i] + sources[s];
        }
        now.copy_from_slice(&next);
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += now[i] * now[i];
    }
    sum
}

#[differentiable]
fn moved(left: f64, here: f64, right: f64, a: f64, b: f64) -> f64 {
    here + a * (left - 2.0 * here + right) - b * here * here
}

#[differentiable]
fn functions(x: &[f64], #[constant] sources: &[f64]) -> f64 {
    let n = x.len() - 2;
    let mut now = x[2..].to_vec();
    let mut next = x[2..].to_vec();
    for s in sources {
        for i in 1..n - 1 {
            next[i] = moved(now[i - 1], now[i], now[i + 1], x[0], x[1]) + s;
        }
        now.copy_from_slice(&next);
    }
    now.iter().map(|v| v * v).sum()
}

#[differentiable]
fn closures(x: &[f64], #[constant] sources: &[f64]) -> f64 {
    let n = x.len() - 2;
    let step = |left: f64, here: f64, right: f64| {
        here + x[0] * (left - 2.0 * here + right) - x[1] * here * here
    };
    let mut now = x[2..].to_vec();
    let mut next = x[2..].to_vec();
    for s in sources {
        for i in 1..n - 1 {
            next[i] = step(now[i - 1], now[i], now[i + 1]) + s;
        }
        now.copy_from_slice(&next);
    }
    now.iter().map(|v| v * v).sum()
}

#[differentiable]
fn iterators(x: &[f64], #[constant] sources: &[f64]) -> f64 {
    let n = x.len() - 2;
    let mut now = x[2..].to_vec();
    let mut next = x[2..].to_vec();
    for s in sources {
        for (to, w) in next[1..n - 1].iter_mut().zip(now.windows(3)) {
            *to = w[1] + x[0] * (w[0] - 2.0 * w[1] + w[2]) - x[1] * w[1] * w[1] + s;
        }
        now.copy_from_slice(&next);
    }
    now.iter().map(|v| v * v).sum()
}

#[differentiable]
fn step_into(now: &[f64], next: &mut [f64], a: f64, b: f64, #[constant] source: f64) {
    for i in 1..now.len() - 1 {
        let flux = now[i - 1] - 2.0 * now[i] + now[i + 1];
        next[i] = now[i] + a * flux - b * now[i] * now[i] + source;
    }
}

#[differentiable]
fn scratch(x: &[f64], #[constant] sources: &[f64]) -> f64 {
    let mut now = x[2..].to_vec();
    let mut next = x[2..].to_vec();
    for s in sources {
        step_into(&now, &mut next, x[0], x[1], *s);
        std::mem::swap(&mut now, &mut next);
        let last = now.len() - 1;
        next[0] = now[0];
        next[last] = now[last];
    }
    now.iter().map(|v| v * v).sum()
}

#[differentiable]
fn collected(x: &[f64], #[constant] sources: &[f64]) -> f64 {
    let n = x.len() - 2;
    let mut now = x[2..].to_vec();
    for s in sources {
        now = (0..n)
            .map(|i| match i == 0 || i == n - 1 {
                true => now[i],
                false => moved(now[i - 1], now[i], now[i + 1], x[0], x[1]) + s,
            })
            .collect();
    }
    now.iter().map(|v| v * v).sum()
}

pub(crate) fn run(bench: &Bench) {
    let mut x = vec![0.2, 0.05];
    x.extend(numbers(1, 256, 0.0, 1.0));
    let sources = numbers(2, 100, 0.0, 0.01);
    styles!(bench, "stencil", (x, sources), written_out: written_out, functions, closures, iterators, scratch, collected);
}
