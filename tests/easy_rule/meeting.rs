//! Easy rules where they meet generated code and types of other crates.

use coenzyme::Partial;
use coenzyme::prelude::*;

use super::{exp, half_square, product};

#[differentiable]
fn squared_product(x: f64, y: f64) -> f64 {
    let p = product(x, y);
    p * p
}

#[differentiable]
fn energy(x: &[f64]) -> f64 {
    let e = half_square(x);
    exp(e)
}

#[test]
fn generated_derivatives_call_easy_rules() {
    assert_eq!(gradient!(squared_product, 2.0, 3.0), (36.0, 24.0));
    let e = 0.125_f64.exp();
    assert_eq!(gradient!(energy, &[0.5, 0.0]), ([0.5 * e, 0.0],));
    let (x, dx) = ([0.5, 0.0], [2.0, 7.0]);
    assert_eq!(autodiff!(Forward, energy, Duplicated(&x, &dx)), (e,));
}

/// Its names are those of variables in the generated code.
#[primitive]
fn names(config: f64, dret: f64, tape: &[f64]) -> f64 {
    config * dret * tape[0]
}

easy_rule! {
    fn names(config: f64, dret: f64, tape: &[f64]) -> value: f64;
    let (strong_zero, lane, any) = (config * dret, (), ());
    dvalue/dconfig = dret * tape[0];
    dvalue/ddret = config * tape[0];
    dvalue/dtape = vec![strong_zero; tape.len()];
}

#[test]
fn names_do_not_meet_those_of_generated_code() {
    let gradients = gradient!(names, 2.0, 3.0, &[5.0]);
    assert_eq!(gradients, (15.0, 10.0, [6.0]));
    let tape = [5.0];
    assert_eq!(
        autodiff!(
            Forward,
            names,
            Duplicated(2.0, 1.0),
            Duplicated(3.0, 1.0),
            Const(&tape)
        ),
        (25.0,)
    );
}

/// A partial of another crate's type: a rotation by an angle.
struct Rotation(f64);

impl Partial<[f64], Vec<f64>> for Rotation {
    fn multiply_forward(&self, x: &[f64], _: bool) -> Vec<f64> {
        let (s, c) = self.0.sin_cos();
        vec![c * x[0] - s * x[1], s * x[0] + c * x[1]]
    }
    fn multiply_reverse(&self, y: &Vec<f64>, mut dx: coenzyme::Adjoint<'_, [f64]>, zero: bool) {
        let back = Rotation(-self.0).multiply_forward(y, zero);
        for (mut dx, back) in dx.iter_mut().zip(back) {
            dx += back;
        }
    }
}

#[primitive]
fn rotated(x: &[f64], #[constant] angle: f64) -> Vec<f64> {
    Rotation(angle).multiply_forward(x, false)
}

easy_rule! {
    fn rotated(x: &[f64], #[constant] angle: f64) -> y: Vec<f64>;
    dy/dx = Rotation(angle);
}

#[test]
fn a_partial_may_be_a_type_of_the_users() {
    let quarter = std::f64::consts::FRAC_PI_2;
    let (x, dx) = ([1.0, 2.0], [1.0, 0.0]);
    let (tangent,) = autodiff!(Forward, rotated, Duplicated(&x, &dx), Const(quarter));
    assert!((tangent[0]).abs() < 1e-15 && (tangent[1] - 1.0).abs() < 1e-15);
}
