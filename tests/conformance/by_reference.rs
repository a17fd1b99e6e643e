//! `ref` and `ref mut` in patterns.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn tuple(x: f64) -> f64 {
    let mut t = (x, 2.0);
    let (ref mut a, _) = t;
    *a *= x;
    t.0 * t.1
}

#[differentiable]
fn plain(x: f64) -> f64 {
    let mut t = x;
    let ref mut a = t;
    *a *= x;
    t
}

#[derive(Clone, Copy, Tangent)]
struct P {
    a: f64,
    b: f64,
}

#[differentiable]
fn structure(x: f64) -> f64 {
    let mut p = P { a: x, b: 2.0 };
    let P { ref mut a, b } = p;
    *a *= x * b;
    p.a + p.b
}

#[differentiable]
fn structure_renamed(x: f64) -> f64 {
    let mut p = P { a: x, b: 2.0 };
    let P { a: ref mut q, .. } = p;
    *q *= x;
    p.a * p.b
}

#[differentiable]
fn nested(x: f64) -> f64 {
    let mut t = ((x, 1.0), [2.0, x]);
    let ((_, ref mut b), [ref mut c, d]) = t;
    *b *= x;
    *c += *b * d;
    t.0.1 * t.1[0]
}

#[differentiable]
fn array(x: f64) -> f64 {
    let mut t = [x, 2.0, 3.0];
    let [ref mut a, _, ref c] = t;
    *a *= x * c;
    t[0] * t[1]
}

#[differentiable]
fn match_tuple(x: f64) -> f64 {
    let mut t = (x, 2.0);
    match t {
        (ref mut a, ref b) => {
            *a *= x * *b;
        }
    }
    t.0 * t.1
}

#[differentiable]
fn if_let_some(x: f64) -> f64 {
    let mut o = Some(x);
    if let Some(ref mut v) = o {
        *v *= x;
    }
    o.unwrap_or(0.0)
}

#[differentiable]
fn match_option(x: f64) -> f64 {
    let mut o = Some(x);
    match o {
        Some(ref mut v) => *v *= x,
        None => {}
    }
    o.unwrap_or(0.0)
}

#[differentiable]
fn ref_later_changed(x: f64) -> f64 {
    let mut t = (x, 2.0);
    let (ref a, _) = t;
    let y = *a * 3.0;
    t.0 = 5.0;
    y * t.0
}

#[differentiable]
fn ref_mut_vec(x: f64) -> f64 {
    let mut v = vec![x, 2.0];
    let ref mut r = v;
    r[0] *= x;
    r[1] += x;
    v[0] * v[1]
}

#[differentiable]
fn put(r: &mut f64, x: f64) {
    *r = x * x;
}

#[differentiable]
fn ref_mut_call(x: f64) -> f64 {
    let mut t = (1.0, 2.0);
    let (ref mut a, _) = t;
    put(a, x);
    t.0 * t.1
}

#[differentiable]
fn param((ref mut a, b): (f64, f64)) -> f64 {
    *a *= b;
    *a * b
}

#[differentiable]
fn for_pattern(x: f64) -> f64 {
    let mut v = vec![(x, 1.0), (2.0, x)];
    for &mut (ref mut a, ref b) in v.iter_mut() {
        *a *= *b * x;
    }
    v[0].0 + v[1].0
}

#[differentiable]
fn for_pattern2(x: f64) -> f64 {
    let mut v = vec![(x, 1.0), (2.0, x)];
    for (a, b) in v.iter_mut() {
        *a *= *b * x;
    }
    v[0].0 + v[1].0
}

#[differentiable]
fn mut_ref_pattern(x: f64) -> f64 {
    let mut t = (x, 2.0);
    let (a, b) = &mut t;
    *a *= x;
    *b += *a;
    t.0 * t.1
}

#[differentiable]
fn mut_ref_struct(x: f64) -> f64 {
    let mut p = P { a: x, b: 2.0 };
    let P { a, b } = &mut p;
    *a *= x;
    *b += *a;
    p.a * p.b
}

#[differentiable]
fn mut_ref_match(x: f64) -> f64 {
    let mut p = P { a: x, b: 2.0 };
    match &mut p {
        P { a, b } => {
            *a *= x;
            *b += *a;
        }
    }
    p.a * p.b
}

#[differentiable]
fn inactive_ref_mut(x: f64) -> f64 {
    let mut t = (2, 3);
    let (ref mut a, _) = t;
    *a += 1;
    x.powi(t.0) * t.1 as f64
}

#[derive(Clone)]
struct C {
    n: i32,
    m: i32,
}

#[differentiable]
fn inactive_struct_mut(x: f64) -> f64 {
    let mut c = C { n: 1, m: 2 };
    let C { n, m } = &mut c;
    *n += 1;
    *m += *n;
    x.powi(c.n) * c.m as f64
}

#[differentiable]
fn at_pattern(x: f64, n: usize) -> f64 {
    let y = match n {
        k @ 1..=3 => x * k as f64,
        k => x * x * k as f64,
    };
    y
}

#[differentiable]
fn mut_binding(x: f64) -> f64 {
    let t = (x, 2.0);
    let (mut a, mut b) = t;
    a *= x;
    b += a;
    t.0 * a * b + t.1
}

#[differentiable]
fn pair(x: f64) -> (f64, f64) {
    (x, x * x)
}

#[differentiable]
fn ref_temp(x: f64) -> f64 {
    let (ref mut a, ref b) = pair(x);
    *a *= *b;
    *a + *b
}

judge! {
    tuple (0.7);
    plain (0.7);
    structure (0.7);
    structure_renamed (0.7);
    nested (0.7);
    array (0.7);
    match_tuple (0.7);
    if_let_some (0.7);
    match_option (0.7);
    ref_later_changed (0.7);
    ref_mut_vec (0.7);
    ref_mut_call (0.7);
    param ((0.7, 0.3));
    for_pattern (0.7);
    for_pattern2 (0.7);
    mut_ref_pattern (0.7);
    mut_ref_struct (0.7);
    mut_ref_match (0.7);
    inactive_ref_mut (0.7);
    inactive_struct_mut (0.7);
    at_pattern (0.7, 2) (0.7, 5);
    mut_binding (0.7);
    ref_temp (0.7);
}
