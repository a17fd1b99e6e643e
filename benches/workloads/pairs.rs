//! The energy of charged, screened pairs within a cut-off, `Σ qᵢqⱼ (1 − r²/c²) / √(r² + ε)`, of 300 particles: with a vector type, its
//! operators and methods, a small function that reads a particle, and `continue`.

use std::hint::black_box;
use std::ops::Sub;

use coenzyme::prelude::*;

use crate::measure::{Bench, Gradient, Workload, numbers};

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, other: Vec3) -> Vec3 {
        Vec3 {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

#[differentiable]
impl Vec3 {
    fn square(self) -> f64 {
        self.x * self.x + self.y * self.y + self.z * self.z
    }
}

#[differentiable]
fn particle(x: &[f64], i: usize) -> Vec3 {
    Vec3 {
        x: x[3 * i],
        y: x[3 * i + 1],
        z: x[3 * i + 2],
    }
}

#[differentiable]
fn energy(x: &[f64], q: &[f64], cut: f64) -> f64 {
    let mut energy = 0.0;
    for i in 0..q.len() {
        let a = particle(x, i);
        for j in i + 1..q.len() {
            let r2 = (a - particle(x, j)).square();
            if r2 > cut * cut {
                continue;
            }
            energy += q[i] * q[j] * (1.0 - r2 / (cut * cut)) / (r2 + EPSILON).sqrt();
        }
    }
    energy
}

const EPSILON: f64 = 0.01;

fn by_hand(x: &[f64], q: &[f64], cut: f64, gradient: &mut Gradient) -> f64 {
    let mut energy = 0.0;
    let [dx, dq] = &mut gradient[..] else {
        return energy;
    };
    for i in 0..q.len() {
        let mut d = [0.0; 3];
        for j in i + 1..q.len() {
            let r: [f64; 3] = std::array::from_fn(|k| x[3 * i + k] - x[3 * j + k]);
            let r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
            if r2 > cut * cut {
                continue;
            }
            let (screen, inverse) = (1.0 - r2 / (cut * cut), 1.0 / (r2 + EPSILON).sqrt());
            energy += q[i] * q[j] * screen * inverse;
            dq[i] += q[j] * screen * inverse;
            dq[j] += q[i] * screen * inverse;
            let steep = -inverse / (cut * cut) - 0.5 * screen * inverse * inverse * inverse;
            for k in 0..3 {
                let along = 2.0 * q[i] * q[j] * steep * r[k];
                d[k] += along;
                dx[3 * j + k] -= along;
            }
        }
        for k in 0..3 {
            dx[3 * i + k] += d[k];
        }
    }
    energy
}

struct Pairs {
    x: Vec<f64>,
    q: Vec<f64>,
}

const CUT: f64 = 0.8;

impl Workload for Pairs {
    fn lengths(&self) -> Vec<usize> {
        vec![self.x.len(), self.q.len()]
    }
    fn primal(&self) -> f64 {
        let Self { x, q } = black_box(self);
        energy(x, q, CUT)
    }
    fn hand(&self, d: &mut Gradient) {
        let Self { x, q } = black_box(self);
        black_box(by_hand(x, q, CUT, d));
    }
    fn generated(&self, d: &mut Gradient) {
        let Self { x, q } = black_box(self);
        let [dx, dq] = &mut d[..] else { return };
        autodiff!(
            Reverse,
            energy,
            Active,
            Duplicated(&x[..], &mut dx[..]),
            Duplicated(&q[..], &mut dq[..]),
            Const(CUT)
        );
    }
    fn tape_bytes(&self) -> usize {
        let (mut dx, mut dq) = (self.x.clone(), self.q.clone());
        let args = &mut (
            Duplicated(&self.x[..], &mut dx[..]),
            Duplicated(&self.q[..], &mut dq[..]),
            Const(CUT),
        );
        let thunk = Thunk::<_, Active<f64>>::new(energy {});
        thunk.augmented(args).tape.bytes()
    }
}

pub(crate) fn run(bench: &Bench) {
    let (x, q) = (numbers(7, 900, -1.0, 1.0), numbers(8, 300, -1.0, 1.0));
    bench.run("pairs 300", &Pairs { x, q });
}
