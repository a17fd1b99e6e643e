//! Memory that loops fill in order: what is read of entries that are not written again is read in the memory itself.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn three(a: f64, b: f64, c: f64) -> f64 {
    a.min(b).min(c)
}

#[differentiable]
fn cost(a: f64, b: f64, w: f64) -> f64 {
    let d = a - b;
    w * d * d
}

/// Dynamic time warping: a table of vectors.
#[differentiable]
fn warped(x: &[f64], y: &[f64]) -> f64 {
    let (n, m) = (x.len() - 1, y.len());
    let mut table = vec![vec![f64::INFINITY; m + 1]; n + 1];
    table[0][0] = 0.0;
    for i in 1..=n {
        for j in 1..=m {
            let best = three(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1]);
            table[i][j] = cost(x[i], y[j - 1], x[0]) + best;
        }
    }
    table[n][m]
}

/// Each entry is a product of entries before it.
#[differentiable]
fn grid(x: &[f64]) -> f64 {
    let mut t = vec![vec![1.5; 5]; 4];
    for i in 1..4 {
        for j in 1..4 {
            t[i][j] = x[i] * t[i - 1][j + 1] * t[i][j - 1] + x[j] * t[i - 1][j] * t[i][j];
        }
    }
    t[3][3] * t[2][3]
}

/// The loops the other way round: entries in the next row were not written yet.
#[differentiable]
fn by_columns(x: &[f64]) -> f64 {
    let mut t = [[0.5; 4]; 4];
    for j in 1..4 {
        for i in 1..3 {
            t[i][j] = x[i] * t[i + 1][j - 1] * t[i - 1][j] + t[i][j] * t[i - 1][j + 0] * x[j];
        }
    }
    t[2][3] + t[1][2] * t[1][3]
}

/// A recurrence runs twice over the same memory.
#[differentiable]
fn twice(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 4];
    for t in 0..2 {
        for i in 1..4 {
            y[i] = x[i] * y[i - 1] * y[i] + x[t];
        }
    }
    y[3] * y[1]
}

/// Substitution forwards and backwards.
#[differentiable]
fn solved(a: &[f64], b: &[f64]) -> f64 {
    let n = b.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        y[i] = b[i];
        for k in 0..i {
            y[i] -= a[i * n + k] * y[k];
        }
        y[i] = y[i] / a[i * n + i];
    }
    let mut z = vec![0.0; n];
    for i in (0..n).rev() {
        z[i] = y[i];
        for k in i + 1..n {
            z[i] -= a[k * n + i] * z[k];
        }
        z[i] /= a[i * n + i];
    }
    z[0] * z[n - 1]
}

/// Substitution that reads its own entry as well.
#[differentiable]
fn including_itself(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 3];
    for i in 0..3 {
        for k in 0..=i {
            y[i] = y[i] * x[k] + y[k] * y[k];
        }
    }
    y[2] * y[0]
}

/// The first entry is written again afterwards, and entries change places.
#[differentiable]
fn written_again(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 4];
    let mut z = vec![1.0; 4];
    for i in 1..4 {
        y[i] = x[i] * y[i - 1];
        z[i] = x[i] * z[i - 1];
        z.swap(0, i);
    }
    y[0] = x[0] * y[3];
    y[0] * y[2] + z[0] * z[1]
}

/// Memory of a round.
#[differentiable]
fn of_a_round(x: &[f64]) -> f64 {
    let mut total = 1.0;
    for t in 0..2 {
        let mut y = vec![2.0; 4];
        for i in 1..4 {
            y[i] = x[i] * y[i - 1] * y[i - 1] + total * x[t];
        }
        total *= y[3];
    }
    total
}

/// What is filled is the result, and changes after a break.
#[differentiable]
fn returned(x: &[f64]) -> Vec<f64> {
    let mut y = vec![1.0; 5];
    for i in 1..5 {
        if y[i - 1] > 20.0 {
            break;
        }
        y[i] = x[i % 3] * y[i - 1] * y[i - 1];
    }
    for e in &mut y {
        *e *= x[0];
    }
    y
}

judge! {
    warped(&[0.8, 0.1, -0.4, 0.5], &[0.2, -0.3, 0.6, 0.4]) (&[0.3, -0.2, 0.6, -0.7], &[0.5, 0.1, -0.4, 0.2]);
    grid(&[0.7, 1.2, -0.6, 0.9]) (&[0.3, -0.2, 0.6, -0.7]);
    by_columns(&[0.7, 1.2, -0.6, 0.9]) (&[0.3, -0.2, 0.6, -0.7]);
    twice(&[0.7, 1.2, -0.6, 0.9]) (&[0.3, -0.2, 0.6, -0.7]);
    solved(&[1.1, 0.2, -0.3, 0.4, 1.3, 0.5, -0.6, 0.7, 1.2], &[0.5, -0.4, 0.8]) (&[0.1, -0.2, 0.3, 0.2, 0.4, -0.1, 0.3, 0.2, -0.3], &[0.3, 0.5, -0.2]);
    including_itself(&[0.7, -0.4, 0.9]) (&[0.3, -0.2, 0.6]);
    written_again(&[0.7, 1.2, -0.6, 0.9]) (&[0.3, -0.2, 0.6, -0.7]);
    of_a_round(&[0.7, 0.6, -0.6, 0.9]) (&[0.3, -0.2, 0.6, -0.7]);
    returned(&[1.3, 1.2, -0.6]) (&[0.3, -0.2, 0.6]);
}
