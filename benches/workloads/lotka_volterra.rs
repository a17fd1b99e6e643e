//! Lotka and Volterra's equations, `u' = u(p₀ − p₁v)`, `v' = v(p₂u − p₃)`, by 10 000 classical Runge–Kutta steps of 1e-3,
//! loss `u² + v²`: with the stages written out, and with a closure or a function for the right side.

use std::cell::RefCell;
use std::hint::black_box;

use coenzyme::prelude::*;

use crate::measure::{Bench, Gradient, Workload};

#[differentiable]
fn written_out(start: &[f64; 2], p: &[f64; 4], steps: usize, h: f64) -> f64 {
    let mut u = start[0];
    let mut v = start[1];
    for _ in 0..steps {
        let k1u = u * (p[0] - p[1] * v);
        let k1v = v * (p[2] * u - p[3]);
        let u2 = u + 0.5 * h * k1u;
        let v2 = v + 0.5 * h * k1v;
        let k2u = u2 * (p[0] - p[1] * v2);
        let k2v = v2 * (p[2] * u2 - p[3]);
        let u3 = u + 0.5 * h * k2u;
        let v3 = v + 0.5 * h * k2v;
        let k3u = u3 * (p[0] - p[1] * v3);
        let k3v = v3 * (p[2] * u3 - p[3]);
        let u4 = u + h * k3u;
        let v4 = v + h * k3v;
        let k4u = u4 * (p[0] - p[1] * v4);
        let k4v = v4 * (p[2] * u4 - p[3]);
        u += h / 6.0 * (k1u + 2.0 * k2u + 2.0 * k3u + k4u);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
    }
    u * u + v * v
}

