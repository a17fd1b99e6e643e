//! A cloth of springs: a list of edges, forces that a function returns, operators of an own vector.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};
use crate::vector::{Vec3, add_to, vector};

const W: usize = 8;

fn node(i: usize, j: usize) -> usize {
    i * W + j
}

fn edges() -> Vec<(usize, usize)> {
    let mut e = Vec::new();
    for i in 0..W {
        for j in 0..W {
            if i + 1 < W {
                e.push((node(i, j), node(i + 1, j)));
            }
            if j + 1 < W {
                e.push((node(i, j), node(i, j + 1)));
            }
        }
    }
    e
}

#[differentiable]
fn spring(a: Vec3, b: Vec3, rest: f64, k: f64) -> Vec3 {
    let d = b - a;
    let len = d.norm2().sqrt();
    d * (k * (len - rest) / len)
}

#[differentiable]
fn forces(pos: &[Vec3], #[constant] edges: &[(usize, usize)], k: f64) -> Vec<Vec3> {
    let mut f = vec![Vec3::new(0.0, 0.0, -0.1); pos.len()];
    for &(a, b) in edges {
        let s = spring(pos[a], pos[b], 1.0, k);
        f[a] = f[a] + s;
        f[b] = f[b] - s;
    }
    f
}

/// `x` is the stiffness, the damping and the positions; there are as many steps as data.
#[differentiable]
fn simulate(x: &[f64], #[constant] dts: &[f64]) -> f64 {
    let e = edges();
    let mut pos: Vec<Vec3> = (0..W * W).map(|i| vector(&x[2..], i)).collect();
    let mut vel = vec![Vec3::new(0.0, 0.0, 0.0); W * W];
    for &dt in dts {
        let f = forces(&pos, &e, x[0]);
        for i in 0..W * W {
            vel[i] = (vel[i] + f[i] * dt) * (1.0 - x[1] * dt);
            pos[i] = pos[i] + vel[i] * dt;
        }
    }
    pos.iter().map(|p| p.norm2()).sum()
}

fn by_hand(x: &[f64], dts: &[f64], d: &mut [f64]) {
    let e = edges();
    let n = W * W;
    let mut pos: Vec<Vec3> = (0..n).map(|i| vector(&x[2..], i)).collect();
    let mut vel = vec![Vec3::default(); n];
    let (mut ps, mut us) = (Vec::new(), Vec::new());
    for &dt in dts {
        ps.extend_from_slice(&pos);
        let f = forces(&pos, &e, x[0]);
        for i in 0..n {
            let u = vel[i] + f[i] * dt;
            us.push(u);
            vel[i] = u * (1.0 - x[1] * dt);
            pos[i] = pos[i] + vel[i] * dt;
        }
    }
    let mut dp: Vec<Vec3> = pos.iter().map(|p| *p * 2.0).collect();
    let mut dv = vec![Vec3::default(); n];
    let mut df = vec![Vec3::default(); n];
    let (mut dk, mut dg) = (0.0, 0.0);
    for (s, &dt) in dts.iter().enumerate().rev() {
        let (p, u) = (&ps[s * n..][..n], &us[s * n..][..n]);
        for i in 0..n {
            let g = dv[i] + dp[i] * dt;
            dg -= g.dot(u[i]) * dt;
            let du = g * (1.0 - x[1] * dt);
            dv[i] = du;
            df[i] = du * dt;
        }
        for &(a, b) in &e {
            let g = df[a] - df[b];
            let dd = p[b] - p[a];
            let len = dd.norm2().sqrt();
            let c = (len - 1.0) / len;
            let gd = g.dot(dd);
            dk += gd * c;
            let t = g * (x[0] * c) + dd * (gd * x[0] / (len * len * len));
            dp[b] = dp[b] + t;
            dp[a] = dp[a] - t;
        }
    }
    d[0] += dk;
    d[1] += dg;
    for i in 0..n {
        add_to(&mut d[2..], i, dp[i]);
    }
}

pub(crate) fn run(bench: &Bench) {
    let mut x = vec![4.0, 0.3];
    let jitter = numbers(1, 3 * W * W, -0.1, 0.1);
    for i in 0..W {
        for j in 0..W {
            let k = 3 * node(i, j);
            x.extend([
                i as f64 * 1.1 + jitter[k],
                j as f64 * 1.1 + jitter[k + 1],
                jitter[k + 2],
            ]);
        }
    }
    against_hand!(
        bench,
        "cloth",
        (x, vec![0.05; 30]),
        simulate,
        by_hand,
        |v| v
    );
}
