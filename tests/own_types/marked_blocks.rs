//! Blocks of marked traits in which some methods have no derivative: the others have theirs.

use coenzyme::prelude::*;

use crate::subject::judge;

#[differentiable]
pub(crate) trait Shape {
    fn area(&self, k: f64) -> f64;
    fn winding(&self, x: f64) -> i32;
    fn contains(&self, x: &[f64]) -> bool;
    fn rounded(&self, x: f64) -> f64;
    fn middle(&self, of: Corner) -> Corner;

    fn doubled(&self, k: f64) -> f64 {
        2.0 * self.area(k)
    }
}

#[derive(Clone, Tangent)]
pub struct Corner {
    x: f64,
}

#[derive(Clone, Tangent)]
pub struct Square {
    side: f64,
}

#[differentiable]
impl Shape for Square {
    fn area(&self, k: f64) -> f64 {
        k * self.side * self.side
    }

    #[inactive]
    fn winding(&self, x: f64) -> i32 {
        if x < self.side { 1 } else { 3 }
    }

    #[inactive]
    fn contains(&self, x: &[f64]) -> bool {
        x.iter().all(|x| *x < self.side)
    }

    #[inactive]
    fn rounded(&self, x: f64) -> f64 {
        (x * self.side).floor()
    }

    #[inactive]
    fn middle(&self, of: Corner) -> Corner {
        Corner {
            x: of.x + self.side,
        }
    }
}

#[differentiable]
fn of_any<S: Shape>(s: &S, x: &[f64]) -> f64 {
    let factor = if s.contains(x) { x[1] } else { x[0] * x[0] };
    s.doubled(factor) * s.winding(x[0]) as f64 + s.rounded(x[1]) * x[0]
}

#[differentiable]
fn through_the_trait(x: &[f64]) -> f64 {
    of_any(&Square { side: x[2] }, x)
}

#[differentiable]
fn on_the_type(x: &[f64]) -> f64 {
    let s = Square { side: x[2] };
    s.area(x[0]) * s.rounded(x[1]) + s.winding(x[0]) as f64 * x[1]
}

/// A part of a curve, which borrows it.
#[derive(Debug)]
struct Piece<'a> {
    left: f64,
    all: &'a [f64],
}

#[derive(Clone, Debug, Tangent)]
struct Curve {
    degree: usize,
    knots: Vec<f64>,
}

/// Methods whose results borrow, also where that is not written, stand beside those that are differentiated; so do lengths that are read from an
/// active struct.
#[differentiable]
impl Curve {
    fn knots(&self) -> std::slice::Iter<f64> {
        self.knots.iter()
    }

    fn start(&self) -> Option<Piece> {
        let left = *self.knots.first()?;
        let all = &self.knots;
        Some(Piece { left, all })
    }

    #[inactive]
    fn pieces(&self) -> Vec<Piece<'_>> {
        let all = &self.knots[..];
        self.knots()
            .map(|left| Piece { left: *left, all })
            .collect()
    }

    fn blended(&self, t: f64) -> f64 {
        let mut level = Vec::with_capacity(self.degree + 1);
        for k in 0..=self.degree {
            level.push(self.knots[k] * t);
        }
        for k in 0..self.degree {
            level[k + 1] = level[k] * (1.0 - t) + level[k + 1] * level[k];
        }
        level[self.degree]
    }
}

#[differentiable]
fn borrowed_beside(a: f64, b: f64, t: f64) -> f64 {
    let curve = Curve {
        degree: 2,
        knots: vec![a, b, a * b],
    };
    curve.blended(t) * b
}

#[test]
fn what_borrows_remains_a_method() {
    let curve = Curve {
        degree: 1,
        knots: vec![0.5, 1.5],
    };
    let lefts: f64 = curve.pieces().iter().map(|p| p.left * p.all[1]).sum();
    assert_eq!(lefts + curve.start().map_or(0.0, |p| p.left), 3.5);
}

judge! {
    borrowed_beside (0.7, 1.3, 0.4);
    through_the_trait (&[0.5, 0.7, 1.3]) (&[1.7, 0.7, 1.3]);
    on_the_type (&[0.5, 0.7, 1.9]) (&[2.5, 0.7, 1.9]);
}
