//! Texts in active structs and enums, and beside active parts of a tuple, that are matched on.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};
#[derive(Clone, Debug, Tangent)]
struct Cfg {
    name: String,
    rate: f64,
    m: Option<f64>,
    label: &'static str,
}
#[derive(Clone, Debug, Tangent)]
enum Expr {
    Const(f64),
    Add(Box<Expr>, Box<Expr>),
    Call(&'static str, Box<Expr>),
    Named(String, f64),
}
#[differentiable]
fn eval(e: &Expr) -> f64 {
    match e {
        Expr::Const(c) => *c,
        Expr::Add(l, r) => eval(l) + eval(r),
        Expr::Call(name, arg) => {
            let x = eval(arg);
            match *name {
                "sin" => x.sin(),
                "exp" => x.exp(),
                other => panic!("unknown function {other}"),
            }
        }
        Expr::Named(name, v) => match name.as_str() {
            "double" => 2.0 * v,
            _ => v * v,
        },
    }
}
#[differentiable]
fn tree(x: f64, y: f64) -> f64 {
    eval(&Expr::Add(
        Box::new(Expr::Call("sin", Box::new(Expr::Const(x * y)))),
        Box::new(Expr::Named("double".to_string(), y)),
    ))
}
#[differentiable]
fn chosen(c: &Cfg, x: f64) -> f64 {
    match (c.name.as_str(), c.m) {
        ("sgd", None) => x * c.rate,
        ("sgd" | "adam", Some(m)) if m > 0.5 => m * x,
        (other, Some(m)) => m * m * x + other.len() as f64,
        (_, None) => 1.0,
    }
}
#[differentiable]
fn labelled(c: &Cfg, x: f64) -> f64 {
    let k = match c.label {
        "a" => x,
        "b" => c.rate,
        _ => 2.0,
    };
    k * match (c.label, c.rate) {
        ("a", r) => r * x,
        (_, r) => r,
    }
}
#[differentiable]
fn all(x: f64, y: f64, name: u8) -> f64 {
    let name = match name {
        0 => "sgd",
        1 => "adam",
        _ => "other",
    };
    let c = Cfg {
        name: name.to_string(),
        rate: y,
        m: if x > 0.5 { Some(x * y) } else { None },
        label: if y > 1.0 { "a" } else { "b" },
    };
    chosen(&c, x) + labelled(&c, y)
}
judge! { tree(0.9, 1.1); all(0.9, 1.1, 0) (0.4, 0.9, 0) (0.9, 1.2, 1) (0.9, 1.1, 2) (0.3, 1.1, 2); }
