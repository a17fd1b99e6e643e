//! Rays that hit spheres and a plane: an `Option` of a struct, early returns.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};
use crate::vector::{Vec3, add_to, vector};

#[derive(Clone, Copy, Tangent)]
struct Hit {
    t: f64,
    normal: Vec3,
}

const S: usize = 4;

#[differentiable]
fn sphere(o: Vec3, d: Vec3, c: Vec3, r: f64) -> Option<Hit> {
    let oc = o - c;
    let b = oc.dot(d);
    let disc = b * b - (oc.norm2() - r * r);
    if disc <= 0.0 {
        return None;
    }
    let t = -b - disc.sqrt();
    if t <= 1e-4 {
        return None;
    }
    let p = o + d * t;
    Some(Hit {
        t,
        normal: (p - c) * (1.0 / r),
    })
}

#[differentiable]
fn plane(o: Vec3, d: Vec3, height: f64) -> Option<Hit> {
    if d.y.abs() < 1e-9 {
        return None;
    }
    let t = (height - o.y) / d.y;
    if t <= 1e-4 {
        return None;
    }
    Some(Hit {
        t,
        normal: Vec3::new(0.0, 1.0, 0.0),
    })
}

#[differentiable]
fn closest(x: &[f64], o: Vec3, d: Vec3) -> Option<Hit> {
    let mut best = plane(o, d, x[3]);
    for s in 0..S {
        let c = vector(&x[4..], s);
        if let Some(h) = sphere(o, d, c, x[4 + 3 * S + s]) {
            match best {
                Some(b) if b.t <= h.t => {}
                _ => best = Some(h),
            }
        }
    }
    best
}

#[differentiable]
fn radiance(x: &[f64], d: Vec3) -> f64 {
    let Some(hit) = closest(x, Vec3::new(0.0, 0.0, 0.0), d) else {
        return 0.2;
    };
    let light = vector(x, 0);
    let p = d * hit.t;
    let l = light - p;
    let dist2 = l.norm2();
    let cos = hit.normal.dot(l) / dist2.sqrt();
    if cos <= 0.0 {
        return 0.05;
    }
    cos * 10.0 / dist2
}

/// `x` is the light, the height of the plane, the centers and the radii; a pixel is a direction and what is seen there.
#[differentiable]
fn image(x: &[f64], #[constant] pixels: &[f64]) -> f64 {
    let mut total = 0.0;
    for p in pixels.chunks_exact(3) {
        let d = Vec3::new(p[0], p[1], 1.0).normalized();
        total += (radiance(x, d) - p[2]).powi(2);
    }
    total
}

fn by_hand(x: &[f64], pixels: &[f64], g: &mut [f64]) {
    let light = vector(x, 0);
    let o = Vec3::default();
    for px in pixels.chunks_exact(3) {
        let d = Vec3::new(px[0], px[1], 1.0).normalized();
        let mut best = plane(o, d, x[3]).map(|h| (h, None));
        for s in 0..S {
            if let Some(h) = sphere(o, d, vector(&x[4..], s), x[4 + 3 * S + s])
                && !matches!(best, Some((b, _)) if b.t <= h.t)
            {
                best = Some((h, Some(s)));
            }
        }
        let Some((hit, which)) = best else { continue };
        let p = d * hit.t;
        let l = light - p;
        let dist2 = l.norm2();
        let len = dist2.sqrt();
        let cos = hit.normal.dot(l) / len;
        if cos <= 0.0 {
            continue;
        }
        let v = cos * 10.0 / dist2;
        let dv = 2.0 * (v - px[2]);
        // v = 10 normal · l / |l|³
        let s = 10.0 * dv / (dist2 * len);
        let nl = hit.normal.dot(l);
        let dn = l * s;
        let dl = hit.normal * s - l * (3.0 * s * nl / dist2);
        add_to(g, 0, dl);
        let dp = -dl;
        let mut dt = dp.dot(d);
        match which {
            None => g[3] += dt / d.y,
            Some(i) => {
                let (c, r) = (vector(&x[4..], i), x[4 + 3 * S + i]);
                // normal = (d t − c) / r
                dt += dn.dot(d) / r;
                let mut dc = dn * (-1.0 / r);
                g[4 + 3 * S + i] -= dn.dot(hit.normal) / r;
                let b = -c.dot(d);
                let root = (b * b - (c.norm2() - r * r)).sqrt();
                let dd = -dt / (2.0 * root);
                let db = -dt + dd * 2.0 * b;
                dc = dc + d * (-db) + c * (-2.0 * dd);
                g[4 + 3 * S + i] += dd * 2.0 * r;
                add_to(&mut g[4..], i, dc);
            }
        }
    }
}

pub(crate) fn run(bench: &Bench) {
    let mut x = vec![3.0, 4.0, 0.0, -1.5];
    let places = numbers(1, 3 * S, -1.0, 1.0);
    x.extend((0..3 * S).map(|k| {
        if k % 3 == 2 {
            5.0 + places[k]
        } else {
            1.5 * places[k]
        }
    }));
    x.extend(numbers(2, S, 0.6, 1.0));
    let mut pixels = Vec::new();
    let seen = numbers(3, 32 * 32, 0.0, 1.0);
    for i in 0..32 {
        for j in 0..32 {
            pixels.extend([
                (i as f64 - 15.3) / 40.0,
                (j as f64 - 15.3) / 40.0,
                seen[i * 32 + j],
            ]);
        }
    }
    against_hand!(bench, "tracer", (x, pixels), image, by_hand, |v| v);
}
