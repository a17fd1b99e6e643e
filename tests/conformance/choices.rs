//! Chains that end in one of their elements.

use coenzyme::differentiable;

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn max_by(a: &[f64]) -> f64 {
    let m = a.iter().copied().max_by(|x, y| x.total_cmp(y)).unwrap();
    m * m
}

#[differentiable]
fn max_mapped(a: &[f64], k: f64) -> f64 {
    a.iter()
        .map(|v| v * v * k)
        .max_by(|x, y| x.total_cmp(y))
        .unwrap()
        * k
}

#[differentiable]
fn min_by_ref(a: &[f64]) -> f64 {
    *a.iter()
        .min_by(|x, y| x.partial_cmp(y).unwrap())
        .expect("entries")
        * 2.0
}

#[differentiable]
fn argmax(a: &[f64]) -> f64 {
    let (i, v) = a
        .iter()
        .enumerate()
        .max_by(|x, y| x.1.total_cmp(y.1))
        .unwrap();
    a[i] * v
}

#[differentiable]
fn reduce(a: &[f64]) -> f64 {
    a.iter().copied().reduce(f64::max).unwrap()
        * a.iter().map(|v| v * v).reduce(|a, b| a * b + 1.0).unwrap()
}

#[differentiable]
fn first_and_last(a: &[f64]) -> f64 {
    let squares = a.iter().map(|v| v * v);
    a.iter().skip(1).next().unwrap() * squares.last().unwrap() * a.iter().rev().nth(1).unwrap()
}

judge! {
    first_and_last(&any(4));
 max_by(&any(3)); max_mapped(&any(3), 0.7) (&any(3), -0.7); min_by_ref(&any(3)); argmax(&any(3)); reduce(&any(3));
}
