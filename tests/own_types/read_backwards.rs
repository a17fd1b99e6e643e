//! Memory that is run through backwards, or again and again, and has another length afterwards: the reverse sweep comes back to entries by the length of then.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[differentiable]
fn summed(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let s: f64 = e.iter().rev().skip(1).map(|v| v * v).sum();
    e.push(s);
    e[4]
}

#[differentiable]
fn nth(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let s = *e.iter().rev().nth(1).unwrap() * 2.0;
    e.push(s * s);
    e[4]
}

#[differentiable]
fn popped(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let mut s = 0.0;
    for v in e.iter().rev().take(2) {
        s += v;
    }
    e.pop();
    s * e[2] * e[1]
}

#[differentiable]
fn rfold(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let s = e.iter().rfold(0.0, |a, v| 0.5 * a + v * v);
    e.push(s);
    e[4]
}

#[differentiable]
fn chunks(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let s: f64 = e
        .chunks(2)
        .rev()
        .enumerate()
        .map(|(i, v)| i as f64 * v[0] * v[1])
        .sum();
    e.push(s);
    e.push(2.0 * s);
    e[4] + e[5]
}

#[differentiable]
fn collected(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let r: Vec<f64> = e.iter().rev().skip(1).copied().collect();
    e.push(r[0] * r[1]);
    e[4] * r[2]
}

#[differentiable]
fn numbered(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let mut s = 0.0;
    for (i, v) in e.iter().enumerate().rev() {
        if i < 3 {
            s = 0.5 * s + v * v;
        }
    }
    e.push(s);
    e[4]
}

#[differentiable]
fn zipped(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let mut s = 0.0;
    for (a, b) in e.iter().zip(e[1..].iter().rev()) {
        s = 0.5 * s + a * b;
    }
    e.push(s);
    e[4]
}

#[differentiable]
fn largest(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let m = e
        .iter()
        .rev()
        .max_by(|a, b| a.partial_cmp(b).unwrap())
        .copied()
        .unwrap();
    e.push(m * m);
    e[4]
}

#[differentiable]
fn found(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let m = e.iter().rev().find(|v| v.abs() > 0.01).copied().unwrap();
    e.push(m * m);
    e[4]
}

#[differentiable]
fn cycled(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let mut s = 0.0;
    for (a, b) in e.iter().zip(e.iter().cycle().skip(1)) {
        s = 0.5 * s + a * b;
    }
    e.push(s);
    e[4]
}

#[differentiable]
fn cleared(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let mut s = 0.0;
    for v in e.iter().rev().take(2) {
        s += v * v;
    }
    e.clear();
    e.push(s);
    s * e[0]
}

#[differentiable]
fn chained(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let mut s = 0.0;
    for v in e.iter().chain(&[1.0]).rev().skip(2) {
        s = 0.5 * s + v * v;
    }
    e.push(s);
    e[4]
}

#[differentiable]
fn accumulate(e: &mut Vec<f64>, k: f64) {
    let s: f64 = e.iter().rev().skip(1).map(|v| k * v * v).sum();
    e.push(s);
}
#[differentiable]
fn lent(x: &[f64], k: f64) -> f64 {
    let mut e = x.to_vec();
    for _ in 0..2 {
        accumulate(&mut e, k);
    }
    e[4] + e[5] * e[3]
}

#[differentiable]
fn pairs(x: &[f64]) -> f64 {
    let mut e = vec![[x[0], x[1]], [x[2], x[3]], [x[1], x[3]]];
    let mut s = 0.0;
    for [a, b] in e.iter().rev().skip(1) {
        s = 0.5 * s + a * b;
    }
    e.push([s, s]);
    e[3][1]
}

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let mut s = 0.0;
    for v in e[1..].iter().rev() {
        s = 0.5 * s + v * v;
    }
    let n = e.len();
    for v in e[..n - 1].iter().rev() {
        s = 0.5 * s + v * v;
    }
    e.push(s);
    e[4]
}

#[derive(Clone, Debug, Default, Tangent)]
struct History {
    e: Vec<f64>,
}
#[differentiable]
impl History {
    fn weighted(&self) -> f64 {
        self.e
            .iter()
            .rev()
            .skip(1)
            .enumerate()
            .map(|(i, v)| 0.5f64.powi(i as i32) * v)
            .sum()
    }
    fn record(&mut self, x: f64) {
        let s: f64 = self
            .e
            .iter()
            .rev()
            .skip(1)
            .enumerate()
            .map(|(i, v)| 0.5f64.powi(i as i32) * v * v)
            .sum();
        self.e.push(x + s);
    }
    fn record2(&mut self, x: f64) {
        let s = self.weighted();
        self.e.push(x * s);
    }
}
#[differentiable]
fn history(x: &[f64]) -> f64 {
    let mut h = History { e: vec![0.5, x[0]] };
    for &v in x {
        h.record(v);
    }
    h.e.iter().sum()
}
#[differentiable]
fn history_through_a_method(x: &[f64]) -> f64 {
    let mut h = History {
        e: vec![0.5, x[0], 0.4],
    };
    for &v in x {
        h.record2(v);
    }
    h.e.iter().sum()
}

#[derive(Clone, Debug, Tangent)]
struct Sample {
    x: f64,
    v: Vec<f64>,
}
#[differentiable]
fn structs(x: &[f64]) -> f64 {
    let mut e: Vec<Sample> = x
        .iter()
        .map(|a| Sample {
            x: *a,
            v: vec![a * a],
        })
        .collect();
    let mut s = 0.0;
    for m in e.iter().rev().skip(1) {
        s = 0.5 * s + m.x * m.v[0];
    }
    e.push(Sample { x: s, v: vec![s] });
    e[4].x * e[4].v[0]
}

#[differentiable]
fn truncated(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let s: f64 = e
        .iter()
        .rev()
        .enumerate()
        .map(|(i, v)| (i + 1) as f64 * v * v)
        .sum();
    e.truncate(2);
    e[1] * s
}
#[differentiable]
fn assigned(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let s: f64 = e
        .iter()
        .rev()
        .enumerate()
        .map(|(i, v)| (i + 1) as f64 * v * v)
        .sum();
    e = vec![s, 2.0 * s, s * s, 1.0, 2.0, x[0]];
    e[1] * s * e[2] * e[5]
}
#[differentiable]
fn several_ways(x: &[f64]) -> f64 {
    let mut e = x.to_vec();
    let mut s = 0.0;
    for (i, v) in e.iter().rev().take(2).enumerate() {
        s += (i + 1) as f64 * v * v;
    }
    e.insert(0, s);
    for (i, v) in e.iter().rev().skip(1).step_by(2).enumerate() {
        s += (i + 1) as f64 * v * v;
    }
    e.remove(1);
    for (i, v) in e.windows(2).rev().enumerate() {
        s += (i + 1) as f64 * v[0] * v[1];
    }
    s
}

judge! {
    summed(&any(4));
    nth(&any(4));
    popped(&any(4));
    rfold(&any(4));
    chunks(&any(4));
    collected(&any(4));
    numbered(&any(4));
    zipped(&any(4));
    largest(&any(4));
    found(&any(4));
    cycled(&any(4));
    cleared(&any(4));
    chained(&any(4));
    lent(&any(4), 0.7);
    pairs(&any(4));
    parts(&any(4));
    history(&any(3));
    history_through_a_method(&any(3));
    structs(&any(4));
    truncated(&any(4));
    assigned(&any(4));
    several_ways(&any(4));
}
