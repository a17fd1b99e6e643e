//! Memory of a function that calls read, that changes after them, and that the function keeps for them.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn rate(state: &[f64], p: &[f64], out: &mut [f64]) {
    out[0] = state[0] * (p[0] - p[1] * state[1]);
    out[1] = state[1] * (p[2] * state[0] - p[0]);
}

/// Scratch memory of both kinds, which calls fill.
#[differentiable]
fn heun(x: &[f64], p: &[f64], steps: usize) -> f64 {
    let mut state = [x[0], x[1]];
    let mut ahead = vec![0.0; 2];
    let (mut k1, mut k2) = ([0.0; 2], vec![0.0; 2]);
    for _ in 0..steps {
        rate(&state, p, &mut k1);
        for i in 0..2 {
            ahead[i] = state[i] + 0.1 * k1[i];
        }
        rate(&ahead, p, &mut k2);
        for i in 0..2 {
            state[i] += 0.05 * (k1[i] + k2[i]);
        }
    }
    state[0] * state[1]
}

/// Reads what it writes.
#[differentiable]
fn squared_in_place(v: &mut [f64], w: &[f64]) {
    for i in 0..v.len() {
        v[i] = v[i] * v[i] * w[i];
        v[i] += v[i].sin();
    }
}

#[differentiable]
fn in_place(x: &[f64], steps: usize) -> f64 {
    let mut v = x.to_vec();
    let mut w = [0.3, 0.8, -0.4];
    for k in 0..steps {
        squared_in_place(&mut v, &w);
        squared_in_place(&mut w, &x[..3]);
        v[0] *= 0.5 + w[k % 3];
    }
    v[0] * v[1] + w[2] * v[2]
}

/// The length changes between calls.
#[differentiable]
fn scaled(v: &mut Vec<f64>, by: f64) {
    v[0] *= v[1] * by;
}

#[differentiable]
fn norm2(v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for a in v {
        sum += a * a * a;
    }
    sum
}

#[differentiable]
fn lengths(x: &[f64], a: f64) -> f64 {
    let mut v = vec![1.0, 2.0];
    let mut sum = 0.0;
    for k in 0..3 {
        sum += norm2(&v);
        scaled(&mut v, a * x[k]);
        v.push(x[k]);
        if k == 1 {
            v = vec![a, x[0], x[1] * a];
        }
        sum *= 1.0 + 0.1 * norm2(&v);
    }
    sum + v[2] * v[2]
}

/// Calls in branches, and one that leaves early.
#[differentiable]
fn some_root(v: &[f64]) -> Option<f64> {
    let s = v[0] * v[1];
    if s < 0.05 { None } else { Some(s.sqrt()) }
}

#[differentiable]
fn in_branches(x: &[f64]) -> f64 {
    let mut v = vec![x[0], 1.0];
    let mut sum = 0.0;
    for k in 0..x.len() {
        if k % 2 == 0 {
            sum += norm2(&v);
        }
        if let Some(r) = some_root(&v) {
            sum += r;
        }
        v[k % 2] += 0.5 * x[k] * sum;
        if x[k] > 1.3 {
            continue;
        }
        v[1] *= x[k];
    }
    sum
}

#[derive(Clone, Debug, Tangent)]
struct Ball {
    at: [f64; 2],
    radius: f64,
}

#[differentiable]
fn energy(b: &Ball) -> f64 {
    b.at[0] * b.at[1] * b.radius
}

#[differentiable]
fn pushed(b: &mut Ball, by: f64) {
    b.at[0] += by * b.at[1] * b.radius;
    b.radius *= by;
}

#[differentiable]
fn balls(x: f64, y: f64) -> f64 {
    let mut b = Ball {
        at: [x, y],
        radius: x * y,
    };
    let mut sum = 0.0;
    for _ in 0..3 {
        sum += energy(&b);
        pushed(&mut b, 0.9 * y);
    }
    sum * energy(&b)
}

/// A callee whose callee reads.
#[differentiable]
fn twice(v: &[f64]) -> f64 {
    norm2(v) * 0.3 + norm2(&v[1..])
}

#[differentiable]
fn levels(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut sum = 0.0;
    for k in 1..x.len() {
        sum += twice(&v);
        v[k] = v[k - 1] * sum.sin();
        sum += twice(&v[..k]);
    }
    sum
}

/// Rounds that run again.
#[differentiable]
fn filled(x: &[f64], p: f64, out: &mut [f64]) {
    for i in 0..out.len() {
        out[i] = (x[i] * p).sin();
    }
}

#[differentiable]
fn in_rounds(x: &[f64], ps: &[f64]) -> f64 {
    let mut out = vec![0.0; x.len()];
    let mut total = 0.0;
    for p in ps {
        filled(x, *p, &mut out);
        total += norm2(&out);
        out[0] *= *p;
        total += norm2(&out);
    }
    total
}

/// Scratch memory that rounds read, and memory that they only write, in a loop in a loop.
#[differentiable]
fn written_alone(x: &[f64], p: &[f64], z: &mut [f64], out: &mut [f64]) {
    for k in 0..out.len() {
        for i in 0..z.len() {
            z[i] = x[i] * p[k] * x[i];
        }
        let mut sum = 0.0;
        for i in 0..z.len() {
            let mut inner = 0.0;
            for j in 0..z.len() {
                inner += z[j] * z[i] * x[j];
            }
            sum += inner.sin();
        }
        out[k] = sum;
    }
}

/// The same, with a sum that is the value.
#[differentiable]
fn written_beside(x: &[f64], p: &[f64], z: &mut [f64], out: &mut [f64]) -> f64 {
    let mut total = 0.0;
    for k in 0..out.len() {
        for i in 0..z.len() {
            z[i] = x[i] * p[k] * x[i];
        }
        let mut sum = 0.0;
        for i in 0..z.len() {
            sum += z[i] * z[i];
        }
        out[k] = sum;
        total += sum.exp();
    }
    total
}

#[differentiable]
fn layer(w: &[f64], x: &[f64], out: &mut [f64]) {
    for j in 0..out.len() {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += w[j * x.len() + i] * x[i];
        }
        out[j] = sum.tanh() * sum;
    }
}

judge! {
    heun(&positive(2), &positive(3), 3) (&positive(2), &positive(3), 1) (&positive(2), &positive(3), 0);
    in_place(&any(3), 3);
    lengths(&any(3), 0.7);
    in_branches(&positive(5)) (&any(4));
    balls(0.8, 1.2);
    levels(&any(4));
    in_rounds(&any(3), &any(3));
    written_alone(&any(2), &any(3), &mut any(2), &mut any(3)) (&any(3), &any(1), &mut any(2), &mut any(1));
    written_beside(&any(2), &any(3), &mut any(2), &mut any(3)) (&any(2), &any(3), &mut any(2), &mut any(2));
    layer(&any(6), &any(3), &mut any(2));
}
