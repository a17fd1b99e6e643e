//! Locals that are an `Option` of a struct, a tuple or a number, and are changed where they are: by `as_mut`, `&mut`, `ref mut`.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Best {
    value: f64,
    sum: f64,
}

#[differentiable]
fn by_as_mut(x: &[f64]) -> f64 {
    let mut best: Option<Best> = None;
    for v in x {
        if let Some(b) = best.as_mut() {
            b.sum += *v;
        } else {
            best = Some(Best { value: *v, sum: *v });
        }
    }
    best.map(|b| b.value * b.sum).unwrap_or(0.0)
}

#[differentiable]
fn by_match(x: &[f64]) -> f64 {
    let mut best: Option<Best> = None;
    for v in x {
        match &mut best {
            Some(b) => b.sum *= *v,
            None => {
                best = Some(Best {
                    value: *v,
                    sum: v.sin(),
                });
            }
        }
    }
    match best {
        Some(b) => b.value * b.sum,
        None => 0.0,
    }
}

#[differentiable]
fn larger(x: &[f64]) -> f64 {
    let mut best: Option<Best> = None;
    for &v in x {
        if let Some(b) = &mut best {
            if v > b.value {
                b.value = v;
                b.sum += v * v;
            }
        } else {
            best = Some(Best { value: v, sum: 1.0 });
        }
    }
    best.map_or(0.0, |b| b.value * b.sum)
}

#[differentiable]
fn pair(x: &[f64]) -> Option<f64> {
    let mut both: Option<(f64, f64)> = None;
    for &v in x {
        if let Some((a, b)) = both.as_mut() {
            *a += v;
            *b *= v;
        } else {
            both = Some((v, v * v));
        }
    }
    let (a, b) = both?;
    Some(a * b)
}

#[differentiable]
fn number(x: &[f64]) -> f64 {
    let mut product: Option<f64> = None;
    for v in x {
        if let Some(p) = product.as_mut() {
            *p *= *v;
        } else {
            product = Some(v.sin());
        }
    }
    product.unwrap_or(0.0) + pair(x).unwrap_or(1.0)
}

#[differentiable]
fn taken_apart(x: &[f64], k: f64) -> f64 {
    let mut o = Some(Best { value: k, sum: 1.0 });
    for &v in x {
        if let Some(ref mut b) = o {
            b.value += v * b.sum;
            b.sum = v;
        }
        if let Some(Best { value, sum }) = &mut o {
            *value *= *sum;
        }
    }
    o.unwrap().value
}

judge! {
    by_as_mut(&any(4));
    by_match(&any(4));
    larger(&any(4));
    number(&any(4));
    taken_apart(&any(4), 0.7);
}
