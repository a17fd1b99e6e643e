//! Traits and types of other people's: implementations of which a method has no rule, types of a trait in literals, methods that have the name of
//! one of the standard library's.

use std::collections::VecDeque;

use coenzyme::{Tangent, differentiable, gradient};

use crate::subject::judge;

#[differentiable]
trait Law {
    fn density(&self, x: f64) -> f64;
    fn quantile(&self, p: f64) -> f64;
    fn name(&self) -> String {
        String::from("a law")
    }
    fn peak(&self) -> f64 {
        self.density(0.5)
    }
}

#[derive(Clone, Debug, Tangent)]
struct Exponential {
    rate: f64,
}

#[derive(Clone, Debug, Tangent)]
struct Triangular {
    top: f64,
}

#[differentiable]
impl Law for Exponential {
    fn density(&self, x: f64) -> f64 {
        self.rate * (-self.rate * x).exp()
    }
    fn quantile(&self, p: f64) -> f64 {
        -(1.0 - p).ln() / self.rate
    }
}

/// The method that has no rule is no reason to refuse the others.
#[differentiable]
impl Law for Triangular {
    fn density(&self, x: f64) -> f64 {
        if x < self.top {
            2.0 * x / self.top
        } else {
            2.0 * (1.0 - x) / (1.0 - self.top)
        }
    }
    #[skip]
    fn quantile(&self, p: f64) -> f64 {
        let queue: VecDeque<f64> = [p].into();
        queue[0] * self.top
    }
    #[skip]
    fn peak(&self) -> f64 {
        2.0
    }
}

#[differentiable]
fn likelihood<L: Law>(law: &L, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += law.density(*v).ln();
    }
    sum
}

#[differentiable]
fn spread<L: Law>(law: &L, p: f64) -> f64 {
    law.quantile(1.0 - p) - law.quantile(p) + law.peak()
}

#[test]
fn methods_without_rules_leave_the_others() {
    let law = Triangular { top: 0.7 };
    let (d, dx) = gradient!(likelihood, &law, &[0.4, 0.9]);
    // ln 2x/t and ln 2(1 − x)/(1 − t)
    assert!((d.top - (-1.0 / 0.7 + 1.0 / 0.3)).abs() < 1e-12, "{d:?}");
    assert!((dx[0] - 2.5).abs() < 1e-12 && (dx[1] + 10.0).abs() < 1e-12);
    assert!((law.quantile(0.5) - 0.35).abs() < 1e-15 && law.peak() == 2.0);
    assert_eq!(law.name(), "a law");
}

trait Started {
    type State;
    fn begin(self, x: f64) -> Self::State;
}

#[derive(Clone, Debug, Tangent)]
struct Smoothing<T> {
    gain: T,
}

#[derive(Clone, Debug, Tangent)]
struct Smoothed<T> {
    last: T,
    gain: T,
}

/// The literal names its type by the trait, and that has parameters.
#[differentiable]
impl Started for Smoothing<f64> {
    type State = Smoothed<f64>;

    fn begin(self, x: f64) -> Self::State {
        let last = self.gain * x;
        Self::State {
            last,
            gain: self.gain * self.gain,
        }
    }
}

#[differentiable]
fn begun(gain: f64, x: f64) -> f64 {
    let begun = Smoothing { gain }.begin(x);
    begun.last * begun.gain + x
}

#[differentiable]
fn spread_of_one(rate: f64, p: f64) -> f64 {
    spread(&Exponential { rate }, p)
}

/// The last values, in a ring.
#[derive(Clone, Debug, Tangent)]
struct Window {
    values: Vec<f64>,
    oldest: usize,
}

#[differentiable]
impl Window {
    fn push(&mut self, value: f64) -> f64 {
        let old = self.values[self.oldest];
        self.values[self.oldest] = value;
        self.oldest = (self.oldest + 1) % self.values.len();
        old
    }
}

/// A vector's `push` gives nothing, so this is the window's.
#[differentiable]
fn moving_average(x: &[f64], gain: f64) -> f64 {
    let mut window = Window {
        values: vec![x[0]; 3],
        oldest: 0,
    };
    let (mut mean, mut sum) = (x[0], 0.0f64);
    for v in x {
        mean += (v - window.push(*v)) * gain;
        sum += mean * mean + window.push(sum);
    }
    sum
}

/// A literal is the receiver.
#[differentiable]
fn rectified(x: f64) -> f64 {
    f64::max(0.0, x) + f64::max(-1., -x) * f64::atan2(1.0, x) + f64::min(-(2.0), x)
}

judge! {
    moving_average (&[0.3, 0.7, -0.2, 0.5, 1.1], 0.4);
    rectified (0.4) (-0.6) (-2.5);
    begun (0.3, 0.7);
    spread_of_one (0.8, 0.2);
}
