//! Programs at random: loops in loops, branches, exits, memory that is overwritten and read again, in combinations that nobody
//! would think of. Each is differentiated by `#[differentiable]` and judged by the tester in both modes.
//!
//! `RANDOM_SEED=7 RANDOM_PROGRAMS=100 cargo test` judges a hundred others. A program whose differences cannot judge it (a jump
//! nearby, nothing that depends on anything) counts for nothing; a wrong derivative and a compile error count.
//! `RANDOM_CLASSES=moved,cfg` writes only these of the classes in `build/class.rs`, `RANDOM_CLASSES=none` none of them.
#![cfg(test)]
#![allow(unused, clippy::all)]

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsConst, AsDuplicated};
use coenzyme_testutils::{Report, Verdict, inout, input, test_forward, test_reverse, value};

#[differentiable]
fn mix(x: f64, y: f64) -> f64 {
    x * (0.5 * y).cos() + y
}

#[differentiable]
fn energy(x: &[f64], scale: f64) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v * scale;
    }
    sum.sin()
}

#[differentiable]
fn relax(x: &[f64], y: &mut [f64], rate: f64) {
    for i in 1..y.len() {
        y[i] = 0.5 * y[i - 1] + 0.4 * (rate * x[i]).sin() * y[i];
    }
}

#[differentiable]
fn both(x: &[f64], rate: f64) -> (f64, f64) {
    let mut sum = rate;
    for v in &x[1..] {
        sum += (v * x[0]).sin();
    }
    (sum, (rate * sum).cos())
}

#[differentiable]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let mut y = x;
    for _ in 0..2 {
        y = 0.5 * f(y);
    }
    y
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Body {
    at: f64,
    speed: f64,
}

#[differentiable]
impl Body {
    fn moved(self, force: f64) -> Body {
        let speed = 0.9 * self.speed + 0.1 * force * self.at;
        Body {
            at: (self.at + 0.3 * speed).sin(),
            speed,
        }
    }

    fn push(&mut self, force: f64) {
        self.speed += 0.2 * (force * self.at).sin();
        self.at = 0.8 * self.at + 0.1 * self.speed;
    }
}

#[differentiable]
fn put(into: &mut f64, x: f64) {
    *into = (0.5 * *into + x * x).sin();
}

#[differentiable]
fn halves(x: f64, y: f64) -> Vec<f64> {
    vec![0.5 * x * y, 0.5 * y + x]
}

/// A type whose methods are called like those of slices and numbers.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct Curve {
    a: f64,
    b: f64,
}

#[differentiable]
impl Curve {
    fn position(&self, t: f64) -> f64 {
        self.a * t + (self.b * t).sin()
    }
    fn len(&self) -> f64 {
        (self.a * self.a + self.b * self.b + 1.0).sqrt()
    }
    fn capacity(&self) -> f64 {
        self.a * self.b
    }
    fn count(&self, t: f64) -> f64 {
        self.a - self.b * t.cos()
    }
    fn max(&self, t: f64) -> f64 {
        (self.a + t).sin() * self.b
    }
    fn contains(&self, t: f64) -> f64 {
        (t - self.a).tanh()
    }
    fn is_empty(&self, t: f64) -> f64 {
        t * self.b
    }
    fn shape(&self) -> f64 {
        self.a.cos()
    }
    fn sin(&self) -> f64 {
        0.5 * self.a + self.b
    }
    fn first(&self) -> f64 {
        self.b.sin()
    }
    fn dim(&self) -> f64 {
        2.0 * self.b
    }
}

/// Methods that are called like those of iterators and operators.
trait Stats: Sized {
    fn sum(&self) -> f64;
    fn product(&self) -> f64;
    fn add(&self, other: &Self) -> f64;
    fn mul(&self, other: &Self) -> f64;
    fn view(&self) -> Self;
    fn copied(&self, by: f64) -> Self;
}

#[differentiable]
impl Stats for Curve {
    fn sum(&self) -> f64 {
        self.a - 2.0 * self.b
    }
    fn product(&self) -> f64 {
        (self.a * self.b).sin() + self.a
    }
    fn add(&self, other: &Curve) -> f64 {
        self.a * other.b
    }
    fn mul(&self, other: &Curve) -> f64 {
        self.b + other.a * self.a
    }
    fn view(&self) -> Curve {
        Curve {
            a: self.b,
            b: 0.5 * self.a,
        }
    }
    fn copied(&self, by: f64) -> Curve {
        Curve {
            a: self.a * by,
            b: by,
        }
    }
}

