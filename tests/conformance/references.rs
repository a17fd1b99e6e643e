//! References that are pointed elsewhere, slices that a branch chooses, patterns of slices.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn product(a: &[f64]) -> f64 {
    a[0] * a[1]
}

#[differentiable]
fn mix(a: &mut [f64]) {
    a[0] *= a[1];
}

#[differentiable]
fn lowest(x: &[f64]) -> f64 {
    let mut best = &x[0];
    for i in 1..x.len() {
        if x[i] < *best {
            best = &x[i];
        }
    }
    let mut highest = &x[0];
    for v in x {
        if v > highest {
            highest = v;
        }
    }
    best * best * x[0] * *highest
}

#[differentiable]
fn row(x: &[f64]) -> f64 {
    let rows = [[x[0], x[1]], [x[2], x[3]], [x[4], x[5]]];
    let mut best = &rows[0];
    for r in rows.iter() {
        if r[0] > best[0] {
            best = r;
        }
    }
    best[0] * best[1]
}

#[differentiable]
fn rest(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut sum = 0.0;
    while rest.len() > 1 {
        let (a, b) = rest.split_at(2);
        sum = sum * 0.5 + a[0] * a[1];
        rest = b;
    }
    sum
}

#[differentiable]
fn halved(x: &[f64], at: f64) -> f64 {
    let grid = [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0];
    let mut part: &[f64] = x;
    while part.len() > 2 {
        let middle = part.len() / 2;
        part = if grid[middle] > 0.5 {
            &part[..middle]
        } else {
            &part[middle..]
        };
    }
    part[0] * part[part.len() - 1] * at
}

#[differentiable]
fn merged(x: &[f64]) -> f64 {
    let (mut a, mut b) = x.split_at(3);
    let mut out = Vec::new();
    while !a.is_empty() && !b.is_empty() {
        if a[0] < b[0] {
            out.push(a[0]);
            a = &a[1..];
        } else {
            out.push(b[0]);
            b = &b[1..];
        }
    }
    out.extend_from_slice(a);
    out.extend_from_slice(b);
    out[1] * out[2] + out[5]
}

#[differentiable]
fn slid(x: &mut [f64]) -> f64 {
    let mut rest = &mut x[..];
    let mut k = 1.0;
    while rest.len() >= 2 {
        let (a, b) = rest.split_at_mut(2);
        a[0] *= k + a[1];
        k += 1.0;
        rest = b;
    }
    x[0] * x[2]
}

#[differentiable]
fn pointed_elsewhere(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut p = &mut v[0];
    *p *= 2.0;
    p = &mut v[1];
    *p *= 3.0;
    v[0] * v[1]
}

#[differentiable]
fn chosen(x: &[f64], k: usize) -> f64 {
    let (a, b) = x.split_at(3);
    let s = if a[0] > b[0] { a } else { b };
    let t = match k {
        0 => &x[..2],
        1 => &x[2..4],
        _ => &x[4..],
    };
    let mut sum = product(s) * t[0];
    for v in t {
        sum += v * v;
    }
    sum
}

#[differentiable]
fn chosen_from_different_memory(x: &[f64], y: &[f64]) -> f64 {
    let s = if x[0] > y[0] { &x[1..3] } else { y };
    let (a, b) = (x.to_vec(), vec![y[0]; 4]);
    let t = if x[0] > 5.0 { &a } else { &b };
    s.iter().map(|v| v * v).sum::<f64>() * product(s) + t[1] * t[2]
}

#[differentiable]
fn chosen_to_be_changed(x: &mut [f64], k: usize) -> f64 {
    let part = match k {
        3 => &mut x[2..],
        _ => &mut x[..3],
    };
    mix(part);
    part[1] += part[0] * part[0];
    x[1] * x[2] + x[3]
}

#[differentiable]
fn patterns(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [a] => *a,
        [a, .., b] => a * b,
    }
}

#[differentiable]
fn pattern_with_rest(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut product = 1.0;
    while let [a, tail @ ..] = rest {
        product *= a + 2.0;
        rest = tail;
    }
    let [a, b, ..] = x else { panic!("two numbers") };
    if let [p, q] = x {
        product += p * q;
    }
    product * a + b
}

#[differentiable]
fn split_first(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut sum = 0.0;
    while let Some((a, tail)) = rest.split_first() {
        sum = sum * 0.5 + a * a;
        rest = tail;
    }
    if let Some((last, before)) = x.split_last() {
        sum *= last * before[0];
    }
    sum
}

#[differentiable]
fn before(x: &[f64]) -> f64 {
    let mut before = &x[..2];
    let mut sum = 0.0;
    for now in x[2..].chunks(2) {
        sum += before[0] * now[1] - before[1] * now[0];
        before = now;
    }
    sum
}

#[derive(Clone, Copy, Tangent)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable]
fn copies_that_change(x: &[f64]) -> f64 {
    let mut p = Pair { a: x[0], b: x[1] };
    p.a += 1.0;
    let Pair { mut a, b } = p;
    a = a * b;
    a += b;
    let mut sum = a * p.a;
    for (i, mut v) in x.iter().copied().enumerate() {
        v *= 2.0;
        v += i as f64;
        sum += v * v;
    }
    for &(mut v) in x {
        v = v * x[0];
        sum += v.sin();
    }
    let doubled = |mut v: f64| {
        v *= 2.0;
        v * v
    };
    sum * doubled(x[1])
}

fn numbers() -> Vec<f64> {
    vec![0.7, -0.4, 1.3, 0.9, -1.1, 0.6]
}

#[differentiable]
fn squares_into(y: &mut [f64], x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x * x;
    }
}

/// Nothing but the calls makes these active.
#[differentiable]
fn filled_through_references(x: &[f64]) -> f64 {
    let mut z = vec![0.0; 4];
    let middle = &mut z[1..3];
    squares_into(middle, x);
    let mut w = vec![0.0; 4];
    for half in w.chunks_mut(2) {
        squares_into(half, x);
    }
    z.iter().sum::<f64>() * w.iter().sum::<f64>()
}

judge! {
    filled_through_references(&vec![0.7, -0.4]);
    lowest(&numbers());
    row(&numbers());
    rest(&numbers());
    halved(&numbers(), 0.7);
    merged(&numbers());
    slid(&mut numbers());
    pointed_elsewhere(&numbers());
    chosen(&numbers(), 0) (&numbers(), 1) (&numbers(), 2);
    chosen_from_different_memory(&numbers(), &vec![0.2, 1.4]) (&numbers(), &vec![1.2, 1.4]);
    chosen_to_be_changed(&mut numbers(), 0) (&mut numbers(), 3);
    patterns(&numbers()) (&vec![0.4]) (&vec![0.4, 0.3]);
    pattern_with_rest(&numbers()) (&vec![0.4, 0.3]);
    split_first(&numbers());
    before(&numbers());
    copies_that_change(&numbers());
}
