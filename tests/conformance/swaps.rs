//! References that change places.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

/// Explicit heat steps between two buffers.
#[differentiable]
fn heat(start: &[f64], rate: f64, n: usize) -> f64 {
    let mut a = start.to_vec();
    let mut b = start.to_vec();
    let (mut cur, mut next) = (&mut a[..], &mut b[..]);
    for _ in 0..n {
        for i in 1..cur.len() - 1 {
            next[i] = cur[i] + rate * (cur[i - 1] - 2.0 * cur[i] * cur[i] + cur[i + 1]);
        }
        std::mem::swap(&mut cur, &mut next);
    }
    cur[1] * cur[2] + next[1]
}

#[differentiable]
fn step(from: &[f64], to: &mut [f64], rate: f64) {
    for i in 0..from.len() {
        let right = from[(i + 1) % from.len()];
        to[i] = from[i] + rate * (right - from[i] * from[i]);
    }
}

#[differentiable]
fn by_calls(start: &[f64], rate: f64, n: usize) -> f64 {
    let mut buffers = vec![0.0; 2 * start.len()];
    let (mut cur, mut next) = buffers.split_at_mut(start.len());
    cur.copy_from_slice(start);
    for _ in 0..n {
        step(&cur, &mut next, rate);
        std::mem::swap(&mut cur, &mut next);
    }
    cur.iter().map(|u| u * u).sum()
}

#[differentiable]
fn of_parameters<'a>(mut u: &'a mut [f64], mut v: &'a mut [f64], n: usize) {
    for k in 0..n {
        v[0] += u[0] * u[1];
        v[1] *= u[0] + k as f64;
        std::mem::swap(&mut u, &mut v);
    }
    u[0] *= 2.0;
}

#[differentiable]
fn until_small(start: &[f64], rate: f64) -> f64 {
    let (mut a, mut b) = (start.to_vec(), vec![0.0; start.len()]);
    let mut old = &mut a;
    let mut new = &mut b;
    let mut rounds = 0;
    while old[0] > 0.2 && rounds < 10 {
        for i in 0..old.len() {
            new[i] = old[i] * (1.0 - rate * old[i]);
        }
        (old, new) = (new, old);
        rounds += 1;
    }
    old[0] * old[1] + rounds as f64
}

/// Only some rounds change places, and the loop is left early.
#[differentiable]
fn accepted(start: &[f64], rate: f64) -> f64 {
    let (mut a, mut b) = (start.to_vec(), start.to_vec());
    let (mut x, mut trial) = (&mut a[..], &mut b[..]);
    let mut h = rate;
    for k in 0..6 {
        for i in 0..x.len() {
            trial[i] = x[i] - h * x[i] * x[i] * x[i];
        }
        if trial[0] < 0.05 {
            break;
        }
        if k % 3 != 1 {
            std::mem::swap(&mut x, &mut trial);
            h *= 1.1;
        } else {
            h *= 0.5;
        }
        x[1] += 0.1 * h;
    }
    x[0] * h + x[1] * trial[0]
}

/// Two steps back: three buffers change places.
#[differentiable]
fn leapfrog(start: &[f64], c: f64, n: usize) -> f64 {
    let m = start.len();
    let (mut a, mut b, mut d) = (start.to_vec(), start.to_vec(), vec![0.0; m]);
    let (mut before, mut now, mut next) = (&mut a[..], &mut b[..], &mut d[..]);
    for _ in 0..n {
        for i in 1..m - 1 {
            next[i] =
                2.0 * now[i] - before[i] + c * now[i] * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        }
        next[0] = next[1];
        next[m - 1] = now[m - 2];
        std::mem::swap(&mut before, &mut now);
        std::mem::swap(&mut now, &mut next);
    }
    now[1] * now[2] + before[1]
}

#[differentiable]
fn read_only(x: &[f64], y: &[f64]) -> f64 {
    let mut p = x;
    let mut q = y;
    let mut t = 0.0;
    for i in 0..3 {
        t += p[i] * p[i] * q[0];
        std::mem::swap(&mut p, &mut q);
    }
    t * p[0]
}

/// Buffers of different lengths, and the vectors are read after.
#[differentiable]
fn other_lengths(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let mut b = vec![1.0];
    let (mut s, mut t) = (&mut a[..], &mut b[..]);
    t[0] *= s[1];
    if s[0] > 0.0 {
        std::mem::swap(&mut s, &mut t);
    }
    let n = s.len() as f64;
    s[0] *= 3.0;
    a[0] * b[0] * n
}

