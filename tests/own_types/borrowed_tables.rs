//! Structs that borrow tables: a field that is a reference to numbers has no derivative, and a function that makes such a struct has no rules.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

static XS: [f64; 3] = [0.0, 1.0, 2.0];
static YS: [f64; 3] = [0.0, 1.0, 4.0];
static ROWS: [[f64; 2]; 2] = [[0.3, 0.5], [0.7, 0.1]];

struct Table<'a> {
    xs: &'a [f64],
    ys: &'a [f64],
}

#[differentiable]
impl<'a> Table<'a> {
    fn new(xs: &'a [f64], ys: &'a [f64]) -> Self {
        assert_eq!(xs.len(), ys.len());
        Self { xs, ys }
    }
    fn checked(xs: &'a [f64], ys: &'a [f64]) -> Result<Self, String> {
        match xs.len() == ys.len() {
            true => Ok(Self { xs, ys }),
            false => Err("two lengths".into()),
        }
    }
    fn at(&self, x: f64) -> f64 {
        let i = self.xs.partition_point(|v| *v <= x);
        let t = (x - self.xs[i - 1]) / (self.xs[i] - self.xs[i - 1]);
        self.ys[i - 1] * (1.0 - t) + self.ys[i] * t
    }
    fn moments(&self, x: &[f64]) -> f64 {
        let mut s = 0.0;
        for (a, b) in self.ys.iter().zip(x) {
            s += a * b;
        }
        for y in self.ys {
            s *= y + x[0];
        }
        for i in 0..self.xs.len() {
            s += self.xs[i] * x[i % 2] * self.len() as f64;
        }
        let squares = x.iter().zip(self.xs.iter()).map(|(a, b)| a * b * b);
        s + squares.sum::<f64>() + dot(self.ys, x)
    }
    fn len(&self) -> usize {
        self.xs.len()
    }
    fn xs(&self) -> &[f64] {
        self.xs
    }
    fn find(&self, x: f64) -> usize {
        let found = self.xs.iter().position(|v| *v > x);
        found.unwrap_or(self.xs.len() - 1)
    }
    fn taken_apart(&self, x: f64) -> f64 {
        let Self { xs, ys } = self;
        let at = |i: usize| xs[i] * x + self.ys[i];
        at(1) * at(2) + ys.iter().map(|y| y * x).sum::<f64>()
    }
    fn trapezoids(&self, x: f64) -> f64 {
        let mut s = 0.0;
        for i in 1..self.xs.len() {
            let h = self.xs[i] - self.xs[i - 1];
            s += h * (self.ys[i] + self.ys[i - 1]) * x;
        }
        let first = self.ys.get(1).unwrap();
        let most = self.ys.iter().copied().fold(f64::MIN, f64::max);
        s / most + first * x * x
    }
}

#[differentiable]
fn powers(t: &Table, x: f64) -> f64 {
    let Table { xs, .. } = t;
    let sum: f64 =
        t.xs.iter()
            .zip(t.ys)
            .enumerate()
            .map(|(i, (a, b))| a * b * x.powi(i as i32))
            .sum();
    sum * xs[1] + dot(t.xs(), &[x, x * x, 1.0]) + x * t.ys[t.find(x)]
}

#[differentiable]
fn in_every_way(x: f64) -> f64 {
    let t = Table { xs: &XS, ys: &YS };
    t.taken_apart(x) * t.trapezoids(x) + powers(&t, x)
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn interpolated(x: f64) -> f64 {
    let t = Table { xs: &XS, ys: &YS };
    t.at(x).sin() + Table::new(&YS, &XS).at(x)
}

#[differentiable]
fn of_checked(x: f64) -> Result<f64, String> {
    let t = Table::checked(&XS, &YS)?;
    Ok(t.at(x) * x)
}

#[differentiable]
fn unwrapped(x: f64) -> f64 {
    of_checked(x).unwrap_or(0.0)
}

#[differentiable]
fn lent(t: &Table, x: &[f64]) -> f64 {
    t.at(x[0].abs() * 0.5 + 0.2) + t.moments(x)
}

#[differentiable]
fn by_a_function(x: &[f64]) -> f64 {
    lent(&Table { xs: &XS, ys: &YS }, x)
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Spline<'a> {
    #[tangent(inactive)]
    knots: &'a [f64],
    #[tangent(inactive)]
    rows: &'a [[f64; 2]],
    gain: f64,
}

#[differentiable]
impl Spline<'_> {
    fn value(&self, x: f64) -> f64 {
        let mut s = 0.0;
        for w in self.knots.windows(2) {
            if x > w[0] {
                s += self.gain * (x - w[0]).min(w[1] - w[0]);
            }
        }
        for r in self.rows {
            s += r[0] * x.powi(2) * self.gain + r[1];
        }
        s
    }
}

#[differentiable]
fn product(s: &Spline, x: f64) -> f64 {
    s.value(x) * s.knots[1] * s.gain
}

#[differentiable]
fn with_a_gain(gain: f64, x: f64) -> f64 {
    let s = Spline {
        knots: &XS,
        rows: &ROWS,
        gain,
    };
    product(&s, x) + s.value(x * x)
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Amplifier {
    #[tangent(inactive)]
    response: &'static [f64],
    gain: f64,
}

#[differentiable]
impl Amplifier {
    fn of_gain(gain: f64) -> Self {
        Self {
            response: &XS,
            gain: gain * gain,
        }
    }
    fn scaled(&self, by: f64) -> Self {
        Self {
            response: self.response,
            gain: self.gain * by,
        }
    }
    fn at(&self, x: f64) -> f64 {
        self.response[1] * x * self.gain + self.response[2]
    }
}

#[differentiable]
fn amplified(x: f64) -> f64 {
    let amplifier = Amplifier::of_gain(x);
    amplifier.at(x).sin() + amplifier.scaled(x).at(x)
}

struct Curve<'a> {
    knots: &'a [(f64, f64)],
    order: &'a [usize],
    gain: f64,
}

#[differentiable]
impl Curve<'_> {
    fn at(&self, x: f64) -> f64 {
        let mut y = self.gain * x;
        for &(knot, slope) in self.knots {
            y += slope * (x - knot).max(0.0) * self.gain;
        }
        for (k, &i) in self.order.iter().enumerate() {
            y += self.knots[i].1 * x.powi(k as i32);
        }
        self.knots
            .windows(2)
            .map(|w| (w[1].0 - w[0].0) * y)
            .sum::<f64>()
            * self.knots[0].1
    }
}

static KNOTS: [(f64, f64); 3] = [(0.0, 0.7), (1.0, 1.5), (2.0, 0.3)];
static ORDER: [usize; 2] = [2, 0];

#[differentiable]
fn along_a_curve(x: f64) -> f64 {
    let curve = Curve {
        knots: &KNOTS,
        order: &ORDER,
        gain: 2.0,
    };
    curve.at(x) * x
}

judge! {
    along_a_curve(1.3);
    amplified(1.3);
    interpolated(1.3);
    in_every_way(0.7);
    unwrapped(1.3);
    by_a_function(&any(2));
    with_a_gain(0.7, 1.2);
}
