//! Variants by their names alone, which the file imports.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Tangent)]
enum Term {
    Number(f64),
    Variable(usize),
    Sum(Box<Term>, Box<Term>),
    Product(Box<Term>, Box<Term>),
    Power { of: Box<Term>, exponent: i32 },
}
use Term::*;

#[derive(Clone, Copy, Debug, Tangent)]
enum Shape {
    Disc(f64),
    Box2 { width: f64, height: f64 },
    Nothing,
}
use Shape::{Box2, Disc, Nothing};

#[differentiable]
fn value(term: &Term, of: &[f64]) -> f64 {
    match term {
        Number(v) => *v,
        Variable(i) => of[*i],
        Sum(a, b) => value(a, of) + value(b, of),
        Product(a, b) => value(a, of) * value(b, of),
        Power { of: base, exponent } => value(base, of).powi(*exponent),
    }
}
#[differentiable]
fn made_and_looked_at(k: f64, of: &[f64]) -> f64 {
    let scaled = Product(Box::new(Number(k)), Box::new(Variable(0)));
    let shifted = Sum(Box::new(Variable(1)), Box::new(Number(0.5 * k)));
    let cubed = Power {
        of: Box::new(shifted),
        exponent: 3,
    };
    let term = Sum(Box::new(scaled), Box::new(cubed));
    value(&term, of) + value(&term, &[of[1], k])
}
#[differentiable]
fn area(shape: Shape) -> f64 {
    match shape {
        Disc(r) => 3.0 * r * r,
        Box2 { width, height } => width * height,
        Nothing => 0.0,
    }
}
#[differentiable]
fn chosen(x: f64, y: f64) -> f64 {
    let mut shape = Nothing;
    let empty = area(shape);
    if x > 0.5 {
        shape = Disc(x * y);
    }
    let other = Box2 {
        width: x,
        height: y * y,
    };
    let first = match shape {
        Disc(r) => r.sin(),
        _ => x,
    };
    empty + first + area(shape) * area(other)
}

judge! {
    made_and_looked_at(0.7, &any(2));
    area(Disc(0.8)) (Box2 { width: 0.4, height: 1.2 });
    chosen(0.7, 1.2) (0.3, 1.2);
}
