//! Values that may be absent, and chains of which only a part is run through.

use coenzyme::differentiable;

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn options(x: &[f64], k: Option<f64>) -> f64 {
    let first = x.first().copied().unwrap_or(0.0);
    let tenth = x.get(10).copied().unwrap_or(1.5);
    let mut s = first * tenth + k.map_or(2.0, |k| k * k);
    if let Some(last) = x.last() {
        s *= last;
    }
    if let Some(&v) = x.get(1) {
        s += v * v;
    } else {
        s += 1.0;
    }
    s
}

#[differentiable]
fn takes(x: &[f64]) -> f64 {
    let a: f64 = x.iter().take_while(|v| **v > 0.0).map(|v| v * v).sum();
    let b: f64 = x.iter().skip_while(|v| **v > 0.0).map(|v| v.sin()).sum();
    let c: f64 = x
        .iter()
        .map_while(|&v| if v > 0.0 { Some(v.ln()) } else { None })
        .sum();
    let d: f64 = x
        .iter()
        .filter(|v| **v > 0.0)
        .enumerate()
        .map(|(i, v)| i as f64 * v)
        .sum();
    a + b * c + d
}

#[differentiable]
fn tail_loop(a: f64) -> f64 {
    let mut x = a;
    loop {
        let next = 0.5 * (x + a / x);
        if (next - x).abs() < 1e-13 {
            break next;
        }
        x = next;
    }
}

#[differentiable]
fn weighted(x: f64, w: Option<f64>) -> f64 {
    let w = w.unwrap_or(1.0);
    w * x * x
}

#[differentiable]
fn positive_logs(xs: &[f64]) -> f64 {
    xs.iter()
        .filter_map(|&x| if x > 0.0 { Some(x.ln()) } else { None })
        .sum()
}

#[differentiable]
fn interpolate_position(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    let i = match xs.iter().position(|&v| v > x) {
        Some(0) => return ys[0],
        Some(i) => i,
        None => return ys[ys.len() - 1],
    };
    let t = (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
    ys[i - 1] + t * (ys[i] - ys[i - 1])
}

#[differentiable]
fn minmax(x: &[f64]) -> f64 {
    let (lo, hi) = x
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &v| {
            (lo.min(v), hi.max(v))
        });
    hi - lo * 2.0
}

judge! {
    options(&any(3), Some(0.4)) (&any(1), None);
    takes(&vec![0.3, 0.7, -0.4, 0.9]);
    tail_loop(2.0);
    weighted(0.7, Some(0.3));
    positive_logs(&any(5));
    interpolate_position(&vec![0.0, 0.5, 1.0, 2.0], &any(4), 0.7);
    minmax(&any(4));
}
