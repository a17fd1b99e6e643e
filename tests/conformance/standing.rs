//! Memory that an inner loop reads over and over while it stands still, and that changes afterwards.

use coenzyme::{Real, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

/// The state of a recurrent network.
#[differentiable]
fn recurrent(u: &[f64], start: &[f64], steps: usize) -> f64 {
    let n = start.len();
    let mut h = start.to_vec();
    let mut z = vec![0.0; n];
    let mut sum = 0.0;
    for t in 0..steps {
        for r in 0..n {
            z[r] = 0.1 * t as f64;
            for k in 0..n {
                z[r] += u[r * n + k] * h[k] * h[k];
            }
        }
        for k in 0..n {
            h[k] = z[k].tanh();
            sum += h[k] * z[k];
        }
    }
    sum
}

/// Probabilities that are scaled in each step.
#[differentiable]
fn forward_algorithm(a: &[f64], b: &[f64], seen: &[usize], k: usize) -> f64 {
    let mut now = vec![1.0; k];
    let mut next = vec![0.0; k];
    let mut log = 0.0;
    for t in 0..seen.len() {
        let mut scale = 0.0;
        for s in 0..k {
            let mut sum = 0.0;
            for r in 0..k {
                sum += now[r] * a[r * k + s];
            }
            next[s] = sum * b[s * k + seen[t]];
            scale += next[s];
        }
        for s in 0..k {
            now[s] = next[s] / scale;
        }
        log += scale.ln();
    }
    log
}

/// Neighbours, a part of the memory, entries that are pairs, and two loops that read the same.
#[differentiable]
fn parts(x: &[f64], w: &[f64], steps: usize) -> f64 {
    let n = w.len();
    let mut y = vec![0.5; n + 2];
    let mut pairs = [[1.0, 2.0]; 3];
    let mut s = 1.0;
    for t in 0..steps {
        for i in 0..x.len() {
            for k in 0..n {
                s += y[k] * y[k + 1] * w[k] * x[i];
            }
            for k in 1..2 {
                s *= 1.0 + 0.01 * y[k] * x[i];
            }
            for k in 0..3 {
                s += 0.1 * pairs[k][0] * pairs[k][1] * x[i];
            }
        }
        for i in 0..x.len() {
            for k in (0..n).rev() {
                s -= y[k] * y[k] * x[i] * x[i];
            }
        }
        for k in 0..n + 2 {
            y[k] = (y[k] + 0.1 * s).sin();
        }
        for k in 0..3 {
            pairs[k][1] = pairs[k][0] * s;
            pairs[k][0] = s.cos();
        }
    }
    s * y[0] * y[n + 1] + pairs[0][0]
}

/// Where it may not be read, changes inside, has another length later, or trades places.
#[differentiable]
fn not_still(x: &[f64], on: &[bool], steps: usize) -> f64 {
    let n = x.len();
    let mut sometimes = vec![0.3; n];
    let mut inside = vec![0.4; n];
    let mut grows = vec![0.5; n];
    let mut a = x.to_vec();
    let mut b = vec![0.6; n];
    let mut s = 0.0;
    for t in 0..steps {
        for i in 0..n {
            if on[i] {
                for k in 0..n {
                    s += sometimes[k] * sometimes[k] * x[i];
                }
            }
            for k in 0..n {
                s += inside[k] * inside[k] * x[i];
            }
            inside[i] = 0.1 * s;
            for k in 0..n {
                s += grows[k] * grows[k] * x[i];
                b[i] += 0.1 * a[k] * a[k];
            }
        }
        for k in 0..n {
            sometimes[k] += 0.1 * s.sin();
            grows[k] = s.cos();
        }
        grows.push(s);
        std::mem::swap(&mut a, &mut b);
    }
    s + a[0] * grows[n]
}

/// The loop that reads beyond the end has no rounds.
#[differentiable]
fn never_reached(x: &[f64], rounds: usize, far: usize) -> f64 {
    let mut y = vec![0.5; 2];
    let mut s = 0.0;
    for t in 0..3 {
        for i in 0..rounds {
            for k in 0..far {
                s += y[k] * y[k] * x[i];
            }
        }
        y[0] = s + x[0];
        y[1] = y[0] * x[0];
    }
    s + y[1]
}

/// For any number, whose values are words or not.
#[differentiable]
fn of_any_number<T: Real>(u: &[T], steps: usize) -> T {
    let mut h = [T::one(), T::one()];
    let mut s = T::zero();
    for t in 0..steps {
        for r in 0..2 {
            for k in 0..2 {
                s = s + u[r] * h[k] * h[k];
            }
        }
        for k in 0..2 {
            h[k] = s * h[k];
        }
    }
    s
}

/// In a loop that runs again, in a checkpointed one, and under an early exit.
#[differentiable]
fn among_others(x: &[f64], limit: f64) -> f64 {
    let mut total = 0.0;
    let mut y = vec![0.0; 2];
    for i in 0..x.len() {
        for k in 0..2 {
            y[k] = x[i] + k as f64;
        }
        for t in 0..2 {
            let mut s = 0.0;
            for r in 0..2 {
                for k in 0..2 {
                    s += y[k] * y[k] * x[i];
                }
            }
            for k in 0..2 {
                y[k] = 0.1 * s;
            }
        }
        total += y[0] * y[1];
    }
    let mut h = vec![1.0; 2];
    #[checkpoint(2)]
    for t in 0..4 {
        let mut s = 0.0;
        for r in 0..2 {
            for k in 0..2 {
                s += h[k] * h[k] * x[0];
            }
        }
        for k in 0..2 {
            h[k] = s.sin();
        }
    }
    for t in 0..4 {
        let mut s = 0.0;
        for r in 0..2 {
            for k in 0..2 {
                s += h[k] * h[k] * x[0];
            }
        }
        if s > limit {
            break;
        }
        for k in 0..2 {
            h[k] = s.cos();
        }
    }
    total + h[0] * h[1]
}

judge! {
    recurrent(&any(4), &any(2), 3) (&any(9), &any(3), 1) (&vec![], &vec![], 2) (&any(4), &any(2), 0);
    forward_algorithm(&positive(4), &positive(4), &vec![0, 1, 1], 2);
    parts(&any(2), &any(3), 2) (&any(1), &vec![], 2) (&vec![], &any(2), 2);
    not_still(&any(2), &vec![true, false], 2);
    never_reached(&any(1), 0, 7) (&any(2), 2, 2) (&any(2), 1, 1);
    of_any_number(&any(2), 2);
    among_others(&any(2), 100.0) (&any(2), 0.5);
}
