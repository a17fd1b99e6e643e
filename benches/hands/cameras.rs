//! Cameras that see points: rotations by products of small matrices, taken by value, and `continue`.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

type M3 = [[f64; 3]; 3];

#[differentiable]
fn mat_vec(m: M3, v: [f64; 3]) -> [f64; 3] {
    let mut out = [0.0; 3];
    for i in 0..3 {
        for j in 0..3 {
            out[i] += m[i][j] * v[j];
        }
    }
    out
}

#[differentiable]
fn mat_mul(a: M3, b: M3) -> M3 {
    let mut out = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            for k in 0..3 {
                out[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    out
}

#[differentiable]
fn rot(angles: [f64; 3]) -> M3 {
    let [a, b, c] = angles;
    let rz = [
        [c.cos(), -c.sin(), 0.0],
        [c.sin(), c.cos(), 0.0],
        [0.0, 0.0, 1.0],
    ];
    let ry = [
        [b.cos(), 0.0, b.sin()],
        [0.0, 1.0, 0.0],
        [-b.sin(), 0.0, b.cos()],
    ];
    let rx = [
        [1.0, 0.0, 0.0],
        [0.0, a.cos(), -a.sin()],
        [0.0, a.sin(), a.cos()],
    ];
    mat_mul(rz, mat_mul(ry, rx))
}

/// `x` is three angles and a place for each camera; a point is where it is, and where it is seen.
#[differentiable]
fn reproject(x: &[f64], #[constant] points: &[f64]) -> f64 {
    let mut total = 0.0;
    for cam in x.chunks_exact(6) {
        let r = rot([cam[0], cam[1], cam[2]]);
        for p in points.chunks_exact(5) {
            let q = mat_vec(r, [p[0], p[1], p[2]]);
            let z = q[2] + cam[5] + 5.0;
            if z < 0.5 {
                continue;
            }
            let (u, v) = ((q[0] + cam[3]) / z, (q[1] + cam[4]) / z);
            total += (u - p[3]).powi(2) + (v - p[4]).powi(2);
        }
    }
    total
}

fn by_hand(x: &[f64], points: &[f64], d: &mut [f64]) {
    for (cam, dc) in x.chunks_exact(6).zip(d.chunks_exact_mut(6)) {
        let r = rot([cam[0], cam[1], cam[2]]);
        let mut dr = [[0.0; 3]; 3];
        for p in points.chunks_exact(5) {
            let q = mat_vec(r, [p[0], p[1], p[2]]);
            let z = q[2] + cam[5] + 5.0;
            if z < 0.5 {
                continue;
            }
            let (u, v) = ((q[0] + cam[3]) / z, (q[1] + cam[4]) / z);
            let (du, dv) = (2.0 * (u - p[3]) / z, 2.0 * (v - p[4]) / z);
            let dz = -(du * u + dv * v);
            dc[3] += du;
            dc[4] += dv;
            dc[5] += dz;
            for j in 0..3 {
                dr[0][j] += du * p[j];
                dr[1][j] += dv * p[j];
                dr[2][j] += dz * p[j];
            }
        }
        let [a, b, c] = [cam[0], cam[1], cam[2]];
        let rz = [
            [c.cos(), -c.sin(), 0.0],
            [c.sin(), c.cos(), 0.0],
            [0.0, 0.0, 1.0],
        ];
        let ry = [
            [b.cos(), 0.0, b.sin()],
            [0.0, 1.0, 0.0],
            [-b.sin(), 0.0, b.cos()],
        ];
        let rx = [
            [1.0, 0.0, 0.0],
            [0.0, a.cos(), -a.sin()],
            [0.0, a.sin(), a.cos()],
        ];
        let t = |m: M3| {
            let mut o = [[0.0; 3]; 3];
            for i in 0..3 {
                for j in 0..3 {
                    o[i][j] = m[j][i];
                }
            }
            o
        };
        let yx = mat_mul(ry, rx);
        let drz = mat_mul(dr, t(yx));
        let dyx = mat_mul(t(rz), dr);
        let dry = mat_mul(dyx, t(rx));
        let drx = mat_mul(t(ry), dyx);
        dc[2] += -c.sin() * (drz[0][0] + drz[1][1]) + c.cos() * (drz[1][0] - drz[0][1]);
        dc[1] += -b.sin() * (dry[0][0] + dry[2][2]) + b.cos() * (dry[0][2] - dry[2][0]);
        dc[0] += -a.sin() * (drx[1][1] + drx[2][2]) + a.cos() * (drx[2][1] - drx[1][2]);
    }
}

pub(crate) fn run(bench: &Bench) {
    against_hand!(
        bench,
        "cameras",
        (numbers(1, 60, -0.5, 0.5), numbers(2, 500, -1.0, 1.0)),
        reproject,
        by_hand,
        |v| v
    );
}