#[differentiable]
fn with_closure(start: &[f64; 2], p: &[f64; 4], steps: usize, h: f64) -> f64 {
    let f = |u: f64, v: f64| (u * (p[0] - p[1] * v), v * (p[2] * u - p[3]));
    let (mut u, mut v) = (start[0], start[1]);
    for _ in 0..steps {
        let (k1u, k1v) = f(u, v);
        let (k2u, k2v) = f(u + 0.5 * h * k1u, v + 0.5 * h * k1v);
        let (k3u, k3v) = f(u + 0.5 * h * k2u, v + 0.5 * h * k2v);
        let (k4u, k4v) = f(u + h * k3u, v + h * k3v);
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
fn with_function(start: &[f64; 2], p: &[f64; 4], steps: usize, h: f64) -> f64 {
    let (mut u, mut v) = (start[0], start[1]);
    for _ in 0..steps {
        let (k1u, k1v) = right_side(u, v, &p[..]);
        let (k2u, k2v) = right_side(u + 0.5 * h * k1u, v + 0.5 * h * k1v, &p[..]);
        let (k3u, k3v) = right_side(u + 0.5 * h * k2u, v + 0.5 * h * k2v, &p[..]);
        let (k4u, k4v) = right_side(u + h * k3u, v + h * k3v, &p[..]);
        u += h / 6.0 * (k1u + 2.0 * k2u + 2.0 * k3u + k4u);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
    }
    u * u + v * v
}

/// One stage backwards: adds to the cotangents of `u`, `v` and `p`.
#[inline(always)]
fn stage(p: &[f64; 4], u: f64, v: f64, (ku, kv): (f64, f64), d: &mut [f64; 6]) -> (f64, f64) {
    d[2] += u * ku;
    d[3] -= u * v * ku;
    d[4] += u * v * kv;
    d[5] -= v * kv;
    (
        (p[0] - p[1] * v) * ku + p[2] * v * kv,
        (p[2] * u - p[3]) * kv - p[1] * u * ku,
    )
}

fn by_hand(
    start: &[f64; 2],
    p: &[f64; 4],
    steps: usize,
    h: f64,
    tape: &mut Vec<(f64, f64)>,
) -> [f64; 6] {
    let f = |u: f64, v: f64| (u * (p[0] - p[1] * v), v * (p[2] * u - p[3]));
    tape.clear();
    let (mut u, mut v) = (start[0], start[1]);
    for _ in 0..steps {
        tape.push((u, v));
        let (k1u, k1v) = f(u, v);
        let (k2u, k2v) = f(u + 0.5 * h * k1u, v + 0.5 * h * k1v);
        let (k3u, k3v) = f(u + 0.5 * h * k2u, v + 0.5 * h * k2v);
        let (k4u, k4v) = f(u + h * k3u, v + h * k3v);
        u += h / 6.0 * (k1u + 2.0 * k2u + 2.0 * k3u + k4u);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
    }
    let (mut du, mut dv) = (2.0 * u, 2.0 * v);
    let mut d = [0.0; 6];
    for &(u, v) in tape.iter().rev() {
        let (k1u, k1v) = f(u, v);
        let (u2, v2) = (u + 0.5 * h * k1u, v + 0.5 * h * k1v);
        let (k2u, k2v) = f(u2, v2);
        let (u3, v3) = (u + 0.5 * h * k2u, v + 0.5 * h * k2v);
        let (k3u, k3v) = f(u3, v3);
        let (u4, v4) = (u + h * k3u, v + h * k3v);
        let (a, b) = (h / 6.0 * du, h / 6.0 * dv);
        let (d4u, d4v) = stage(p, u4, v4, (a, b), &mut d);
        let k3 = (2.0 * a + h * d4u, 2.0 * b + h * d4v);
        let (d3u, d3v) = stage(p, u3, v3, k3, &mut d);
        let k2 = (2.0 * a + 0.5 * h * d3u, 2.0 * b + 0.5 * h * d3v);
        let (d2u, d2v) = stage(p, u2, v2, k2, &mut d);
        let k1 = (a + 0.5 * h * d2u, b + 0.5 * h * d2v);
        let (d1u, d1v) = stage(p, u, v, k1, &mut d);
        du += d1u + d2u + d3u + d4u;
        dv += d1v + d2v + d3v + d4v;
    }
    (d[0], d[1]) = (du, dv);
    d
}

const START: [f64; 2] = [1.0, 0.8];
const P: [f64; 4] = [1.5, 1.0, 0.8, 2.0];
const STEPS: (usize, f64) = (10_000, 1e-3);

macro_rules! workload {
    ($name:ident, $f:ident) => {
        #[derive(Default)]
        struct $name(RefCell<Vec<(f64, f64)>>);

        impl Workload for $name {
            fn lengths(&self) -> Vec<usize> {
                vec![2, 4]
            }
            fn primal(&self) -> f64 {
                $f(black_box(&START), black_box(&P), STEPS.0, STEPS.1)
            }
            fn hand(&self, d: &mut Gradient) {
                let tape = &mut self.0.borrow_mut();
                let sum = by_hand(black_box(&START), black_box(&P), STEPS.0, STEPS.1, tape);
                d.iter_mut()
                    .flatten()
                    .zip(sum)
                    .for_each(|(d, sum)| *d += sum);
            }
            fn generated(&self, d: &mut Gradient) {
                let (mut dstart, mut dp) = ([0.0; 2], [0.0; 4]);
                autodiff!(
                    Reverse,
                    $f,
                    Active,
                    Duplicated(black_box(&START), &mut dstart),
                    Duplicated(black_box(&P), &mut dp),
                    Const(STEPS.0),
                    Const(STEPS.1)
                );
                let sum = dstart.into_iter().chain(dp);
                d.iter_mut()
                    .flatten()
                    .zip(sum)
                    .for_each(|(d, sum)| *d += sum);
            }
            fn tape_bytes(&self) -> usize {
                let (mut dstart, mut dp) = ([0.0; 2], [0.0; 4]);
                let args = &mut (
                    Duplicated(&START, &mut dstart),
                    Duplicated(&P, &mut dp),
                    Const(STEPS.0),
                    Const(STEPS.1),
                );
                Thunk::<_, Active<f64>>::new($f {})
                    .augmented(args)
                    .tape
                    .bytes()
            }
        }
    };
}

workload!(WrittenOut, written_out);
workload!(WithClosure, with_closure);
workload!(WithFunction, with_function);

pub(crate) fn run(bench: &Bench) {
    bench.run("lotka-volterra", &WrittenOut::default());
    bench.run("lotka-volterra closure", &WithClosure::default());
    bench.run("lotka-volterra function", &WithFunction::default());
}
