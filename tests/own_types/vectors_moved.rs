//! Vectors that the text moves into structs and into other names, and those that are named again.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};
#[derive(Clone, Debug, PartialEq, Tangent)]
struct State {
    h: Vec<f64>,
    c: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Deep {
    s: State,
    w: Vec<Vec<f64>>,
    k: f64,
}

#[differentiable]
fn cell(s: &State, x: f64) -> State {
    let c: Vec<f64> =
        s.c.iter()
            .zip(&s.h)
            .map(|(c, h)| c * x + h.tanh())
            .collect();
    let h = c.iter().map(|c| c.sin() * x).collect();
    State { h, c }
}

#[differentiable]
fn both_used(s: &State, x: f64) -> State {
    let c: Vec<f64> = s.c.iter().map(|c| c * x).collect();
    let h: Vec<f64> = c.iter().zip(&s.h).map(|(c, h)| c * h * h).collect();
    let n = h.len() as f64;
    let t = State { h: h.clone(), c };
    State {
        h: h.iter().zip(&t.c).map(|(a, b)| a * b / n).collect(),
        c: t.h,
    }
}

#[differentiable]
fn deep(x: f64, y: f64) -> Deep {
    let row = vec![x, x * y];
    let w = vec![row.clone(), row];
    let s = State {
        h: vec![x.sin(), y],
        c: vec![y * y, x],
    };
    Deep { s, w, k: x * y }
}

#[differentiable]
fn steps(x: f64, y: f64, n: usize) -> f64 {
    let mut s = State {
        h: vec![x, y],
        c: vec![y, x * y],
    };
    let mut l = 0.0;
    for _ in 0..n {
        s = cell(&s, x);
        let t = both_used(&s, y);
        l += t.h[0] * t.c[1] + s.h[1];
    }
    l
}

#[differentiable]
fn nested(x: f64, y: f64) -> f64 {
    let d = deep(x, y);
    let e = Deep {
        k: 2.0,
        ..d.clone()
    };
    d.w[0][1] * e.w[1][0] + e.s.h[0] * d.s.c[0] + d.k * e.k
}

#[differentiable]
fn twice(x: &[f64], n: usize) -> Vec<f64> {
    let mut old = x.to_vec();
    for k in 0..n {
        let mut new = vec![0.0; x.len()];
        for i in 0..x.len() {
            new[i] = old[i] * old[(i + 1) % x.len()] + k as f64;
        }
        old = new;
    }
    old
}

#[differentiable]
fn branchy(x: &[f64], b: bool) -> f64 {
    let mut old = x.to_vec();
    let new: Vec<f64> = x.iter().map(|v| v * v).collect();
    if b {
        old = new;
    } else {
        old[0] = new[1] * x[0];
    }
    old.iter().sum::<f64>() * old[0]
}

#[differentiable]
fn partly(x: f64, y: f64) -> (Vec<f64>, f64) {
    let v = vec![x * y, y.sin()];
    let s = v[0] * v[1];
    (v, s)
}

#[differentiable]
fn use_partly(x: f64, y: f64) -> f64 {
    let (v, s) = partly(x, y);
    let o = Some(v);
    match o {
        Some(v) => v[0] * v[1] * s,
        None => 0.0,
    }
}

#[differentiable]
fn unread(x: f64, y: f64) -> f64 {
    let s = cell(
        &State {
            h: vec![x],
            c: vec![y, x],
        },
        y,
    );
    s.c.len() as f64 * x + s.h[0]
}

judge! {
    steps(0.7, 0.4, 3); nested(0.3, 0.8); twice(&[0.3, 0.9, 0.5], 3); branchy(&[0.3, 0.9], true); use_partly(0.3, 0.9); partly(0.4, 0.7); deep(0.3, 0.7); unread(0.3, 0.6);
    cell(&State { h: vec![0.3, 0.1], c: vec![0.4, 0.7] }, 0.3); both_used(&State { h: vec![0.3, 0.1], c: vec![0.4, 0.7] }, 0.3);
}
