//! Steering: what is stored, what is computed again, which loops and calls keep states.

use coenzyme::{Real, differentiable, inactive};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn scalar_state(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint(3)]
    for k in 0..n {
        s = (s * s.cos() + x * k as f64).sin();
    }
    s * x
}

#[differentiable]
fn several_states(x: &[f64], rate: f64, n: usize) -> f64 {
    let mut u = x.to_vec();
    let (mut total, mut last) = (0.0, 1.0);
    #[checkpoint]
    for k in (0..n).rev() {
        for i in 1..u.len() {
            u[i] += rate * u[i - 1] * u[i] * last;
        }
        if u[0] > 0.0 {
            total += u[1] * last;
        }
        last = u[0] * rate + k as f64;
        u[0] = last.sin();
    }
    total * last + u[1]
}

#[differentiable]
fn step(u: &mut [f64], p: &[f64], rate: f64) -> f64 {
    for i in 0..u.len() {
        u[i] += rate * u[i] * p[i];
    }
    u[0] * rate
}

const KEPT: usize = 2;

#[differentiable]
fn steps(x: &[f64], p: &[f64], rate: f64, n: usize) -> f64 {
    let mut u = x.to_vec();
    let mut total = 0.0;
    #[checkpoint(KEPT)]
    for _ in 0..n {
        let e = step(&mut u, p, rate * rate);
        total += e * e;
    }
    total + u[0] * u[1]
}

#[differentiable]
fn nested(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint(2)]
    for i in 0..n {
        let mut t = s;
        #[checkpoint(2)]
        for j in 0..n {
            t = (t * t + s * j as f64).sin();
        }
        s = (s * t + x).cos();
    }
    s
}

#[differentiable]
fn in_a_loop_that_tapes(x: f64, n: usize) -> f64 {
    let mut s = x;
    for i in 0..n {
        let scale = s * s;
        #[checkpoint(2)]
        for _ in 0..n {
            s = (s * scale).sin();
        }
        s *= scale;
    }
    s
}

#[differentiable]
fn ping_pong(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    let mut b = vec![0.0; x.len()];
    #[checkpoint(2)]
    for _ in 0..n {
        for i in 0..x.len() {
            b[i] = a[i] * a[(i + 1) % x.len()] + x[i];
        }
        std::mem::swap(&mut a, &mut b);
    }
    a[0] * a[1]
}

#[differentiable]
fn over_a_slice(x: &[f64], k: f64) -> f64 {
    let mut s = k;
    #[checkpoint(2)]
    for v in x {
        if *v > 1.0 {
            continue;
        }
        s = s * v + s * s;
    }
    s
}

#[differentiable]
fn read_and_changed_after(x: &[f64], n: usize) -> f64 {
    let mut table = x.to_vec();
    let mut s = 0.5;
    #[checkpoint(2)]
    for k in 0..n {
        s = s * table[k % table.len()] + s.sin();
    }
    table[0] *= s;
    s * table[0]
}

#[differentiable]
fn generic<T: Real>(x: &[T], n: usize) -> T {
    let mut s = x[0];
    #[checkpoint(2)]
    for _ in 0..n {
        s = s * s * x[1];
    }
    s
}

#[differentiable]
fn called(x: &[f64], p: &[f64], k: f64) -> f64 {
    let mut u = x.to_vec();
    #[checkpoint]
    let a = step(&mut u, p, k);
    #[checkpoint]
    step(&mut u, p, a);
    u[0] * u[1] * a
}

#[inactive]
fn weights(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.5 + i as f64).collect()
}

#[differentiable]
fn computed_again(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for k in 0..n {
        #[recompute]
        let w = weights(x.len());
        #[recompute]
        let y = x[0] * w[k % w.len()];
        #[store]
        let z = y.sin();
        s += z * z * y;
    }
    s
}

judge! {
    scalar_state(0.7, 0) (0.7, 1) (0.3, 5) (0.2, 9);
    several_states(&positive(3), 0.2, 5) (&any(3), 0.2, 1);
    steps(&positive(2), &any(2), 0.4, 9);
    nested(0.2, 4);
    in_a_loop_that_tapes(0.9, 4);
    ping_pong(&positive(3), 3);
    over_a_slice(&any(6), 0.4);
    read_and_changed_after(&any(3), 6);
    generic(&positive(2), 4);
    called(&positive(2), &any(2), 0.4);
    computed_again(&positive(2), 3);
}
