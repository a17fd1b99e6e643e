//! Loops over local vectors, whose bounds are checked in front of the loop: vectors that stay, that grow, that change places.

use coenzyme::differentiable;

use crate::judge::any;
use crate::subject::judge;

/// Columns of a triangle are added to memory that shifts by an entry from column to column.
#[differentiable]
fn triangle(l: &[f64], x: &[f64]) -> f64 {
    let d = x.len();
    let mut y = vec![0.0; d];
    for j in 0..d {
        y[j] += x[j] * x[j];
    }
    for j in 0..d {
        let column = j * (2 * d - 1 - j) / 2;
        for r in j + 1..d {
            y[r] += l[column + r - j - 1] * y[j];
        }
    }
    y.iter().map(|y| y * y).sum()
}
/// The same with iterators.
#[differentiable]
fn by_iterators(l: &[f64], x: &[f64]) -> f64 {
    let d = x.len();
    let mut y = vec![0.0; d];
    for (y, x) in y.iter_mut().zip(x) {
        *y = x * x;
    }
    for j in 0..d {
        let column = &l[j * (2 * d - 1 - j) / 2..][..d - 1 - j];
        let yj = y[j];
        for (y, l) in y[j + 1..].iter_mut().zip(column) {
            *y += l * yj;
        }
    }
    y.iter().map(|y| y * y).sum()
}
#[differentiable]
fn growing(x: &[f64]) -> f64 {
    let mut y = vec![1.0];
    for i in 0..x.len() {
        let next = y[i] * x[i];
        y.push(next);
        for k in 0..i + 2 {
            y[k] += 0.5 * y[k] * x[i];
        }
    }
    y[0] * y[x.len()]
}
#[differentiable]
fn shrinking(x: &[f64]) -> f64 {
    let mut y = vec![1.0; x.len()];
    let mut sum = 0.0;
    for n in (1..x.len() + 1).rev() {
        y.truncate(n);
        for k in 0..n {
            y[k] *= x[k];
        }
        sum += y[n - 1] * y[0];
    }
    sum
}
#[differentiable]
fn two_buffers(x: &[f64]) -> f64 {
    let n = x.len();
    let mut old = x.to_vec();
    let mut new = vec![0.0; n];
    for _ in 0..3 {
        for i in 1..n - 1 {
            new[i] = old[i - 1] * old[i + 1] + 0.5 * new[i];
        }
        std::mem::swap(&mut old, &mut new);
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += old[i] * new[i];
    }
    sum
}
/// A vector that is replaced by a longer one.
#[differentiable]
fn replaced(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 1];
    let mut sum = 0.0;
    for n in 1..x.len() + 1 {
        for k in 0..n {
            y[k] *= x[k] + 0.1 * y[0];
        }
        for k in 0..n {
            sum += y[k] * y[k];
        }
        y = vec![0.5; n + 1];
    }
    sum
}
/// The vector is shorter than the range, and only where it has entries it is read.
#[differentiable]
fn shorter(x: &[f64]) -> f64 {
    let mut y = vec![2.0; x.len() - 1];
    let mut sum = 0.0;
    for i in 0..x.len() {
        if i < y.len() {
            y[i] *= x[i];
            sum += y[i] * y[i];
        }
    }
    sum * y[0]
}
/// No round runs, and the index of the first would be none of the vector's.
#[differentiable]
fn no_round(x: &[f64]) -> f64 {
    let n = x.len();
    let mut y = vec![0.5; n];
    for j in 0..n {
        for k in j + 7..n {
            y[k - 7] += x[k] * x[j];
        }
        y[j] *= x[j];
    }
    y[0] * y[n - 1]
}

judge! {
    triangle(&any(6), &any(4));
    by_iterators(&any(6), &any(4));
    growing(&any(4));
    shrinking(&any(4));
    two_buffers(&any(5));
    replaced(&any(3));
    shorter(&any(4));
    no_round(&any(9))(&any(3));
}
