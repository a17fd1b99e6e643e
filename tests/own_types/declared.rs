//! Names that are declared first, and get their value where only the flow of control tells that they have one.

use coenzyme::prelude::*;

use crate::subject::judge;

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let (mut height, mut slope);
    let mut sine = x[0];
    let mut rounds = 0;
    loop {
        rounds += 1;
        height = x[0] * sine + x[1];
        slope = height * height - sine;
        sine = 0.5 * slope.sin();
        if rounds > 3 {
            break;
        }
    }
    height * slope
}

#[differentiable]
fn beside_one_that_leaves(x: &[f64]) -> f64 {
    let (a, b): (f64, f64);
    if x[0] > 0.5 {
        if x[1] > 2.0 {
            return x[0] * x[1];
        }
        a = x[0] * x[1];
        b = a.exp();
    } else if x[0] > 0.0 {
        (a, b) = (x[1], x[0] * x[0]);
    } else {
        return x[1] * x[1];
    }
    a * b
}

#[differentiable]
fn found(x: &[f64]) -> f64 {
    let which;
    let value;
    let mut i = 0;
    loop {
        i += 1;
        if x[0] * i as f64 > x[1] {
            which = i;
            value = x[0] * x[0] + x[1] * i as f64;
            break;
        }
    }
    value * which as f64
}

#[differentiable]
fn checked(x: f64) -> Option<f64> {
    (x > 0.0).then_some(x * x)
}

#[differentiable]
fn after_a_question(x: &[f64]) -> Option<f64> {
    let v: Vec<f64>;
    if x[0] > x[1] {
        let square = checked(x[0])?;
        v = vec![square, x[1]];
    } else {
        v = vec![x[0]];
    }
    Some(v[0] * x[1])
}

#[differentiable]
fn never(_: f64) -> Option<(f64, f64)> {
    None
}

#[differentiable]
fn refused(x: f64) -> Result<f64, f64> {
    Err(x.floor())
}

#[differentiable]
fn without_what_always_fails(x: &[f64]) -> Option<f64> {
    if x[0] > 0.5 {
        return Some(x[0] * x[1]);
    }
    if x[0] > 0.0 {
        let (a, b) = never(x[0])?;
        return Some(a * b);
    }
    let first = refused(x[1]).ok()?;
    Some(first * x[0])
}

type Quaternion = (f64, [f64; 3]);

/// The parts of a type that has another name, in every branch.
#[differentiable]
fn parts_of_an_alias(axis: usize, half: f64, scale: f64) -> f64 {
    let (w, [x, y, _]): Quaternion;
    w = half.cos();
    match axis {
        0 => {
            x = half.sin() * scale;
            y = w * 0.5;
        }
        _ => {
            x = 0.3;
            y = half.sin() + scale;
        }
    }
    w * x + y * y
}

#[differentiable]
fn parts_of_arrays(a: f64, b: f64) -> f64 {
    let [[p, q], [r, s]]: [[f64; 2]; 2];
    p = a * b;
    q = p.sin();
    [r, s] = [q * a, b];
    p * q + r * s
}

/// Known to have values by the flow of control alone.
#[differentiable]
fn parts_in_a_loop(a: f64, n: usize) -> f64 {
    let (total, [last, _]): (f64, [f64; 2]);
    let mut i = 0;
    loop {
        i += 1;
        if i > n {
            last = a * i as f64;
            total = last * a.cos();
            break;
        }
    }
    total - last
}

judge! {
    parts_of_an_alias (0, 0.4, 1.3) (1, 0.4, 1.3);
    parts_of_arrays (0.7, 1.3);
    parts_in_a_loop (0.7, 2);
    without_what_always_fails (&[0.7, 1.3]);
    in_a_loop (&[0.7, 1.3]) (&[-0.4, 0.2]);
    beside_one_that_leaves (&[0.7, 1.3]) (&[0.7, 2.3]) (&[0.3, 1.3]) (&[-0.4, 0.2]);
    found (&[0.7, 1.3]) (&[0.2, 1.3]);
    after_a_question (&[0.7, 1.3]) (&[1.7, 1.3]);
}
