//! Bundle adjustment with arrays: rotations about an axis, residuals that a function returns as an array, and an index of what was seen.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};

const CAMERAS: usize = 6;
const POINTS: usize = 40;
/// An axis times an angle, a place, a focal length and a distortion.
const CAMERA: usize = 8;

type V = [f64; 3];

#[differentiable]
fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[differentiable]
fn cross(a: V, b: V) -> V {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[differentiable]
fn rotate(r: V, p: V) -> V {
    let theta = dot(r, r).sqrt();
    let w = [r[0] / theta, r[1] / theta, r[2] / theta];
    let (s, c) = theta.sin_cos();
    let across = cross(w, p);
    let along = dot(w, p) * (1.0 - c);
    let mut out = [0.0; 3];
    for i in 0..3 {
        out[i] = p[i] * c + across[i] * s + w[i] * along;
    }
    out
}

#[differentiable]
fn residual(camera: &[f64], p: V, seen: [f64; 2]) -> [f64; 2] {
    let q = rotate([camera[0], camera[1], camera[2]], p);
    let z = q[2] + camera[5];
    let (u, v) = ((q[0] + camera[3]) / z, (q[1] + camera[4]) / z);
    let scale = camera[6] * (1.0 + camera[7] * (u * u + v * v));
    [scale * u - seen[0], scale * v - seen[1]]
}

/// `x` is the cameras and the points; a row of `data` is a camera, a point, and where it is seen.
#[differentiable]
fn adjusted(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let (cameras, points) = x.split_at(CAMERAS * CAMERA);
    let mut total = 0.0;
    for row in data.chunks_exact(4) {
        let (i, j) = (row[0] as usize, row[1] as usize);
        let camera = &cameras[i * CAMERA..(i + 1) * CAMERA];
        let p = [points[3 * j], points[3 * j + 1], points[3 * j + 2]];
        let [a, b] = residual(camera, p, [row[2], row[3]]);
        total += a * a + b * b;
    }
    total
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let (cameras, points) = x.split_at(CAMERAS * CAMERA);
    let (d_cameras, d_points) = d.split_at_mut(CAMERAS * CAMERA);
    for row in data.chunks_exact(4) {
        let (i, j) = (row[0] as usize, row[1] as usize);
        let camera = &cameras[i * CAMERA..][..CAMERA];
        let p = [points[3 * j], points[3 * j + 1], points[3 * j + 2]];
        let r = [camera[0], camera[1], camera[2]];
        let theta = dot(r, r).sqrt();
        let w = r.map(|r| r / theta);
        let (s, c) = theta.sin_cos();
        let (across, wp) = (cross(w, p), dot(w, p));
        let q: V = std::array::from_fn(|i| p[i] * c + across[i] * s + w[i] * wp * (1.0 - c));
        let z = q[2] + camera[5];
        let (u, v) = ((q[0] + camera[3]) / z, (q[1] + camera[4]) / z);
        let (f, k, r2) = (camera[6], camera[7], u * u + v * v);
        let bend = 1.0 + k * r2;
        let e = [f * bend * u - row[2], f * bend * v - row[3]];
        let (ea, eb) = (2.0 * e[0], 2.0 * e[1]);
        let along = ea * u + eb * v;
        let du = f * (bend * ea + 2.0 * k * u * along);
        let dv = f * (bend * eb + 2.0 * k * v * along);
        let g = [du / z, dv / z, -(du * u + dv * v) / z];
        let (wg, back) = (dot(w, g), cross(g, w));
        let turned = cross(p, g);
        let mut dw = [0.0; 3];
        for i in 0..3 {
            d_points[3 * j + i] += g[i] * c + back[i] * s + w[i] * wg * (1.0 - c);
            dw[i] = turned[i] * s + (p[i] * wg + g[i] * wp) * (1.0 - c);
        }
        let d_theta = c * dot(g, across) - s * dot(g, p) + s * wg * wp;
        let radial = d_theta - dot(dw, w) / theta;
        let dc = &mut d_cameras[i * CAMERA..][..CAMERA];
        for i in 0..3 {
            dc[i] += dw[i] / theta + w[i] * radial;
            dc[3 + i] += g[i];
        }
        dc[6] += bend * along;
        dc[7] += f * r2 * along;
    }
}

pub(crate) fn run(bench: &Bench) {
    let mut x = numbers(1, CAMERAS * CAMERA, -0.4, 0.4);
    for camera in x.chunks_exact_mut(CAMERA) {
        (camera[5], camera[6]) = (5.0 + camera[5], 2.0 + camera[6]);
    }
    x.extend(numbers(2, 3 * POINTS, -1.0, 1.0));
    let seen = numbers(3, 2 * CAMERAS * POINTS, -0.5, 0.5);
    let row = |k: usize| {
        let (i, j) = (k / POINTS, k % POINTS);
        [i as f64, j as f64, seen[2 * k], seen[2 * k + 1]]
    };
    let data = (0..CAMERAS * POINTS).flat_map(row).collect();
    against_hand!(bench, "residuals", (x, data), adjusted, by_hand, |v| v);
}
