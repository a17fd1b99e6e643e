//! Mutable references under other names, which calls write through.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn put(r: &mut f64, x: f64) {
    *r = x * x;
}

#[differentiable]
fn rows_put(x: f64) -> f64 {
    let mut m = vec![vec![0.0; 2]; 2];
    for row in m.iter_mut() {
        for e in row {
            put(e, x);
        }
    }
    m[0][0] + m[1][1]
}

#[differentiable]
fn rows_put2(x: f64) -> f64 {
    let mut m = [[0.0; 2]; 2];
    for row in m.iter_mut() {
        for e in row.iter_mut() {
            put(e, x);
        }
    }
    m[0][0] + m[1][1]
}

#[differentiable]
fn chunks_put(x: f64) -> f64 {
    let mut m = vec![0.0; 4];
    for row in m.chunks_mut(2) {
        for e in row {
            put(e, x);
        }
    }
    m[0] + m[3]
}

#[differentiable]
fn zip_put(x: f64) -> f64 {
    let mut m = vec![0.0; 4];
    let k = [1.0, 2.0, 3.0, 4.0];
    for (e, k) in m.iter_mut().zip(k.iter()) {
        let q = e;
        put(q, x * k);
    }
    m[0] + m[3]
}

#[differentiable]
fn reborrow(x: f64) -> f64 {
    let mut a = 0.0;
    let r = &mut a;
    let q = r;
    put(q, x);
    a
}

#[differentiable]
fn reborrow3(x: f64) -> f64 {
    let mut a = 0.0;
    let r = &mut a;
    let q = &mut *r;
    let s = q;
    put(s, x);
    a
}

#[differentiable]
fn closure_ref(x: f64) -> f64 {
    let mut a = 0.0;
    let k = |r: &mut f64| put(r, x);
    k(&mut a);
    a
}

#[differentiable]
fn closure_ref2(x: f64) -> f64 {
    let mut a = [0.0, 0.0];
    let k = |r: &mut [f64; 2], y: f64| put(&mut r[1], y);
    k(&mut a, x);
    a[1] * 3.0
}

#[differentiable]
fn paren_ref(x: f64) -> f64 {
    let mut a = 0.0;
    put((&mut a), x);
    a
}

#[allow(unused_braces)]
#[differentiable]
fn block_ref(x: f64) -> f64 {
    let mut a = 0.0;
    put({ &mut a }, x);
    a
}

#[differentiable]
fn if_ref(x: f64) -> f64 {
    let mut a = 0.0;
    let mut b = 0.0;
    put(if x > 0.0 { &mut a } else { &mut b }, x);
    a + 2.0 * b
}

#[differentiable]
fn tuple_ref(x: f64) -> f64 {
    let mut a = 0.0;
    let mut b = 0.0;
    let (p, q) = (&mut a, &mut b);
    put(p, x);
    put(q, 2.0 * x);
    a * b
}

#[differentiable]
fn split_ref(x: f64) -> f64 {
    let mut a = [0.0; 4];
    let (l, r) = a.split_at_mut(2);
    let h = l;
    put(&mut h[1], x);
    put(&mut r[0], x * 2.0);
    a[1] * a[2]
}

#[derive(Clone, Tangent)]
struct S {
    a: f64,
    w: Vec<f64>,
}

#[differentiable]
fn field_ref(x: f64) -> f64 {
    let mut s = S {
        a: 0.0,
        w: vec![0.0; 2],
    };
    let r = &mut s;
    let w = &mut r.w;
    for e in w.iter_mut() {
        put(e, x);
    }
    s.w[0] * 2.0 + s.a
}

#[differentiable]
fn last_mut(x: f64) -> f64 {
    let mut v = vec![0.0; 3];
    if let Some(l) = v.last_mut() {
        put(l, x);
    }
    v[2]
}

#[differentiable]
fn first_mut_unwrap(x: f64) -> f64 {
    let mut v = vec![0.0; 3];
    let l = v.first_mut().unwrap();
    put(l, x);
    v[0]
}

