//! Bundle adjustment (ADBench): the Jacobian of two residuals by 15 inputs for each of 31 843 observations, and of the
//! weights' residual `1 − w²`. Both cotangents go through one sweep, of width 2.
//!
//! A camera is a rotation vector, a centre, a focal length, a principal point and two coefficients of radial distortion.

use std::hint::black_box;

use coenzyme::prelude::*;

use crate::measure::{Bench, Gradient, Workload, numbers};

#[differentiable]
fn residual(
    out: &mut [f64; 2],
    camera: &[f64; 11],
    point: &[f64; 3],
    w: f64,
    #[constant] seen: &[f64; 2],
) {
    let x = [
        point[0] - camera[3],
        point[1] - camera[4],
        point[2] - camera[5],
    ];
    let square = camera[0] * camera[0] + camera[1] * camera[1] + camera[2] * camera[2];
    let (a, b, c) = if square > 0.0 {
        let angle = square.sqrt();
        let (sin, cos) = (angle.sin(), angle.cos());
        let (u, v, t) = (camera[0] / angle, camera[1] / angle, camera[2] / angle);
        let along = (u * x[0] + v * x[1] + t * x[2]) * (1.0 - cos);
        (
            x[0] * cos + (v * x[2] - t * x[1]) * sin + u * along,
            x[1] * cos + (t * x[0] - u * x[2]) * sin + v * along,
            x[2] * cos + (u * x[1] - v * x[0]) * sin + t * along,
        )
    } else {
        (
            x[0] + camera[1] * x[2] - camera[2] * x[1],
            x[1] + camera[2] * x[0] - camera[0] * x[2],
            x[2] + camera[0] * x[1] - camera[1] * x[0],
        )
    };
    let (p, q) = (a / c, b / c);
    let radius = p * p + q * q;
    let distortion = 1.0 + camera[9] * radius + camera[10] * radius * radius;
    out[0] = w * (p * distortion * camera[6] + camera[7] - seen[0]);
    out[1] = w * (q * distortion * camera[6] + camera[8] - seen[1]);
}

#[differentiable]
fn weight(w: f64) -> f64 {
    1.0 - w * w
}

/// Both rows of the Jacobian, by hand: what they share is computed once.
fn by_hand(camera: &[f64; 11], point: &[f64; 3], w: f64, seen: &[f64; 2], rows: &mut [f64]) {
    let x = [
        point[0] - camera[3],
        point[1] - camera[4],
        point[2] - camera[5],
    ];
    let square = camera[0] * camera[0] + camera[1] * camera[1] + camera[2] * camera[2];
    let zero = square <= 0.0;
    let angle = if zero { 1.0 } else { square.sqrt() };
    let (sin, cos) = if zero {
        (0.0, 1.0)
    } else {
        (angle.sin(), angle.cos())
    };
    let axis = [camera[0] / angle, camera[1] / angle, camera[2] / angle];
    let dot = axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2];
    let cross = |a: &[f64; 3], b: &[f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let turned = cross(&axis, &x);
    let y: [f64; 3] = match zero {
        true => std::array::from_fn(|i| x[i] + turned[i]),
        false => {
            std::array::from_fn(|i| x[i] * cos + turned[i] * sin + axis[i] * dot * (1.0 - cos))
        }
    };
    let (p, q) = (y[0] / y[2], y[1] / y[2]);
    let radius = p * p + q * q;
    let distortion = 1.0 + camera[9] * radius + camera[10] * radius * radius;
    let bend = camera[9] + 2.0 * camera[10] * radius;
    for (row, d) in rows.chunks_exact_mut(15).enumerate() {
        let (along, other) = if row == 0 { (p, q) } else { (q, p) };
        d[6] += w * along * distortion;
        d[7 + row] += w;
        d[9] += w * camera[6] * along * radius;
        d[10] += w * camera[6] * along * radius * radius;
        d[14] += along * distortion * camera[6] + camera[7 + row] - seen[row];
        // ∂(along·distortion): 2·bend·along² + distortion, 2·bend·along·other
        let scale = w * camera[6];
        let dalong = scale * (distortion + 2.0 * bend * along * along);
        let dother = scale * 2.0 * bend * along * other;
        let (dp, dq) = if row == 0 {
            (dalong, dother)
        } else {
            (dother, dalong)
        };
        let dy = [dp / y[2], dq / y[2], -(dp * p + dq * q) / y[2]];
        let dx: [f64; 3];
        if zero {
            let back = cross(&dy, &axis);
            dx = std::array::from_fn(|i| dy[i] + back[i]);
            let daxis = cross(&x, &dy);
            (0..3).for_each(|i| d[i] += daxis[i]);
        } else {
            let back = cross(&dy, &axis);
            let along_axis = dy[0] * axis[0] + dy[1] * axis[1] + dy[2] * axis[2];
            let share = along_axis * (1.0 - cos);
            dx = std::array::from_fn(|i| dy[i] * cos + back[i] * sin + axis[i] * share);
            let spun = cross(&x, &dy);
            let daxis: [f64; 3] =
                std::array::from_fn(|i| spun[i] * sin + dy[i] * dot * (1.0 - cos) + x[i] * share);
            let dcos = dy[0] * x[0] + dy[1] * x[1] + dy[2] * x[2] - along_axis * dot;
            let dsin = dy[0] * turned[0] + dy[1] * turned[1] + dy[2] * turned[2];
            let dangle = dsin * cos
                - dcos * sin
                - (daxis[0] * axis[0] + daxis[1] * axis[1] + daxis[2] * axis[2]) / angle;
            (0..3).for_each(|i| d[i] += daxis[i] / angle + dangle * axis[i]);
        }
        for i in 0..3 {
            d[3 + i] -= dx[i];
            d[11 + i] += dx[i];
        }
    }
}

