//! What closures capture, when, and the states that they keep.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn capture_at_def(x: f64) -> f64 {
    let mut a = x;
    let k = move |y: f64| a * y;
    a = 2.0;
    k(3.0) + a
}

#[differentiable]
fn capture_changed_active(x: f64) -> f64 {
    let mut a = x * x;
    let k = move |y: f64| a * y;
    a = a * 2.0;
    k(a) + a
}

#[differentiable]
fn state_of_own(x: f64) -> f64 {
    let mut a = x;
    let mut k = move |y: f64| {
        a += y * y;
        a
    };
    let p = k(x);
    let q = k(2.0 * x);
    p * q + a
}

#[differentiable]
fn state_in_loop(x: f64) -> f64 {
    let mut a = 1.0;
    let mut k = move || {
        a *= x;
        a
    };
    let mut s = 0.0;
    for _ in 0..3 {
        s += k();
    }
    s + a
}

#[differentiable]
fn inactive_capture(x: f64) -> f64 {
    let mut n = 2;
    let k = move |y: f64| y.powi(n);
    n = 3;
    k(x) + x.powi(n)
}

#[differentiable]
fn nested_closures(x: f64) -> f64 {
    let mut a = 1.0;
    let mut inc = || a += x * a;
    let mut twice = || {
        inc();
        inc();
    };
    for _ in 0..3 {
        twice();
    }
    a
}

#[differentiable]
fn vec_moved(x: f64) -> f64 {
    let mut v = vec![x, 2.0 * x];
    v[0] *= 3.0;
    let k = move |i: usize| v[i] * v[i];
    k(0) + k(1)
}

#[differentiable]
fn vec_moved_reinit(x: f64) -> f64 {
    let mut v = vec![x, 2.0 * x];
    let k = move |i: usize| v[i] * v[i];
    v = vec![1.0, x];
    k(0) + k(1) * v[1]
}

#[differentiable]
fn array_copy(x: f64) -> f64 {
    let mut v = [x, 2.0 * x];
    let k = move |i: usize| v[i] * v[i];
    v[0] = 1.0;
    k(0) + v[0] * x
}

#[differentiable]
fn array_state(x: f64) -> f64 {
    let mut v = [x, 2.0 * x];
    let mut k = move |y: f64| {
        v[0] += y;
        v[0] * v[1]
    };
    let p = k(x);
    let q = k(1.0);
    v[0] = 7.0;
    p * q * v[0] * v[1]
}

#[derive(Clone, Copy, Tangent)]
struct P {
    a: f64,
    b: f64,
}

#[differentiable]
fn struct_copy(x: f64) -> f64 {
    let mut p = P { a: x, b: x * x };
    let k = move |y: f64| p.a * y + p.b;
    p.a = 2.0;
    k(p.b) + p.a
}

#[differentiable]
fn shadow_after(x: f64) -> f64 {
    let a = x;
    let k = |y: f64| a * y;
    let a = 5.0;
    k(a) + a
}

#[differentiable]
fn shadow_after_mut(x: f64) -> f64 {
    let mut a = x;
    let mut k = || {
        a += x;
    };
    k();
    let mut b = 0.0;
    {
        let a = 5.0;
        b += a * x;
    }
    k();
    a * b
}

#[differentiable]
fn shadow_loop(x: f64) -> f64 {
    let mut a = x;
    let mut b = 0.0;
    let mut k = || {
        a *= 1.5;
        a
    };
    for _ in 0..3 {
        let a = 2.0;
        b += k() * a;
    }
    b + a
}

#[differentiable]
fn app<F: Fn(f64) -> f64>(g: F, y: f64) -> f64 {
    g(y) * y
}

#[differentiable]
fn passed_closure_shadow(x: f64) -> f64 {
    let a = x;
    let k = |t: f64| a * t;
    let a = 5.0;
    app(k, a) + a
}

#[differentiable]
fn passed_move_closure(x: f64) -> f64 {
    let mut a = x;
    let k = move |t: f64| a * t;
    a = 5.0;
    app(k, a) + a
}

#[differentiable]
fn passed_move_closure_inline(x: f64) -> f64 {
    let mut a = x;
    a *= 2.0;
    let r = app(move |t: f64| a * t, 2.0);
    a = 5.0;
    r + a
}

