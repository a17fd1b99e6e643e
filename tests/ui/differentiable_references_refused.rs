//! References that `#[differentiable]` cannot follow.

use coenzyme::differentiable;

#[differentiable]
fn optional_slice(x: f64, w: Option<&mut [f64]>) -> f64 {
    match w {
        Some(w) => x * w[0],
        None => x,
    }
}

#[differentiable]
fn rows(m: &mut [&mut [f64]]) -> f64 {
    m[0][0] * m[1][1]
}

#[differentiable]
fn chosen_together(x: &[f64], y: &[f64], first: bool) -> f64 {
    let (a, b) = if first { (x, y) } else { (y, x) };
    a[0] * b[1]
}

#[differentiable]
fn chosen_in_pairs_to_be_changed(x: f64, first: bool) -> f64 {
    let (mut a, mut b) = (vec![x; 2], vec![x; 3]);
    let (p, q) = if first { (&mut a, &mut b) } else { (&mut b, &mut a) };
    p[0] *= 3.0;
    q[0] += x;
    a[0] * b[0]
}

#[differentiable]
fn chosen_later(x: f64) -> f64 {
    let (mut a, mut b) = (x, 2.0 * x);
    let r;
    if x > 0.5 {
        r = &mut a;
    } else {
        r = &mut b;
    }
    *r *= x;
    a * b
}

#[differentiable]
fn one_or_the_other(x: f64, n: usize) -> f64 {
    let mut v = vec![x, 2.0];
    let mut other = 5.0;
    let r = v.get_mut(n).unwrap_or(&mut other);
    *r *= x;
    v[1] * other
}

#[differentiable]
fn held_in_an_option(x: f64) -> f64 {
    let mut a = x;
    let r = Some(&mut a);
    if let Some(r) = r {
        *r *= x;
    }
    a
}

#[differentiable]
fn held_in_an_array(x: f64) -> f64 {
    let (mut a, mut b) = (x, 2.0);
    for r in [&mut a, &mut b] {
        *r *= x;
    }
    a * b
}

#[differentiable]
fn collected_references(x: f64) -> f64 {
    let mut v = vec![x, 2.0];
    let all: Vec<&mut f64> = v.iter_mut().collect();
    for r in all {
        *r *= x;
    }
    v[0] * v[1]
}

#[differentiable]
fn pointed_to_other_memory(x: &[f64], y: &[f64]) -> f64 {
    let mut rest = &x[1..];
    if rest.len() < 2 {
        rest = &y[1..];
    }
    rest[0] * rest[1]
}

#[differentiable]
fn references_from_different_blocks_change_places(x: &[f64], y: &[f64]) -> f64 {
    let mut p = x;
    for i in 0..3 {
        let mut inner = &y[i..];
        std::mem::swap(&mut p, &mut inner);
    }
    p[0] * p[1]
}

#[differentiable]
fn into_a_box(x: f64) -> f64 {
    let mut b = Box::new(x * x);
    let inside = &mut *b;
    *inside += 1.0;
    *b
}

#[differentiable]
fn shared(x: f64) -> f64 {
    let c = std::cell::Cell::new(x);
    x
}

#[differentiable]
fn queue(x: &[f64]) -> f64 {
    let mut waiting = std::collections::VecDeque::new();
    for v in x {
        waiting.push_back(*v);
    }
    waiting.pop_front().unwrap()
}

/// Calls of what was refused give no errors of their own.
#[differentiable]
fn calls_the_refused(x: f64) -> f64 {
    into_a_box(x) * shared(x)
}

#[differentiable]
fn taken(x: &mut Vec<f64>) -> f64 {
    let v = std::mem::take(x);
    v[0]
}

fn main() {}
