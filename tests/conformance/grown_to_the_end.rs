//! Vectors that are pushed to first, and changed by what they are lent to afterwards.

use crate::judge::{any, positive};
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Particle {
    at: f64,
    speed: f64,
    mass: f64,
}

#[differentiable]
fn pushed(all: &mut [Particle], k: f64) {
    for i in 1..all.len() {
        let d = all[i].at - all[i - 1].at;
        all[i].speed -= k * d / all[i].mass;
        all[i - 1].speed += k * d * d;
    }
    for p in all.iter_mut() {
        p.at += 0.1 * p.speed;
    }
}
#[differentiable]
fn at_rest(p: &[f64]) -> Vec<Particle> {
    let mut all: Vec<Particle> = Vec::with_capacity(p.len());
    for (i, m) in p.iter().enumerate() {
        all.push(Particle {
            at: i as f64 * 0.5,
            speed: 0.1 * m,
            mass: *m,
        });
    }
    pushed(&mut all, 0.2);
    all
}
#[differentiable]
fn swings(p: &[f64], k: f64) -> f64 {
    let mut all = Vec::new();
    for i in 0..p.len() {
        all.push(Particle {
            at: i as f64,
            speed: 0.0,
            mass: p[i],
        });
    }
    for _ in 0..3 {
        pushed(&mut all, k);
        pushed(&mut all[1..], k * k);
        all[0].at *= k;
    }
    let last = &all[all.len() - 1];
    last.at * last.speed + all[0].at
}
#[differentiable]
fn given_back(p: &[f64]) -> f64 {
    let mut all = at_rest(p);
    pushed(&mut all, 0.3);
    all.iter().map(|q| q.at * q.speed).sum()
}
/// The vector grows once more, is grown by another, or under conditions.
#[differentiable]
fn extended(v: &mut Vec<f64>, x: f64) {
    v.push(x * x);
}
#[differentiable]
fn doubled(v: &mut [f64], by: f64) -> f64 {
    for e in v.iter_mut() {
        *e *= 2.0 * by;
    }
    v[0]
}
#[differentiable]
fn grown_by_another(p: &[f64], x: f64) -> f64 {
    let mut v = vec![x];
    extended(&mut v, p[0]);
    if p[1] > 0.0 {
        extended(&mut v, p[1]);
    }
    let first = doubled(&mut v, x);
    first * doubled(&mut v[1..], first) + v.len() as f64 * v[v.len() - 1]
}
#[differentiable]
fn grows_again(p: &[f64], x: f64) -> f64 {
    let mut v = Vec::new();
    v.push(x);
    let a = doubled(&mut v, p[0]);
    v.push(a * p[1]);
    let b = doubled(&mut v, x);
    let mut w = Vec::new();
    for k in 0..2 {
        w.push(p[k]);
        let c = doubled(&mut w, x);
        w.push(c);
    }
    a * b * v[1] + w[0] * w[3]
}
/// What is bound by the same name inside is another.
#[differentiable]
fn names_inside(p: &[f64], x: f64) -> f64 {
    let mut v: Vec<f64> = Vec::new();
    let mut sum = 0.0;
    for e in p {
        let mut v_of = vec![*e; 2];
        v.push(*e * x);
        {
            let v = doubled(&mut v_of, x);
            sum += v * v;
        }
    }
    sum * doubled(&mut v, sum) + v[1]
}
#[derive(Clone, Debug, PartialEq, Tangent)]
struct Swarm {
    all: Vec<Particle>,
    k: f64,
}
#[differentiable]
impl Swarm {
    fn add(&mut self, mass: f64) {
        self.all.push(Particle {
            at: mass * self.k,
            speed: 1.0,
            mass,
        });
    }
    fn advance(&mut self, h: f64) {
        for p in self.all.iter_mut() {
            p.speed -= h * self.k * p.at / p.mass;
            p.at += h * p.speed;
        }
    }
    fn energy(&self) -> f64 {
        self.all.iter().map(|p| p.mass * p.speed * p.speed).sum()
    }
}
#[differentiable]
fn swarms(p: &[f64], k: f64) -> f64 {
    let mut swarm = Swarm { all: Vec::new(), k };
    for m in p {
        swarm.add(*m);
    }
    let before = swarm.energy();
    for _ in 0..3 {
        swarm.advance(0.1 * k);
    }
    before * swarm.energy()
}
/// A vector of vectors whose rows are changed, and a round that begins with an empty one.
#[differentiable]
fn rows_and_rounds(p: &[f64], x: f64) -> f64 {
    let mut rows = Vec::new();
    for e in p {
        rows.push(vec![*e, x, *e * x]);
    }
    let mut total = 0.0;
    for k in 0..p.len() {
        total += doubled(&mut rows[k], x);
        rows[k][1] += total;
        let mut own = Vec::new();
        for e in &rows[k] {
            own.push(*e * p[k]);
        }
        total += doubled(&mut own, 0.3) * own[2];
        own[0] = total;
        total *= doubled(&mut own[..2], 0.4);
    }
    total + rows[0][1]
}
/// What a call gives is lent to a closure.
#[differentiable]
fn moved_by(u: &[f64], k: &[f64], h: f64) -> Vec<f64> {
    u.iter().zip(k).map(|(u, k)| u + h * k).collect()
}
#[differentiable]
fn slope(u: &[f64], x: f64) -> Vec<f64> {
    u.iter().map(|e| x * e * (1.0 - e)).collect()
}
#[differentiable]
fn lent_to_a_closure(p: &[f64], x: f64) -> f64 {
    let rhs = |u: &[f64]| -> Vec<f64> { slope(u, x * u[0]) };
    let mut u = p.to_vec();
    for _ in 0..3 {
        let a = rhs(&u);
        let b = rhs(&moved_by(&u, &a, 0.1));
        let c = rhs(&moved_by(&u, &b, 0.2));
        for i in 0..u.len() {
            u[i] += 0.1 * (a[i] + 2.0 * b[i] + c[i]);
        }
    }
    let square = |v: &f64| *v * *v;
    u[0] * u[1] + square(&doubled(&mut u, x))
}
/// What a call gives for the whole of a state is moved into it, whatever its length.
#[differentiable]
fn longer(v: &[f64], x: f64) -> Vec<f64> {
    let mut w: Vec<f64> = v.iter().map(|e| e * x).collect();
    w.push(x);
    w
}
#[differentiable]
fn states(p: &[f64], x: f64) -> f64 {
    let mut s = slope(p, x);
    let mut total = 0.0;
    for k in 0..4 {
        s = longer(&s, x);
        total += s[0] * s[k];
        s = slope(&s, total);
    }
    total + s[1]
}
/// A unit that only keeps whether it is above zero.
#[differentiable]
fn rectified(image: &[f64], kernel: &[f64], out: &mut [f64]) {
    for i in 0..2 {
        for j in 0..2 {
            let mut sum = 0.0;
            for a in 0..2 {
                for b in 0..2 {
                    sum += image[3 * (i + a) + j + b] * kernel[2 * a + b];
                }
            }
            out[2 * i + j] = if sum > 0.0 { sum } else { 0.01 * sum * sum };
        }
    }
}
#[differentiable]
fn two_layers(image: &[f64], kernel: &[f64]) -> f64 {
    let mut out = vec![0.0; 4];
    rectified(image, kernel, &mut out);
    let mut next = image.to_vec();
    next[..4].copy_from_slice(&out);
    rectified(&next, kernel, &mut out);
    out.iter().map(|e| e * e).sum()
}

judge! {
    swings(&positive(4), 0.7);
    given_back(&positive(3));
    grown_by_another(&positive(2), 0.7) (&vec![0.4, -0.3], 0.7);
    grows_again(&any(2), 0.7);
    names_inside(&any(3), 0.7);
    swarms(&positive(3), 0.7);
    rows_and_rounds(&any(2), 0.7);
    lent_to_a_closure(&positive(2), 0.7);
    states(&positive(2), 0.7);
    rectified(&any(9), &any(4), &mut vec![0.0; 4]);
    two_layers(&any(9), &vec![0.5, -0.4, 0.3, 0.8]);
}
