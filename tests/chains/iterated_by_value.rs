//! Loops and chains over arrays by value go through what these were at first, whatever a round does to them.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn copied_loop(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for (i, q) in w.into_iter().enumerate() {
        s += q * 0.1;
        w[2] *= 0.9 * q;
    }
    s + w[2]
}
#[differentiable]
fn copied_loop2(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for q in w {
        s += q * x[0];
        w[2] = 0.9 * q;
    }
    s + w[2]
}
#[differentiable]
fn copied_loop3(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for q in w.map(|q| q * q) {
        s += q * x[0];
        w[2] = 0.9 * q;
    }
    s + w[2]
}
#[differentiable]
fn copied_max(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for (i, q) in w.into_iter().enumerate() {
        s += q * 0.1;
        let m = w.iter_mut().max_by(|p, q| p.total_cmp(q)).unwrap();
        *m *= 0.9;
    }
    s + w[2]
}
#[differentiable]
fn copied_swap(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for (i, q) in w.into_iter().enumerate() {
        s += q * x[0] * i as f64;
        w.swap(0, 2);
    }
    s + w[2]
}
#[differentiable]
fn copied_ref(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for (i, q) in w.into_iter().enumerate() {
        s += q * x[0] * i as f64;
        let r = &mut w[2];
        *r *= 0.5;
    }
    s + w[2]
}
mod of_copied_call {
    use super::*;
    #[differentiable]
    fn g(w: &mut [f64]) {
        w[2] *= 0.5;
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut w = [x[0], x[1], 0.5];
        let mut s = 0.0;
        for (i, q) in w.into_iter().enumerate() {
            s += q * x[0] * i as f64;
            g(&mut w);
        }
        s + w[2]
    }
}
use of_copied_call::f as copied_call;
#[differentiable]
fn copied_itermut(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for q in w {
        s += q * x[0];
        for r in w.iter_mut() {
            *r *= 0.9;
        }
    }
    s + w[2]
}
#[differentiable]
fn copied_last(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for q in w {
        s += q * x[0];
        if let Some(r) = w.last_mut() {
            *r *= 0.9;
        }
    }
    s + w[2]
}
#[differentiable]
fn copied_clone(x: &[f64]) -> f64 {
    let mut w = vec![x[0], x[1], 0.5];
    let mut s = 0.0;
    for q in w.clone() {
        s += q * x[0];
        let m = w.iter_mut().max_by(|p, q| p.total_cmp(q)).unwrap();
        *m *= 0.9;
    }
    s + w[2]
}
#[differentiable]
fn copied_chain(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for (p, q) in w.into_iter().zip(w.into_iter().skip(1)) {
        s += p * q * x[0];
        w[1] *= 0.5;
        w[2] *= 0.5;
    }
    s + w[2]
}
mod of_field {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        w: [f64; 3],
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p = P {
            w: [x[0], x[1], 0.5],
        };
        let mut s = 0.0;
        for q in p.w {
            s += q * x[0];
            p.w[2] *= q;
        }
        s + p.w[2]
    }
}
use of_field::f as field;
mod of_field2 {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        w: [f64; 3],
    }
    #[differentiable]
    impl P {
        fn sh(&mut self, q: f64) {
            self.w[2] *= q;
        }
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p = P {
            w: [x[0], x[1], 0.5],
        };
        let mut s = 0.0;
        for q in p.w {
            s += q * x[0];
            p.sh(q);
        }
        s + p.w[2]
    }
}
use of_field2::f as field2;
mod of_field3 {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        w: [f64; 3],
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p = P {
            w: [x[0], x[1], 0.5],
        };
        let mut s = 0.0;
        for q in p.w {
            s += q * x[0];
            p = P {
                w: [q, q * q, 0.3 * q],
            };
        }
        s + p.w[2]
    }
}
use of_field3::f as field3;
#[differentiable]
fn swap_whole(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut z = [x[1], x[1], 0.2];
    let mut s = 0.0;
    for q in w {
        s += q * x[0];
        std::mem::swap(&mut w, &mut z);
    }
    s + w[2]
}
#[differentiable]
fn let_mut_alias(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for q in w {
        s += q * x[0];
        let h = &mut w;
        h[2] *= 0.5;
    }
    s + w[2]
}
#[differentiable]
fn closure_mut(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    let mut g = |q: f64| w[2] *= q;
    let c = [x[0], x[1]];
    for q in c {
        s += q * x[0];
        g(q);
    }
    s + w[2]
}
#[differentiable]
fn chars(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for q in w {
        s += q;
        for [a, b] in [[x[0], x[1]]] {
            w[1] *= a * b;
            w[2] += q;
        }
    }
    s + w[2]
}
#[differentiable]
fn for_pat(x: &[f64]) -> f64 {
    let mut w = [(x[0], x[1]), (0.3, x[0])];
    let mut s = 0.0;
    for (a, b) in w {
        s += a * b;
        w[1].0 += a * b;
    }
    s + w[1].0
}
#[differentiable]
fn map_then(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut a = x[0];
    let z = w.map(|q| q * a);
    a = x[1];
    w[0] = 7.0 * a;
    z[0] * w[0] + z[1] * a
}
#[differentiable]
fn map_self(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let z = w;
    w[0] = z[1] * z[2];
    for (i, q) in z.into_iter().enumerate() {
        w[i] += q * w[0];
    }
    w[0] * w[1] + w[2]
}
#[differentiable]
fn zip_arr(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let u = [x[1], 0.3, x[0]];
    let mut s = 0.0;
    for (q, r) in u.iter().zip(w) {
        w[2] += q * r;
        s += r * w[2];
    }
    s
}
#[differentiable]
fn zip_arr2(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let u = [x[1], 0.3, x[0]];
    let mut s = 0.0;
    for (q, r) in w.into_iter().zip(u) {
        w[2] += q * r;
        s += r * w[2];
    }
    s
}
#[differentiable]
fn chain_arr(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    for q in [x[1]].into_iter().chain(w) {
        w[2] += q;
        s += q * w[2];
    }
    s
}
#[differentiable]
fn array_lit(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    let mut s = 0.0;
    for q in [a, b, a * b] {
        a = q * 0.5;
        b += q;
        s += q * a;
    }
    s + a * b
}
#[differentiable]
fn array_lit_iter(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    let mut s = 0.0;
    for q in [a, b, a * b].iter().map(|q| q * q) {
        a = q * 0.5;
        b += q;
        s += q * a;
    }
    s + a * b
}
#[differentiable]
fn array_lit_call(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    let mut s = 0.0;
    for (p, q) in [(a, 1.0), (b, 2.0)] {
        a = q * 0.5 * p;
        b += q * p;
        s += q * a;
    }
    s + a * b
}
#[differentiable]
fn fold_mut(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let s = w.into_iter().fold(0.0, |m, q| {
        w[2] += q;
        m + q * w[2]
    });
    s + w[2]
}
#[differentiable]
fn for_each_mut(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let mut s = 0.0;
    w.into_iter().for_each(|q| {
        w[2] += q;
        s += q * w[2];
    });
    s + w[2]
}
#[differentiable]
fn map_mut(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let z = w.map(|q| {
        w[2] += q;
        q * w[2]
    });
    z[0] + z[1] * z[2] + w[2]
}
#[differentiable]
fn sum_mut(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1], 0.5];
    let s: f64 = w
        .into_iter()
        .map(|q| {
            w[2] += q;
            q * w[2]
        })
        .sum();
    s + w[2]
}
#[differentiable]
fn tuple_arr(x: &[f64]) -> f64 {
    let mut t = ([x[0], x[1], 0.5], 1.0);
    let mut s = 0.0;
    for q in t.0 {
        t.0[2] *= 0.5;
        t.0[1] += q;
        s += q * x[0];
    }
    s + t.0[1]
}
#[differentiable]
fn nested_arr(x: &[f64]) -> f64 {
    let mut g = [[x[0], x[1]], [0.4, x[0]]];
    let mut s = 0.0;
    for r in g {
        g[1][0] += r[0];
        s += r[0] * r[1] * x[0];
    }
    s + g[1][0]
}
#[differentiable]
fn nested_arr_row(x: &[f64]) -> f64 {
    let mut g = [[x[0], x[1]], [0.4, x[0]]];
    let mut s = 0.0;
    for q in g[1] {
        g[1][1] += q;
        g[0][0] *= 0.5;
        s += q * x[0];
    }
    s + g[1][1]
}
#[differentiable]
fn nested_arr_deep(x: &[f64]) -> f64 {
    let mut g = [[x[0], x[1]], [0.4, x[0]]];
    let mut s = 0.0;
    for r in g {
        for q in r {
            g[1][1] += q;
            s += q * g[1][1];
        }
    }
    s
}
#[differentiable]
fn nested_arr_pat(x: &[f64]) -> f64 {
    let mut g = [[x[0], x[1]], [0.4, x[0]]];
    let mut s = 0.0;
    for [a, b] in g {
        g[1][1] += a;
        s += b * g[1][1];
    }
    s
}
#[differentiable]
fn range_mut(x: &[f64]) -> f64 {
    let mut n = 3;
    let mut s = x[0];
    for i in 0..n {
        n = 1;
        s += x[1] * s * i as f64;
    }
    s * n as f64
}
#[differentiable]
fn range_len(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1]];
    for i in 0..v.len() {
        let q = v[i] * x[0];
        v.push(q);
    }
    v.iter().sum()
}
#[differentiable]
fn range_step(x: &[f64]) -> f64 {
    let mut st = 2;
    let mut s = x[0];
    for i in (0..8).step_by(st) {
        st += 1;
        s = s * 0.8 + x[1] * i as f64;
    }
    s * st as f64
}
mod of_by_field_copy_struct {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut w = [P { a: x[0] }, P { a: x[1] }];
        let mut s = 0.0;
        for q in w {
            w[1].a += q.a;
            s += q.a * x[0];
        }
        s + w[1].a
    }
}
use of_by_field_copy_struct::f as by_field_copy_struct;
#[differentiable]
fn vec_reassign(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1], 0.4];
    let mut s = 0.0;
    for q in v {
        v = vec![q, q * x[0]];
        s += v[1];
    }
    s
}
mod of_deref_arr {
    use super::*;
    #[differentiable]
    fn g(w: &mut [f64; 3]) -> f64 {
        let mut s = 0.0;
        for q in *w {
            w[2] += q;
            s += q * w[1];
        }
        s
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut w = [x[0], x[1], 0.5];
        g(&mut w) + w[2]
    }
}
use of_deref_arr::f as deref_arr;
#[differentiable]
fn some_match(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let mut s = 0.0;
    if let Some(q) = o {
        o = Some(q * x[1]);
        s += q;
        o = o.map(|r| r * q);
    }
    s + o.unwrap()
}
#[differentiable]
fn match_tuple(x: &[f64]) -> f64 {
    let mut t = (x[0], x[1]);
    let s = match t {
        (a, b) if a > 0.5 => {
            t.0 = b;
            t.1 += a;
            a * b + t.0 * a
        }
        (a, _) => a,
    };
    s + t.1
}
#[differentiable]
fn match_arr(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    let s = match t {
        [a, b] => {
            t[0] = b;
            t[1] += a;
            a * b + t[0] * a
        }
    };
    s + t[1]
}
mod of_match_struct {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut t = P { a: x[0], b: x[1] };
        let s = match t {
            P { a, b } => {
                t.a = b;
                t.b += a;
                a * b + t.a * a
            }
        };
        s + t.b
    }
}
use of_match_struct::f as match_struct;
mod of_iflet_struct {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut o = Some(P { a: x[0], b: x[1] });
        let mut s = 0.0;
        if let Some(P { a, b }) = o {
            o = None;
            s += a * b;
        }
        s + if o.is_none() { x[1] } else { 0.0 }
    }
}
use of_iflet_struct::f as iflet_struct;
#[differentiable]
fn let_pat_after(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    let [a, b] = t;
    t[0] = b;
    t[1] *= a;
    a * b + t[0] * t[1]
}
mod of_struct_copy_arg {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    fn g(mut p: P) -> f64 {
        p.a *= 2.0;
        p.a * p.b
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let t = P { a: x[0], b: x[1] };
        let u = g(t);
        u + t.a * g(t)
    }
}
use of_struct_copy_arg::f as struct_copy_arg;
mod of_arr_copy_arg {
    use super::*;
    #[differentiable]
    fn g(mut p: [f64; 2]) -> f64 {
        p[0] *= 2.0;
        p[0] * p[1]
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let t = [x[0], x[1]];
        let u = g(t);
        u + t[0] * g(t)
    }
}
use of_arr_copy_arg::f as arr_copy_arg;

