//! Values that are made where they are lent to be changed, methods of operators, and own names of `Result`.

use std::ops::{Add, Neg};

use coenzyme::{Tangent, differentiable};

use crate::judge::positive;
use crate::subject::judge;

#[derive(Clone, Tangent)]
struct State {
    x: f64,
    v: f64,
}

#[differentiable]
impl State {
    fn started(x: f64, v: f64) -> State {
        State { x, v: x * v }
    }
}

#[differentiable]
fn advance(s: &mut State) -> f64 {
    s.x *= s.v;
    s.x
}

#[differentiable]
fn first_by_second(v: &mut [f64]) -> f64 {
    v[0] *= v[1];
    v[0].sin()
}

#[differentiable]
fn push_both(v: &mut Vec<f64>, x: f64) -> f64 {
    v.push(x * x);
    v.push(x);
    v[0] * x
}

#[differentiable]
fn structs_are_made(x: &[f64]) -> f64 {
    advance(&mut State {
        x: x[0],
        v: 2.0 * x[1],
    }) * x[2]
        + advance(&mut State::started(x[0], x[1]))
}

#[derive(Clone, Tangent)]
struct Stepper {
    h: f64,
}

#[differentiable]
impl Stepper {
    fn step(&self, scale: f64, s: &mut State) -> f64 {
        s.x += self.h * s.v * scale;
        s.x * s.v
    }
}

#[differentiable]
fn made_for_methods(x: &[f64]) -> f64 {
    let stepper = Stepper { h: x[0] };
    stepper.step(
        x[2],
        &mut State {
            x: x[1],
            v: x[0] * x[1],
        },
    )
}

#[differentiable]
fn lists_are_made(x: &[f64]) -> f64 {
    first_by_second(&mut [x[0], x[1]])
        + first_by_second(&mut vec![x[2], x[1], 1.0])
        + push_both(&mut Vec::new(), x[0])
        + first_by_second(&mut x.to_vec())
}

#[differentiable]
fn operators_as_methods(x: &[f64]) -> f64 {
    x[0].neg() * x[1].add(x[2]).sin()
}

#[derive(Clone, Debug)]
enum Failure {
    Negative,
    Large(usize),
}

type Refusable<T> = std::result::Result<T, Failure>;
type RefusableNumber = Result<f64, Failure>;

#[differentiable]
fn checked_square(x: f64) -> Refusable<f64> {
    if x < 0.0 {
        return Err(Failure::Negative);
    }
    if x > 100.0 {
        Err(Failure::Large(2))?
    }
    Ok(x * x)
}

#[differentiable]
fn checked_twice(x: f64) -> RefusableNumber {
    let y = checked_square(x)?;
    let z = checked_square(y).map(|a| a * 2.0)?;
    Ok(y + z)
}

mod inside {
    use super::Failure;
    use coenzyme::differentiable;

    pub(super) type Checked<T> = Result<T, Failure>;
    pub(super) type Pair = (f64, f64);

    #[differentiable]
    pub(super) fn both(x: f64) -> Checked<Pair> {
        if x < 0.0 {
            return Err(Failure::Negative);
        }
        Ok((x * x, x.sin()))
    }
}

#[differentiable]
fn names_of_a_module_inside(x: &[f64]) -> Refusable<f64> {
    let (a, b) = inside::both(x[0])?;
    Ok(a * b * x[1])
}

#[differentiable]
fn own_names_of_results(x: &[f64]) -> Refusable<f64> {
    let z = checked_twice(x[0])?;
    let last = match checked_twice(-x[2]) {
        Ok(a) => a,
        Err(_) => 2.0 * x[2],
    };
    Ok(z * checked_square(x[1]).unwrap_or(1.0) * last)
}

judge! {
    structs_are_made(&positive(3));
    made_for_methods(&positive(3));
    names_of_a_module_inside(&positive(2));
    lists_are_made(&positive(3));
    operators_as_methods(&positive(3));
    own_names_of_results(&positive(3));
}
