//! States of checkpointed loops, and values that nothing uses.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn local_state(x: f64) -> f64 {
    let mut n = 0;
    let mut s = x;
    #[checkpoint(2)]
    for i in 0..4 {
        n += 1;
        s = s * x + n as f64;
    }
    s
}

fn next(s: &mut u64) -> f64 {
    *s = s
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*s >> 40) as f64 / 16777216.0
}

#[differentiable]
fn rng_state(x: f64) -> f64 {
    let mut n = 7;
    let mut s = x;
    #[checkpoint(2)]
    for i in 0..6 {
        let r = next(&mut n);
        s = s * x + r * s * s;
    }
    s
}

#[differentiable]
fn rng_state_expr(x: f64) -> f64 {
    let mut n = 7;
    let mut s = x;
    #[checkpoint(2)]
    for i in 0..6 {
        s = s * x + next(&mut n) * s * s;
    }
    s
}

#[differentiable]
fn rng_alias(x: f64) -> f64 {
    let mut n = 7;
    let m = &mut n;
    let mut s = x;
    #[checkpoint(2)]
    for i in 0..6 {
        s = s * x + next(m) * s * s;
    }
    s
}

#[differentiable]
fn move_closure_state(x: f64) -> f64 {
    let mut a = x;
    let mut k = move |y: f64| {
        a += y * y;
        a
    };
    let mut s = x;
    #[checkpoint(2)]
    for i in 0..5 {
        s = s * 0.5 + k(s);
    }
    s
}

#[differentiable]
fn vec_state(x: f64) -> f64 {
    let mut v = vec![x, 1.0];
    let r = &mut v;
    #[checkpoint(2)]
    for i in 0..5 {
        let t = r[0] * r[1];
        r[0] = r[1];
        r[1] = t + x;
    }
    v[0] * v[1]
}

#[differentiable]
fn inactive_bits(x: f64) -> f64 {
    let n = 4607182418800017408u64;
    let y = f64::from_bits(n);
    let k: f64 = "2.5".parse().unwrap();
    y * x * k
}

#[differentiable]
fn unused_sqrt(x: f64) -> f64 {
    let u = (x - 5.0).sqrt();
    x * x
}

#[differentiable]
fn unused_ln(x: f64) -> f64 {
    let u = (x - 5.0).ln() + (x - 5.0).powf(0.3);
    let v = u * x;
    x * x
}

#[differentiable]
fn unused_in_loop(x: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        let u = (x - i as f64 - 5.0).sqrt();
        s += x * i as f64;
    }
    s
}

#[differentiable]
fn unused_var(x: f64) -> f64 {
    let mut u = 1.0;
    for i in 0..3 {
        u = (x - 5.0).sqrt() * u;
    }
    x * x
}

#[differentiable]
fn overwritten(x: f64) -> f64 {
    let mut u = (x - 5.0).sqrt();
    u = x * 2.0;
    u * x
}

#[differentiable]
fn zero_times(x: f64) -> f64 {
    let u = x.sqrt();
    let y = u * 0.0;
    y + x * x
}

judge! {
    local_state (0.7);
    rng_state (0.7);
    rng_state_expr (0.7);
    rng_alias (0.7);
    move_closure_state (0.7);
    vec_state (0.7);
    inactive_bits (0.7);
    unused_sqrt (0.7);
    unused_ln (0.7);
    unused_in_loop (0.7);
    unused_var (0.7);
    overwritten (0.7);
    zero_times (0.7);
}
