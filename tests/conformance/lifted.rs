//! Closures that are passed to a function, with what they capture.

use coenzyme::{Real, Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn simpson<F: Fn(f64) -> f64>(f: F, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let mut s = f(a) + f(b);
    for i in 1..n {
        let weight = if i % 2 == 0 { 2.0 } else { 4.0 };
        s += weight * f(a + i as f64 * h);
    }
    s * h / 3.0
}

#[differentiable]
fn newton(f: impl Fn(f64) -> f64, df: impl Fn(f64) -> f64, x0: f64) -> f64 {
    let mut x = x0;
    for _ in 0..20 {
        let step = f(x) / df(x);
        x -= step;
        if step.abs() < 1e-13 {
            break;
        }
    }
    x
}

#[differentiable]
fn nothing_captured(x: f64) -> f64 {
    simpson(|t| t * t.sin(), 0.0, x, 4)
}

#[differentiable]
fn scalars_captured(amp: f64, freq: f64) -> f64 {
    simpson(|x| amp * (freq * x).sin(), 0.0, 1.0, 4)
}

#[differentiable]
fn locals_captured(x: &[f64], n: usize) -> f64 {
    let scale = x[0] * x[1];
    let p: i32 = 3;
    let q = n as i32;
    let half = 0.5;
    let mut s = 0.0;
    for i in 0..2 {
        let w = x[i] + scale;
        s += simpson(|t| w * t.powi(p) + half * scale * t.powi(q), 0.0, x[2], 4);
    }
    s
}

#[differentiable]
fn memory_captured(c: &[f64], x: f64) -> f64 {
    let d: Vec<f64> = c.iter().map(|v| v * v).collect();
    simpson(
        |t| c.iter().rev().fold(0.0, |acc, &c| acc * t + c) + d[0] * t,
        0.0,
        x,
        4,
    )
}

#[differentiable]
fn named_closures(a: f64, b: f64) -> f64 {
    let square = |v: f64| v * v;
    let f = |v: f64| square(v) - a;
    let df = |v: f64| 2.0 * v + 0.0 * b;
    newton(f, df, b) + newton(|x| x * x * x - a * b, |x| 3.0 * x * x, 1.0)
}

#[differentiable]
fn apply<T: Real, F: Fn(T) -> T>(f: F, x: T) -> T {
    f(x) * f(x * x)
}

#[differentiable]
fn generic_capture<T: Real>(k: T, x: &[T]) -> T {
    apply(|t: T| k * t + x[0], x[1])
}

#[differentiable]
fn weighted(f: impl Fn(f64) -> f64, x: &[f64]) -> f64 {
    x.iter().map(|v| f(*v) * v).sum()
}

#[differentiable]
fn shared_memory(x: &[f64]) -> f64 {
    weighted(|t| t * x[0], x)
}

#[derive(Clone, Debug, Tangent)]
struct Model {
    k: f64,
    c: Vec<f64>,
}

#[differentiable]
fn struct_captured(m: &Model, x: f64) -> f64 {
    simpson(
        |t| if t > 0.5 { m.k * t } else { m.c[0] * t * t },
        0.0,
        x,
        4,
    )
}

#[differentiable]
fn overwritten_after(x: &mut [f64]) -> f64 {
    let s = simpson(|t| x[0] * t * x[1], 0.0, 1.0, 2);
    x[0] = s * s;
    s
}

#[differentiable]
fn two_arguments(f: impl Fn(f64, f64) -> f64, n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..n {
            s += f(i as f64, j as f64);
        }
    }
    s
}

#[differentiable]
fn kernel(a: f64, b: f64) -> f64 {
    two_arguments(|x, y| (a * x - b * y).cos(), 2)
}

/// Steps of a system, whatever it is.
#[differentiable]
fn steps(f: impl Fn([f64; 2]) -> [f64; 2], from: [f64; 2], n: usize) -> [f64; 2] {
    let mut x = from;
    for _ in 0..n {
        let d = f(x);
        for k in 0..2 {
            x[k] += 0.1 * d[k];
        }
    }
    x
}

#[differentiable]
fn parted(f: impl Fn(f64) -> (f64, f64), g: impl Fn(f64) -> Vec<f64>, x: f64) -> f64 {
    let (a, b) = f(x);
    let c = g(b);
    a * c[0] * c[1]
}

/// What a closure returns is seen by its last expression.
#[differentiable]
fn returned_by_closures(a: f64, b: f64) -> f64 {
    let written_out = steps(|x: [f64; 2]| [x[1], -a * x[0]], [b, 0.3], 3);
    let by_name = |x: [f64; 2]| {
        let mut d = [0.0; 2];
        d[0] = a * x[1];
        d[1] = x[0] * x[0];
        d
    };
    let named = steps(by_name, written_out, 2);
    let one_of_two = steps(
        |x: [f64; 2]| if x[0] > 9.0 { x } else { [b, x[0]] },
        named,
        2,
    );
    let pair = |x| (x * a, (x * b, 1.0).0);
    one_of_two[0] * one_of_two[1] + parted(pair, |x| vec![x, a * x], b)
}

judge! {
    returned_by_closures(0.4, 0.8);
    nothing_captured(0.8);
    scalars_captured(0.7, 1.3);
    locals_captured(&positive(3), 2);
    memory_captured(&any(3), 0.9);
    named_closures(2.0, 1.5);
    generic_capture(0.4, &any(2));
    shared_memory(&any(3));
    struct_captured(&Model { k: 0.3, c: vec![0.7] }, 0.8);
    overwritten_after(&mut any(2));
    kernel(0.4, 0.3);
}
