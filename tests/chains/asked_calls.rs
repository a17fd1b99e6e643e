//! `Option`s and `Result`s of calls, asked by combinators with closures that call again, behind references, and in searches.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn logarithm(a: f64) -> Option<f64> {
    if a > 0.0 { Some(a.ln()) } else { None }
}
#[differentiable]
fn square(a: f64) -> Result<f64, String> {
    if a > 0.0 {
        Ok(a * a)
    } else {
        Err(format!("{a} is negative"))
    }
}
#[differentiable]
fn pair(a: f64, b: f64) -> Result<(f64, f64), String> {
    if a > 0.0 {
        Ok((a * b, b))
    } else {
        Err("negative".to_string())
    }
}

#[differentiable]
fn then_a_call(x: f64, y: f64) -> f64 {
    square(x).and_then(|a| square(a * y)).unwrap_or(x * y)
}
#[differentiable]
fn then_a_call_of_parts(x: f64, y: f64) -> f64 {
    pair(x, y).and_then(|(a, b)| square(a * b)).unwrap_or(1.0) * y
}
#[differentiable]
fn matched_on(x: f64, y: f64) -> f64 {
    match logarithm(x).and_then(|v| logarithm(v + 3.0)) {
        Some(v) => v * y,
        None => x,
    }
}
#[differentiable]
fn or_a_call(x: f64, y: f64) -> f64 {
    let first = logarithm(-x).or_else(|| logarithm(x * x));
    first.unwrap_or_default() * y
}
#[differentiable]
fn or_a_call_whatever_the_error(x: f64, y: f64) -> f64 {
    square(-x).or_else(|_| square(x * y)).unwrap_or(0.0) * y
}
#[differentiable]
fn or_a_part_of_a_call(x: f64, y: f64) -> f64 {
    pair(-x, y)
        .map(|(a, b)| a * b)
        .or_else(|_| pair(y, x).map(|(a, _)| a))
        .unwrap_or(x)
}
#[differentiable]
fn without_the_error(x: f64, y: f64) -> f64 {
    square(x).ok().and_then(|a| logarithm(a * y)).unwrap_or(y)
}
#[derive(Clone, Tangent)]
struct Model {
    rate: f64,
}
#[differentiable]
impl Model {
    fn at(&self, t: f64) -> Option<f64> {
        if t > self.rate {
            Some(t * self.rate)
        } else {
            None
        }
    }
    fn since(&self, t: f64) -> Result<f64, &'static str> {
        if t > -1.0 {
            Ok(t / self.rate)
        } else {
            Err("too early")
        }
    }
}
#[differentiable]
fn methods_of_its_own(x: f64, y: f64) -> f64 {
    let model = Model { rate: 0.5 * x };
    let at = model
        .at(x)
        .and_then(|v| model.at(v * 9.0))
        .or_else(|| model.at(x * y));
    at.unwrap_or(y)
        * model
            .since(y)
            .and_then(|v| model.since(v * x))
            .or_else(|_| model.since(x))
            .unwrap_or(1.0)
}
#[differentiable]
fn of_a_literal(x: f64, y: f64) -> f64 {
    Model { rate: 0.5 * x }
        .at(y)
        .or_else(|| Model { rate: y }.at(x + y))
        .map(|v| v * x)
        .unwrap_or(x)
}

#[differentiable]
fn behind_a_reference(x: f64, y: f64) -> f64 {
    let r = square(x);
    match &r {
        Ok(v) => v * y,
        Err(_) => x,
    }
}
#[differentiable]
fn parts_behind_a_reference(x: f64, y: f64) -> f64 {
    let r = pair(x, y);
    let first = match &r {
        Ok((a, b)) => a * b,
        Err(_) => x,
    };
    let second = if let Ok((a, _)) = &r { *a } else { y };
    first * second
}
#[differentiable]
fn lent_and_mapped(x: f64, y: f64) -> f64 {
    let r = logarithm(x * 5.0);
    let s = r.as_ref().map(|v| v * y).unwrap_or(x);
    s * r.unwrap_or(y)
}
#[differentiable]
fn every_one_that_is_there(x: f64, y: f64) -> f64 {
    [x, y].iter().flat_map(|t| logarithm(t * 9.0)).sum::<f64>() * y
}
#[differentiable]
fn every_one_counted(x: f64, y: f64) -> f64 {
    let mut asked = 0;
    let sum = [x, y]
        .iter()
        .flat_map(|t| {
            asked += 1;
            logarithm(t * 9.0)
        })
        .sum::<f64>();
    sum * asked as f64
}

