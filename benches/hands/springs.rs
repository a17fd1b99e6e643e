//! A chain of particles: structs with plain fields, a force pass over neighbours by index, a step that integrates each.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Particle {
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
    fx: f64,
    fy: f64,
    mass: f64,
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Spring {
    k: f64,
    rest: f64,
    damping: f64,
}

#[differentiable]
fn apply_forces(ps: &mut [Particle], s: &Spring) {
    for p in ps.iter_mut() {
        p.fx = -s.damping * p.vx;
        p.fy = -s.damping * p.vy - 9.81 * p.mass;
    }
    for i in 1..ps.len() {
        let dx = ps[i].x - ps[i - 1].x;
        let dy = ps[i].y - ps[i - 1].y;
        let len = (dx * dx + dy * dy).sqrt();
        let f = s.k * (len - s.rest) / len;
        ps[i - 1].fx += f * dx;
        ps[i - 1].fy += f * dy;
        ps[i].fx -= f * dx;
        ps[i].fy -= f * dy;
    }
}

#[differentiable]
fn integrate(ps: &mut [Particle], dt: f64) {
    for p in ps.iter_mut().skip(1) {
        p.vx += dt * p.fx / p.mass;
        p.vy += dt * p.fy / p.mass;
        p.x += dt * p.vx;
        p.y += dt * p.vy;
    }
}

const N: usize = 20;
#[differentiable]
fn chain(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let s = Spring {
        k: x[0],
        rest: x[1],
        damping: x[2],
    };
    let mut ps = Vec::new();
    for i in 0..N {
        ps.push(Particle {
            x: i as f64,
            y: 0.0,
            vx: 0.0,
            vy: 0.0,
            fx: 0.0,
            fy: 0.0,
            mass: x[3 + i],
        });
    }
    for &dt in data {
        apply_forces(&mut ps, &s);
        integrate(&mut ps, dt);
    }
    let last = &ps[N - 1];
    last.x * last.x + last.y * last.y
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let (k, rest, damp) = (x[0], x[1], x[2]);
    let m = &x[3..3 + N];
    let mut p = [[0.0; 2]; N];
    let mut v = [[0.0; 2]; N];
    for i in 0..N {
        p[i][0] = i as f64;
    }
    let mut saved = Vec::with_capacity(data.len());
    for &dt in data {
        let mut f = [[0.0; 2]; N];
        for i in 0..N {
            f[i] = [-damp * v[i][0], -damp * v[i][1] - 9.81 * m[i]];
        }
        for i in 1..N {
            let (dx, dy) = (p[i][0] - p[i - 1][0], p[i][1] - p[i - 1][1]);
            let len = (dx * dx + dy * dy).sqrt();
            let c = k * (len - rest) / len;
            f[i - 1][0] += c * dx;
            f[i - 1][1] += c * dy;
            f[i][0] -= c * dx;
            f[i][1] -= c * dy;
        }
        saved.push((p, v, f));
        for i in 1..N {
            for c in 0..2 {
                v[i][c] += dt * f[i][c] / m[i];
                p[i][c] += dt * v[i][c];
            }
        }
    }
    let mut dp = [[0.0; 2]; N];
    let mut dv = [[0.0; 2]; N];
    dp[N - 1] = [2.0 * p[N - 1][0], 2.0 * p[N - 1][1]];
    let (mut dk, mut drest, mut ddamp) = (0.0, 0.0, 0.0);
    for (&dt, (p, v, f)) in data.iter().zip(&saved).rev() {
        let mut df = [[0.0; 2]; N];
        for i in 1..N {
            let im = dt / m[i];
            for c in 0..2 {
                dv[i][c] += dt * dp[i][c];
                df[i][c] = dv[i][c] * im;
                d[3 + i] -= df[i][c] * f[i][c] / m[i];
            }
        }
        for i in 1..N {
            let (dx, dy) = (p[i][0] - p[i - 1][0], p[i][1] - p[i - 1][1]);
            let len = (dx * dx + dy * dy).sqrt();
            let il = 1.0 / len;
            let c = k * (len - rest) * il;
            let g = [df[i - 1][0] - df[i][0], df[i - 1][1] - df[i][1]];
            let dc = g[0] * dx + g[1] * dy;
            dk += dc * (len - rest) * il;
            drest -= dc * k * il;
            let dl = dc * k * rest * il * il * il;
            let (ax, ay) = (g[0] * c + dl * dx, g[1] * c + dl * dy);
            dp[i][0] += ax;
            dp[i][1] += ay;
            dp[i - 1][0] -= ax;
            dp[i - 1][1] -= ay;
        }
        for i in 0..N {
            d[3 + i] -= 9.81 * df[i][1];
            for c in 0..2 {
                ddamp -= df[i][c] * v[i][c];
                dv[i][c] -= damp * df[i][c];
            }
        }
    }
    d[0] += dk;
    d[1] += drest;
    d[2] += ddamp;
}

pub(crate) fn run(bench: &Bench) {
    let mut x = vec![80.0, 0.9, 0.2];
    x.extend(numbers(1, N, 0.5, 1.5));
    against_hand!(
        bench,
        "springs",
        (x, vec![0.01; 100]),
        chain,
        by_hand,
        |v| v
    );
}
