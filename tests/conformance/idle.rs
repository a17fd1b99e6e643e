//! Rounds in which a cotangent arrives only if a branch was taken; branches that are values; matrices that helpers read.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

/// The nearest of some centres, and which it is.
#[differentiable]
fn nearest(points: &[f64], centres: &[f64], weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    for p in points {
        let mut best = f64::MAX;
        let mut which = 0;
        for (k, c) in centres.iter().enumerate() {
            let d = (p - c) * (p - c) * c;
            if d < best {
                best = d;
                which = k;
            }
        }
        sum += best * weights[which];
    }
    sum
}

/// The branch that sets is the other one, and what it sets is computed from what was there.
#[differentiable]
fn damped(x: &[f64]) -> f64 {
    let mut state = 1.0;
    for v in x {
        let force = v * v * v;
        if force < 0.1 {
        } else {
            state = state * force + v;
        }
    }
    state
}

/// Both branches set.
#[differentiable]
fn either(x: &[f64]) -> f64 {
    let (mut low, mut high) = (0.3, 0.4);
    for v in x {
        let square = v * v;
        if *v < 0.0 {
            low = low * square;
        } else {
            high += square * low;
        }
    }
    low + high * high
}

/// Branches in branches, and memory that they write.
#[differentiable]
fn nested(x: &[f64], y: &mut [f64]) -> f64 {
    let mut level = 0.5;
    for i in 0..x.len() {
        let (a, b) = (x[i] * x[i], x[i] * level);
        if a > 0.2 {
            if b > 0.1 {
                level = level + a * b;
                y[i] *= level;
            }
        }
    }
    level * y[0]
}

/// A round that gives something to memory whether the branch is taken or not.
#[differentiable]
fn also_without(x: &[f64], y: &mut [f64]) -> f64 {
    let mut best = -10.0;
    for i in 0..x.len() {
        let v = x[i] * x[i] - x[i];
        y[i] += v * v;
        if v > best {
            best = v;
        }
    }
    best
}

/// What is compared changes afterwards.
#[differentiable]
fn overwritten(x: &mut [f64]) -> f64 {
    let mut best = 0.0;
    for i in 0..x.len() {
        if x[i] * x[i] > best {
            best = x[i] * x[i];
            x[i] = best * 0.5;
        }
    }
    best + x[0]
}

/// Two flags, one of which is that of the round before.
#[differentiable]
fn two_flags(x: &[f64]) -> f64 {
    let (mut rises, mut last) = (1.0, 0.0);
    let mut count = 0;
    for v in x {
        let square = v * v;
        if square > last {
            last = square;
            count += 1;
        }
        if count % 2 == 1 {
            rises = rises * square + 0.1;
        }
    }
    rises + last
}

#[differentiable]
fn weight(x: f64, y: f64) -> f64 {
    x * y.exp()
}

/// Calls in rounds, some of which are idle, in a loop that ends early.
#[differentiable]
fn with_calls(x: &[f64]) -> f64 {
    let mut best = 0.1;
    for v in x {
        let w = weight(*v, best);
        if w > best {
            best = weight(w, *v);
        }
        if best > 8.0 {
            break;
        }
    }
    best
}

/// Neighbours, and indices that branches give.
#[differentiable]
fn around(u: &[f64], i: usize) -> f64 {
    let n = u.len();
    let left = if i == 0 { n - 1 } else { i - 1 };
    let right = if i + 1 == n {
        0
    } else if i + 1 > n {
        n - 1
    } else {
        i + 1
    };
    let share = if left < right { 0.5 } else { 1.5 };
    share * u[left] * u[right] - u[i]
}

#[differentiable]
fn ring(u: &[f64], steps: usize) -> f64 {
    let mut now = u.to_vec();
    let mut next = vec![0.0; u.len()];
    for _ in 0..steps {
        for i in 0..u.len() {
            next[i] = now[i] + 0.1 * around(&now, i) * now[i];
        }
        now.copy_from_slice(&next);
    }
    now[0] * now[1]
}

/// Columns of a matrix, a scalar and a matrix.
#[differentiable]
fn blend(a: &[[f64; 3]; 2], s: f64, b: &[[f64; 3]; 2]) -> [[f64; 3]; 2] {
    let mut c = [[0.0; 3]; 2];
    for i in 0..2 {
        for j in 0..3 {
            c[i][j] = s * a[i][j] * b[1][j] + b[i][0] * a[0][2];
        }
    }
    c
}

/// A matrix twice in one call, an inactive one, a parameter's.
#[differentiable]
fn blends(x: &[[f64; 3]; 2], s: f64) -> f64 {
    let own = [[s, 1.0, s * s], [0.5, s, 2.0]];
    let ones = [[1.0; 3]; 2];
    let once = blend(x, s, &own);
    let twice = blend(&once, s + 1.0, &once);
    let inactive = blend(&twice, s, &ones);
    inactive[0][1] * twice[1][2] + once[1][0]
}

judge! {
    nearest(&positive(4), &vec![0.4, 1.3, 2.9], &any(3)) (&vec![], &any(2), &any(2));
    damped(&any(5)) (&vec![0.1, 0.2]);
    either(&any(5));
    nested(&any(4), &mut any(4));
    also_without(&any(4), &mut any(4));
    overwritten(&mut any(4));
    two_flags(&any(6));
    with_calls(&positive(5)) (&vec![0.2, 3.0, 2.0, 1.0]);
    ring(&positive(4), 3);
    blends(&[[0.3, 0.7, -0.4], [1.1, 0.2, 0.9]], 0.6);
}
