//! Enums by derive: `match` and `if let` on active values.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[derive(Clone, Copy, Debug, Tangent)]
enum Shape {
    Circle(f64),
    Rectangle { width: f64, height: f64 },
    Polygon(usize, f64),
    Empty,
}

#[differentiable]
fn area(s: &Shape, k: f64) -> f64 {
    match s {
        Shape::Circle(r) => k * r * r,
        Shape::Rectangle { width, height } => width * height,
        Shape::Polygon(n, side) => *n as f64 * side * side,
        Shape::Empty => 0.0,
    }
}

#[derive(Clone, Copy, Debug, Tangent)]
enum Norm {
    One,
    Power(u32),
}

#[differentiable]
fn norm(x: &[f64], kind: Norm) -> f64 {
    match kind {
        Norm::One => x.iter().map(|v| v.abs()).sum(),
        Norm::Power(p) => {
            let mut s = 0.0;
            for v in x {
                s += v.abs().powi(p as i32);
            }
            s.powf(1.0 / p as f64)
        }
    }
}

#[differentiable]
fn optional(x: f64, w: Option<f64>) -> f64 {
    if let Some(w) = w { x * w } else { x }
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Ellipse {
    a: f64,
    b: f64,
}

#[derive(Clone, Copy, Debug, Tangent)]
enum Figure {
    Round(Ellipse),
    Line(f64),
}

#[differentiable]
fn of_ellipse(e: &Ellipse, k: f64) -> f64 {
    k * e.a * e.b * e.b
}

/// What the variant holds goes to a function that takes a reference.
#[differentiable]
fn of_figure(f: &Figure, k: f64) -> f64 {
    match f {
        Figure::Round(e) => of_ellipse(e, k),
        Figure::Line(l) => l * l,
    }
}

#[derive(Clone, Debug, Tangent)]
enum Kernel {
    Linear(Vec<f64>),
    Scaled { by: f64, weights: Vec<f64> },
    None,
}

#[differentiable]
fn kernel(k: &Kernel, x: &[f64]) -> f64 {
    let mut s = 0.0;
    match k {
        Kernel::Linear(w) => {
            for i in 0..x.len() {
                s += w[i] * x[i];
            }
        }
        Kernel::Scaled { by, weights } if *by > 0.0 => {
            for (a, b) in weights.iter().zip(x) {
                s += by * a * b;
            }
        }
        Kernel::Scaled { weights: w, .. } => s += w[0],
        Kernel::None => {}
    }
    s * s
}

judge! {
    area(&Shape::Circle(0.7), 0.4) (&Shape::Rectangle { width: 0.3, height: 0.9 }, 0.7) (&Shape::Polygon(3, 0.4), 0.1) (&Shape::Empty, 0.2);
    norm(&any(3), Norm::One) (&any(3), Norm::Power(3));
    of_figure(&Figure::Round(Ellipse { a: 0.7, b: 1.2 }), 0.6) (&Figure::Line(0.4), 0.6);
    optional(0.7, Some(0.4)) (0.7, None);
    kernel(&Kernel::Linear(any(2)), &any(2)) (&Kernel::Scaled { by: 0.7, weights: any(2) }, &positive(2)) (&Kernel::Scaled { by: -0.7, weights: any(2) }, &positive(2)) (&Kernel::None, &any(2));
}
