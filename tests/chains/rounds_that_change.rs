//! Loop variables that the round changes: `for mut i in 0..n { i += 2; … }`.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn skipping(x: f64, n: usize) -> f64 {
    let mut s = x;
    for mut i in 1..n {
        i += 2;
        s += x.powi(i as i32) * s;
        if i > 5 {
            i = 0;
        }
        s += i as f64 * x;
    }
    'outer: for mut k in (0..n).rev() {
        while k > 1 {
            k /= 2;
            s = (s * x).sin() + k as f64;
            if s > 50.0 {
                continue 'outer;
            }
        }
        s *= 1.0 + x * k as f64;
    }
    s
}
#[differentiable]
fn shadowed(x: &[f64]) -> f64 {
    let i = 2;
    let mut t = x[0];
    for mut i in 0..x.len() {
        if i == 1 {
            i = 0;
            continue;
        }
        t += x[i] * t;
        i += 1;
        t *= 1.0 + i as f64 * 0.1;
    }
    for mut v in x.iter().copied() {
        v *= t;
        t += v * v;
    }
    t * x[i]
}

judge! {
    skipping(0.7, 5);
    shadowed(&[0.4, 0.3, 0.8]);
}
