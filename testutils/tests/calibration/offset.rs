//! Right rules of functions that are small beside what they are added to, or subtracted from.

use super::rules::{Nasty, each, sum};

macro_rules! nasty {
    ($($name:literal, |$x:ident, $y:ident| $value:expr, [$by_x:expr, $by_y:expr];)*) => {
        vec![$(Nasty {
            name: $name,
            value: |x, y| sum(x, y, |$x, $y| $value),
            gradient: |x, y| each(x, y, |$x, $y| {
                let _ = ($x, $y);
                [$by_x, $by_y]
            }),
            wrong: None,
        }),*]
    };
}

/// Sums of terms of two numbers.
pub(crate) fn offset() -> Vec<Nasty> {
    nasty! {
        "1e9 + sin", |x, y| 1e9 + x.sin() * y, [x.cos() * y, x.sin()];
        "1e8 + xy", |x, y| 1e8 + x * y, [y, x];
        "1e10 + x²y", |x, y| 1e10 + x * x * y, [2.0 * x * y, x * x];
        "1e7 + e^x y", |x, y| 1e7 + x.exp() * y, [x.exp() * y, x.exp()];
        "1e6 − cos x·y", |x, y| 1e6 - x.cos() * y, [x.sin() * y, -x.cos()];
        "1 + 1e-7 sin", |x, y| 1.0 + 1e-7 * x.sin() * y, [1e-7 * x.cos() * y, 1e-7 * x.sin()];
        "1 + 1e-9 x", |x, y| 1.0 + 1e-9 * x * y, [1e-9 * y, 1e-9 * x];
        "1 + 1e-5 x²", |x, y| 1.0 + 1e-5 * x * x * y, [2e-5 * x * y, 1e-5 * x * x];
        "1e3 + 1e-5 tanh", |x, y| 1e3 + 1e-5 * (x * y).tanh(), [1e-5 * y * (x * y).cosh().powi(-2), 1e-5 * x * (x * y).cosh().powi(-2)];
        "(1e7 + x)² − 1e14", |x, y| ((1e7 + x) * (1e7 + x) - 1e14) * y, [2.0 * (1e7 + x) * y, (1e7 + x) * (1e7 + x) - 1e14];
        "(1e5 + x)³ − 1e15", |x, y| ((1e5 + x) * (1e5 + x) * (1e5 + x) - 1e15) * y, [3.0 * (1e5 + x) * (1e5 + x) * y, (1e5 + x) * (1e5 + x) * (1e5 + x) - 1e15];
        "(1e8 + x) − 1e8", |x, y| ((1e8 + x) - 1e8) * y, [y, (1e8 + x) - 1e8];
        "(1e6 + x)·(1e6 − y)", |x, y| (1e6 + x) * (1e6 - y), [1e6 - y, -1e6 - x];
        "√(1e12 + x) − 1e6", |x, y| ((1e12 + 1e6 * x).sqrt() - 1e6) * y,
            [5e5 / (1e12 + 1e6 * x).sqrt() * y, (1e12 + 1e6 * x).sqrt() - 1e6];
        "ln(1e10 + e^x)", |x, y| (1e10 + 1e5 * x.exp()).ln() * y, [1e5 * x.exp() / (1e10 + 1e5 * x.exp()) * y, (1e10 + 1e5 * x.exp()).ln()];
        "exp(1e-8 x)", |x, y| (1e-8 * x * y).exp(), [1e-8 * y * (1e-8 * x * y).exp(), 1e-8 * x * (1e-8 * x * y).exp()];
        "cos(1e-4 x)", |x, y| (1e-4 * x).cos() * y, [-1e-4 * (1e-4 * x).sin() * y, (1e-4 * x).cos()];
        "1/(1e6 + x)", |x, y| y / (1e6 + x), [-y / ((1e6 + x) * (1e6 + x)), 1.0 / (1e6 + x)];
        "1e9 + ln", |x, y| 1e9 + (1.0 + x * x).ln() * y, [2.0 * x / (1.0 + x * x) * y, (1.0 + x * x).ln()];
        "1e5 + sin 30x", |x, y| 1e5 + (30.0 * x).sin() * y, [30.0 * (30.0 * x).cos() * y, (30.0 * x).sin()];
        "1e9 + sin 300x", |x, y| 1e9 + (300.0 * x).sin() * y, [300.0 * (300.0 * x).cos() * y, (300.0 * x).sin()];
        "e^(−x²) beside 1e6", |x, y| 1e6 + (-x * x).exp() * y, [-2.0 * x * (-x * x).exp() * y, (-x * x).exp()];
        "atan 1e-6 x", |x, y| 3.0 + (1e-6 * x).atan() * y, [1e-6 / (1.0 + 1e-12 * x * x) * y, (1e-6 * x).atan()];
        "hypot(1e8, x)", |x, y| (1e16 + 1e8 * x * y).sqrt(), [5e7 * y / (1e16 + 1e8 * x * y).sqrt(), 5e7 * x / (1e16 + 1e8 * x * y).sqrt()];
        "1 − e^(−1e-6x)", |x, y| (1.0 - (-1e-6 * x).exp()) * y, [1e-6 * (-1e-6 * x).exp() * y, 1.0 - (-1e-6 * x).exp()];
        "sin 1e6 + x", |x, y| ((1e6 + x).sin() - 1e6_f64.sin()) * y,
            [(1e6 + x).cos() * y, (1e6 + x).sin() - 1e6_f64.sin()];
        "x⁴ − 1e8", |x, y| x.powi(4) * y - 1e8, [4.0 * x.powi(3) * y, x.powi(4)];
        "1e9 x + sin y", |x, y| 1e9 * x + y.sin(), [1e9, y.cos()];
        "1e7 x² + y", |x, y| 1e7 * x * x + y, [2e7 * x, 1.0];
        "1e12 + 1e6 xy", |x, y| 1e12 + 1e6 * x * y, [1e6 * y, 1e6 * x];
    }
}

