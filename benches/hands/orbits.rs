//! Planets by a leapfrog: an own vector with operators, structs in a vector that a method changes, accelerations collected.

use coenzyme::prelude::*;

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};
use crate::vector::{Vec3, add_to, vector};

const BODIES: usize = 4;
const STEPS: usize = 20;
const DT: f64 = 0.01;
const SOFTENING: f64 = 0.05;

#[derive(Clone, Copy, Tangent)]
struct Body {
    at: Vec3,
    velocity: Vec3,
    mass: f64,
}

#[derive(Clone, Tangent)]
struct System {
    bodies: Vec<Body>,
}

#[differentiable]
fn pull(from: &Body, to: &Body) -> Vec3 {
    let r = to.at - from.at;
    let d2 = r.norm2() + SOFTENING;
    r * (to.mass / (d2 * d2.sqrt()))
}

#[differentiable]
impl System {
    fn new(x: &[f64]) -> System {
        let n = x.len() / 7;
        let bodies = (0..n)
            .map(|i| Body {
                at: vector(x, i),
                velocity: vector(x, n + i),
                mass: x[6 * n + i],
            })
            .collect();
        System { bodies }
    }

    fn acceleration(&self, i: usize) -> Vec3 {
        let mut total = Vec3::default();
        for (j, other) in self.bodies.iter().enumerate() {
            if j != i {
                total = total + pull(&self.bodies[i], other);
            }
        }
        total
    }

    fn accelerations(&self) -> Vec<Vec3> {
        (0..self.bodies.len())
            .map(|i| self.acceleration(i))
            .collect()
    }

    fn kick(&mut self, dt: f64) {
        let a = self.accelerations();
        for (body, a) in self.bodies.iter_mut().zip(a) {
            body.velocity = body.velocity + a * dt;
        }
    }

    fn drift(&mut self, dt: f64) {
        for body in &mut self.bodies {
            body.at = body.at + body.velocity * dt;
        }
    }

    fn step(&mut self, dt: f64) {
        self.kick(dt / 2.0);
        self.drift(dt);
        self.kick(dt / 2.0);
    }
}

/// `x` is positions, velocities and masses; `data` is where the bodies are seen after each step.
#[differentiable]
fn orbits(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let mut system = System::new(x);
    let mut miss = 0.0;
    for seen in data.chunks_exact(3 * BODIES) {
        system.step(DT);
        for (i, body) in system.bodies.iter().enumerate() {
            miss += (body.at - vector(seen, i)).norm2();
        }
    }
    miss
}

/// The adjoint of a kick from these positions.
fn kick_back(
    at: &[Vec3],
    mass: &[f64],
    dt: f64,
    d_velocity: &[Vec3],
    d_at: &mut [Vec3],
    d_mass: &mut [f64],
) {
    for i in 0..BODIES {
        let da = d_velocity[i] * dt;
        for j in 0..BODIES {
            if j == i {
                continue;
            }
            let r = at[j] - at[i];
            let d2 = r.norm2() + SOFTENING;
            let k = 1.0 / (d2 * d2.sqrt());
            let along = da.dot(r);
            d_mass[j] += k * along;
            let dr = da * (mass[j] * k) + r * (-3.0 * mass[j] * k / d2 * along);
            d_at[j] = d_at[j] + dr;
            d_at[i] = d_at[i] - dr;
        }
    }
}

fn by_hand(x: &[f64], data: &[f64], d: &mut [f64]) {
    let n = BODIES;
    let mut system = System::new(x);
    let mass = x[6 * n..].to_vec();
    let positions = |s: &System| -> Vec<Vec3> { s.bodies.iter().map(|b| b.at).collect() };
    let mut kept = vec![positions(&system)];
    for _ in 0..STEPS {
        system.step(DT);
        kept.push(positions(&system));
    }
    let (mut d_at, mut d_velocity) = (vec![Vec3::default(); n], vec![Vec3::default(); n]);
    let mut d_mass = vec![0.0; n];
    for t in (0..STEPS).rev() {
        for i in 0..n {
            let seen = vector(&data[3 * n * t..], i);
            d_at[i] = d_at[i] + (kept[t + 1][i] - seen) * 2.0;
        }
        kick_back(
            &kept[t + 1],
            &mass,
            DT / 2.0,
            &d_velocity,
            &mut d_at,
            &mut d_mass,
        );
        for i in 0..n {
            d_velocity[i] = d_velocity[i] + d_at[i] * DT;
        }
        kick_back(
            &kept[t],
            &mass,
            DT / 2.0,
            &d_velocity,
            &mut d_at,
            &mut d_mass,
        );
    }
    for i in 0..n {
        add_to(d, i, d_at[i]);
        add_to(d, n + i, d_velocity[i]);
        d[6 * n + i] += d_mass[i];
    }
}

pub(crate) fn run(bench: &Bench) {
    against_hand!(
        bench,
        "orbits",
        (
            numbers(1, 7 * BODIES, 0.3, 1.7),
            numbers(2, 3 * BODIES * STEPS, -1.0, 1.0)
        ),
        orbits,
        by_hand,
        |v| v
    );
}