const CAMERAS: usize = 49;
const POINTS: usize = 7_776;
const OBSERVATIONS: usize = 31_843;

struct Scene {
    cameras: Vec<[f64; 11]>,
    points: Vec<[f64; 3]>,
    weights: Vec<f64>,
    seen: Vec<[f64; 2]>,
}

impl Scene {
    fn new() -> Self {
        let camera = |(i, c): (usize, &[f64])| {
            let mut camera: [f64; 11] = c.try_into().expect("eleven numbers");
            // the branch at angle zero
            if i == 0 {
                camera[..3].fill(0.0);
            }
            camera
        };
        let pairs = |n: Vec<f64>| n.chunks_exact(2).map(|n| [n[0], n[1]]).collect();
        let cameras = numbers(30, 11 * CAMERAS, -0.5, 0.5);
        let points = numbers(31, 3 * POINTS, -1.0, 1.0);
        Self {
            cameras: cameras.chunks_exact(11).enumerate().map(camera).collect(),
            points: points
                .chunks_exact(3)
                .map(|p| [p[0], p[1], p[2] + 5.0])
                .collect(),
            weights: numbers(32, OBSERVATIONS, 0.5, 1.5),
            seen: pairs(numbers(33, 2 * OBSERVATIONS, -1.0, 1.0)),
        }
    }

    fn observations(&self) -> impl Iterator<Item = (&[f64; 11], &[f64; 3], f64, &[f64; 2])> {
        let rest = self.weights.iter().zip(&self.seen).enumerate();
        rest.map(|(i, (w, seen))| {
            (
                &self.cameras[i % CAMERAS],
                &self.points[i * 7 % POINTS],
                *w,
                seen,
            )
        })
    }
}

impl Workload for Scene {
    fn lengths(&self) -> Vec<usize> {
        vec![30 * OBSERVATIONS, OBSERVATIONS]
    }

    fn primal(&self) -> f64 {
        let mut sum = 0.0;
        for (camera, point, w, seen) in black_box(self).observations() {
            let mut out = [0.0; 2];
            residual(&mut out, camera, point, w, seen);
            sum += out[0] + out[1] + weight(w);
        }
        sum
    }

    fn hand(&self, d: &mut Gradient) {
        let [rows, dw] = &mut d[..] else { return };
        let outputs = rows.chunks_exact_mut(30).zip(dw);
        for ((camera, point, w, seen), (rows, dw)) in black_box(self).observations().zip(outputs) {
            by_hand(camera, point, w, seen, rows);
            *dw -= 2.0 * w;
        }
    }

    fn generated(&self, d: &mut Gradient) {
        let [rows, dw] = &mut d[..] else { return };
        let outputs = rows.chunks_exact_mut(30).zip(dw);
        for ((camera, point, w, seen), (rows, dw)) in black_box(self).observations().zip(outputs) {
            let (mut out, mut dout) = ([0.0; 2], [[1.0, 0.0], [0.0, 1.0]]);
            let (mut dcamera, mut dpoint) = ([[0.0; 11]; 2], [[0.0; 3]; 2]);
            let ((_, _, _, dweight, _),) = autodiff!(
                Reverse,
                residual,
                Const,
                BatchDuplicated(&mut out, dout.each_mut()),
                BatchDuplicated(camera, dcamera.each_mut()),
                BatchDuplicated(point, dpoint.each_mut()),
                Active(w),
                Const(seen)
            );
            for (row, d) in rows.chunks_exact_mut(15).enumerate() {
                d[..11].copy_from_slice(&dcamera[row]);
                d[11..14].copy_from_slice(&dpoint[row]);
                d[14] = dweight[row];
            }
            let ((dweight,),) = autodiff!(Reverse, weight, Active, Active(w));
            *dw += dweight;
        }
    }

    fn tape_bytes(&self) -> usize {
        let (camera, point, w, seen) = self.observations().nth(1).expect("observations");
        let (mut out, mut dout) = ([0.0; 2], [[0.0; 2]; 2]);
        let (mut dcamera, mut dpoint) = ([[0.0; 11]; 2], [[0.0; 3]; 2]);
        let args = &mut (
            BatchDuplicated(&mut out, dout.each_mut()),
            BatchDuplicated(camera, dcamera.each_mut()),
            BatchDuplicated(point, dpoint.each_mut()),
            Active(w),
            Const(seen),
        );
        Thunk::<_, Const<()>, 2>::new(residual {})
            .augmented(args)
            .tape
            .bytes()
    }
}

pub(crate) fn run(bench: &Bench) {
    bench.run("bundle adjustment 31843", &Scene::new());
}
