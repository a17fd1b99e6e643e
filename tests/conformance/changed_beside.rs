//! Calls that change what a name refers to, inside of what has no derivative: casts, comparisons, roundings, indices, ranges, questions with `?`.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn shrink(v: &mut [f64]) -> f64 {
    v[0] *= v[1];
    v[0] * v[1]
}

#[differentiable]
fn step(v: &mut [f64]) -> Option<f64> {
    v[0] *= v[1];
    Some(v[0] * v[1])
}

#[differentiable]
fn checked(v: &mut [f64]) -> Result<f64, String> {
    if v[1] < -9.0 {
        return Err("low".to_string());
    }
    v[0] *= v[1];
    Ok(v[0])
}

#[differentiable]
fn count(v: &mut [f64]) -> Option<usize> {
    v[0] *= v[1];
    Some(1)
}

#[differentiable]
fn taken(v: &mut Vec<f64>) -> Option<f64> {
    v.pop()
}

#[differentiable]
fn cast(v: &mut [f64]) -> f64 {
    let k = shrink(v) as usize;
    v[k] * v[1]
}

#[differentiable]
fn casts(v: &mut [f64]) -> f64 {
    let k = shrink(v) as usize + shrink(v) as usize;
    v[k] * v[1]
}

#[differentiable]
fn index(v: &mut [f64], table: &[f64]) -> f64 {
    let t = table[shrink(v) as usize];
    t * v[0]
}

#[differentiable]
fn rounded(v: &mut [f64]) -> f64 {
    let n = shrink(v).round();
    let mut total = v[0] * n;
    total += shrink(v).floor() * v[1];
    total + v[0] * v[1]
}

#[differentiable]
fn while_large(v: &mut [f64]) -> f64 {
    while shrink(v).abs() > 0.35 {}
    v[0]
}

#[differentiable]
fn local_reference(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1]];
    let v = &mut w;
    let k = shrink(v) as usize;
    v[k] * x[1]
}

#[differentiable]
fn of_rows(x: &[f64]) -> f64 {
    let mut rows = vec![[x[0], x[1]], [x[1], x[2]]];
    let mut n = 0;
    for row in rows.iter_mut() {
        let k = shrink(row) as i64;
        n += k;
    }
    rows.iter().map(|r| r[0] * r[0]).sum::<f64>() * (n + 2) as f64
}

#[differentiable]
fn asked(v: &mut [f64]) -> Option<f64> {
    let mut total = 0.0;
    if step(v)? > -99.0 {
        total += v[0] * v[1];
    }
    if v[1] > -99.0 && step(v)?.abs() < 99.0 {
        total += v[0];
    }
    let far = step(v)? > 99.0;
    let k = step(v)? as usize;
    match step(v)? > -99.0 {
        true => total += v[k] * v[0],
        false => return None,
    }
    Some(if far { 0.0 } else { total })
}

#[differentiable]
fn asked_results(v: &mut [f64]) -> Result<f64, String> {
    let mut total = 0.0;
    while checked(v)?.abs() > 0.4 {
        total += v[0] * v[0];
    }
    if checked(v).unwrap() < -99.0 {
        return Ok(0.0);
    }
    Ok(total + v[0])
}

#[differentiable]
fn counted(v: &mut [f64]) -> Option<f64> {
    let mut total = v[1];
    if count(v)? == 1 {
        total *= v[0];
    }
    for _ in 0..count(v)? {
        total *= v[0];
    }
    Some(total)
}

#[differentiable]
fn shorter(v: &mut Vec<f64>) -> Option<f64> {
    let mut total = 0.0;
    if taken(v)? > -99.0 {
        total += v[0] * v[1];
    }
    while taken(v)? > 99.0 {
        total += v[0];
    }
    Some(total * v[0])
}

#[differentiable]
fn options(x: &[f64]) -> f64 {
    let (mut v, mut w, mut u) = (x.to_vec(), x.to_vec(), x.to_vec());
    let results = asked_results(&mut u).unwrap();
    asked(&mut v).unwrap() * counted(&mut w).unwrap() + results
}

#[differentiable]
fn vectors(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    shorter(&mut v).unwrap() + v[0]
}

fn positive(v: &[f64]) -> usize {
    v.iter().filter(|v| **v > 0.0).count()
}

// an unmarked function, which only reads: no statement of its own, and no rule
#[differentiable]
fn only_read(v: &mut [f64]) -> f64 {
    let k = positive(v) as usize;
    let mut n = 0;
    for row in [0, 1] {
        let all = &mut v[..];
        n += positive(all) + row;
    }
    v[k % 2] *= v[0];
    v[k % 2] * (n + k) as f64
}

judge! {
    only_read(&mut [0.7, 0.9]);
    cast(&mut [0.7, 0.9]);
    casts(&mut [0.7, 0.9]);
    index(&mut [0.7, 0.9], &any(2));
    rounded(&mut [0.9, 0.95]);
    while_large(&mut [0.7, 0.9]);
    local_reference(&[0.7, 0.9]);
    of_rows(&[0.7, 0.9, 0.8]);
    options(&[0.7, 0.9]);
    vectors(&any(4));
}
