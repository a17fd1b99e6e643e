//! Counts beside active elements are inactive, and a range may be asked with a reference that a loop gives.

use coenzyme::differentiable;

use crate::judge::positive;
use crate::subject::judge;

#[derive(Clone, Copy, PartialEq)]
enum Regime {
    Laminar,
    Turbulent { re: u32 },
}

/// Without rules: it is called with counts.
fn classify(i: usize) -> Regime {
    match i % 2 {
        0 => Regime::Laminar,
        _ => Regime::Turbulent {
            re: 4000 + i as u32,
        },
    }
}

fn weight(i: usize) -> f64 {
    0.5 + i as f64
}

#[differentiable]
fn by_counts(x: &[f64]) -> f64 {
    let mut loss = 0.0;
    for (i, v) in x.iter().enumerate() {
        let regime = classify(i);
        loss += if matches!(regime, Regime::Turbulent { re } if re > 4002) {
            v.powf(1.75)
        } else if regime == Regime::Laminar {
            64.0 * v
        } else {
            v * v
        };
    }
    loss
}

#[differentiable]
fn by_counts_of_what_is_kept(x: &[f64]) -> f64 {
    let mut loss = 1.0;
    for (i, (a, b)) in x.iter().zip(x.iter().skip(1)).enumerate().skip(1) {
        loss *= a * weight(i) + b;
    }
    loss
}

#[differentiable]
fn in_closures(x: &[f64]) -> f64 {
    let all: f64 = x.iter().enumerate().map(|(i, v)| weight(i) * v).sum();
    let kept = x
        .iter()
        .rev()
        .enumerate()
        .filter(|&(i, _)| i % 2 == 1)
        .map(|(j, v)| v * v * weight(j))
        .sum::<f64>();
    kept * all
}

#[differentiable]
fn in_ranges(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for w in x {
        if (0.3..=0.8).contains(w) {
            sum += w * w;
        }
    }
    let y = x[0];
    let some = x.iter().filter(|v| (0.2..0.9).contains(*v));
    let mapped = x
        .iter()
        .map(|v| if (0.2..0.9).contains(v) { *v } else { v.sin() });
    sum + some.map(|v| v * v).sum::<f64>() * mapped.sum::<f64>()
        + if (0.0..1.0).contains(&y) { y } else { 0.0 }
}

judge! {
    by_counts(&positive(4));
    by_counts_of_what_is_kept(&positive(4));
    in_closures(&positive(4));
    in_ranges(&positive(4));
}
