//! Loops over variants that are written down, and lists that get them.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
enum Op {
    Square,
    Scale(f64),
    Named(String),
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Sine,
    Power,
}

#[differentiable]
fn of_class(x: f64, class: Class) -> f64 {
    match class {
        Class::Sine => x.sin(),
        Class::Power => x * x,
    }
}

#[differentiable]
fn run(x: f64, program: &[Op]) -> f64 {
    let mut value = x;
    for op in program {
        match op {
            Op::Square => value *= value,
            Op::Scale(k) => value *= k,
            Op::Named(_) => {}
        }
    }
    value
}

#[differentiable]
fn pushed(x: f64) -> f64 {
    let mut program = vec![Op::Scale(x)];
    for op in [Op::Square, Op::Scale(2.0)] {
        program.push(op);
    }
    program.extend([Op::Square, Op::Scale(0.5)]);
    run(x, &program)
}

#[differentiable]
fn passed(x: f64) -> f64 {
    let mut sum = 0.0;
    'all: for class in [Class::Sine, Class::Power, Class::Sine] {
        if sum > 10.0 {
            break 'all;
        }
        sum += of_class(x, class) * x;
    }
    sum
}

judge! {
    pushed(0.7);
    passed(0.7);
}
