//! Loops of which only the last round that was taken matters, and loops that look like it.

use coenzyme::{Duplicated, Reverse, Tangent, autodiff, differentiable};

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

/// The largest and the smallest, by a fold, by a method and by a function.
#[differentiable]
fn extremes(x: &[f64], w: &[f64]) -> f64 {
    let top = x
        .iter()
        .zip(w)
        .map(|(x, w)| x * w)
        .fold(f64::NEG_INFINITY, f64::max);
    let low = x.iter().fold(f64::INFINITY, |low, x| x.min(low));
    let mut most = 0.3;
    for v in x {
        most = f64::max(most, v * v);
    }
    (top - low) * most
}

/// Of each row, in a loop that goes back.
#[differentiable]
fn normalised(x: &mut [f64], columns: usize) -> f64 {
    let mut sum = 0.0;
    for row in x.chunks_mut(columns) {
        let top = row.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        let mut total = 0.0;
        for v in row.iter_mut() {
            *v = (*v - top).exp();
            total += *v;
        }
        sum += (top + total.ln()) * total;
    }
    sum
}

#[differentiable]
fn largest(x: &[f64]) -> f64 {
    x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

#[differentiable]
fn largest_from_the_end(x: &[f64]) -> f64 {
    x.iter().fold(f64::NEG_INFINITY, |top, v| v.max(top))
}

#[differentiable]
fn smallest(x: &[f64]) -> f64 {
    let mut low = f64::NAN;
    for v in x {
        low = low.min(*v);
    }
    low
}

/// A tie goes to the first operand, and a number is taken rather than none.
#[test]
fn of_equal_values_and_of_no_numbers() {
    let derivative = |x: &[f64], f: &dyn Fn(&[f64], &mut [f64])| {
        let mut d = vec![0.0; x.len()];
        f(x, &mut d);
        d
    };
    let x = [1.0, 3.0, f64::NAN, 3.0, -2.0, -2.0];
    let of_largest = derivative(&x, &|x, d| {
        autodiff!(Reverse, largest, Active, Duplicated(x, d));
    });
    assert_eq!(of_largest, [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    let from_the_end = derivative(&x, &|x, d| {
        autodiff!(Reverse, largest_from_the_end, Active, Duplicated(x, d));
    });
    assert_eq!(from_the_end, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let of_smallest = derivative(&x, &|x, d| {
        autodiff!(Reverse, smallest, Active, Duplicated(x, d));
    });
    assert_eq!(of_smallest, [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let none = derivative(&[f64::NAN], &|x, d| {
        autodiff!(Reverse, largest, Active, Duplicated(x, d));
    });
    assert_eq!(none, [0.0]);
}

judge! {
    extremes(&any(5), &any(5)) (&vec![0.2], &any(1)) (&vec![-0.4, 0.9, 0.1], &vec![1.2, 0.7, -0.8]);
    normalised(&mut any(6), 3) (&mut any(5), 2);
    nearest_of_points(&any(2), &any(8), &any(4)) (&any(3), &any(3), &any(1));
    deepest(&vec![0.2, 0.9, 2.0], &vec![0.5, 0.8, 0.9, 1.1]) (&vec![9.0], &vec![0.5, 0.8]) (&vec![0.1], &vec![]);
    drifts(&any(5)) (&vec![1.2, 0.9, 1.4]);
    two_of_them(&any(6)) (&vec![0.7, 0.9, 1.1]);
    best_of_all(&any(9), 3) (&any(16), 4);
    smallest_of_largest(&any(9), 3) (&positive(4), 2);
    then_overwritten(&mut any(4)) (&mut vec![0.4, -1.2, 0.9]);
    allowed(&any(5), &any(5), 2) (&any(3), &any(3), 3);
}