macro_rules! whole {
    ($($name:literal, $value:expr, $gradient:expr;)*) => {
        vec![$(Nasty { name: $name, value: $value, gradient: $gradient, wrong: None }),*]
    };
}

fn total(x: &[f64]) -> f64 {
    x.iter().sum()
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

/// Functions of all numbers at once.
pub(crate) fn of_all() -> Vec<Nasty> {
    whole! {
        "1e8 + Π", |x, y| 1e8 + x.iter().product::<f64>() * y[0], |x, y| {
            let others = |at: usize| x.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, x)| x).product::<f64>();
            let mut by_y = vec![0.0; y.len()];
            by_y[0] = x.iter().product();
            [(0..x.len()).map(|at| others(at) * y[0]).collect(), by_y]
        };
        "1e6 + ln Σ e^x", |x, y| 1e6 + x.iter().map(|x| x.exp()).sum::<f64>().ln() + total(y), |x, y| {
            let sum: f64 = x.iter().map(|x| x.exp()).sum();
            [x.iter().map(|x| x.exp() / sum).collect(), vec![1.0; y.len()]]
        };
        "|1e6 + x| − 1e6", |x, y| (1e12 + 2e6 * total(x) + norm(x)).sqrt() - 1e6 + total(y), |x, y| {
            let root = (1e12 + 2e6 * total(x) + norm(x)).sqrt();
            [x.iter().map(|x| (1e6 + x) / root).collect(), vec![1.0; y.len()]]
        };
        "1e8 + xᵀy", |x, y| 1e8 + sum(x, y, |x, y| x * y), |x, y| [y.to_vec(), x.to_vec()];
        "1e8 + (xᵀy)²", |x, y| 1e8 + sum(x, y, |x, y| x * y).powi(2), |x, y| {
            let dot = 2.0 * sum(x, y, |x, y| x * y);
            [y.iter().map(|y| dot * y).collect(), x.iter().map(|x| dot * x).collect()]
        };
        "1e5 (|x|² − 1)² + x₀", |x, y| 1e5 * (norm(x) - 1.0).powi(2) + x[0] + total(y), |x, y| {
            let mut by_x: Vec<f64> = x.iter().map(|t| 4e5 * (norm(x) - 1.0) * t).collect();
            by_x[0] += 1.0;
            [by_x, vec![1.0; y.len()]]
        };
        "1e7 + sin Σ", |x, y| 1e7 + (total(x) * y[0]).sin(), |x, y| {
            let d = (total(x) * y[0]).cos();
            let mut by_y = vec![0.0; y.len()];
            by_y[0] = d * total(x);
            [vec![d * y[0]; x.len()], by_y]
        };
        "energy 1e8", |x, y| 0.5 * norm(x) + 1e8 + (0..x.len()).map(|i| y[i] * (x[i] - x[(i + 1) % x.len()]).powi(2)).sum::<f64>(), |x, y| {
            let n = x.len();
            let mut by_x = x.to_vec();
            let by_y = (0..n).map(|i| (x[i] - x[(i + 1) % n]).powi(2)).collect();
            for i in 0..n {
                let d = 2.0 * y[i] * (x[i] - x[(i + 1) % n]);
                by_x[i] += d;
                by_x[(i + 1) % n] -= d;
            }
            [by_x, by_y]
        };
        "1 + 1e-8 Σ x³y", |x, y| 1.0 + 1e-8 * sum(x, y, |x, y| x * x * x * y), |x, y| each(x, y, |x, y| [3e-8 * x * x * y, 1e-8 * x * x * x]);
    }
}
