//! Lennard and Jones's potential between points that are not too far apart: operators of an own vector, and `continue`.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};
use crate::vector::{Vec3, add_to, vector};

const FAR2: f64 = 4.0;

#[differentiable]
fn well(r2: f64, depth: f64) -> f64 {
    let inv = 1.0 / r2;
    let s6 = inv * inv * inv;
    4.0 * depth * (s6 * s6 - s6)
}

#[differentiable]
fn energy(x: &[f64], #[constant] depths: &[f64]) -> f64 {
    let n = depths.len();
    let mut total = 0.0;
    for i in 0..n {
        let here = vector(x, i);
        for j in 0..i {
            let r2 = (here - vector(x, j)).norm2();
            if r2 > FAR2 {
                continue;
            }
            total += well(r2, depths[i] * depths[j]);
        }
    }
    total
}

fn by_hand(x: &[f64], depths: &[f64], d: &mut [f64]) {
    for i in 0..depths.len() {
        let here = vector(x, i);
        let mut sum = Vec3::default();
        for j in 0..i {
            let between = here - vector(x, j);
            let r2 = between.norm2();
            if r2 > FAR2 {
                continue;
            }
            let inv = 1.0 / r2;
            let s6 = inv * inv * inv;
            let slope = 4.0 * depths[i] * depths[j] * (3.0 * s6 - 6.0 * s6 * s6) * inv;
            let force = between * (2.0 * slope);
            sum = sum + force;
            add_to(d, j, -force);
        }
        add_to(d, i, sum);
    }
}

pub(crate) fn run(bench: &Bench) {
    let n = 200;
    // on a grid, so that no two are too near
    let jitter = numbers(1, 3 * n, -0.2, 0.2);
    let at = |k: usize| [k / 3 % 6, k / 18 % 6, k / 108][k % 3] as f64;
    let x: Vec<f64> = (0..3 * n).map(|k| 1.1 * at(k) + jitter[k]).collect();
    let depths = numbers(2, n, 0.5, 1.5);
    against_hand!(bench, "lennard-jones", (x, depths), energy, by_hand, |v| v);
}
