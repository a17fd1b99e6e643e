//! Simulations: bodies, oscillators, fields, step after step.

use std::f64::consts::PI;

use coenzyme::{Real, Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn kepler(mean_anomaly: f64, e: f64) -> f64 {
    let tol = 1e-12;
    let mut ecc = if e > 0.8 { PI } else { mean_anomaly };
    let mut delta = 1.0;
    let mut iter = 0;
    while delta > tol && iter < 50 {
        let f = ecc - e * ecc.sin() - mean_anomaly;
        let df = 1.0 - e * ecc.cos();
        let step = f / df;
        ecc -= step;
        delta = step.abs();
        iter += 1;
    }
    ecc
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Body {
    pos: [f64; 3],
    vel: [f64; 3],
    mass: f64,
}

fn bodies(n: usize) -> Vec<Body> {
    let v = positive(7 * n);
    (0..n)
        .map(|i| Body {
            pos: [v[7 * i] + i as f64, v[7 * i + 1], v[7 * i + 2]],
            vel: [v[7 * i + 3], v[7 * i + 4], v[7 * i + 5]],
            mass: v[7 * i + 6],
        })
        .collect()
}

#[differentiable]
fn total_energy(bodies: &[Body], g: f64) -> f64 {
    let mut e = 0.0;
    for (i, b) in bodies.iter().enumerate() {
        let v2: f64 = b.vel.iter().map(|v| v * v).sum();
        e += 0.5 * b.mass * v2;
        for other in &bodies[i + 1..] {
            let mut r2 = 0.0;
            for k in 0..3 {
                r2 += (b.pos[k] - other.pos[k]).powi(2);
            }
            e -= g * b.mass * other.mass / r2.sqrt();
        }
    }
    e
}

#[differentiable]
fn leapfrog(bodies: &mut [Body], dt: f64, steps: usize) {
    let n = bodies.len();
    for _ in 0..steps {
        let mut acc = vec![[0.0; 3]; n];
        for i in 0..n {
            for j in 0..n {
                if i == j {
                    continue;
                }
                let mut d = [0.0; 3];
                let mut r2 = 1e-3;
                for k in 0..3 {
                    d[k] = bodies[j].pos[k] - bodies[i].pos[k];
                    r2 += d[k] * d[k];
                }
                let inv = bodies[j].mass / (r2 * r2.sqrt());
                for k in 0..3 {
                    acc[i][k] += d[k] * inv;
                }
            }
        }
        for (body, a) in bodies.iter_mut().zip(acc.iter()) {
            for k in 0..3 {
                body.vel[k] += a[k] * dt;
                body.pos[k] += body.vel[k] * dt;
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Params {
    mass: f64,
    k: f64,
    c: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Phase {
    x: f64,
    v: f64,
}

#[differentiable]
impl Phase {
    fn derivative(&self, p: &Params) -> Phase {
        Phase {
            x: self.v,
            v: -(p.k * self.x + p.c * self.v) / p.mass,
        }
    }
    fn advanced(&self, d: &Phase, h: f64) -> Phase {
        Phase {
            x: self.x + h * d.x,
            v: self.v + h * d.v,
        }
    }
}

#[differentiable]
fn oscillator(p: &Params, x0: f64, steps: usize) -> f64 {
    let mut s = Phase { x: x0, v: 0.0 };
    let h = 0.1;
    for _ in 0..steps {
        let k1 = s.derivative(p);
        let k2 = s.advanced(&k1, h / 2.0).derivative(p);
        let k3 = s.advanced(&k2, h / 2.0).derivative(p);
        let k4 = s.advanced(&k3, h).derivative(p);
        s = Phase {
            x: s.x + h / 6.0 * (k1.x + 2.0 * k2.x + 2.0 * k3.x + k4.x),
            v: s.v + h / 6.0 * (k1.v + 2.0 * k2.v + 2.0 * k3.v + k4.v),
        };
    }
    s.x
}

#[differentiable]
fn clamped(p: &Params) -> Phase {
    if p.mass < 0.0 {
        return Phase { x: p.k, v: 0.0 };
    }
    Phase {
        x: p.k * p.mass,
        v: p.c,
    }
}

#[differentiable]
fn lorenz(x0: [f64; 3], sigma: f64, rho: f64, beta: f64) -> [f64; 3] {
    let f = |[x, y, z]: [f64; 3]| [sigma * (y - x), x * (rho - z) - y, x * y - beta * z];
    let dt = 0.01;
    let mut s = x0;
    for _ in 0..3 {
        let d = f(s);
        for i in 0..3 {
            s[i] += dt * d[i];
        }
    }
    s
}

#[differentiable]
fn lotka(y0: &[f64], a: f64, b: f64) -> Vec<f64> {
    let rhs = |y: &[f64]| -> Vec<f64> { vec![a * y[0] - b * y[0] * y[1], b * y[0] * y[1] - y[1]] };
    let axpy = |y: &[f64], h: f64, k: &[f64]| -> Vec<f64> {
        y.iter().zip(k).map(|(y, k)| y + h * k).collect()
    };
    let mut y = y0.to_vec();
    let h = 0.05;
    for _ in 0..3 {
        let k1 = rhs(&y);
        let k2 = rhs(&axpy(&y, h, &k1));
        y = axpy(&y, h / 2.0, &k1);
        y = axpy(&y, h / 2.0, &k2);
    }
    y
}

trait Potential {
    fn energy(&self, r: f64) -> f64;
}

#[derive(Clone, Debug, Tangent)]
struct LennardJones {
    eps: f64,
    sigma: f64,
}

#[differentiable]
impl Potential for LennardJones {
    fn energy(&self, r: f64) -> f64 {
        let s6 = (self.sigma / r).powi(6);
        4.0 * self.eps * (s6 * s6 - s6)
    }
}

#[differentiable]
fn lj_total(p: &LennardJones, xs: &[f64]) -> f64 {
    let mut e = 0.0;
    for i in 0..xs.len() {
        for j in (i + 1)..xs.len() {
            e += p.energy((xs[i] - xs[j]).abs() + 0.5);
        }
    }
    e
}

#[differentiable]
fn drag(re: f64) -> f64 {
    match re {
        r if r < 1.0 => 24.0 / r,
        r if (1.0..1000.0).contains(&r) => 24.0 / r * (1.0 + 0.15 * r.powf(0.687)),
        _ => 0.44,
    }
}

#[differentiable]
fn rk4<T: Real>(y0: T, rate: T, dt: T, steps: usize) -> T {
    let f = |y: T| -rate * y * y;
    let half = T::lit(0.5);
    let sixth = T::lit(1.0) / T::lit(6.0);
    let mut y = y0;
    for _ in 0..steps {
        let k1 = f(y);
        let k2 = f(y + half * dt * k1);
        let k3 = f(y + half * dt * k2);
        let k4 = f(y + dt * k3);
        y = y + dt * sixth * (k1 + T::lit(2.0) * k2 + T::lit(2.0) * k3 + k4);
    }
    y
}

judge! {
    kepler(0.8, 0.3);
    total_energy(&bodies(3), 0.9);
    leapfrog(&mut bodies(3), 0.1, 2);
    oscillator(&Params { mass: 1.1, k: 2.0, c: 0.3 }, 0.7, 3);
    clamped(&Params { mass: 1.1, k: 2.0, c: 0.3 }) (&Params { mass: -1.1, k: 2.0, c: 0.3 });
    lorenz([0.1, 0.3, 0.7], 10.0, 28.0, 2.6);
    lotka(&positive(2), 1.1, 0.4);
    lj_total(&LennardJones { eps: 0.3, sigma: 0.9 }, &any(3));
    drag(0.5) (30.0) (2000.0);
    rk4(0.7, 0.3, 0.1, 4);
}
