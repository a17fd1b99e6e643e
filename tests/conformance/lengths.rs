//! Vectors that change their length when all of them is assigned.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn doubled(x: &[f64], n: usize) -> Vec<f64> {
    let mut y = vec![0.0; n];
    for i in 0..n {
        y[i] = x[i % x.len()] * (1.0 + i as f64) * x[0];
    }
    y
}

#[differentiable]
fn lengths(x: &[f64]) -> f64 {
    let mut h = x.to_vec();
    for n in [3, 5, 2] {
        h = doubled(&h, n);
    }
    h.iter().sum()
}

#[differentiable]
fn lengths_inline(x: &[f64]) -> f64 {
    let mut h = x.to_vec();
    for n in [3, 5, 2] {
        let mut next = vec![0.0; n];
        for i in 0..n {
            next[i] = h[i % h.len()] * h[0];
        }
        h = next;
    }
    h.iter().sum()
}

#[differentiable]
fn lengths_collected(x: &[f64]) -> f64 {
    let mut h = x.to_vec();
    for n in [3, 5, 2] {
        h = (0..n).map(|i| h[i % h.len()] * h[0]).collect();
    }
    h.iter().sum()
}

#[differentiable]
fn lengths_of_calls(x: &[f64]) -> f64 {
    let mut h = doubled(x, 4);
    for n in [3, 5, 2] {
        h = doubled(&h, n);
    }
    h.iter().sum()
}

#[differentiable]
fn lengths_without_a_loop(x: &[f64]) -> f64 {
    let mut h = x.to_vec();
    h[0] *= 2.0;
    h = doubled(&h, 4);
    h[1] *= 2.0;
    h = doubled(&h, 3);
    h[0] * h[1] + h[2]
}

#[differentiable]
fn lengths_of_rows(x: &[f64]) -> f64 {
    let mut h = vec![x.to_vec()];
    for n in 2..4 {
        let mut next = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                next[i][j] = h[i % h.len()][j % h[0].len()] * x[i % 2];
            }
        }
        h = next;
    }
    h.iter().map(|r| r.iter().sum::<f64>()).sum()
}

#[differentiable]
fn early_vec(x: &[f64]) -> Vec<f64> {
    if x[0] > 5.0 {
        return vec![x[0], 1.0];
    }
    let mut y = x.to_vec();
    y[0] *= x[1];
    y
}

#[derive(Clone, Debug, Tangent)]
struct Inner {
    v: Vec<f64>,
    scale: f64,
}

#[differentiable]
fn stepped(s: &Inner) -> Inner {
    let v: Vec<f64> = s.v.iter().map(|v| v * s.scale + v * v).collect();
    let scale = s.scale * 0.9;
    Inner { v, scale }
}

#[differentiable]
fn struct_state(x: &[f64], n: usize) -> f64 {
    let mut s = Inner {
        v: x.to_vec(),
        scale: x[0],
    };
    for _ in 0..n {
        s = stepped(&s);
    }
    s.v.iter().sum::<f64>() * s.scale
}

#[differentiable]
fn rotated(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    y.rotate_left(1);
    y.truncate(3);
    y.push(x[0] * y[1]);
    y.rotate_right(1);
    y
}

#[differentiable]
fn concat(x: &[f64], y: &[f64]) -> Vec<f64> {
    let mut z = x.to_vec();
    z.extend(y);
    z.extend_from_slice(&y[1..]);
    z.extend(y.iter().map(|v| v * v));
    z[0] *= z[1];
    z
}

#[differentiable]
fn stack_sum(x: &[f64]) -> f64 {
    let mut stack = x.to_vec();
    let mut total = 0.0;
    while let Some(top) = stack.pop() {
        total = total * 0.5 + top * top;
        if top > 0.8 && stack.len() < 3 {
            stack.push(top * 0.5);
        }
    }
    total
}

#[differentiable]
fn curved(u: &[f64], x: f64) -> Vec<f64> {
    u.iter().map(|e| x * e * (1.0 - e)).collect()
}
#[differentiable]
fn longer_by_one(v: &[f64], x: f64) -> Vec<f64> {
    let mut w: Vec<f64> = v.iter().map(|e| e * x).collect();
    w.push(x);
    w
}
#[differentiable]
fn of_another_length_in_each_arm(p: &[f64], x: f64) -> f64 {
    let mut s = curved(p, x);
    let mut total = 0.0;
    for k in 0..4 {
        s = match k % 2 {
            0 => longer_by_one(&s, x),
            _ => curved(&s, total),
        };
        total += s[0];
    }
    total + s[1]
}

judge! {
    of_another_length_in_each_arm(&[0.4, 0.9], 0.7);
    lengths(&any(2));
    lengths_inline(&any(2));
    lengths_collected(&any(2));
    lengths_of_calls(&any(2));
    lengths_without_a_loop(&any(2));
    lengths_of_rows(&any(2));
    early_vec(&any(2)) (&vec![6.0, 2.0]);
    struct_state(&any(2), 2);
    rotated(&any(4));
    concat(&any(2), &positive(2));
    stack_sum(&any(4));
}
