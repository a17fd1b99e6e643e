//! Loops of which only the last round that was taken matters, and loops that look like it.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

/// Distances are sums, and a round that is not better ends by `continue`.
#[differentiable]
fn nearest_of_points(p: &[f64], points: &[f64], weights: &[f64]) -> f64 {
    let n = p.len();
    let mut best = f64::MAX;
    let mut which = 0;
    for k in 0..points.len() / n {
        let mut d = 0.0;
        for j in 0..n {
            let e = p[j] - points[k * n + j];
            d += e * e;
        }
        if d >= best {
            continue;
        }
        best = d * d;
        which = k;
    }
    best * weights[which]
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Ball {
    centre: f64,
    r: f64,
}

#[differentiable]
fn ball(a: &[f64]) -> Ball {
    Ball {
        centre: a[0] * a[0],
        r: a[1],
    }
}

#[differentiable]
fn depth(x: f64, ball: &Ball) -> Option<f64> {
    let d = x - ball.centre;
    let rest = ball.r * ball.r - d * d;
    if rest <= 0.0 {
        return None;
    }
    Some(rest.sqrt())
}

/// Calls that may give nothing, and a struct that is kept.
#[differentiable]
fn deepest(xs: &[f64], balls: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in xs {
        let mut most = 0.05;
        let mut at = 1.0;
        let mut hit = false;
        for b in balls.chunks_exact(2) {
            let here = ball(b);
            if let Some(t) = depth(*x, &here) {
                if t > most {
                    most = t;
                    at = here.centre * t;
                    hit = true;
                }
            }
        }
        if !hit {
            continue;
        }
        sum += most * at;
    }
    sum
}

/// What is set is computed from what was set before.
#[differentiable]
fn drifts(x: &[f64]) -> f64 {
    let mut best = 0.3;
    for v in x {
        let square = v * v;
        if square > best {
            best = 0.5 * best + square * v;
        }
    }
    best
}

/// Nothing of it is set again where only one of two is.
#[differentiable]
fn two_of_them(x: &[f64]) -> f64 {
    let (mut first, mut second) = (0.2, 0.1);
    for v in x {
        let square = v * v * v.cos();
        if square > first {
            second = first;
            first = square;
        }
    }
    first - second * first
}

/// The best of all rounds of the loop around it, from the last column to the first, every second one.
#[differentiable]
fn best_of_all(a: &[f64], n: usize) -> f64 {
    let mut best = -20.0;
    let (mut row, mut col) = (0, 0);
    for i in 0..n {
        for j in (0..n).rev().step_by(2) {
            let v = a[i * n + j] * a[j * n + i].exp();
            if v > best {
                best = v;
                row = i;
                col = j;
            }
        }
    }
    best * a[row] + a[col]
}

/// A search in each round of a search.
#[differentiable]
fn smallest_of_largest(a: &[f64], n: usize) -> f64 {
    let mut smallest = f64::INFINITY;
    for i in 0..n {
        let mut largest = f64::NEG_INFINITY;
        for j in 0..n {
            let v = a[i * n + j] * a[j];
            if v > largest {
                largest = v;
            }
        }
        if largest < smallest {
            smallest = largest * largest;
        }
    }
    smallest
}

/// What is read of memory changes after the search.
#[differentiable]
fn then_overwritten(x: &mut [f64]) -> f64 {
    let mut most = 0.0;
    let mut at = 0;
    for i in 0..x.len() {
        let square = x[i] * x[i];
        if square > most {
            most = square;
            at = i;
        }
    }
    x[at] = most * x[0];
    most + x[at]
}

/// Two conditions, of which one has nothing to do with the search.
#[differentiable]
fn allowed(x: &[f64], price: &[f64], from: usize) -> f64 {
    let mut best = 100.0;
    for i in 0..x.len() {
        if i >= from {
            let cost = x[i].sin() * price[i];
            if cost < best {
                best = cost;
            }
        }
    }
    best * price[0]
}

judge! {
    nearest_of_points(&any(2), &any(8), &any(4)) (&any(3), &any(3), &any(1));
    deepest(&vec![0.2, 0.9, 2.0], &vec![0.5, 0.8, 0.9, 1.1]) (&vec![9.0], &vec![0.5, 0.8]) (&vec![0.1], &vec![]);
    drifts(&any(5)) (&vec![1.2, 0.9, 1.4]);
    two_of_them(&any(6)) (&vec![0.7, 0.9, 1.1]);
    best_of_all(&any(9), 3) (&any(16), 4);
    smallest_of_largest(&any(9), 3) (&positive(4), 2);
    then_overwritten(&mut any(4)) (&mut vec![0.4, -1.2, 0.9]);
    allowed(&any(5), &any(5), 2) (&any(3), &any(3), 3);
}
