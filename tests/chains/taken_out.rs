//! What is taken out of fields and entries, and what is put there in its place.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Pid {
    kd: f64,
    prev: Option<f64>,
}
#[differentiable]
impl Pid {
    fn update(&mut self, error: f64, dt: f64) -> f64 {
        let derivative = match self.prev.replace(error) {
            Some(p) => (error - p) / dt,
            None => 0.0,
        };
        self.kd * derivative
    }
    fn reset(&mut self) -> f64 {
        self.prev.take().unwrap_or(0.0)
    }
    fn step(&mut self, x: f64) -> f64 {
        let old = self.prev.take();
        if let Some(o) = old {
            self.prev = Some(o * x);
        }
        if let Some(p) = self.prev.take() {
            return p * self.kd;
        }
        self.prev = Some(x);
        self.prev.replace(x * x).unwrap_or(1.0)
    }
}
#[differentiable]
fn controlled(a: f64, b: f64) -> f64 {
    let mut p = Pid { kd: a, prev: None };
    let mut s = 0.0;
    for i in 0..3 {
        s += p.update(b * i as f64 + a * a, b);
        s += p.step(a);
    }
    s + p.reset() + p.step(b)
}

#[derive(Clone, Debug, Tangent)]
struct Acc {
    balance: f64,
    history: Vec<f64>,
    k: f64,
}
#[differentiable]
impl Acc {
    fn take_history(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.history)
    }
    fn drain_all(&mut self) -> f64 {
        let h = std::mem::take(&mut self.history);
        h.iter().sum::<f64>() * self.k
    }
    fn empty(&mut self) -> f64 {
        std::mem::take(&mut self.balance) * self.k
    }
}
#[differentiable]
fn accounts(x: f64, y: f64) -> f64 {
    let mut a = Acc {
        balance: x,
        history: vec![x, y, x * y],
        k: y,
    };
    let h: f64 = a.take_history().iter().map(|v| v * v).sum();
    a.history.push(x);
    let b = a.drain_all();
    let c = a.empty();
    h * b + c * (1.0 + a.balance) + a.history.len() as f64
}
#[differentiable]
fn entries(x: &mut Vec<f64>, k: f64) -> f64 {
    let first = std::mem::take(&mut x[0]);
    let (i, mut p) = (1, (k, 2.0));
    let second = std::mem::take(&mut x[i]) * k;
    let third = p.0;
    p.0 = k * k;
    first * second + x[0] + x[2] * third
}
#[differentiable]
fn of_entries(k: f64) -> f64 {
    let mut v = vec![k, k * k, 0.4];
    entries(&mut v, k) + v.iter().sum::<f64>()
}
#[derive(Clone, Debug, Tangent)]
struct Deep {
    inner: Acc,
    last: Option<f64>,
    pair: Option<(f64, f64)>,
}
#[differentiable]
fn deep(x: f64, y: f64) -> Option<f64> {
    let mut d = Deep {
        inner: Acc {
            balance: x,
            history: vec![x, y],
            k: y,
        },
        last: Some(x * y),
        pair: Some((x, y)),
    };
    let a = d.last.take()?;
    let s: f64 = std::mem::take(&mut d.inner.history)
        .iter()
        .map(|v| v * a)
        .sum();
    let b = d.last.replace(s).map_or(1.0, |l| l * x);
    let c = d.last.replace(a * y)?;
    let (p, q) = d.pair.take().unwrap();
    if d.pair.is_none() {
        d.inner.history.push(p);
    }
    while let Some(l) = d.last.take() {
        d.inner.balance += l;
    }
    Some(
        b * c
            + p * q
            + d.inner.history.iter().sum::<f64>() * d.inner.balance
            + d.inner.history.len() as f64,
    )
}
#[differentiable]
fn of_deep(x: f64, y: f64) -> f64 {
    deep(x, y).unwrap_or(0.0) * x
}

judge! {
    controlled(0.9, 1.1);
    accounts(0.9, 1.1);
    of_entries(0.8);
    of_deep(0.9, 1.1);
}
