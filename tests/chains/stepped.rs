//! Iterators that are kept in a local and advanced.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn first_apart(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let first = *it.next().unwrap();
    let mut total = 0.0;
    for v in it {
        total += v * first;
    }
    total * first
}

#[differentiable]
fn horner(c: &[f64], x: f64) -> f64 {
    let mut it = c.iter().rev();
    let mut p = *it.next().expect("a coefficient");
    for c in it {
        p = p * x + c;
    }
    p
}

#[differentiable]
fn one_by_one(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut total = 1.0;
    while let Some(v) = it.next() {
        total *= v;
        if total < 0.1 {
            break;
        }
    }
    total + it.map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn by_twos(x: &[f64]) -> f64 {
    let mut it = x.iter().copied();
    let mut total = 0.0;
    while let Some(a) = it.next() {
        let b = it.next().unwrap_or(1.0);
        total += a * b;
    }
    total
}

#[differentiable]
fn or_nothing(x: &[f64], y: f64) -> f64 {
    let mut it = x.iter();
    let a = it.next().unwrap_or(&0.0);
    let b = it.next().copied().unwrap_or(y);
    let c = it.next().map_or(y * y, |c| c * c * y);
    a * b * c
}

#[differentiable]
fn changed_one_by_one(x: &mut [f64], k: f64) {
    let mut it = x.iter_mut();
    let first = it.next().unwrap();
    *first *= k;
    if let Some(second) = it.next() {
        *second *= *second * k;
    }
    for v in it {
        *v += k;
    }
}

#[differentiable]
fn without_name(x: &[f64], y: f64) -> f64 {
    let a = if let Some(v) = x.iter().next() {
        v * y
    } else {
        y
    };
    let b = match x.iter().nth(1) {
        Some(v) => v * v,
        None => y * y,
    };
    let c = x.iter().last().unwrap_or(&2.0);
    let d = x.iter().copied().find(|v| *v > 1.0).unwrap_or(y);
    let e = x.iter().rev().next().map_or(y, |v| v * a);
    a * b * c + d * e
}

#[differentiable]
fn skipped(x: &[f64]) -> f64 {
    let mut it = x.iter();
    it.next();
    let a = it.nth(1).unwrap();
    let n = it.len() as f64;
    a * n * it.last().unwrap()
}

#[differentiable]
fn peeked(x: &[f64]) -> f64 {
    let mut it = x.iter().peekable();
    let mut total = 0.0;
    while let Some(v) = it.next() {
        match it.peek() {
            Some(after) => total += v * **after,
            None => total += v * v,
        }
    }
    total
}

#[differentiable]
fn two_at_once(x: &[f64], y: &[f64]) -> f64 {
    let mut pairs = x.iter().zip(y.iter()).enumerate();
    let (_, (a, b)) = pairs.next().unwrap();
    let mut total = a * b;
    while let Some((i, (a, b))) = pairs.next() {
        total = total * b + a * i as f64;
    }
    total
}

/// Merges two sorted lists, and weights what is smaller more.
#[differentiable]
fn merged(x: &[f64], y: &[f64]) -> f64 {
    let (mut a, mut b) = (x.iter().peekable(), y.iter().peekable());
    let (mut total, mut weight) = (0.0, 1.0);
    for _ in 0..x.len() + y.len() {
        let take_a = a.peek().is_some() && (b.peek().is_none() || a.peek() < b.peek());
        let v = if take_a {
            a.next().unwrap()
        } else {
            b.next().unwrap()
        };
        total += weight * v * v;
        weight *= 0.7;
    }
    total
}

#[differentiable]
fn by_reference(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut head = 0.0;
    for v in it.by_ref() {
        if *v < 0.0 {
            break;
        }
        head += v;
    }
    let tail: f64 = it.map(|v| v * v).sum();
    head * tail
}

#[differentiable]
fn chunks(x: &[f64]) -> f64 {
    let mut rows = x.chunks_exact(2);
    let first = rows.next().unwrap();
    let mut total = first[0] * first[1];
    for row in rows {
        total *= row[0] + row[1];
    }
    total
}

#[differentiable]
fn in_a_loop(x: &[f64], n: usize) -> f64 {
    let mut total = 1.0;
    for k in 0..n {
        let mut it = x.iter().skip(k);
        let a = it.next().unwrap();
        let b = it.next().unwrap_or(&0.5);
        total += total * a * b;
    }
    total
}

#[differentiable]
fn pairs_of(x: &[f64], y: &mut [f64]) -> f64 {
    let mut out = y.iter_mut();
    let mut last = 1.0;
    for v in x {
        match out.next() {
            Some(o) => {
                *o += v * last;
                last = *o;
            }
            None => last *= *v,
        }
    }
    last
}

#[differentiable]
fn two_iterators(x: &[f64], y: &[f64]) -> f64 {
    let (mut a, mut b) = (x.iter(), y.iter());
    let mut t = 0.0;
    for k in 0..6 {
        let v = if k % 2 == 0 { a.next() } else { b.next() };
        if let Some(v) = v {
            t = t * 0.5 + v * v;
        }
    }
    t
}

judge! {
    pairs_of(&any(3), &mut any(2));
    two_iterators(&any(4), &any(2));
    first_apart (&any(4)) (&any(1));
    horner (&any(4), 0.7);
    one_by_one (&positive(4)) (&[0.3, 0.2, 0.5, 0.7].to_vec());
    by_twos (&any(4)) (&any(3));
    or_nothing (&any(4), 0.3) (&any(2), 0.3) (&any(1), 0.3) (&any(0), 0.3);
    changed_one_by_one (&mut any(4), 0.3) (&mut any(1), 0.3);
    without_name (&[0.4, 1.3, 0.6].to_vec(), 0.8) (&vec![0.4], 0.8) (&vec![], 0.8);
    skipped (&any(5));
    peeked (&any(4)) (&any(1));
    two_at_once (&any(4), &any(3));
    merged (&vec![0.3, 0.7, 0.9], &vec![0.1, 0.8]);
    by_reference (&[0.4, 0.3, -0.6, 0.8, 0.2].to_vec()) (&positive(3));
    chunks (&any(6)) (&any(2));
    in_a_loop (&any(4), 4);
}
