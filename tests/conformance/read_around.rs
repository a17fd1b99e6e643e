//! Memory that a loop reads at several places, or lends to calls, while it stands still, and that changes afterwards.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn moved(left: f64, here: f64, right: f64, a: f64) -> f64 {
    here + a * (left - 2.0 * here + right) - 0.1 * here * here * left
}

/// Neighbours, whose runs overlap; entries at a distance that is known late; the memory is copied back.
#[differentiable]
fn line(x: &[f64], a: f64, far: usize, steps: usize) -> f64 {
    let n = x.len();
    let mut now = x.to_vec();
    let mut next = x.to_vec();
    let mut sum = 0.0;
    for _ in 0..steps {
        for i in 1..n - 1 {
            next[i] = moved(now[i - 1], now[i], now[i + 1], a);
        }
        for i in 0..n - far {
            sum += now[i] * now[i + far] * now[i] * now[i + far];
        }
        now.copy_from_slice(&next);
    }
    sum + now[1] * now[n - 1]
}

/// The memories trade places, and the ends are set one by one.
#[differentiable]
fn swapped(x: &[f64], a: f64, steps: usize) -> f64 {
    let n = x.len();
    let mut now = x.to_vec();
    let mut next = vec![0.0; n];
    for k in 0..steps {
        for i in 1..n - 1 {
            next[i] = moved(now[i - 1], now[i], now[i + 1], a);
        }
        std::mem::swap(&mut now, &mut next);
        now[0] = next[0] * a;
        now[n - 1] = now[n - 2] * now[0];
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += now[i] * next[i];
    }
    sum
}

fn at(i: usize, j: usize, n: usize) -> usize {
    (i % n) * n + j % n
}

/// A torus; the loop around ends early.
#[differentiable]
fn torus(x: &[f64], n: usize, steps: usize) -> f64 {
    let mut u = x.to_vec();
    let mut v = vec![0.0; n * n];
    let mut k = 0;
    while k < 10 {
        for i in 0..n {
            for j in 0..n {
                let here = u[at(i, j, n)];
                let around = u[at(i + 1, j, n)] + u[at(i + n - 1, j, n)] + u[at(i, j + 1, n)];
                v[i * n + j] = here * around + 0.1 * here * here * u[at(i, j + n - 1, n)];
                if here > 1.0 {
                    v[i * n + j] *= u[at(i + 1, j + 1, n)];
                }
            }
        }
        for i in 0..n * n {
            u[i] = v[i].sin();
        }
        k += 1;
        if k == steps {
            break;
        }
    }
    u[0] * u[1]
}

/// Made anew in each step, of another length.
#[differentiable]
fn shrinking(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let mut total = 0.0;
    for _ in 0..x.len() - 1 {
        let n = w.len();
        for i in 0..n - 1 {
            total += w[i] * w[i + 1] * w[n - 1] * w[i] * w[i + 1];
        }
        w = (0..n - 1).map(|i| w[i] * w[i + 1] + 0.2 * total).collect();
    }
    total + w[0]
}

#[differentiable]
fn laplacian(u: &[f64], i: usize) -> f64 {
    let n = u.len();
    u[(i + n - 1) % n] * u[(i + 1) % n] - 2.0 * u[i] * u[i]
}

/// Calls that get all of the memory, also in a loop that tapes nothing else.
#[differentiable]
fn lent(x: &[f64], a: f64, steps: usize) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    let mut v = vec![0.0; n];
    let mut sum = 0.0;
    for k in 0..steps {
        for i in 0..n {
            v[i] = u[i] + a * laplacian(&u, i);
        }
        for i in 0..n {
            if i != k {
                sum += laplacian(&v, i) * laplacian(&u[..n - 1], i % (n - 1));
            }
        }
        for i in 0..n {
            u[i] = v[i].sin();
        }
        u[k % n] *= a;
    }
    sum + u[0] * u[1]
}

/// Entries of the memory that changes are read by numbers of the loop around, or changed in the loop itself.
#[differentiable]
fn not_around(x: &[f64], n: usize) -> f64 {
    let mut q = x.to_vec();
    let mut y = vec![0.0; n];
    for i in 0..n {
        for j in 0..i {
            let mut dot = 0.0;
            for k in 0..n {
                dot += q[i * n + k] * q[j * n + k];
            }
            for k in 0..n {
                q[i * n + k] -= dot * q[j * n + k];
            }
        }
        let mut s = x[i];
        for j in 0..i {
            s -= q[i * n + j] * y[j] * y[(j + 1) % n];
        }
        y[i] = s / (1.0 + q[i * n + i] * q[i * n + i]);
    }
    y[n - 1] * q[n * n - 1]
}

/// Rows of arrays.
#[differentiable]
fn rows(x: f64, y: f64, steps: usize) -> f64 {
    let mut m = [[0.5, 0.2, -0.3], [0.1, 0.9, 0.4], [0.3, -0.2, 0.7]];
    m[0][0] = x;
    m[1][2] = y;
    for _ in 0..steps {
        let mut p = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                for k in 0..3 {
                    p[i][j] += m[i][k] * m[k][j];
                }
            }
        }
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] = p[i][j] * x;
            }
        }
    }
    m[0][1] * m[2][2]
}

judge! {
    line(&any(5), 0.3, 2, 2) (&any(3), 0.3, 0, 2) (&any(4), 0.3, 4, 1) (&any(4), 0.3, 1, 0);
    swapped(&any(5), 0.4, 3) (&any(4), 0.4, 2) (&any(3), 0.4, 1) (&any(2), 0.4, 2);
    torus(&positive(9), 3, 2) (&any(4), 2, 3);
    shrinking(&any(4)) (&any(2));
    lent(&any(4), 0.6, 3) (&any(3), 0.6, 1);
    not_around(&any(9), 3) (&any(4), 2);
    rows(0.7, -0.6, 2);
}