#[differentiable]
fn for_each_put(x: f64) -> f64 {
    let mut v = vec![0.0; 3];
    v.iter_mut().for_each(|e| put(e, x));
    v[0] + v[2]
}

#[differentiable]
fn iter_name(x: f64) -> f64 {
    let mut v = vec![0.0; 3];
    let it = v.iter_mut();
    for e in it {
        put(e, x);
    }
    v[0] + v[2]
}

#[differentiable]
fn iter_name_enumerate(x: f64) -> f64 {
    let mut v = vec![0.0; 3];
    let it = v.iter_mut().enumerate();
    for (i, e) in it {
        if i > 0 {
            let q = e;
            put(q, x);
        }
    }
    v[0] + v[2]
}

#[differentiable]
fn match_ref(x: f64, n: usize) -> f64 {
    let mut a = [0.0; 2];
    let b = [0.0; 2];
    let r = match n {
        0 => &mut a[0],
        1 => &mut a[1],
        _ => &mut a[1],
    };
    let q = r;
    put(q, x);
    a[0] + 2.0 * a[1]
}

#[differentiable]
fn put_loop_alias(r: &mut f64, x: f64) {
    *r += x * x;
}

#[differentiable]
fn loop_alias(x: f64) -> f64 {
    let mut a = 0.0;
    for i in 0..3 {
        let r = &mut a;
        let q = r;
        put_loop_alias(q, x * i as f64);
    }
    a
}

#[differentiable]
fn shadow(x: f64) -> f64 {
    let mut a = 0.0;
    {
        let mut a = 1.0;
        let r = &mut a;
        put(r, 3.0);
    }
    let r = &mut a;
    put(r, x);
    a
}

#[differentiable]
fn fill(r: &mut [f64], x: f64) {
    for e in r {
        *e = x * x;
    }
}

#[differentiable]
fn by_slice(x: f64) -> f64 {
    let mut a = vec![0.0; 3];
    let r = &mut a[..];
    let (p, q) = r.split_at_mut(1);
    fill(p, x);
    let z = q;
    fill(z, 2.0 * x);
    a[0] * a[1]
}

#[differentiable]
fn as_mut_slice(x: f64) -> f64 {
    let mut a = vec![0.0; 3];
    let r = a.as_mut_slice();
    fill(r, x);
    a[0] * a[1]
}

#[differentiable]
fn nested_fn_alias(x: f64) -> f64 {
    let mut a = vec![vec![0.0; 2]; 2];
    for r in &mut a {
        fill(r, x);
    }
    a[0][0] * a[1][1]
}

#[differentiable]
fn nested_alias2(x: f64) -> f64 {
    let mut a = vec![vec![0.0; 2]; 2];
    for i in 0..2 {
        let r = &mut a[i];
        let s = &mut r[..1];
        fill(s, x);
    }
    a[0][0] * a[1][0]
}

#[derive(Clone, Copy, Tangent)]
struct P {
    v: f64,
}

#[differentiable]
impl P {
    fn set(&mut self, x: f64) {
        self.v = x * x;
    }
}

#[differentiable]
fn method_own(x: f64) -> f64 {
    let mut p = P { v: 0.0 };
    let r = &mut p;
    let q = r;
    q.set(x);
    p.v
}

#[differentiable]
fn method_own_iter(x: f64) -> f64 {
    let mut ps = [P { v: 0.0 }; 2];
    for p in ps.iter_mut() {
        p.set(x);
    }
    ps[0].v + ps[1].v
}

#[differentiable]
fn sq(r: &f64) -> f64 {
    r * r
}

#[differentiable]
fn shared_read(x: f64) -> f64 {
    let a = x;
    let r = &a;
    let q = r;
    sq(q) + sq((&a))
}

#[differentiable]
fn deref_assign(x: f64) -> f64 {
    let mut a = 0.0;
    let r = &mut a;
    let q = r;
    *q = x * x;
    a
}