#[differentiable]
fn taken_one_by_one(x: f64, y: f64) -> f64 {
    let mut entries = vec![x, y, x * y].into_iter();
    let a = entries.next().unwrap();
    let b = entries.next().unwrap_or(1.0);
    a * b * b + entries.sum::<f64>()
}
#[differentiable]
fn taken_from_behind(x: f64, y: f64) -> f64 {
    let v = [x, y, x * y];
    let mut entries = v.into_iter().rev();
    let a = entries.next().unwrap();
    let mut s = 0.0;
    for t in entries {
        s = s * a + t;
    }
    s
}
#[differentiable]
fn a_chain_with_a_name(x: f64, y: f64) -> f64 {
    let squares = vec![x, y, x * y].into_iter().map(|t| t * t);
    let mut s = 1.0;
    for t in squares {
        s = s * t + x;
    }
    let others = vec![y, x].into_iter();
    s * others.map(|t| t + y).sum::<f64>()
}

judge! {
    copied_loop(&vec![1.2, 0.7]);
    copied_loop2(&vec![1.2, 0.7]);
    copied_loop3(&vec![1.2, 0.7]);
    copied_max(&vec![1.2, 0.7]);
    copied_swap(&vec![1.2, 0.7]);
    copied_ref(&vec![1.2, 0.7]);
    copied_call(&vec![1.2, 0.7]);
    copied_itermut(&vec![1.2, 0.7]);
    copied_last(&vec![1.2, 0.7]);
    copied_clone(&vec![1.2, 0.7]);
    copied_chain(&vec![1.2, 0.7]);
    field(&vec![1.2, 0.7]);
    field2(&vec![1.2, 0.7]);
    field3(&vec![1.2, 0.7]);
    swap_whole(&vec![1.2, 0.7]);
    let_mut_alias(&vec![1.2, 0.7]);
    closure_mut(&vec![1.2, 0.7]);
    chars(&vec![1.2, 0.7]);
    for_pat(&vec![1.2, 0.7]);
    map_then(&vec![1.2, 0.7]);
    map_self(&vec![1.2, 0.7]);
    zip_arr(&vec![1.2, 0.7]);
    zip_arr2(&vec![1.2, 0.7]);
    chain_arr(&vec![1.2, 0.7]);
    array_lit(&vec![1.2, 0.7]);
    array_lit_iter(&vec![1.2, 0.7]);
    array_lit_call(&vec![1.2, 0.7]);
    fold_mut(&vec![1.2, 0.7]);
    for_each_mut(&vec![1.2, 0.7]);
    map_mut(&vec![1.2, 0.7]);
    sum_mut(&vec![1.2, 0.7]);
    tuple_arr(&vec![1.2, 0.7]);
    nested_arr(&vec![1.2, 0.7]);
    nested_arr_row(&vec![1.2, 0.7]);
    nested_arr_deep(&vec![1.2, 0.7]);
    nested_arr_pat(&vec![1.2, 0.7]);
    range_mut(&vec![1.2, 0.7]);
    range_len(&vec![1.2, 0.7]);
    range_step(&vec![1.2, 0.7]);
    by_field_copy_struct(&vec![1.2, 0.7]);
    vec_reassign(&vec![1.2, 0.7]);
    deref_arr(&vec![1.2, 0.7]);
    some_match(&vec![1.2, 0.7]);
    match_tuple(&vec![1.2, 0.7]);
    match_arr(&vec![1.2, 0.7]);
    match_struct(&vec![1.2, 0.7]);
    iflet_struct(&vec![1.2, 0.7]);
    let_pat_after(&vec![1.2, 0.7]);
    struct_copy_arg(&vec![1.2, 0.7]);
    arr_copy_arg(&vec![1.2, 0.7]);
    taken_one_by_one(0.83, 1.1);
    taken_from_behind(0.83, 1.1);
    a_chain_with_a_name(0.83, 1.1);
}
