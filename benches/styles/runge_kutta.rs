//! Lotka and Volterra's equations by Runge–Kutta steps, whose lengths are the data. `x` is the state, and four parameters behind it.

use coenzyme::prelude::*;

use crate::measure::{Bench, numbers};
use crate::style::styles;

#[differentiable]
fn written_out(x: &[f64], #[constant] steps: &[f64]) -> f64 {
    let (mut u, mut v) = (x[0], x[1]);
    for h in steps {
        let k1u = u * (x[2] - x[3] * v);
        let k1v = v * (x[4] * u - x[5]);
        let (u2, v2) = (u + 0.5 * h * k1u, v + 0.5 * h * k1v);
        let k2u = u2 * (x[2] - x[3] * v2);
        let k2v = v2 * (x[4] * u2 - x[5]);
        let (u3, v3) = (u + 0.5 * h * k2u, v + 0.5 * h * k2v);
        let k3u = u3 * (x[2] - x[3] * v3);
        let k3v = v3 * (x[4] * u3 - x[5]);
        let (u4, v4) = (u + h * k3u, v + h * k3v);
        let k4u = u4 * (x[2] - x[3] * v4);
        let k4v = v4 * (x[4] * u4 - x[5]);
        u += h / 6.0 * (k1u + 2.0 * k2u + 2.0 * k3u + k4u);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
    }
    u * u + v * v
}

#[differentiable]
fn right_side(u: f64, v: f64, p: &[f64]) -> (f64, f64) {
    (u * (p[0] - p[1] * v), v * (p[2] * u - p[3]))
}

#[differentiable]
fn functions(x: &[f64], #[constant] steps: &[f64]) -> f64 {
    let (mut u, mut v) = (x[0], x[1]);
    for h in steps {
        let (k1u, k1v) = right_side(u, v, &x[2..]);
        let (k2u, k2v) = right_side(u + 0.5 * h * k1u, v + 0.5 * h * k1v, &x[2..]);
        let (k3u, k3v) = right_side(u + 0.5 * h * k2u, v + 0.5 * h * k2v, &x[2..]);
        let (k4u, k4v) = right_side(u + h * k3u, v + h * k3v, &x[2..]);
        u += h / 6.0 * (k1u + 2.0 * k2u + 2.0 * k3u + k4u);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
    }
    u * u + v * v
}

#[differentiable]
fn closures(x: &[f64], #[constant] steps: &[f64]) -> f64 {
    let f = |u: f64, v: f64| (u * (x[2] - x[3] * v), v * (x[4] * u - x[5]));
    let (mut u, mut v) = (x[0], x[1]);
    for h in steps {
        let (k1u, k1v) = f(u, v);
        let (k2u, k2v) = f(u + 0.5 * h * k1u, v + 0.5 * h * k1v);
        let (k3u, k3v) = f(u + 0.5 * h * k2u, v + 0.5 * h * k2v);
        let (k4u, k4v) = f(u + h * k3u, v + h * k3v);
        u += h / 6.0 * (k1u + 2.0 * k2u + 2.0 * k3u + k4u);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
    }
    u * u + v * v
}

/// Prey and predators.
#[derive(Clone, Copy, Tangent)]
struct State {
    u: f64,
    v: f64,
}

#[differentiable]
impl State {
    fn rate(&self, p: &[f64]) -> State {
        State {
            u: self.u * (p[0] - p[1] * self.v),
            v: self.v * (p[2] * self.u - p[3]),
        }
    }
    fn ahead(&self, h: f64, rate: State) -> State {
        State {
            u: self.u + h * rate.u,
            v: self.v + h * rate.v,
        }
    }
    fn squared(&self) -> f64 {
        self.u * self.u + self.v * self.v
    }
}

#[differentiable]
fn methods(x: &[f64], #[constant] steps: &[f64]) -> f64 {
    let mut state = State { u: x[0], v: x[1] };
    for h in steps {
        let k1 = state.rate(&x[2..]);
        let k2 = state.ahead(0.5 * h, k1).rate(&x[2..]);
        let k3 = state.ahead(0.5 * h, k2).rate(&x[2..]);
        let k4 = state.ahead(*h, k3).rate(&x[2..]);
        state = State {
            u: state.u + h / 6.0 * (k1.u + 2.0 * k2.u + 2.0 * k3.u + k4.u),
            v: state.v + h / 6.0 * (k1.v + 2.0 * k2.v + 2.0 * k3.v + k4.v),
        };
    }
    state.squared()
}

#[differentiable]
fn folded(x: &[f64], #[constant] steps: &[f64]) -> f64 {
    let (u, v) = steps.iter().fold((x[0], x[1]), |(u, v), h| {
        let (k1u, k1v) = right_side(u, v, &x[2..]);
        let (k2u, k2v) = right_side(u + 0.5 * h * k1u, v + 0.5 * h * k1v, &x[2..]);
        let (k3u, k3v) = right_side(u + 0.5 * h * k2u, v + 0.5 * h * k2v, &x[2..]);
        let (k4u, k4v) = right_side(u + h * k3u, v + h * k3v, &x[2..]);
        (
            u + h / 6.0 * (k1u + 2.0 * k2u + 2.0 * k3u + k4u),
            v + h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v),
        )
    });
    u * u + v * v
}

#[differentiable]
fn into(state: &[f64], p: &[f64], rate: &mut [f64]) {
    rate[0] = state[0] * (p[0] - p[1] * state[1]);
    rate[1] = state[1] * (p[2] * state[0] - p[3]);
}

#[differentiable]
fn scratch(x: &[f64], #[constant] steps: &[f64]) -> f64 {
    let mut state = [x[0], x[1]];
    let (mut at, mut k1, mut k2) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    let (mut k3, mut k4) = ([0.0; 2], [0.0; 2]);
    for h in steps {
        into(&state, &x[2..], &mut k1);
        for i in 0..2 {
            at[i] = state[i] + 0.5 * h * k1[i];
        }
        into(&at, &x[2..], &mut k2);
        for i in 0..2 {
            at[i] = state[i] + 0.5 * h * k2[i];
        }
        into(&at, &x[2..], &mut k3);
        for i in 0..2 {
            at[i] = state[i] + h * k3[i];
        }
        into(&at, &x[2..], &mut k4);
        for i in 0..2 {
            state[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    state[0] * state[0] + state[1] * state[1]
}

pub(crate) fn run(bench: &Bench) {
    let x = vec![1.0, 0.8, 1.5, 1.0, 0.8, 2.0];
    let steps = numbers(1, 10_000, 0.9e-3, 1.1e-3);
    styles!(bench, "runge-kutta", (x, steps), written_out: written_out, functions, closures, methods, folded, scratch);
}
