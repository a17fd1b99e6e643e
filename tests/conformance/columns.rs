//! What the rounds of a loop leave on the tape, in which order they run, and entries that are read where they were just written.

use coenzyme::{Real, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

/// The values of both branches, in rounds that run forwards, backwards and in steps.
#[differentiable]
fn in_branches(x: &[f64], w: &[f64]) -> f64 {
    let mut s = 0.5;
    for i in 0..x.len() {
        s = if x[i] > 0.5 {
            let p = s * x[i];
            p * p.sin()
        } else if i % 2 == 0 {
            s * w[i].exp()
        } else {
            s + x[i]
        };
    }
    for i in (0..x.len()).rev() {
        if s > x[i] {
            s *= x[i] * s;
        }
    }
    for i in (0..x.len()).step_by(2) {
        s *= s + w[i];
    }
    for i in (0..x.len()).step_by(2).rev() {
        s += s * s * w[i];
    }
    s
}

/// The same for any number: those of second order are two words, others are none.
#[differentiable]
fn of_any_number<T: Real>(x: &[T]) -> T {
    let mut s = T::one();
    let mut positive = true;
    for i in 0..x.len() {
        let pair = (s * x[i], s + x[i]);
        if positive {
            s = s * pair.0 * pair.1;
        }
        positive = x[i] > T::zero();
    }
    s
}

/// Whole arrays in the place of numbers.
#[differentiable]
fn of_arrays(x: &[f64]) -> f64 {
    let mut state = [1.0, 0.5, 0.25, 2.0, 0.7];
    for i in 0..x.len() {
        let before = state;
        for k in 0..5 {
            state[k] = before[k] * x[i] + before[(k + 1) % 5] * before[k];
        }
    }
    state[0] * state[4]
}

/// Memory that begins an entry later in each round.
#[differentiable]
fn triangle(l: &[f64], x: &[f64]) -> f64 {
    let d = x.len();
    let mut y = vec![0.0; d];
    for j in 0..d {
        y[j] += x[j];
        for r in j + 1..d {
            y[r] += l[j * d + r] * y[j];
        }
    }
    let mut s = 0.0;
    for j in 0..d {
        s += y[j] * y[j];
        for r in j + 1..d {
            s += y[r] * l[r * d + j];
        }
    }
    s
}

/// As `triangle`, in rounds that are used again and with iterators.
#[differentiable]
fn triangles(l: &[f64], x: &[f64], n: usize) -> f64 {
    let d = x.len();
    let mut y = vec![0.0; d];
    let mut total = 0.0;
    for i in 0..n {
        for j in 0..d {
            y[j] = x[j] * (i + 1) as f64;
        }
        for j in 0..d {
            let column = &l[j * d..][..d - 1 - j];
            for (y, l) in y[j + 1..].iter_mut().zip(column) {
                *y += l * x[j];
            }
        }
        total += y.iter().map(|y| y * y).sum::<f64>();
    }
    total
}

/// Each entry is read where it was just written, and changed after.
#[differentiable]
fn read_back(x: &[f64], y: &mut [f64]) -> f64 {
    let mut kept = vec![0.0; x.len()];
    let mut s = 0.0;
    for i in 0..x.len() {
        kept[i] = x[i] * x[i];
        y[i] = kept[i] * x[i];
        s += y[i] * kept[i];
        kept[i] = kept[i] * s;
        kept[i] += 0.5;
        s += kept[i] * x[i];
        let first = kept[0];
        kept[i] = 2.0 * x[i];
        s += first * kept[0] * kept[i];
    }
    s
}

/// What is divided, and by what.
#[differentiable]
fn divided(a: f64, b: f64, c: f64) -> f64 {
    a / b + 0.4 / b + a / 0.7 + c / (a / b) % 0.7
}

/// Entries without a derivative.
#[differentiable]
fn beside_data(x: &[f64], at: &[usize], skip: &[bool]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        let (k, leave) = (at[i], skip[i]);
        if !leave {
            s *= x[k] + k as f64 * x[i];
        }
    }
    s
}

judge! {
    in_branches(&vec![0.7, 0.4, 0.3, 0.9, -0.2], &any(5)) (&vec![0.2], &any(1)) (&vec![], &vec![]);
    of_any_number(&vec![0.7, -0.4, 0.3, 0.9]) (&vec![0.4]);
    of_arrays(&any(3)) (&any(1));
    triangle(&any(25), &positive(5)) (&any(1), &any(1));
    triangles(&any(25), &positive(5), 3) (&any(4), &any(2), 1) (&any(4), &any(2), 0);
    read_back(&any(3), &mut any(3)) (&any(1), &mut any(1));
    divided(0.7, 1.3, 0.4) (-0.7, 0.3, 1.1);
    beside_data(&any(3), &vec![2, 0, 1], &vec![false, true, false]);
}
