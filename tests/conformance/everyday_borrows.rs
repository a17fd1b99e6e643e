//! Closures, references and calls in programs of the everyday kind.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn nested_mut_closure(x: f64) -> f64 {
    let mut total = 0.0;
    let mut add = |v: f64| total += v * x;
    for i in 0..3 {
        add(i as f64 + x);
    }
    add(2.0);
    total * x
}

#[differentiable]
fn closure_returns_tuple(x: f64) -> f64 {
    let g = |t: f64| (t * x, t + x);
    let (a, b) = g(2.0);
    let (c, d) = g(a);
    a * b + c * d
}

#[differentiable]
fn closure_takes_slice(x: &[f64]) -> f64 {
    let norm = |v: &[f64]| v.iter().map(|a| a * a).sum::<f64>().sqrt();
    norm(x) * norm(&x[1..])
}

#[differentiable]
fn closure_mut_slice(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let scale = |w: &mut [f64], k: f64| {
        for e in w.iter_mut() {
            *e *= k;
        }
    };
    scale(&mut v[1..], x[0]);
    scale(&mut v, 2.0);
    v[0] * v[1] + v[2]
}

#[differentiable]
fn let_mut_ref_index(x: &[f64]) -> f64 {
    let mut m = vec![vec![0.0; 2]; 2];
    for i in 0..2 {
        let row = &mut m[i];
        for j in 0..2 {
            let cell = &mut row[j];
            *cell = x[i] * x[j + 1];
        }
        row[0] += row[1];
    }
    m[0][0] * m[1][0]
}

#[differentiable]
fn gauss(a: &[f64]) -> f64 {
    let mut m = [[a[0], a[1]], [a[2], a[3]]];
    let mut b = [1.0, 2.0];
    if m[0][0].abs() < m[1][0].abs() {
        m.swap(0, 1);
        b.swap(0, 1);
    }
    let k = m[1][0] / m[0][0];
    let (p, q) = m.split_at_mut(1);
    for (u, v) in q[0].iter_mut().zip(&p[0]) {
        *u -= k * v;
    }
    b[1] -= k * b[0];
    let y = b[1] / m[1][1];
    (b[0] - m[0][1] * y) / m[0][0] + y
}

#[differentiable]
fn norm(c: &mut [f64]) {
    let n = c.iter().map(|v| v * v).sum::<f64>().sqrt();
    for v in c {
        *v /= n;
    }
}

#[differentiable]
fn chunk_put(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for c in v.chunks_exact_mut(2) {
        let d = c;
        norm(d);
    }
    v[0] * v[2] + v[1] * v[3]
}

#[differentiable]
fn put(r: &mut f64, v: f64) {
    *r = *r * 0.5 + v * v;
}

#[differentiable]
fn conditional_alias(x: f64) -> f64 {
    let mut lo = 0.1;
    let mut hi = 0.2;
    for i in 0..4 {
        let bound = if i % 2 == 0 { &mut lo } else { &mut hi };
        put(bound, x * i as f64);
        if *bound > 1.0 {
            *bound *= 0.5;
        }
    }
    lo * hi
}

#[differentiable]
fn return_in_choice(x: f64) -> f64 {
    let mut a = x;
    let mut b = 2.0 * x;
    let r = if x > 0.5 {
        &mut a
    } else if x > 0.0 {
        &mut b
    } else {
        return x * x;
    };
    *r *= 3.0;
    a * b
}

#[differentiable]
fn match_in_loop(x: &[f64]) -> f64 {
    let mut pos = 0.0;
    let mut neg = 1.0;
    for v in x {
        let slot = match v.partial_cmp(&0.0) {
            Some(std::cmp::Ordering::Less) => &mut neg,
            _ => &mut pos,
        };
        *slot += v * v;
    }
    pos * neg
}

#[derive(Clone, Tangent)]
struct G {
    u: Vec<f64>,
    v: Vec<f64>,
}

#[differentiable]
fn fields_by_match(g: &mut G, n: usize) -> f64 {
    let w = match n {
        0 => &mut g.u,
        _ => &mut g.v,
    };
    w[0] *= w[1];
    let k = w[0];
    k * g.u[0] * g.v[1]
}

#[derive(Clone, Copy, Tangent)]
struct SDestructuredSelf {
    p: f64,
    v: f64,
}

#[differentiable]
impl SDestructuredSelf {
    fn step(&mut self, h: f64) -> f64 {
        let SDestructuredSelf { p, v } = self;
        *p += h * *v;
        *v -= h * *p;
        *p * *v
    }
}

#[differentiable]
fn destructured_self(h: f64) -> f64 {
    let mut s = SDestructuredSelf { p: 1.0, v: 0.5 };
    let e = s.step(h) + s.step(2.0 * h);
    e * s.p
}

#[differentiable]
fn alias_then_read(x: f64) -> f64 {
    let mut a = [x, 2.0, 3.0];
    let y;
    {
        let p = &mut a[0];
        *p += 1.0;
        y = *p * 2.0;
        *p = y * y;
    }
    a[0] * y
}

#[differentiable]
fn inner(r: &mut [f64], x: f64) {
    r[0] += x;
}

#[differentiable]
fn outer(r: &mut [f64], x: f64) {
    let q = &mut r[1..];
    inner(q, x * x);
    let z = q;
    inner(z, x);
}

