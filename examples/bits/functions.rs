//! Functions of every kind of construct, each with its gradient at a point.

use std::hint::black_box;

use coenzyme::Tangent;
use coenzyme::ndarray::{Array1, Array2};
use coenzyme::prelude::*;

#[differentiable]
fn scalar(x: f64, y: f64) -> f64 {
    (x * y).sin() / (1.0 + x.exp()) + y.powf(x) * x.mul_add(y, 0.3).atan()
}

#[differentiable]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn recurrence(x: f64, n: usize) -> f64 {
    let mut y = x;
    for k in 0..n {
        y = y * (1.0 - y) * (3.0 + 0.01 * k as f64);
        if y > 0.7 {
            y -= 0.1 * y * y;
        }
    }
    y
}

#[differentiable]
fn stencil(x: &[f64], n: usize) -> f64 {
    let mut u = x.to_vec();
    let mut v = vec![0.0; x.len()];
    #[checkpoint(3)]
    for _ in 0..n {
        for i in 0..u.len() {
            let (left, right) = (u[(i + u.len() - 1) % u.len()], u[(i + 1) % u.len()]);
            v[i] = u[i] + 0.2 * (left - 2.0 * u[i] + right) * u[i];
        }
        std::mem::swap(&mut u, &mut v);
    }
    dot(&u, &v)
}

#[differentiable]
fn scan(y: &mut [f64], k: f64) -> f64 {
    for i in 1..y.len() {
        y[i] = y[i] * y[i - 1] + k;
    }
    y.iter().map(|v| v.tanh()).fold(0.0, f64::max)
}

#[differentiable]
fn newton(x: f64) -> f64 {
    let mut root = x;
    while (root * root - x).abs() > 1e-12 {
        root = 0.5 * (root + x / root);
    }
    root
}

#[differentiable]
fn layer(w: &Array2<f64>, x: &Array1<f64>) -> f64 {
    let h = w.dot(x).mapv(f64::tanh);
    h.dot(&h)
}

#[differentiable]
fn log_sum_exp(x: &[f64]) -> f64 {
    let top = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    top + x.iter().map(|v| (v - top).exp()).sum::<f64>().ln()
}

#[differentiable]
fn single(x: f32, y: f32) -> f32 {
    (x * y).cos() + y.sqrt() * x
}

/// `n` numbers between 0.2 and 1.2.
fn points(n: usize) -> Vec<f64> {
    black_box((0..n).map(|i| 0.2 + (i * 7 % 11) as f64 / 11.0).collect())
}

/// The values and the gradients, by name.
pub(crate) fn numbers() -> Vec<(String, f64)> {
    let mut out = Vec::new();
    let mut add = |name: &str, xs: &[f64]| {
        out.extend(
            xs.iter()
                .enumerate()
                .map(|(i, x)| (format!("{name}[{i}]"), *x)),
        );
    };
    let (a, b) = black_box((0.7, 1.3));
    let (value, (da, db)) = value_and_gradient(&scalar {}, (a, b));
    add("scalar", &[value, da, db]);
    for n in [1, 7, 16, 61] {
        let (x, y) = (points(n), points(n));
        let (value, (dx, dy)) = value_and_gradient(&dot {}, (&x[..], &y[..]));
        add(&format!("dot{n}"), &[&[value][..], &dx, &dy].concat());
        let (value, (dx,)) = value_and_gradient(&log_sum_exp {}, (&x[..],));
        add(&format!("log_sum_exp{n}"), &[&[value][..], &dx].concat());
        let mut y = points(n);
        let (value, (dy, dk)) = value_and_gradient(&scan {}, (&mut y[..], a));
        add(&format!("scan{n}"), &[&[value, dk][..], &dy, &y].concat());
    }
    let (value, (dx, ())) = value_and_gradient(&recurrence {}, (black_box(0.3), 40_usize));
    add("recurrence", &[value, dx]);
    let x = points(17);
    let (value, (dx, ())) = value_and_gradient(&stencil {}, (&x[..], 12_usize));
    add("stencil", &[&[value][..], &dx].concat());
    let (value, (dx,)) = value_and_gradient(&newton {}, (b,));
    add("newton", &[value, dx]);
    let w = Array2::from_shape_vec((3, 5), points(15)).expect("fifteen numbers");
    let x = Array1::from(points(5));
    let (value, (dw, dx)) = value_and_gradient(&layer {}, (&w, &x));
    add(
        "layer",
        &[&[value][..], &Tangent::to_flat(&dw), &Tangent::to_flat(&dx)].concat(),
    );
    let (value, (dx, dy)) = value_and_gradient(&single {}, black_box((0.7_f32, 1.3_f32)));
    add("single", &[value, dx, dy].map(f64::from));
    out
}