#[differentiable]
fn chosen_calls(x: f64, y: f64) -> f64 {
    let number = if x > y { area(x, y) } else { area(y, x) };
    let there = if x > y { square(x) } else { square(y) };
    let both = pair(x, y).and_then(|(a, b)| if a > b { square(a) } else { square(b) });
    number * there.unwrap_or(x) + both.unwrap_or(y)
}
#[differentiable]
fn area(a: f64, b: f64) -> f64 {
    a * a * b
}

/// What a call gives is shadowed by what is made of it.
#[differentiable]
fn shadowed(x: f64, y: f64) -> f64 {
    let root = square(x);
    let root = match root {
        Ok(root) => root * y,
        Err(_) => y,
    };
    let log = logarithm(y);
    let log = log.unwrap_or(root);
    let inner = logarithm(x).map(|v| v * v);
    let inner = if let Some(inner) = inner {
        inner + log
    } else {
        1.0
    };
    root * log + inner
}
#[differentiable]
fn shadowed_in_a_loop(x: f64, y: f64) -> f64 {
    let mut sum = y;
    for k in 0..4 {
        let next = square(x - 0.4 * k as f64);
        let next = match next {
            Ok(next) => next,
            Err(_) => break,
        };
        let scaled = next * y;
        let scaled = scaled.exp();
        sum += scaled;
    }
    sum
}

#[differentiable]
fn length(x: f64, y: f64) -> Option<f64> {
    if x == 0.0 && y == 0.0 {
        None
    } else {
        Some((x * x + y * y).sqrt())
    }
}
/// A local has the name of the function that gives it, and is shadowed twice.
#[differentiable]
fn shadows_a_function(x: f64, y: f64) -> f64 {
    let length = length(x, y);
    let length = length.unwrap_or(y + 1.0);
    let length = length.max(1e-9);
    x / length
}

judge! {
    shadows_a_function(0.83, 1.1) (0.0, 0.6);
    shadowed(0.83, 1.1) (-1.37, 0.6) (1.2, -0.4);
    shadowed_in_a_loop(0.83, 0.4) (1.9, -0.6) (-1.0, 0.3);
    of_a_literal(0.83, 1.1) (2.0, 0.6) (2.0, -3.0);
    chosen_calls(0.83, 1.1) (1.37, 0.6) (-1.0, -0.3);
    then_a_call(0.83, 1.1) (-1.37, 0.6) (1.2, -0.4);
    then_a_call_of_parts(0.83, 1.1) (-1.37, 0.6);
    matched_on(0.83, 1.1) (-1.37, 0.6) (0.01, 0.6);
    or_a_call(0.83, 1.1) (-1.37, 0.6);
    or_a_call_whatever_the_error(0.83, 1.1) (-1.37, 0.6) (1.37, -0.6);
    or_a_part_of_a_call(0.83, 1.1) (-1.37, 0.6) (0.7, -0.6);
    without_the_error(0.83, 1.1) (-1.37, 0.6) (1.37, -0.6);
    methods_of_its_own(0.83, 1.1) (0.2, -1.6);
    behind_a_reference(0.83, 1.1) (-1.37, 0.6);
    parts_behind_a_reference(0.83, 1.1) (-1.37, 0.6);
    lent_and_mapped(0.83, 1.1) (-1.37, 0.6);
    every_one_that_is_there(0.83, 1.1) (-1.37, 0.6);
    every_one_counted(0.83, 1.1) (-1.37, 0.6);
}
