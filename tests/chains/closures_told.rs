//! Closures without types, handed to functions and methods beside them that say what they take.

use coenzyme::prelude::*;
use num_traits::Float;

use crate::subject::judge;

#[derive(Clone, Copy, Tangent)]
struct State {
    s: f64,
    i: f64,
}

#[derive(Clone, Copy)]
struct Solver {
    h: f64,
}

#[differentiable]
fn by_parameter<F: Fn(State) -> State>(rate: F, y: State, h: f64) -> State {
    let k = rate(y);
    State {
        s: y.s + h * k.s,
        i: y.i + h * k.i,
    }
}

#[differentiable]
fn by_clause<F>(rate: &F, y: State, h: f64) -> State
where
    F: Fn(f64, &State) -> State,
{
    let k = rate(h, &y);
    State {
        s: y.s + h * k.s,
        i: y.i + h * k.i,
    }
}

#[differentiable]
fn by_impl(rate: impl Fn((f64, f64)) -> (f64, f64), y: (f64, f64)) -> (f64, f64) {
    let k = rate(y);
    (y.0 + 0.1 * k.0, y.1 + 0.1 * k.1)
}

#[differentiable]
fn by_object(rate: &dyn Fn(f64, &[f64], &mut [f64]), y: &mut [f64; 2]) {
    let mut d = [0.0; 2];
    for k in 0..2 {
        rate(k as f64, &*y, &mut d);
        y[0] += 0.1 * d[0];
        y[1] += 0.1 * d[1];
    }
}

/// What it says is about types of its own.
#[differentiable]
fn trapezoid<T: Float, F: Fn(T) -> T>(f: F, a: T, b: T) -> T {
    (b - a) / T::from(2.0).unwrap() * (f(a) + f(b))
}

#[differentiable]
impl Solver {
    fn step<F: Fn(f64, State) -> State>(&self, rate: F, y: State) -> State {
        let k = rate(self.h, y);
        State {
            s: y.s + self.h * k.s,
            i: y.i + self.h * k.i,
        }
    }

    fn once(h: f64, rate: impl Fn(State) -> State, y: State) -> State {
        let k = rate(y);
        State {
            s: y.s + h * k.s,
            i: k.i,
        }
    }
}

#[differentiable]
fn functions(x: f64, y: f64) -> f64 {
    let first = by_parameter(
        |u| State {
            s: -x * u.s * u.i,
            i: y * u.s,
        },
        State { s: x, i: y },
        0.1,
    );
    let second = by_clause(
        &|t, u| State {
            s: t * u.i,
            i: y * u.s * u.s,
        },
        first,
        0.2,
    );
    let third = by_impl(|(a, b)| (x * b, y * a), (second.s, second.i));
    let fourth = by_impl(|u| (u.1 * x, u.0), third);
    let mut last = [fourth.0, fourth.1];
    by_object(
        &|t, u, d| {
            d[0] = u[1] + t;
            d[1] = -x * u[0];
        },
        &mut last,
    );
    last[0] * last[1] + trapezoid(|t| (x * t).sin(), y, 2.0)
}

#[differentiable]
fn methods(x: f64, y: f64) -> f64 {
    let solver = Solver { h: 0.1 };
    let first = solver.step(
        |t, u| State {
            s: -x * u.s * u.i + t,
            i: y * u.s,
        },
        State { s: x, i: y },
    );
    let second = Solver::once(0.2, |u| State { s: u.i * x, i: u.s }, first);
    second.i * 10.0 + first.s * second.s
}

/// A closure under a name.
#[differentiable]
fn named(x: f64, y: f64) -> f64 {
    let rate = |u: State| State {
        s: -x * u.s,
        i: y * u.i,
    };
    let mut u = State { s: y, i: x };
    for _ in 0..3 {
        u = by_parameter(rate, u, 0.1);
    }
    u.s * u.i
}

judge! {
    functions (0.7, -0.4);
    methods (0.7, -0.4);
    named (0.7, -0.4);
}
