//! Closures that go to functions with generic parameters: what these stand for, the other arguments of the call say.

use crate::judge::positive;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[differentiable]
fn midpoint<F, const N: usize>(rhs: F, y: &[f64; N], t: f64, h: f64) -> [f64; N]
where
    F: Fn(f64, &[f64; N]) -> [f64; N],
{
    let slope = rhs(t, y);
    let mut middle = *y;
    for (m, s) in middle.iter_mut().zip(slope) {
        *m += 0.5 * h * s;
    }
    let slope = rhs(t + 0.5 * h, &middle);
    std::array::from_fn(|i| y[i] + h * slope[i])
}
#[differentiable]
fn predation(_t: f64, y: &[f64; 2], p: &[f64]) -> [f64; 2] {
    let [prey, predators] = *y;
    [
        p[0] * prey - p[1] * prey * predators,
        p[2] * prey * predators - p[3] * predators,
    ]
}
/// The length is that of a local.
#[differentiable]
fn by_a_local(p: &[f64], prey: f64) -> f64 {
    let mut y = [prey, 0.6];
    for _ in 0..4 {
        y = midpoint(|t, y| predation(t, y, p), &y, 0.0, 0.1);
    }
    y[0].ln() + y[1]
}
#[differentiable]
fn start(p: &[f64]) -> [f64; 3] {
    [p[0], p[1], 1.0]
}
/// The length is that of what the closure takes, and, where it says nothing, of what it gives.
#[differentiable]
fn by_what_it_gives(p: &[f64]) -> f64 {
    let mut y = start(p);
    for k in 0..4 {
        let rhs = |t: f64, y: &[f64; 3]| {
            let [a, b, c] = y;
            [p[0] * (b - a) + t, a * (p[1] - c) - b, a * b - p[2] * c]
        };
        y = midpoint(rhs, &y, 0.02 * k as f64, 0.02);
        y = midpoint(|_, y| [y[1] * p[0], -y[0], 0.1 * y[2]], &y, 0.0, 0.02);
    }
    y[0] + y[1] * y[2]
}

#[differentiable]
fn steps<const N: usize>(y: [f64; N], n: usize, f: &dyn Fn(&[f64; N]) -> [f64; N]) -> [f64; N] {
    let mut y = y;
    for _ in 0..n {
        let d = f(&y);
        for (y, d) in y.iter_mut().zip(d) {
            *y += 0.1 * d;
        }
    }
    y
}
/// The length is a parameter of the caller.
#[differentiable]
fn by_a_parameter<const N: usize>(y: [f64; N], k: f64) -> f64 {
    let end = steps(y, 3, &|y| {
        let mut d = *y;
        for v in d.iter_mut() {
            *v *= -k;
        }
        d
    });
    end.iter().sum()
}
#[differentiable]
fn by_the_call(k: f64) -> f64 {
    let first = [1.0, k];
    let end = steps::<2>(first, 3, &|y| {
        let mut d = *y;
        d.swap(0, 1);
        d[1] *= -k;
        d
    });
    end[0] * end[1]
}

#[differentiable]
fn diagonal<const N: usize>(
    x: [f64; N],
    f: impl Fn(&[f64; N]) -> [f64; N],
    slopes: impl Fn(&[f64; N]) -> [[f64; N]; N],
) -> [f64; N] {
    let mut x = x;
    for _ in 0..4 {
        let (r, j) = (f(&x), slopes(&x));
        for i in 0..N {
            x[i] -= r[i] / j[i][i];
        }
    }
    x
}
#[differentiable]
fn by_rows(a: f64, b: f64) -> f64 {
    let [u, v] = diagonal(
        [1.0, 1.5],
        |x| [x[0] * x[0] - a, x[1] * x[1] * x[1] - b],
        |x| [[2.0 * x[0], 0.0], [0.0, 3.0 * x[1] * x[1]]],
    );
    u - 2.0 * v
}

#[derive(Clone, Debug, Tangent)]
struct Peak {
    at: f64,
    width: f64,
}
#[differentiable]
fn integral<P>(f: impl Fn(f64, &P) -> f64, of: &P) -> f64 {
    (0..8).map(|i| f((i as f64 + 0.5) / 8.0, of)).sum()
}
/// The type is that of a local, and of a parameter.
#[differentiable]
fn by_a_type(at: f64, width: f64) -> f64 {
    let peak = Peak { at, width };
    integral(|x, p| (-((x - p.at) / p.width).powi(2)).exp(), &peak)
}
#[differentiable]
fn by_the_type_of_a_parameter(peak: &Peak) -> f64 {
    integral(|x, p| (-((x - p.at) / p.width).powi(2)).exp(), peak)
}

judge! {
    by_a_local(&positive(4), 1.2);
    by_what_it_gives(&positive(3));
    by_a_parameter([0.3, 0.8, 0.4], 1.1);
    by_the_call(0.9);
    by_rows(2.0, 3.0);
    by_a_type(0.4, 0.3);
    by_the_type_of_a_parameter(&Peak { at: 0.4, width: 0.3 });
}
