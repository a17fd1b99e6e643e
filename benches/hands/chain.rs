//! A robot's arm: products of small matrices through functions.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

type Mat4 = [[f64; 4]; 4];

const LINKS: usize = 8;

#[differentiable]
fn mul(a: &Mat4, b: &Mat4) -> Mat4 {
    let mut c = [[0.0; 4]; 4];
    for i in 0..4 {
        for j in 0..4 {
            for k in 0..4 {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

/// A turn by an angle around the z axis, then a step along x, then a quarter turn.
#[differentiable]
fn link(angle: f64, length: f64) -> Mat4 {
    let (s, c) = angle.sin_cos();
    [
        [c, 0.0, s, length * c],
        [s, 0.0, -c, length * s],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

#[differentiable]
fn end_of(angles: &[f64], lengths: &[f64]) -> Mat4 {
    let mut t = link(angles[0], lengths[0]);
    for k in 1..angles.len() {
        t = mul(&t, &link(angles[k], lengths[k]));
    }
    t
}

/// The squared distance to targets, one arm for each; behind the angles are the lengths of the links.
#[differentiable]
fn misses(x: &[f64], #[constant] targets: &[f64]) -> f64 {
    let (lengths, angles) = x.split_at(LINKS);
    let mut total = 0.0;
    for (angles, target) in angles.chunks_exact(LINKS).zip(targets.chunks_exact(3)) {
        let end = end_of(angles, lengths);
        for i in 0..3 {
            let miss = end[i][3] - target[i];
            total += miss * miss;
        }
    }
    total
}

fn by_hand(x: &[f64], targets: &[f64], d: &mut [f64]) {
    let (lengths, angles) = x.split_at(LINKS);
    let (d_lengths, d_angles) = d.split_at_mut(LINKS);
    let arms = angles
        .chunks_exact(LINKS)
        .zip(d_angles.chunks_exact_mut(LINKS));
    for ((angles, d_angles), target) in arms.zip(targets.chunks_exact(3)) {
        let mut links = [[[0.0; 4]; 4]; LINKS];
        let mut before = [[[0.0; 4]; 4]; LINKS];
        for k in 0..LINKS {
            links[k] = link(angles[k], lengths[k]);
            before[k] = match k {
                0 => links[0],
                _ => mul(&before[k - 1], &links[k]),
            };
        }
        let mut dt = [[0.0; 4]; 4];
        for i in 0..3 {
            dt[i][3] = 2.0 * (before[LINKS - 1][i][3] - target[i]);
        }
        for k in (0..LINKS).rev() {
            let mut dl = dt;
            if k > 0 {
                let (mut db, m, b) = ([[0.0; 4]; 4], &links[k], &before[k - 1]);
                dl = [[0.0; 4]; 4];
                for i in 0..4 {
                    for j in 0..4 {
                        for l in 0..4 {
                            db[i][l] += dt[i][j] * m[l][j];
                            dl[l][j] += dt[i][j] * b[i][l];
                        }
                    }
                }
                dt = db;
            }
            let (c, s) = (links[k][0][0], links[k][1][0]);
            let length = lengths[k];
            d_angles[k] += dl[1][0] * c - dl[0][0] * s
                + dl[0][2] * c
                + dl[1][2] * s
                + length * (dl[1][3] * c - dl[0][3] * s);
            d_lengths[k] += dl[0][3] * c + dl[1][3] * s;
        }
    }
}

pub(crate) fn run(bench: &Bench) {
    let arms = 100;
    let mut x = numbers(1, LINKS, 0.5, 1.0);
    x.extend(numbers(2, LINKS * arms, -1.5, 1.5));
    let targets = numbers(3, 3 * arms, -2.0, 2.0);
    against_hand!(bench, "chain", (x, targets), misses, by_hand, |v| v);
}
