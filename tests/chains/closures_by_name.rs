//! Closures under a name: handed to a call whose `Option` is asked for, to methods of the standard library, and called with `ok_or`.

use coenzyme::differentiable;

use crate::judge::positive;
use crate::subject::judge;

#[differentiable]
fn newton<F: Fn(f64) -> f64>(start: f64, f: F) -> Option<f64> {
    let mut x = start;
    for _ in 0..40 {
        let slope = (f(x + 1e-3) - f(x - 1e-3)) / 2e-3;
        let next = x - f(x) / slope;
        if (next - x).abs() < 1e-13 {
            return Some(next);
        }
        x = next;
    }
    None
}

/// The closure is handed to a call that is asked by patterns.
#[differentiable]
fn rate(flows: &[f64], guess: Option<f64>) -> Result<f64, &'static str> {
    let value = |r: f64| {
        let mut sum = 0.0;
        for (i, flow) in flows.iter().enumerate() {
            sum += flow / (1.0 + r).powi(i as i32);
        }
        sum
    };
    match newton(guess.unwrap_or(0.05), value) {
        Some(rate) => Ok(rate),
        None => Err("no rate"),
    }
}

#[differentiable]
fn rates(x: &[f64]) -> f64 {
    rate(&[-2.0 * x[0], x[1], x[1] * x[2], x[2]], None).unwrap() * x[0]
}

#[differentiable]
fn asked_twice(x: &[f64]) -> f64 {
    let square = |t: f64| t * t - x[0];
    let found = newton(1.0, square);
    if found.is_some() {
        found.unwrap() * x[1]
    } else if let Some(other) = newton(2.0, square) {
        other
    } else {
        x[2]
    }
}

/// What is called is captured by a closure that is handed on.
#[differentiable]
fn shifted<F>(start: f64, by: f64, func: F) -> f64
where
    F: Fn(f64) -> f64,
{
    let f = |x| func(x) - by;
    match newton(start, f) {
        Some(root) => root * func(by),
        None => start,
    }
}

#[differentiable]
fn roots_of_shifted(x: &[f64]) -> f64 {
    shifted(1.0, x[0], |t| t * t * x[1]) + shifted(x[2], x[0], |t| t.exp())
}

#[differentiable]
fn between_zeros(x: &[f64]) -> f64 {
    let is_large = |v: &f64| *v > 0.9;
    let begin = x.iter().position(is_large).unwrap_or(0);
    let end = x.iter().rposition(is_large).unwrap_or(x.len() - 1) + 1;
    x[begin..end].iter().map(|v| v * v).sum()
}

/// The absence of what a closure gives is an error of the function's own.
#[differentiable]
fn picked(x: &[f64], at: usize) -> Result<f64, String> {
    let pick = |i: usize| if i < x.len() { Some(x[i] * x[i]) } else { None };
    let first = pick(at).ok_or("first".to_string())?;
    let second = pick(at + 1).ok_or_else(|| format!("{at}"))?;
    Ok(first * second)
}

#[differentiable]
fn picked_twice(x: &[f64]) -> f64 {
    let last = x.len() - 1;
    picked(x, 0).unwrap() + picked(x, last).unwrap_or(x[1])
}

/// An `Option` in a `Result` is a value.
#[differentiable]
fn threshold(x: f64, limit: Option<f64>) -> Result<Option<f64>, String> {
    let Some(highest) = limit else {
        return Ok(Some(x * x));
    };
    if highest < 0.0 {
        return Err("negative".to_string());
    }
    if x > highest {
        return Ok(None);
    }
    Ok(Some(x * highest))
}

#[differentiable]
fn thresholds(x: &[f64]) -> Result<f64, String> {
    let a = threshold(x[0], None)?;
    let b = threshold(x[0], Some(x[1] + 2.0))?;
    let c = threshold(x[0], Some(0.0))?;
    Ok(a.unwrap_or(1.0) * b.unwrap_or(x[2]) + c.unwrap_or(x[2] * x[1]))
}

/// What is in an `Option` may have its name.
#[differentiable]
fn inside_of_its_name(x: f64, limit: Option<f64>) -> Option<f64> {
    let Some(limit) = limit else {
        return Some(x * x);
    };
    let scaled = if x > limit { Some(x * limit) } else { None };
    let scaled = match scaled {
        Some(scaled) => scaled,
        None => x,
    };
    Some(scaled * limit)
}

#[differentiable]
fn insides(x: &[f64]) -> Option<f64> {
    let a = inside_of_its_name(x[0], None)?;
    let b = inside_of_its_name(x[0], Some(x[1] - 2.0))?;
    let c = inside_of_its_name(x[0], Some(x[1] + 2.0))?;
    Some(a * b + c)
}

/// References to references, of which one lives as long as the other at least.
#[differentiable]
fn series(t: f64, terms: &[&[&[f64; 3]]]) -> f64 {
    let mut sum = 0.0;
    for (power, group) in terms.iter().enumerate() {
        for term in *group {
            sum += term[0] * (term[1] + term[2] * t).cos() * t.powi(power as i32);
        }
    }
    sum
}

#[differentiable]
fn in_degrees(t: f64, terms: &[&[&[f64; 3]]]) -> f64 {
    series(t, terms).to_degrees()
}

#[differentiable]
fn of_series(x: &[f64]) -> f64 {
    const TERMS: &[&[&[f64; 3]]] = &[&[&[1.0, 0.2, 3.0], &[0.5, 1.0, 0.3]], &[&[0.1, 2.0, 1.5]]];
    in_degrees(x[0], TERMS) * x[1]
}

/// What a function of integers gives has no derivative.
#[differentiable]
fn of_a_whole_part(x: &[f64]) -> f64 {
    let part = i64::from((x[0] * 10.0) as i32) - i64::try_from(x.len()).unwrap();
    x[1] * x[1] * part as f64
}

judge! {
    rates(&positive(3));
    asked_twice(&positive(3));
    roots_of_shifted(&positive(3));
    between_zeros(&positive(6));
    picked_twice(&positive(3));
    thresholds(&positive(3));
    insides(&positive(2));
    of_series(&positive(2));
    of_a_whole_part(&positive(2));
}
