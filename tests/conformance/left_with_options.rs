//! Loops and labelled blocks that are left with `Some(…)`, `None`, `Ok(…)` or `Err(…)`, and tuples of values with and without derivative
//! that are assigned.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn at_the_end(x0: f64, k: f64) -> Option<f64> {
    let mut x = x0;
    loop {
        x *= k;
        if x < 0.1 {
            break Some(x * x);
        }
        if x > 10.0 {
            break None;
        }
    }
}
#[differentiable]
fn in_a_local(x0: f64, k: f64) -> Option<f64> {
    let (mut x, mut n) = (x0, 0);
    let r = loop {
        x *= k;
        n += 1;
        if x < 0.1 {
            break Some(x * x);
        }
        if n > 10 {
            break None;
        }
    };
    r.map(|v| v + x0)
}
#[differentiable]
fn asked_for(x0: f64, k: f64, most: usize) -> f64 {
    let (mut x, mut n) = (x0, 0);
    let found = loop {
        x = x * k + 0.01;
        n += 1;
        match n {
            n if n > most => break None,
            _ if x < 0.1 => break Some(x * x0),
            _ => {}
        }
    };
    if let Some(x) = found {
        x * 3.0
    } else {
        x0 * x0
    }
}
#[differentiable]
fn results(x0: f64, k: f64) -> Result<f64, String> {
    let (mut x, mut n) = (x0, 0);
    loop {
        x *= k;
        n += 1;
        if n > 50 {
            break Err("too long".to_string());
        }
        if x < 0.1 {
            break Ok(x * x);
        }
    }
}
#[differentiable]
fn labelled(x: f64, k: f64) -> Option<f64> {
    let r = 'search: {
        if x > 5.0 {
            break 'search None;
        }
        Some(x * k)
    };
    r.map(|v| v * v)
}
#[differentiable]
fn labelled_at_the_end(x: &[f64], least: f64) -> Option<f64> {
    'search: {
        for x in x {
            if *x > least {
                break 'search Some(x * x * least);
            }
        }
        Some(least * least)
    }
}
#[differentiable]
fn from_inside_of_another(x: &[f64], k: f64) -> f64 {
    let mut i = 0;
    let first = 'rows: loop {
        loop {
            if i == x.len() {
                break 'rows None;
            }
            if x[i] * k > 0.2 {
                break 'rows Some(x[i] * k);
            }
            i += 1;
            if i % 2 == 0 {
                break;
            }
        }
    };
    first.unwrap_or(k) * k
}
#[differentiable]
fn a_number_beside(x: f64) -> f64 {
    let (mut n, mut y) = (0, x);
    for _ in 0..4 {
        (n, y) = (n + 1, y * x);
    }
    y * n as f64
}
#[differentiable]
fn a_time_beside(x: f64) -> f64 {
    let (mut t, mut y) = (0.0, x);
    for _ in 0..3 {
        (t, y) = (t + 1.0, y * x + t);
    }
    y * t
}
#[differentiable]
fn read_before_any_is_assigned(x: f64) -> f64 {
    let (mut n, mut last, mut y) = (1, 0, x);
    for _ in 0..3 {
        (y, last, n) = (y * n as f64 + last as f64 * x, n, n + last);
    }
    y * (n - last) as f64
}
#[differentiable]
fn a_crossing(x0: f64, k: f64) -> Option<f64> {
    let (mut before, mut last, mut x) = (0.0, x0, x0);
    loop {
        x -= k;
        if x <= 0.0 {
            break Some(before + last / (last - x));
        }
        if before > 10.0 {
            break None;
        }
        (before, last) = (before + 1.0, x);
    }
}

judge! {
    at_the_end(0.7, 0.5);
    in_a_local(0.7, 0.5);
    asked_for(0.7, 0.5, 20) (0.7, 0.9, 3);
    results(0.7, 0.5);
    labelled(0.7, 0.5);
    labelled_at_the_end(&any(4), 0.3) (&any(4), 2.0);
    from_inside_of_another(&any(5), 0.8) (&any(3), -4.0);
    a_number_beside(0.7);
    a_time_beside(0.7);
    read_before_any_is_assigned(0.7);
    a_crossing(0.75, 0.2);
}