/// Fields whose names are parts of methods' names.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Pack {
    chunk: f64,
    pop: f64,
    iter: f64,
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Held {
    w: Vec<f64>,
    by: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Point {
    fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }
}

#[differentiable]
impl std::ops::Mul<f64> for Point {
    type Output = Point;
    fn mul(self, k: f64) -> Self::Output {
        Point::new(self.x * k, self.y * k)
    }
}

#[differentiable]
impl std::ops::Mul for Point {
    type Output = f64;
    fn mul(self, other: Point) -> f64 {
        self.x * other.x - self.y * other.y
    }
}

#[differentiable]
impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

#[differentiable]
impl std::ops::Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}

#[differentiable]
impl std::ops::Neg for Point {
    type Output = Point;
    fn neg(self) -> Self::Output {
        Point::new(-self.x, -self.y)
    }
}

const FACTOR: f64 = 1.3;

/// What is imported by `*`, and hidden in part by what stands beside the programs.
mod library {
    use coenzyme::differentiable;

    #[differentiable]
    pub(super) fn stretched(x: f64, y: f64) -> f64 {
        x * (1.0 + 0.3 * y)
    }

    #[differentiable]
    pub(super) fn shifted(x: f64, y: f64) -> f64 {
        x - y * y
    }

    pub(super) mod inner {
        use coenzyme::differentiable;

        #[differentiable]
        pub(crate) fn shifted(x: f64, y: f64) -> f64 {
            (x + y).cos()
        }
    }
}
use library::*;

#[differentiable]
fn shifted(x: f64, y: f64) -> f64 {
    2.0 * y + x.sin()
}

/// Types and functions that are called like those of std.
mod own {
    use coenzyme::{Tangent, differentiable};

    #[derive(Clone, Copy, Debug, PartialEq, Tangent)]
    pub(super) struct Interval {
        pub(super) lo: f64,
        pub(super) hi: f64,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Tangent)]
    pub(super) struct Extent {
        pub(super) lo: f64,
        pub(super) hi: f64,
    }

    #[differentiable]
    pub(super) fn interval_width(r: &Interval) -> f64 {
        r.hi - r.lo * r.lo
    }
    #[differentiable]
    pub(super) fn interval_width_of(r: Interval) -> f64 {
        r.hi * r.lo
    }
    #[differentiable]
    pub(super) fn extent_width(d: &Extent) -> f64 {
        (d.hi - d.lo).sin()
    }
    #[differentiable]
    pub(super) fn extent_width_of(d: Extent) -> f64 {
        d.hi * 2.0 + d.lo.cos()
    }

    #[differentiable]
    pub(super) fn swap(a: &mut f64, b: &mut f64) {
        let t = *a;
        *a = 0.5 * *b;
        *b = (0.7 * t).sin();
    }
    #[differentiable]
    pub(super) fn replace(into: &mut f64, by: f64) -> f64 {
        let before = *into;
        *into = 0.5 * by + before;
        before * by
    }
    #[differentiable]
    pub(super) fn take(from: &mut f64) -> f64 {
        *from *= 0.5;
        from.sin()
    }

    #[differentiable]
    pub(super) fn other_mix(x: f64, y: f64) -> f64 {
        x - (0.5 * y).sin()
    }
}

/// A program's name, and both modes of its derivative judged.
type Judged = (&'static str, fn() -> [Report; 2]);

macro_rules! judged {
    ($program:ident) => {
        (stringify!($program), || {
            let name = stringify!($program);
            let arguments = || (input(6), inout(6), value(0.7), value(6_usize));
            let forward = (AsDuplicated, AsDuplicated, AsDuplicated, AsConst);
            let reverse = (AsDuplicated, AsDuplicated, AsActive, AsConst);
            [
                test_forward(name, arguments(), forward, AsDuplicated, $program {}),
                test_reverse(name, arguments(), reverse, AsActive, $program {}),
            ]
        })
    };
}

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

#[test]
fn programs_at_random_have_right_derivatives() {
    let mut judged = 0;
    let mut wrong = Vec::new();
    for (name, judge) in PROGRAMS {
        for report in judge() {
            match report.verdict() {
                Verdict::Pass => judged += 1,
                Verdict::Fail(_) => wrong.push(report.to_string()),
                other => println!("{name}: {other:?}"),
            }
        }
    }
    println!("{judged} of {} judged right", 2 * PROGRAMS.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > PROGRAMS.len(), "only {judged} could be judged");
}
