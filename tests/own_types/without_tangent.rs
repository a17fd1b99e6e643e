//! Parameters of types that the file gives no tangent space carry no derivative, without being declared `#[constant]`.

use coenzyme::{differentiable, inactive};

use crate::subject::judge;

#[derive(Clone, Copy)]
enum Kind {
    Call,
    Put,
}

#[differentiable]
fn payoff(kind: Kind, spot: f64, strike: f64) -> f64 {
    match kind {
        Kind::Call => (spot - strike).max(0.0),
        Kind::Put => (strike - spot).max(0.0),
    }
}

#[differentiable]
fn spread(spot: f64) -> f64 {
    2.0 * payoff(Kind::Call, spot, 0.5) + payoff(Kind::Put, spot, 1.5) * spot
}

#[derive(Clone, Copy, PartialEq)]
enum Op {
    Add,
    Mul,
    Neg,
    Push(usize),
}

#[differentiable]
fn run(ops: &[Op], v: &[f64]) -> Option<f64> {
    let mut stack: Vec<f64> = Vec::new();
    for op in ops {
        match *op {
            Op::Push(i) => stack.push(*v.get(i)?),
            Op::Neg => {
                let a = stack.pop()?;
                stack.push(-a);
            }
            Op::Add | Op::Mul => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                stack.push(if *op == Op::Add { a + b } else { a * b });
            }
        }
    }
    stack.pop()
}

#[differentiable]
fn program(v: &[f64]) -> f64 {
    let ops = [
        Op::Push(0),
        Op::Push(1),
        Op::Mul,
        Op::Push(2),
        Op::Neg,
        Op::Add,
        Op::Push(0),
        Op::Mul,
    ];
    run(&ops, v).unwrap_or(0.0)
}

/// Neither copied nor cloned.
struct Settings {
    rounds: usize,
    damping: f64,
}

#[differentiable]
fn damped(settings: &Settings, x: f64) -> f64 {
    let mut y = x;
    for _ in 0..settings.rounds {
        y = y * x - settings.damping * y;
    }
    y
}

#[differentiable]
fn with_settings(x: f64) -> f64 {
    let settings = Settings {
        rounds: 3,
        damping: 0.25,
    };
    damped(&settings, x) + x
}

enum Expr {
    Number(f64),
    Variable(usize),
    Sum(Box<Expr>, Box<Expr>),
    Product(Vec<Expr>),
}

#[differentiable]
fn value(expr: &Expr, at: &[f64]) -> f64 {
    match expr {
        Expr::Number(x) => *x,
        Expr::Variable(i) => at[*i],
        Expr::Sum(a, b) => value(a, at) + value(b, at),
        Expr::Product(factors) => {
            let mut product = 1.0;
            for i in 0..factors.len() {
                product *= value(&factors[i], at);
            }
            product
        }
    }
}

#[inactive]
fn sample() -> Expr {
    let square = Expr::Product(vec![
        Expr::Variable(0),
        Expr::Variable(0),
        Expr::Number(3.0),
    ]);
    Expr::Sum(Box::new(square), Box::new(Expr::Variable(1)))
}

#[differentiable]
fn tree(x: f64, y: f64) -> f64 {
    let expr = sample();
    value(&expr, &[x, y]) * y
}

judge! {
    spread(0.7) (1.2) (1.9);
    program(&[0.5, 1.2, 0.3]);
    with_settings(0.8) (-1.1);
    tree(0.7, 1.3) (-0.4, 0.6);
}
