//! `?` and `let … else` in closures that give an `Option`; options and results without derivative, for which something active stands in.

use std::num::ParseFloatError;

use coenzyme::prelude::*;

use crate::subject::judge;

#[differentiable]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 { None } else { Some(x.sqrt()) }
}

fn lookup(k: usize) -> Option<f64> {
    if k < 2 { Some(k as f64 + 0.5) } else { None }
}

fn parsed(text: &str) -> Result<f64, ParseFloatError> {
    text.parse()
}

#[differentiable]
fn convolved(signal: &[f64], kernel: &[f64]) -> Vec<f64> {
    let half = kernel.len() / 2;
    (0..signal.len())
        .map(|i| {
            let products = kernel.iter().enumerate().filter_map(|(k, w)| {
                let j = (i + k).checked_sub(half)?;
                signal.get(j).map(|s| s * w)
            });
            products.sum()
        })
        .collect()
}

#[differentiable]
fn let_else(x: f64, y: f64) -> f64 {
    let v = [x, y, x * y];
    let squares = (0..6_usize).filter_map(|i| {
        let Some(j) = i.checked_sub(2) else {
            return None;
        };
        let shifted = j as f64;
        let Some(e) = v.get(j) else {
            return None;
        };
        Some(e * e + shifted * x)
    });
    squares.sum()
}

#[differentiable]
fn of_calls(x: f64, y: f64) -> f64 {
    let scaled = |a: f64| -> Option<f64> {
        let r = root(a)?;
        Some(r * y)
    };
    let of_list: f64 = [x, 2.0, -1.0]
        .iter()
        .filter_map(|&a| Some(root(a)? * y))
        .sum();
    scaled(x).unwrap_or(y) + scaled(-1.0).unwrap_or(x) + of_list
}

#[differentiable]
fn nested(v: &[f64], y: f64) -> f64 {
    (0..5_usize)
        .filter_map(|i| Some(root(*v.get(i)? * y)? + v.get(i + 1)? * y))
        .sum()
}

/// The closures of functions that give an `Option` and a `Result` themselves.
#[differentiable]
fn in_an_option(x: f64, y: f64) -> Option<f64> {
    let twice = |a: f64| -> Option<f64> {
        let r = root(a)?;
        Some(2.0 * r)
    };
    let rest: f64 = [x, y].iter().filter_map(|a| Some(root(*a)? * y)).sum();
    Some(twice(x)? * x + rest)
}

#[differentiable]
fn in_a_result(v: &[f64]) -> Result<f64, String> {
    let squares = (0..5_usize).filter_map(|i| {
        let j = i.checked_sub(1)?;
        let Some(e) = v.get(j) else { return None };
        Some(e * e)
    });
    let sum: f64 = squares.sum();
    if sum > 9.0 {
        return Err("too much".into());
    }
    Ok(sum * v[0])
}

#[differentiable]
fn stands_in(x: f64, y: f64) -> f64 {
    let called = lookup(1).unwrap_or(y) * x + lookup(7).unwrap_or(y);
    let mapped = lookup(1).map(|v| v * y).unwrap_or(x) + lookup(7).map_or(x * y, |v| v * y);
    let lazy = lookup(0).unwrap_or_else(|| x * x) * lookup(9).unwrap_or_else(|| x * x);
    called * mapped + lazy
}

#[differentiable]
fn marked_without_active(x: f64, y: f64) -> f64 {
    let first = root(-4.0).or_else(|| root(x.abs())).unwrap_or(1.0);
    let second = root(4.0).map_or(y, |r| r * x) + root(-1.0).unwrap_or(y);
    first * second
}

#[differentiable]
fn of_results(x: f64, y: f64) -> f64 {
    let there = parsed("2.5");
    let missing = parsed("q");
    there.unwrap_or(y) * x
        + missing.unwrap_or(y)
        + parsed("1.5").unwrap_or(1.0) * x
        + parsed("?").unwrap_or(x)
}

#[derive(Clone, Tangent)]
struct Layer {
    kind: String,
    weight: f64,
}

#[differentiable]
fn applied(layer: &Layer, x: f64) -> f64 {
    match layer.kind.as_str() {
        "relu" => (layer.weight * x).max(0.0),
        "tanh" => (layer.weight * x).tanh(),
        other => panic!("unknown activation {other}"),
    }
}

#[differentiable]
fn by_name(x: f64, y: f64) -> f64 {
    let layers = vec![
        Layer {
            kind: "relu".into(),
            weight: x,
        },
        Layer {
            kind: "tanh".to_string(),
            weight: y,
        },
    ];
    layers.iter().fold(1.3, |h, layer| applied(layer, h))
}

judge! {
    convolved (&[0.7, -0.4, 1.1, 0.3], &[0.25, 0.5, 0.3]);
    let_else (0.7, -0.4);
    of_calls (0.7, -0.4) (-0.7, 0.4);
    nested (&[0.7, 1.4, 0.2], 0.9);
    in_an_option (0.7, -0.4) (0.7, 0.4);
    in_a_result (&[0.7, -0.4]);
    stands_in (0.7, -0.4);
    marked_without_active (0.7, -0.4);
    of_results (0.7, -0.4);
    by_name (0.7, -0.4);
}
