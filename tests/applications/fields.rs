//! Fields on grids and chains of masses, changed step after step.

use coenzyme::{Real, Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn heat(u0: &[f64], kappa: f64, steps: usize) -> f64 {
    let n = u0.len();
    let mut now = u0.to_vec();
    let mut next = vec![0.0; n];
    for step in 0..steps {
        for i in 0..n {
            let left = if i == 0 { now[n - 1] } else { now[i - 1] };
            let right = now[(i + 1) % n];
            next[i] = now[i] + kappa * (left - 2.0 * now[i] + right) * now[i];
        }
        std::mem::swap(&mut now, &mut next);
        if step == 1 {
            now[0] *= 1.1;
        }
    }
    now.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[derive(Clone, Debug, Tangent)]
struct State {
    position: Vec<f64>,
    velocity: Vec<f64>,
    time: f64,
    steps: usize,
}

fn state() -> State {
    State {
        position: any(3),
        velocity: positive(3),
        time: 0.3,
        steps: 0,
    }
}

#[differentiable]
fn leapfrog(s: &mut State, dt: f64, n: usize) {
    for _ in 0..n {
        for i in 0..s.position.len() {
            s.velocity[i] -= 0.5 * dt * s.position[i].sin();
        }
        for i in 0..s.position.len() {
            s.position[i] += dt * s.velocity[i];
        }
        for (v, p) in s.velocity.iter_mut().zip(&s.position) {
            *v -= 0.5 * dt * p.sin();
        }
        s.time += dt;
        s.steps += 1;
    }
}

#[differentiable]
fn logistic_map<T: Real>(r: T, x: T, n: usize) -> T {
    let mut x = x;
    for k in 0..n {
        x = match k % 3 {
            0 => r * x * (T::one() - x),
            1 if k > 4 => x.sqrt(),
            _ => x * x + T::lit(0.1),
        };
    }
    x
}

#[differentiable]
fn upwind(u: &mut [f64], speed: f64, dt: f64) {
    let n = u.len();
    let old = u.to_vec();
    for i in 0..n {
        let flux = if speed > 0.0 {
            let j = if i == 0 { n - 1 } else { i - 1 };
            old[i] - old[j]
        } else {
            old[(i + 1) % n] - old[i]
        };
        u[i] = old[i] - speed * dt * flux * old[i];
    }
}

#[differentiable]
fn spring_chain(x: &[f64], k: f64, rest: f64) -> f64 {
    x.windows(2)
        .map(|w| {
            let stretch = w[1] - w[0] - rest;
            0.5 * k * stretch * stretch
        })
        .sum()
}

#[differentiable]
fn pairwise_energy(p: &[[f64; 3]]) -> f64 {
    let mut e = 0.0;
    for (i, a) in p.iter().enumerate() {
        for b in &p[i + 1..] {
            let mut r2 = 0.0;
            for d in 0..3 {
                r2 += (a[d] - b[d]).powi(2);
            }
            e += 1.0 / (r2 + 0.1).sqrt();
        }
    }
    e
}

#[differentiable]
fn fibonacci_like(a: f64, b: f64, n: usize) -> f64 {
    let (mut a, mut b) = (a, b);
    for _ in 0..n {
        (a, b) = (b, a * b + a);
    }
    a
}

judge! {
    heat(&positive(4), 0.1, 3);
    leapfrog(&mut state(), 0.1, 3);
    logistic_map(2.9, 0.4, 7);
    upwind(&mut positive(4), 0.7, 0.1) (&mut positive(4), -0.7, 0.1);
    spring_chain(&any(4), 0.7, 0.3);
    pairwise_energy(&vec![[0.1, 0.4, 0.7], [1.1, -0.4, 0.2], [0.6, 0.9, -0.8]]);
    fibonacci_like(0.7, 0.9, 4);
}
