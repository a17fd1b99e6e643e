//! Results of calls that the reverse sweep computes again, or takes off the tape: small functions and methods that return tuples, arrays and
//! structs; and rounds inside rounds that run again.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

/// The right side of a differential equation.
#[differentiable]
fn slope(u: f64, v: f64, p: &[f64]) -> (f64, f64) {
    (u * (p[0] - p[1] * v), v * (p[2] * u - p[0]))
}

/// Its parameters are a local.
#[differentiable]
fn midpoint(start: (f64, f64), x: &[f64], steps: usize) -> f64 {
    let (mut u, mut v) = start;
    let p = [x[0], x[1], x[0] * x[1]];
    for _ in 0..steps {
        let (ku, kv) = slope(u, v, &p);
        let (mu, mv) = slope(u + 0.05 * ku, v + 0.05 * kv, &p);
        u += 0.1 * mu;
        v += 0.1 * mv;
    }
    u * v
}

/// They are the caller's, all of them, and may be overwritten.
#[differentiable]
fn midpoint_of_parameters(mut u: f64, mut v: f64, p: &[f64], steps: usize) -> f64 {
    for _ in 0..steps {
        let (ku, kv) = slope(u, v, p);
        let (mu, mv) = slope(u + 0.05 * ku, v + 0.05 * kv, p);
        u += 0.1 * mu * kv;
        v += 0.1 * mv * ku;
    }
    u * v
}

/// They change between the call and the use of its result.
#[differentiable]
fn parameters_that_change(u: f64, p: &mut [f64]) -> f64 {
    let (a, b) = slope(u, u * u, &p[..]);
    p[0] = a * b;
    let (c, d) = slope(a, b, &p[1..]);
    p[1] *= c;
    a * c + b * d * d
}

#[differentiable]
fn product(a: &[[f64; 2]; 2], b: &[[f64; 2]; 2]) -> [[f64; 2]; 2] {
    let mut c = [[0.0; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            for k in 0..2 {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

/// Arrays that a chain of calls returns.
#[differentiable]
fn chain(x: &[f64]) -> f64 {
    let mut m = [[1.0, 0.0], [0.0, 1.0]];
    for v in x {
        let turn = [[v.cos(), -v.sin()], [*v, v.cos()]];
        let twice = product(&turn, &turn);
        m = product(&m, &twice);
    }
    m[0][0] * m[0][1] + m[1][1]
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl std::ops::Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}

#[differentiable]
impl Point {
    fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }
    fn turned(&self, by: f64) -> Point {
        Point {
            x: self.x - by * self.y,
            y: self.y + by * self.x,
        }
    }
}

#[differentiable]
fn at(x: &[f64], i: usize) -> Point {
    Point {
        x: x[2 * i],
        y: x[2 * i + 1],
    }
}

/// Pairs, of which some are left out; the results of methods are numbers, which the operators after them do not know.
#[differentiable]
fn pairs(x: &[f64], q: &[f64], cut: f64) -> f64 {
    let mut energy = 0.0;
    for i in 0..q.len() {
        let a = at(x, i);
        for j in i + 1..q.len() {
            let d = a - at(x, j).turned(q[i]);
            let r2 = d.dot(d);
            if r2 > cut * cut {
                continue;
            }
            energy += q[i] * q[j] * (1.0 - r2 / (cut * cut)) / (r2 + 0.01).sqrt();
        }
    }
    energy
}

/// A function that keeps a value itself.
#[differentiable]
fn squashed(x: f64) -> f64 {
    x * (0.5 * x * x).tanh()
}

/// Its results, and sums over them, are read by other rounds.
#[differentiable]
fn layers(x: &[f64], w: &[f64]) -> f64 {
    let mut total = 0.0;
    for row in x.chunks_exact(w.len()) {
        let mean = row.iter().map(|v| squashed(*v)).sum::<f64>() / w.len() as f64;
        for (v, w) in row.iter().zip(w) {
            total += squashed((v - mean) * w) * w;
        }
        for v in row {
            total += squashed(squashed(*v)) * mean;
        }
    }
    total
}

/// Squared inside: not a sum.
#[differentiable]
fn sums_inside_read_by_the_round(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let mut inner = 0.0;
        for v in x {
            inner += squashed(*v * (i + 1) as f64);
        }
        total += inner * inner;
    }
    total
}

/// Ends by a branch; too deep to be run again.
#[differentiable]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[differentiable]
fn polynomial(c: &[f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for n in 0..c.len() {
        let p = power(x, n);
        sum += c[n] * p * p;
    }
    sum
}

#[differentiable]
fn hit(x: f64, wall: &[f64]) -> Option<f64> {
    let d = wall[0] - x * wall[1];
    if d < 0.0 {
        return None;
    }
    Some(d * d * x)
}

#[differentiable]
fn nearest(x: &[f64], walls: &[f64]) -> f64 {
    let mut total = 0.0;
    for v in x {
        let mut best = 10.0;
        for wall in walls.chunks_exact(2) {
            if let Some(t) = hit(*v, wall) {
                if t < best {
                    best = t;
                }
            }
        }
        if best == 10.0 {
            continue;
        }
        total += best * best * v;
    }
    total
}

#[differentiable]
fn weight(v: Vec<f64>, k: f64) -> f64 {
    v[0] * v[1] * k
}

/// A vector is moved into the call.
#[differentiable]
fn moved(x: &[f64]) -> f64 {
    let v = x.to_vec();
    let s = weight(v.clone(), x[0]);
    s * s * weight(v, s)
}

#[differentiable]
fn scaled(k: f64, x: f64) -> f64 {
    k * x * x
}

/// A call of a function that was handed in.
#[differentiable]
fn applied(f: impl Fn(f64) -> f64, x: &[f64]) -> f64 {
    let mut state = 1.0;
    for v in x {
        let y = f(state * v);
        state = y * v + 0.5 * y;
    }
    state
}

#[differentiable]
fn handed_in(k: f64, x: &[f64]) -> f64 {
    applied(|v| scaled(k, v), x)
}

judge! {
    midpoint((0.7, 0.4), &any(2), 3) ((0.7, 0.4), &any(2), 0);
    midpoint_of_parameters(0.7, 0.4, &any(3), 3);
    parameters_that_change(0.7, &mut any(4));
    chain(&any(3)) (&vec![]);
    pairs(&any(8), &positive(4), 1.1) (&any(2), &positive(1), 1.1);
    layers(&any(6), &any(3)) (&any(2), &any(1));
    sums_inside_read_by_the_round(&any(3), 2);
    polynomial(&any(4), 0.7);
    nearest(&vec![0.4, 1.3, 2.9], &vec![0.9, 0.8, 1.4, 0.6, 2.0, 1.1]);
    moved(&any(2));
    handed_in(0.8, &any(3));
}
