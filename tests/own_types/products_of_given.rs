//! Operators between what functions of own types give, and memory that is moved into locals and wanted again.

use std::ops::Mul;

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Pose {
    x: f64,
    y: f64,
    turn: f64,
}

#[differentiable]
impl Mul for Pose {
    type Output = Pose;
    fn mul(self, rhs: Pose) -> Pose {
        let (s, c) = self.turn.sin_cos();
        Pose {
            x: self.x + c * rhs.x - s * rhs.y,
            y: self.y + s * rhs.x + c * rhs.y,
            turn: self.turn + rhs.turn,
        }
    }
}

#[differentiable]
impl Pose {
    const HERE: Pose = Pose {
        x: 0.0,
        y: 0.0,
        turn: 0.0,
    };
    fn turned(turn: f64) -> Self {
        Self { turn, ..Self::HERE }
    }
    fn ahead(x: f64) -> Self {
        Self { x, ..Self::HERE }
    }
    fn back(&self) -> Self {
        Pose::turned(-self.turn) * Pose::ahead(-self.x)
    }
}

#[derive(Clone, Debug, Tangent)]
struct Chain {
    links: [f64; 2],
    base: Pose,
}

#[differentiable]
impl Chain {
    fn tip(&self, q: &[f64; 2]) -> Pose {
        self.links
            .iter()
            .zip(q.iter())
            .fold(self.base, |pose, (&l, &a)| {
                pose * Pose::turned(a) * Pose::ahead(l)
            })
    }
    fn reach(&self, q: &[f64; 2]) -> f64 {
        let tip = self.tip(q);
        let mut pose = self.base;
        let mut sum = 0.0;
        for (i, l) in self.links.iter().enumerate() {
            sum += (tip.x - pose.x).powi(2) + (tip.y - pose.y).powi(2);
            pose = pose * Pose::turned(q[i]) * Pose::ahead(*l);
        }
        sum
    }
}

#[differentiable]
fn products(chain: &Chain, q: &[f64; 2], goal: Pose) -> f64 {
    let off = chain.tip(q).back() * goal;
    off.x.powi(2) + off.y * off.turn + chain.reach(q)
}

#[derive(Clone, Debug, Default, Tangent)]
struct Tally {
    n: usize,
    mean: f64,
    all: Vec<f64>,
}

#[differentiable]
impl Tally {
    fn note(&mut self, x: f64) {
        self.n += 1;
        self.mean += (x - self.mean) / self.n as f64;
        self.all.push(x * self.mean);
    }
    fn merged(self, other: Tally) -> Tally {
        if self.n == 0 {
            return other;
        }
        Tally {
            n: self.n + other.n,
            mean: self.mean * other.mean,
            all: other.all,
        }
    }
    fn spread(&self) -> f64 {
        self.all.iter().sum::<f64>() * self.mean
    }
}

/// What is returned in a loop is a parameter, and so is what is compared and then returned.
#[differentiable]
fn returned_in_a_loop(a: Tally, b: Tally, n: usize) -> Tally {
    let mut last = b.clone();
    for k in 0..n {
        if k == 1 {
            return a;
        }
        last = Tally {
            n: 2,
            mean: a.mean * last.mean,
            all: vec![b.mean, 0.3],
        };
    }
    if last.mean > b.mean { last } else { b }
}

#[differentiable]
fn parameters_again(x: f64, y: f64, n: usize) -> f64 {
    let of = |n: usize, mean: f64| Tally {
        n,
        mean,
        all: vec![mean, x],
    };
    returned_in_a_loop(of(1, x), of(2, y), n).spread()
}

/// A struct that is changed in a block is moved into a call, and read later.
#[differentiable]
fn moved_and_read(x: &[f64], y: &[f64]) -> f64 {
    let of = |xs: &[f64]| {
        let mut tally = Tally::default();
        for v in xs {
            tally.note(*v);
        }
        tally
    };
    let (a, b) = (of(x), of(y));
    let both = a.clone().merged(b.clone()).spread();
    both * a.mean + b.spread()
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Grid<const R: usize, const C: usize>([[f64; C]; R]);

/// Two lists of lists side by side, of whose entries nobody knows how many there are.
#[differentiable]
impl<const R: usize, const C: usize> Grid<R, C> {
    fn raised_by(mut self, other: &Grid<R, C>) -> Grid<R, C> {
        for (a, b) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            *a += b * b;
        }
        self
    }
    fn along(&self, other: &Grid<R, C>) -> f64 {
        let waves = other.0.iter().flatten().map(|b| b.sin());
        self.0.iter().flatten().zip(waves).map(|(a, b)| a * b).sum()
    }
}

#[differentiable]
fn flattened(a: Grid<2, 2>, b: Grid<2, 2>) -> f64 {
    a.raised_by(&b).along(&a) + b.along(&a)
}

judge! {
    products(
        &Chain { links: [1.0, 0.8], base: Pose { x: 0.1, y: -0.2, turn: 0.3 } },
        &[0.4, 0.6],
        Pose { x: 1.2, y: 0.9, turn: 0.5 },
    );
    parameters_again(0.9, 1.1, 0) (0.9, 1.3, 1) (0.7, 1.4, 2) (1.3, 1.4, 1);
    moved_and_read(&[0.3, 0.9, 0.4], &[0.6, 0.2]);
    flattened(Grid([[0.3, 0.4], [0.5, -0.2]]), Grid([[0.7, -0.1], [0.2, 0.9]]));
}