/// By a third name.
#[differentiable]
fn by_moves(x: &[f64], n: usize) -> f64 {
    let (mut a, mut b) = (x.to_vec(), x.to_vec());
    let (mut cur, mut next) = (&mut a, &mut b);
    for _ in 0..n {
        next[0] = cur[0] * cur[1];
        next[1] = cur[1] + 0.1 * cur[0];
        let held = cur;
        cur = next;
        next = held;
    }
    cur[0] + cur[1] * next[0]
}

#[differentiable]
fn swapped_in_branches(x: &[f64], flag: bool, n: usize) -> f64 {
    let mut a = x.to_vec();
    let mut b = vec![0.5; x.len()];
    let mut p = &mut a[..];
    let mut q = &mut b[..];
    for k in 0..n {
        match k % 3 {
            0 => std::mem::swap(&mut p, &mut q),
            1 => {
                p[0] += q[1] * q[1];
                if flag {
                    std::mem::swap(&mut p, &mut q);
                } else {
                    q[1] *= 1.5;
                }
                q[0] *= p[0];
            }
            _ => p[1] = p[0] * q[0],
        }
        for i in 0..2 {
            q[i] += 0.1 * p[i];
        }
    }
    p[0] - q[1] + a[0] * b[1]
}

/// The function is left where they have changed places.
#[differentiable]
fn swap_and_leave(x: &[f64], bar: f64) -> f64 {
    let mut a = x.to_vec();
    let mut b = x.to_vec();
    let (mut cur, mut next) = (&mut a[..], &mut b[..]);
    for k in 0..5 {
        for i in 0..cur.len() {
            next[i] = cur[i] * cur[i] + 0.1 * k as f64;
        }
        std::mem::swap(&mut cur, &mut next);
        let total: f64 = cur.iter().sum();
        if total > bar {
            return total * next[0];
        }
        cur[0] *= 0.9;
    }
    cur[0] * next[1]
}

#[differentiable]
fn last_in_a_block(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    if a.abs() < b.abs() {
        std::mem::swap(&mut a, &mut b)
    }
    f64::midpoint(a * a, b) * a
}

/// Two vectors in one struct, as in every explicit scheme.
#[derive(Clone, Tangent)]
struct Grid {
    now: Vec<f64>,
    next: Vec<f64>,
}

#[differentiable]
impl Grid {
    fn relax(&mut self, k: f64) {
        for i in 1..self.now.len() - 1 {
            self.next[i] =
                self.now[i] + k * (self.now[i - 1] - 2.0 * self.now[i] + self.now[i + 1]);
        }
        self.next[0] = self.now[0];
        std::mem::swap(&mut self.now, &mut self.next);
    }
}

#[differentiable]
fn fields_of_a_receiver(x: f64, y: f64) -> f64 {
    let mut grid = Grid {
        now: vec![x, 0.0, y, x * y],
        next: vec![0.0; 4],
    };
    for _ in 0..3 {
        grid.relax(0.1 * y);
    }
    grid.now[1] * grid.now[2] + grid.next[1] * grid.next[0]
}

#[differentiable]
fn fields_of_an_argument(grid: &mut Grid, k: f64) {
    grid.next[0] = grid.now[0] * k;
    std::mem::swap(&mut grid.now, &mut grid.next);
    grid.now[1] *= grid.next[0];
}

#[differentiable]
fn fields_swapped_twice(x: f64, y: f64) -> f64 {
    let mut grid = Grid {
        now: vec![x, y],
        next: vec![y, 1.0],
    };
    fields_of_an_argument(&mut grid, x);
    fields_of_an_argument(&mut grid, y);
    grid.now[0] * grid.now[1] + grid.next[0] * grid.next[1]
}

judge! {
    fields_of_a_receiver(0.83, 1.1) (1.37, -0.6);
    fields_swapped_twice(0.83, 1.1) (1.37, -0.6);
    last_in_a_block (0.7, 1.3) (1.3, 0.7);
    swapped_in_branches(&positive(3), true, 5) (&positive(3), false, 6) (&positive(3), true, 4);
    swap_and_leave(&positive(3), 4.0) (&positive(2), 100.0);
    heat (&positive(5), 0.1, 3) (&positive(5), 0.1, 4) (&positive(5), 0.1, 0);
    by_calls (&positive(4), 0.1, 3) (&positive(4), 0.1, 4);
    of_parameters (&mut any(3), &mut any(2), 3) (&mut any(3), &mut any(2), 4);
    until_small (&positive(3), 0.4);
    accepted (&positive(3), 0.1);
    leapfrog (&positive(5), 0.1, 3) (&positive(5), 0.1, 4) (&positive(5), 0.1, 5);
    read_only (&any(3), &any(4));
    other_lengths (&positive(3)) (&any(3));
    by_moves (&positive(2), 3) (&positive(2), 4);
}
