//! Spheres that rays hit: `Option`s with early returns, the nearest of them, and shading.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};
use crate::vector::{Vec3, add_to, vector};

/// Spheres.
const S: usize = 6;

#[differentiable]
fn hit(direction: Vec3, center: Vec3, radius: f64) -> Option<f64> {
    let b = direction.dot(center);
    let disc = b * b - center.norm2() + radius * radius;
    if disc < 0.0 {
        return None;
    }
    let t = b - disc.sqrt();
    if t < 1e-6 {
        return None;
    }
    Some(t)
}

#[differentiable]
fn shade(at: Vec3, center: Vec3, light: Vec3) -> f64 {
    let normal = (at - center).normalized();
    let lit = normal.dot((light - at).normalized());
    if lit > 0.0 { lit } else { 0.1 * lit }
}

#[differentiable]
fn color(x: &[f64], direction: Vec3) -> f64 {
    let (mut nearest, mut which) = (f64::INFINITY, None);
    for s in 0..S {
        let Some(t) = hit(direction, vector(x, 1 + s), x[3 + 3 * S + s]) else {
            continue;
        };
        if t < nearest {
            nearest = t;
            which = Some(s);
        }
    }
    let Some(s) = which else {
        return 0.0;
    };
    shade(direction * nearest, vector(x, 1 + s), vector(x, 0))
}

/// `x` is the light, the centers, and the radii; a pixel is a direction and what is seen there.
#[differentiable]
fn picture(x: &[f64], #[constant] pixels: &[f64]) -> f64 {
    let mut total = 0.0;
    for pixel in pixels.chunks_exact(3) {
        let direction = Vec3::new(pixel[0], pixel[1], 1.0).normalized();
        let off = color(x, direction) - pixel[2];
        total += off * off;
    }
    total
}

fn by_hand(x: &[f64], pixels: &[f64], d: &mut [f64]) {
    let light = vector(x, 0);
    for pixel in pixels.chunks_exact(3) {
        let direction = Vec3::new(pixel[0], pixel[1], 1.0).normalized();
        let (mut t, mut which) = (f64::INFINITY, None);
        for s in 0..S {
            if let Some(found) = hit(direction, vector(x, 1 + s), x[3 + 3 * S + s])
                && found < t
            {
                t = found;
                which = Some(s);
            }
        }
        let Some(s) = which else { continue };
        let (center, radius) = (vector(x, 1 + s), x[3 + 3 * S + s]);
        let at = direction * t;
        let (a, b) = (at - center, light - at);
        let (ia, ib) = (1.0 / a.norm2().sqrt(), 1.0 / b.norm2().sqrt());
        let (na, nb) = (a * ia, b * ib);
        let lit = na.dot(nb);
        let by = if lit > 0.0 { 1.0 } else { 0.1 };
        let d_lit = 2.0 * (by * lit - pixel[2]) * by;
        let da = (nb - na * lit) * (ia * d_lit);
        let db = (na - nb * lit) * (ib * d_lit);
        let dt = (da - db).dot(direction);
        // t = b − √(b² − c·c + r²), with b = direction · c
        let along = direction.dot(center);
        let root = (along * along - center.norm2() + radius * radius).sqrt();
        let d_along = dt * (1.0 - along / root);
        add_to(d, 0, db);
        add_to(d, 1 + s, direction * d_along + center * (dt / root) - da);
        d[3 + 3 * S + s] -= dt * radius / root;
    }
}

pub(crate) fn run(bench: &Bench) {
    let mut x = vec![3.0, 4.0, -2.0];
    let places = numbers(1, 3 * S, -1.5, 1.5);
    x.extend((0..3 * S).map(|k| {
        if k % 3 == 2 {
            5.0 + places[k]
        } else {
            places[k]
        }
    }));
    x.extend(numbers(2, S, 0.4, 0.8));
    let mut pixels = Vec::new();
    let seen = numbers(3, 32 * 32, 0.0, 1.0);
    for i in 0..32 {
        for j in 0..32 {
            pixels.extend([
                (i as f64 - 15.5) / 40.0,
                (j as f64 - 15.5) / 40.0,
                seen[i * 32 + j],
            ]);
        }
    }
    against_hand!(bench, "ray", (x, pixels), picture, by_hand, |v| v);
}
