//! What a call may not return, under a name that is matched on at once.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn inverse(t: f64) -> Option<f64> {
    if t.abs() < 1e-3 { None } else { Some(1.0 / t) }
}

#[differentiable]
fn root(t: f64) -> Result<f64, String> {
    if t < 0.0 {
        Err(format!("{t} is negative"))
    } else {
        Ok(t.sqrt())
    }
}

#[differentiable]
fn newton<F: Fn(f64) -> f64, G: Fn(f64) -> f64>(
    f: F,
    slope: G,
    mut x: f64,
) -> Result<f64, &'static str> {
    for _ in 0..50 {
        let d = slope(x);
        if d.abs() < 1e-12 {
            return Err("flat");
        }
        let step = f(x) / d;
        x -= step;
        if step.abs() < 1e-15 {
            return Ok(x);
        }
    }
    Ok(x)
}

#[differentiable]
fn root_of_a_cubic(a: f64, b: f64) -> f64 {
    let found = newton(|t| t * t * t + a * t - b, |t| 3.0 * t * t + a, 1.0);
    match found {
        Ok(x) => x * a,
        Err(_) => 0.0,
    }
}

#[differentiable]
fn one_after_the_other(x: f64, y: f64) -> f64 {
    let r = inverse(x);
    let a = match r {
        Some(v) => v,
        None => 0.5,
    };
    let s: Result<f64, String> = root(y);
    if let Ok(v) = s {
        return a * v + x;
    }
    let q = root(-x);
    let Ok(z) = q else { return a };
    z * a
}

#[differentiable]
fn one_name_for_all(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        let r = inverse(*v - 0.2);
        match r {
            Some(v) => sum += v * x[0],
            None => continue,
        }
        let r = inverse(*v);
        if let Some(v) = r {
            sum += v;
        } else {
            sum -= 1.0;
        }
    }
    sum
}

#[differentiable]
fn next_row(row: &[f64], k: f64) -> Vec<f64> {
    row.iter().map(|v| (v * k).sin() + 0.1 * k).collect()
}

/// What is overwritten by what a call gives was read before: it has a cotangent of its own.
#[differentiable]
fn rows_replaced(x: &[f64], k: f64) -> f64 {
    let mut rows = vec![x.to_vec(), x.to_vec()];
    let mut sum = 0.0;
    for i in 0..3 {
        sum += rows[i % 2][0] * k;
        rows[i % 2] = next_row(&rows[(i + 1) % 2], k);
        sum += rows[i % 2][1];
    }
    rows[1] = next_row(&rows[0], sum);
    rows[0] = next_row(&rows[1], k);
    rows[0][0] * rows[1][1] + sum
}

judge! {
    rows_replaced (&vec![0.7, -0.4], 1.3) (&vec![0.2, 0.9, 1.1], -0.6);
    root_of_a_cubic(0.4, 0.7);
    one_after_the_other(0.4, 0.7) (0.4, -0.7) (-0.4, -0.7) (1e-4, 0.7);
    one_name_for_all(&vec![0.4, 0.2, -0.7]);
}
