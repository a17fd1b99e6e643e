//! Ranges of numbers, `t0..t1`: as arguments, in fields, under names, returned, chosen and changed.

use std::ops::Range;

use coenzyme::{Tangent, differentiable};
use num_traits::Float;

use crate::subject::judge;

#[differentiable]
fn width(range: Range<f64>) -> f64 {
    (range.end - range.start) * range.start
}

#[derive(Clone, Tangent)]
struct Arc {
    span: Range<f64>,
    radius: f64,
}

#[differentiable]
impl Arc {
    fn part(&self, range: Range<f64>) -> Arc {
        let whole = self.span.end - self.span.start;
        Arc {
            span: self.span.start + whole * range.start..self.span.start + whole * range.end,
            radius: self.radius,
        }
    }
    fn halves(&self) -> (Arc, Arc) {
        (self.part(0.0..0.5), self.part(0.5..1.0))
    }
    fn length(&self) -> f64 {
        self.radius * (self.span.end - self.span.start).abs()
    }
    fn clamped(&self, t: f64) -> f64 {
        if self.span.contains(&t) {
            t
        } else {
            self.span.end
        }
    }
}

#[differentiable]
fn arcs(a: f64, b: f64) -> f64 {
    let arc = Arc {
        span: a..b * a,
        radius: a + b,
    };
    let (left, right) = arc.halves();
    let part = arc.part(a * 0.1..b);
    left.length() * width(a..b) + right.part(0.25..a).length() * part.length() + part.clamped(a)
}

#[differentiable]
fn squared(t: f64) -> Range<f64> {
    t..t * t
}

#[differentiable]
fn named(t: f64) -> f64 {
    let range = t..t.sin();
    let given = squared(t);
    width(range.clone()) + range.end * given.end * given.start
}

#[differentiable]
fn changed(t: f64) -> f64 {
    let mut range = t..t * t;
    range.end *= 2.0;
    range.start += range.end;
    range.start * range.end
}

#[differentiable]
fn chosen(t: f64, up: bool) -> f64 {
    let range = if up { t..t * t } else { t * 3.0..1.0 };
    width(range)
}

#[differentiable]
fn generic<T: Float>(range: Range<T>, x: T) -> T {
    range.start * x + range.end * range.start
}

#[differentiable]
fn numbers(a: f64, x: f64) -> f64 {
    generic(a..a * x, x) * generic(x..2.0, a)
}

/// Ranges of integers stay what they are, also those whose ends are names.
#[differentiable]
fn integers(x: &[f64], low: usize, high: usize) -> f64 {
    let range = low..high;
    let mut sum = 0.0;
    for i in range.clone() {
        sum += x[i] * x[i];
    }
    let mut rest = low..high;
    while let Some(i) = rest.next() {
        sum *= x[i];
    }
    let mapped: f64 = (low..high).map(|i| x[i]).sum();
    sum + mapped * x[low..high].iter().sum::<f64>() + x[range].iter().product::<f64>()
}

judge! {
    arcs(0.7, 1.9);
    named(0.7);
    changed(0.7);
    chosen(0.7, true);
    numbers(0.7, 1.3);
    integers(&vec![0.3, 0.4, 0.5, 0.9], 1, 3);
}