#[differentiable]
fn closure_copy(x: f64) -> f64 {
    let mut a = x;
    let mut k = move |y: f64| {
        a += y;
        a * a
    };
    let mut j = k;
    let p = k(1.0);
    let q = j(2.0);
    p * q
}

#[differentiable]
fn closure_of_closure(x: f64) -> f64 {
    let mut a = x;
    let k = move |y: f64| a * y;
    let j = move |z: f64| k(z) + a;
    a = 3.0;
    j(2.0) * a
}

#[differentiable]
fn opt_capture(x: f64) -> f64 {
    let mut o = Some(x);
    let k = move |y: f64| o.unwrap_or(1.0) * y;
    o = None;
    k(3.0) + o.unwrap_or(2.0) * x
}

#[differentiable]
fn view_capture(x: &[f64]) -> f64 {
    let mut r = &x[0..2];
    let k = move |i: usize| r[i] * r[i];
    r = &x[2..4];
    k(0) + r[1] * k(1)
}

#[differentiable]
fn in_loop_def(x: f64) -> f64 {
    let mut a = x;
    let mut s = 0.0;
    for i in 0..3 {
        let k = move |y: f64| a * y;
        a += x * 0.5;
        s += k(i as f64 + 1.0);
    }
    s * a
}

#[differentiable]
fn by_value_param(mut x: f64) -> f64 {
    let k = move |y: f64| x * y;
    x *= 3.0;
    k(x) + x
}

#[differentiable]
fn scan_move(x: &[f64]) -> f64 {
    let mut c = 1.0;
    let v: Vec<f64> = x
        .iter()
        .map(|v| {
            c *= v;
            c
        })
        .collect();
    v[0] + v[2] * c
}

#[differentiable]
fn recursion_guard(x: f64) -> f64 {
    let mut count = 0;
    let mut g = |y: f64| {
        count += 1;
        y * y * count as f64
    };
    let a = g(x);
    let b = g(a);
    a + b + count as f64 * x
}

#[differentiable]
fn seed_closure(x: f64) -> f64 {
    let mut seed = 7u64;
    let rnd = |s: &mut u64| {
        *s = s
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*s >> 40) as f64 / 16777216.0
    };
    let a = rnd(&mut seed);
    let b = rnd(&mut seed);
    a * x + b * x * x
}

#[differentiable]
fn returns_in_closure_if(x: f64) -> f64 {
    let mut hits = 0.0;
    let mut k = |y: f64| {
        if y > 0.5 {
            hits += y;
            hits
        } else {
            y
        }
    };
    let a = k(x);
    let b = k(0.1 * x);
    let c = k(2.0 * x);
    a + b * c + hits
}

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 40) as f64 / 16777216.0
    }
}

#[differentiable]
fn captured_without_clone(x: f64) -> f64 {
    let rng = Rng(3);
    let scale = move |y: f64| y * rng.0 as f64;
    scale(x) * x
}

#[differentiable]
fn state_in_each_round(x: f64) -> f64 {
    let mut a = x;
    let mut s = 0.0;
    for _ in 0..3 {
        let mut k = move || {
            a += 1.0;
            a
        };
        s += k() * k();
    }
    s * x
}

#[differentiable]
fn state_of_its_own(x: f64) -> f64 {
    let mut a = x;
    let mut k = move || {
        a *= x;
        a
    };
    let mut s = 0.0;
    for _ in 0..3 {
        s += k();
    }
    s * k()
}

judge! {
    capture_at_def (0.7);
    capture_changed_active (0.7);
    state_of_own (0.7);
    state_in_loop (0.7);
    inactive_capture (0.7);
    nested_closures (0.7);
    vec_moved (0.7);
    vec_moved_reinit (0.7);
    array_copy (0.7);
    array_state (0.7);
    struct_copy (0.7);
    shadow_after (0.7);
    shadow_after_mut (0.7);
    shadow_loop (0.7);
    passed_closure_shadow (0.7);
    passed_move_closure (0.7);
    passed_move_closure_inline (0.7);
    closure_copy (0.7);
    closure_of_closure (0.7);
    opt_capture (0.7);
    view_capture (&vec![0.3, 0.4, 0.5, 0.6]);
    in_loop_def (0.7);
    by_value_param (0.7);
    scan_move (&vec![0.3, 0.4, 0.5]);
    recursion_guard (0.7);
    seed_closure (0.7);
    returns_in_closure_if (0.7);
    captured_without_clone (0.7);
    state_in_each_round (0.7);
    state_of_its_own (0.7);
}
