//! Values of a type parameter that a trait of the user's describes, which are passed on, chosen, and kept before they are asked.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
trait Shape: Copy {
    fn area(&self) -> f64;

    fn around(&self, margin: f64) -> f64 {
        self.area() + margin * margin
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Disc {
    radius: f64,
}

#[differentiable]
impl Shape for Disc {
    fn area(&self) -> f64 {
        3.0 * self.radius * self.radius
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Sheet(f64, f64);

#[differentiable]
impl Shape for Sheet {
    fn area(&self) -> f64 {
        self.0 * self.1
    }

    fn around(&self, margin: f64) -> f64 {
        (self.0 + margin) * (self.1 + margin)
    }
}

#[differentiable]
fn chosen<S: Shape>(a: S, b: S, t: f64) -> f64 {
    let shape = if t > 0.5 { a } else { b };
    shape.area() * t + shape.around(t)
}

#[differentiable]
fn kept<S: Shape>(a: S, b: S, margin: f64) -> f64 {
    let both = (a, b);
    both.0.around(margin) * both.1.area()
}

#[differentiable]
fn passed_on<S: Shape>(a: S, b: S, t: f64) -> f64 {
    chosen(a, b, t) + kept(b, a, t * t)
}

/// Values of the type come out, and are handed on.
#[differentiable]
fn larger<S: Shape>(a: S, b: S) -> S {
    if a.area() > b.area() { a } else { b }
}

#[differentiable]
fn largest<S: Shape>(a: S, b: S, c: S) -> S {
    larger(a, larger(b, c))
}

#[differentiable]
fn of_the_largest<S: Shape>(a: S, b: S, c: S, t: f64) -> f64 {
    let shape = largest(a, b, c);
    let other = larger(a, c);
    shape.around(t) * other.area()
}

#[differentiable]
fn handed_on(r: f64, s: f64, t: f64) -> f64 {
    let disc = largest(Disc { radius: r }, Disc { radius: s }, Disc { radius: t });
    disc.area() + of_the_largest(Sheet(r, s), Sheet(s, t), Sheet(t, r), s)
}

#[differentiable]
fn discs(r: f64, s: f64, t: f64) -> f64 {
    passed_on(Disc { radius: r }, Disc { radius: s }, t)
}

#[differentiable]
fn sheets(a: Sheet, b: Sheet, t: f64) -> f64 {
    passed_on(a, b, t)
}

judge! {
    handed_on (0.7, 1.3, 0.4) (1.7, 0.3, 0.4);
    discs (0.7, 1.3, 0.4) (0.7, 1.3, 0.9);
    sheets (Sheet(0.7, 1.3), Sheet(0.4, 2.1), 0.4) (Sheet(0.7, 1.3), Sheet(0.4, 2.1), 0.6);
}