#[differentiable]
fn closure_deref(x: f64) -> f64 {
    let mut a = 0.0;
    let k = |r: &mut f64, s: f64| {
        *r += s * s;
    };
    k(&mut a, x);
    k(&mut a, 2.0 * x);
    a
}

#[differentiable]
fn closure_alias_inside(x: f64) -> f64 {
    let mut a = 0.0;
    let k = |r: &mut f64| {
        let q = r;
        put(q, x)
    };
    let z = &mut a;
    k(z);
    a
}

#[differentiable]
fn two(p: &mut f64, q: &mut f64, x: f64) {
    *p = x;
    *q = x * x;
}

#[differentiable]
fn two_out(x: f64) -> f64 {
    let mut v = vec![0.0; 4];
    for c in v.chunks_exact_mut(2) {
        let (a, b) = c.split_at_mut(1);
        two(&mut a[0], &mut b[0], x);
    }
    v[0] * v[3]
}

#[differentiable]
fn inner_const(x: f64) -> f64 {
    let mut a = 0.0;
    let r = &mut a;
    put(r, 3.0);
    let q = x * a;
    let s = &mut a;
    put(s, q);
    a
}

#[differentiable]
fn shadowed_ref(x: f64) -> f64 {
    let mut a = 0.0;
    let mut b = 0.0;
    let r = &mut a;
    put(r, x);
    let r = &mut b;
    put(r, 2.0 * x);
    a + 10.0 * b
}

#[differentiable]
fn param_alias(v: &mut [f64], x: f64) -> f64 {
    let w = v;
    for e in w.iter_mut() {
        let q = e;
        put(q, x);
    }
    w[0] * w[1]
}

#[differentiable]
fn let_else_ref(x: f64) -> f64 {
    let mut v = vec![0.0; 2];
    let Some(r) = v.get_mut(1) else {
        return 0.0;
    };
    put(r, x);
    v[0] + v[1]
}

#[differentiable]
fn while_let_iter(x: f64) -> f64 {
    let mut v = vec![0.0; 2];
    let mut it = v.iter_mut();
    while let Some(r) = it.next() {
        put(r, x);
    }
    v[0] + v[1]
}

#[differentiable]
fn swap_refs(x: f64) -> f64 {
    let mut a = 0.0;
    let mut b = 0.0;
    let (p, q) = (&mut a, &mut b);
    let (p, q) = (q, p);
    put(p, x);
    put(q, 3.0 * x);
    a + 10.0 * b
}

#[differentiable]
fn split_first_mut(x: f64) -> f64 {
    let mut v = vec![0.0; 3];
    if let Some((h, t)) = v.split_first_mut() {
        put(h, x);
        for e in t {
            put(e, 2.0 * x);
        }
    }
    v[0] + v[1] * v[2]
}

judge! {
    rows_put (0.7);
    rows_put2 (0.7);
    chunks_put (0.7);
    zip_put (0.7);
    reborrow (0.7);
    reborrow3 (0.7);
    closure_ref (0.7);
    closure_ref2 (0.7);
    paren_ref (0.7);
    block_ref (0.7);
    if_ref (0.7) (-0.7);
    tuple_ref (0.7);
    split_ref (0.7);
    field_ref (0.7);
    last_mut (0.7);
    first_mut_unwrap (0.7);
    for_each_put (0.7);
    iter_name (0.7);
    iter_name_enumerate (0.7);
    match_ref (0.7, 0) (0.7, 1);
    loop_alias (0.7);
    shadow (0.7);
    by_slice (0.7);
    as_mut_slice (0.7);
    nested_fn_alias (0.7);
    nested_alias2 (0.7);
    method_own (0.7);
    method_own_iter (0.7);
    shared_read (0.7);
    deref_assign (0.7);
    closure_deref (0.7);
    closure_alias_inside (0.7);
    two_out (0.7);
    inner_const (0.7);
    shadowed_ref (0.7);
    param_alias (&mut vec![0.1, 0.2], 0.7);
    let_else_ref (0.7);
    while_let_iter (0.7);
    swap_refs (0.7);
    split_first_mut (0.7);
}