#[differentiable]
fn two_level_calls(x: f64) -> f64 {
    let mut a = vec![1.0, 2.0, 3.0];
    {
        let b = &mut a;
        outer(b, x);
        let c = &mut b[..];
        outer(c, 2.0 * x);
    }
    a[0] * a[1] * a[2]
}

#[differentiable]
fn take_while_mut(x: f64) -> f64 {
    let mut a = vec![1.0, 2.0, 3.0];
    let mut b = vec![0.5, 0.6];
    for e in a.iter_mut().chain(b.iter_mut()) {
        put(e, x);
    }
    for row in a.chunks_mut(2).take(1) {
        for e in row.iter_mut() {
            put(e, x);
        }
    }
    a[0] * a[1] * b[1]
}

#[differentiable]
fn axpy(y: &mut [f64], a: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

#[differentiable]
fn matrix_rows_zip(x: &[f64]) -> f64 {
    let mut m = vec![vec![0.0; 2]; 2];
    for (row, k) in m.iter_mut().zip(x) {
        axpy(row, *k, &x[2..]);
    }
    let r0 = &mut m[0];
    axpy(r0, 2.0, x);
    m[0][0] * m[1][1]
}

#[differentiable]
fn index_chosen(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let n = v.len();
    for (i, e) in v.iter_mut().enumerate() {
        let j = if i + 1 < n { i } else { 0 };
        let t = (i, *e);
        *e *= x[j] + t.1 * t.0 as f64;
    }
    v[0] + v[1] * v[2]
}

#[differentiable]
fn value_chosen(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for (e, &w) in v.iter_mut().zip(x) {
        let c = if w > 0.0 { w } else { 0.5 };
        let d = if *e > 0.0 { *e } else { w };
        *e = c * d;
    }
    v[0] + v[1] * v[2]
}

#[differentiable]
fn for_each_pairs(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.iter_mut()
        .zip(x.iter())
        .enumerate()
        .for_each(|(i, (e, w))| {
            let k = if i > 1 { i } else { 7 };
            *e += w * k as f64;
        });
    v[0] + v[1] * v[2]
}

#[differentiable]
fn rk4_closure_program(k: f64) -> f64 {
    let rhs = |y: f64, t: f64| -k * y + t.sin();
    let mut y = 1.0;
    let mut t = 0.0;
    let h = 0.1;
    for _ in 0..5 {
        let k1 = rhs(y, t);
        let k2 = rhs(y + 0.5 * h * k1, t + 0.5 * h);
        let k3 = rhs(y + 0.5 * h * k2, t + 0.5 * h);
        let k4 = rhs(y + h * k3, t + h);
        y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        t += h;
    }
    y
}

#[differentiable]
fn bounds_that_the_loop_changes(x: f64) -> f64 {
    let mut n = 3;
    let mut s = 0.0;
    for i in 0..n {
        n += 1;
        s += x.powi(i as i32) * n as f64;
    }
    s
}

#[differentiable]
fn option_shadowed(x: f64) -> f64 {
    let o = Some(x);
    let o = o.map(|v| v * v);
    let mut o = o;
    if x > 0.5 {
        o = Some(3.0 * x);
    }
    o.unwrap_or(0.0) * x
}

#[differentiable]
fn slice_shadowed(x: &[f64]) -> f64 {
    let mut r = &x[0..];
    r = &r[1..];
    let mut r = &r[1..];
    let a = r[0];
    r = &r[1..];
    r[0] * a
}

#[differentiable]
fn iterator_shadowed(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let a = it.next().unwrap();
    let mut it = x[1..].iter();
    let b = it.next().unwrap();
    let c = it.next().unwrap();
    a * b * c * c
}

judge! {
    nested_mut_closure (0.7);
    closure_returns_tuple (0.7);
    closure_takes_slice (&vec![0.3, -0.4, 0.5, 0.9]);
    closure_mut_slice (&vec![0.3, -0.4, 0.5, 0.9]);
    let_mut_ref_index (&vec![0.3, -0.4, 0.5, 0.9]);
    gauss (&vec![0.3, -0.4, 0.5, 0.9]);
    chunk_put (&vec![0.3, -0.4, 0.5, 0.9]);
    conditional_alias (0.7);
    return_in_choice (0.7) (0.3) (-0.3);
    match_in_loop (&vec![0.3, -0.4, 0.5, 0.9]);
    fields_by_match (&mut G { u: vec![0.3, 0.4], v: vec![0.5, 0.6] }, 0) (&mut G { u: vec![0.3, 0.4], v: vec![0.5, 0.6] }, 1);
    destructured_self (0.7);
    alias_then_read (0.7);
    two_level_calls (0.7);
    take_while_mut (0.7);
    matrix_rows_zip (&vec![0.3, -0.4, 0.5, 0.9]);
    index_chosen (&vec![0.3, -0.4, 0.5, 0.9]);
    value_chosen (&vec![0.3, -0.4, 0.5, 0.9]);
    for_each_pairs (&vec![0.3, -0.4, 0.5, 0.9]);
    rk4_closure_program (0.7);
    bounds_that_the_loop_changes (0.7);
    option_shadowed (0.7) (0.2);
    slice_shadowed (&vec![0.3, 0.4, 0.5, 0.6]);
    iterator_shadowed (&vec![0.3, 0.4, 0.5, 0.6]);
}
