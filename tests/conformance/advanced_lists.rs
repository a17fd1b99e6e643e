//! Lists and maps without derivative: iterators over them that are advanced by hand, and their entries beside active ones.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::differentiable;
use std::collections::{BTreeMap, HashMap, VecDeque};

#[derive(Clone, Debug)]
struct Dose {
    time: f64,
    amount: f64,
}

#[differentiable]
fn of_a_slice(n: &[usize], k: f64) -> f64 {
    let mut it = n.iter();
    let mut s = k;
    while let Some(&d) = it.next() {
        s *= k + d as f64;
    }
    s
}

#[differentiable]
fn of_a_constant(k: f64) -> f64 {
    of_a_slice(&[1, 2, 3], k)
}

#[differentiable]
fn of_an_array(k: f64) -> f64 {
    let doses = [
        Dose {
            time: 0.0,
            amount: 3.0,
        },
        Dose {
            time: 1.5,
            amount: 1.0,
        },
    ];
    let mut it = doses.iter().rev().enumerate();
    let mut s = k;
    while let Some((i, d)) = it.next() {
        s = s * k + d.amount * d.time * i as f64;
    }
    s
}

#[differentiable]
fn amount(doses: &[Dose], k: f64) -> f64 {
    let mut state = 0.0;
    let mut due = doses.iter().peekable();
    let mut seen = doses.iter().peekable();
    let mut pending = doses.iter().skip(1);
    for t in 0..4 {
        while let Some(d) = due.next_if(|d| d.time <= t as f64) {
            state += d.amount;
        }
        while let Some(d) = seen.peek() {
            if d.time > t as f64 {
                break;
            }
            state += 0.5 * d.amount;
            seen.next();
        }
        if let Some(d) = pending.next() {
            state += d.amount * k;
        }
        state *= (-k).exp();
    }
    state
}

#[differentiable]
fn dosed(k: f64) -> f64 {
    let doses = vec![
        Dose {
            time: 0.0,
            amount: 3.0,
        },
        Dose {
            time: 1.5,
            amount: 1.0,
        },
    ];
    amount(&doses, k)
}

#[differentiable]
fn of_other_lists(x: &[f64]) -> f64 {
    let order: VecDeque<usize> = [2, 0, 1].into_iter().collect();
    let weights: BTreeMap<usize, f64> = [(1, 0.5), (2, 2.0)].into_iter().collect();
    let mut it = order.iter();
    let mut s = 1.0;
    while let Some(i) = it.next() {
        s *= x[*i];
    }
    let mut it = weights.iter();
    while let Some((i, w)) = it.next() {
        s += x[*i] * w * s;
    }
    s
}

#[differentiable]
fn skipped(k0: f64) -> f64 {
    let n = vec![3_usize, 4, 5, 6];
    let mut a = 1;
    let mut it = n.iter().skip(a);
    a = 3;
    let mut s = k0;
    while let Some(&v) = it.next() {
        s *= k0 + v as f64;
    }
    s + a as f64
}

#[differentiable]
fn weighted(keys: &[usize], x: &[f64]) -> f64 {
    let mut first: HashMap<usize, usize> = HashMap::new();
    for (i, k) in keys.iter().enumerate() {
        first.insert(*k, i);
    }
    let mut s = 0.0;
    for (k, v) in keys.iter().zip(x) {
        s += v * x[first[k]];
    }
    for (i, (&k, v)) in keys.iter().zip(x).enumerate() {
        s += v * x[first[&k]] * x[i];
    }
    s
}

#[differentiable]
fn by_keys(x: &[f64]) -> f64 {
    weighted(&[1, 2, 2, 7], x)
}

#[differentiable]
fn of_values(n: usize, k: f64) -> f64 {
    let mut it = (1..n).map(|i| i * i);
    let mut s = k;
    while let Some(d) = it.next() {
        s *= k + d as f64;
    }
    s
}

judge! {
    of_a_constant(0.7); of_an_array(0.7); dosed(0.4); of_other_lists(&any(3)); of_values(4, 0.3); skipped(0.3); by_keys(&any(4));
}
