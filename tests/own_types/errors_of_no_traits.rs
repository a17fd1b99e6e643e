//! Errors without `Debug` and `Clone`, errors as statements, and ranges under a name.

use std::ops::Range;

use coenzyme::differentiable;

use crate::subject::judge;

enum Fault {
    Low,
    High,
}

impl From<usize> for Fault {
    fn from(n: usize) -> Self {
        match n {
            0 => Fault::Low,
            _ => Fault::High,
        }
    }
}

#[differentiable]
fn checked(a: f64) -> Result<f64, Fault> {
    if a < -0.5 {
        return Err(Fault::Low);
    }
    if a > 4.0 {
        return Err(Fault::High);
    }
    Ok(a.sin() * a)
}

#[differentiable]
fn arms(x: f64, y: f64) -> f64 {
    let s = match checked(x) {
        Ok(v) => v * y,
        Err(Fault::Low) => y,
        Err(Fault::High) => x * y,
    };
    match checked(5.0 * y) {
        Ok(v) => s * v,
        Err(Fault::Low) => s * x,
        Err(_) => s + y,
    }
}

#[differentiable]
fn pair(a: f64) -> Result<(f64, Vec<f64>), Fault> {
    if a > 5.0 {
        return Err(Fault::High);
    }
    Ok((a, vec![a, a * a]))
}

#[differentiable]
fn parts(x: f64, y: f64) -> f64 {
    let p = match pair(x) {
        Ok((a, v)) => v[0] * v[1] * a,
        Err(_) => y,
    };
    match pair(y * 9.0) {
        Ok(t) => p * t.0,
        Err(Fault::Low) => p,
        Err(Fault::High) => p * y,
    }
}

#[differentiable]
fn let_else(x: f64, y: f64) -> f64 {
    let Ok(a) = checked(x) else { return y };
    if let Ok(b) = checked(y) { a * b } else { a * x }
}

#[differentiable]
fn asked(a: f64, b: f64) -> Result<f64, Fault> {
    let p = checked(a)?;
    let q = checked(b).map_err(|_| Fault::High)?;
    Ok(p * q)
}

#[differentiable]
fn passed_on(x: f64, y: f64) -> f64 {
    match asked(x, y) {
        Ok(v) => v,
        Err(Fault::High) => x * 2.0,
        Err(Fault::Low) => y,
    }
}

#[differentiable]
fn defaults(x: f64, y: f64) -> f64 {
    checked(x).unwrap_or(y) * checked(y).unwrap_or_else(|_| x * x)
        + checked(x * y).ok().unwrap_or(1.0)
}

#[differentiable]
fn raised(a: f64) -> Result<f64, Fault> {
    if a < -5.0 {
        Err(0)?;
    }
    let b = if a > 5.0 { Err(1_usize)? } else { a * a };
    match (b * 2.0) as i64 {
        0 => Err(Fault::Low)?,
        1..=3 => {}
        _ => Err(2)?,
    }
    Ok(b.sin() * a)
}

#[differentiable]
fn statements(x: f64, y: f64) -> f64 {
    let mut s = 0.0;
    for t in [x, y * 20.0, y * 30.0 - 20.0, 1.5 * x, 0.1 * y] {
        s += match raised(t) {
            Ok(v) => v * x,
            Err(Fault::Low) => x * y,
            Err(Fault::High) => y * x * x,
        };
    }
    s
}

#[differentiable]
fn stopped(a: f64, k: usize) -> Option<f64> {
    if k == 3 {
        None::<f64>?;
    }
    let mut s = a;
    for i in 0..5 {
        if i == k {
            None?
        }
        s *= a;
    }
    Some(s)
}

#[differentiable]
fn nothing(x: f64, y: f64) -> f64 {
    stopped(x, 9).unwrap_or(y) * stopped(y, 3).unwrap_or(x) + stopped(y, 4).unwrap_or(x * y)
}

#[differentiable]
fn total(v: &[f64], r: Range<usize>, k: f64) -> f64 {
    let n = r.len();
    let squares: f64 = r.clone().map(|i| v[i] * v[i] * i as f64).sum();
    let mut s = squares;
    for i in r.clone() {
        s = s * k + v[i];
    }
    s * v[r].iter().sum::<f64>() / n as f64
}

#[differentiable]
fn range_parameter(x: f64, y: f64) -> f64 {
    let v = [x, y, x * y, 1.0];
    total(&v, 0..2, x) * total(&v, 1..4, y)
}

#[differentiable]
fn range_local(x: f64, y: f64) -> f64 {
    let mut v = vec![x, y, x * y, 1.0, x - y];
    let w = 1..4;
    {
        let part = &mut v[w.clone()];
        part[0] *= y;
        part[2] += x;
    }
    let n = 2;
    let front: Range<usize> = 0..n;
    for i in front {
        v[i] *= 2.0;
    }
    let again = w.clone();
    let mut s = 0.0;
    for i in again.rev() {
        s = s * x + v[i];
    }
    s * v[w.start] + v[w].iter().map(|e| e * e).sum::<f64>()
}

#[differentiable]
fn range_of_a_round(x: f64, y: f64) -> f64 {
    let v = [x, y, x * y, 1.0];
    let mut s = 0.0;
    for k in 0..3 {
        let r = k..k + 2;
        let same = r.clone();
        s += v[r].iter().sum::<f64>() * (k + 1) as f64;
        for i in same {
            s *= 0.5 + v[i] * 0.1;
        }
    }
    s
}

judge! {
    arms(0.83, 1.1) (1.37, -0.6);
    parts(0.83, 1.1) (1.37, 0.4);
    let_else(0.83, 1.1) (1.37, -0.6);
    passed_on(0.83, 1.1) (1.37, -0.6);
    defaults(0.83, 1.1) (1.37, -0.7);
    statements(0.83, 1.1) (1.17, -0.6);
    nothing(0.83, 1.1) (1.37, -0.6);
    range_parameter(0.83, 1.1) (1.37, -0.6);
    range_local(0.83, 1.1) (1.37, -0.6);
    range_of_a_round(0.83, 1.1) (1.37, -0.6);
}
