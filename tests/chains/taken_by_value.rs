//! What a name is given by value keeps what it was, whatever becomes of the place that it was taken from.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn let_tuple(x: &[f64]) -> f64 {
    let mut t = (x[0], x[1]);
    let (a, b) = t;
    t.0 = b;
    t.1 *= a;
    a * b + t.0 * t.1
}
mod of_let_struct {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut t = P { a: x[0], b: x[1] };
        let P { a, b } = t;
        t.a = b;
        t.b *= a;
        a * b + t.a * t.b
    }
}
use of_let_struct::f as let_struct;
mod of_let_struct_rest {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut t = P { a: x[0], b: x[1] };
        let P { a: c, .. } = t;
        t.a = t.b * c;
        t.b *= c;
        c * t.a * t.b
    }
}
use of_let_struct_rest::f as let_struct_rest;
mod of_let_tstruct {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P(f64, f64);
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut t = P(x[0], x[1]);
        let P(a, b) = t;
        t.0 = b;
        t.1 *= a;
        a * b + t.0 * t.1
    }
}
use of_let_tstruct::f as let_tstruct;
#[differentiable]
fn let_nested(x: &[f64]) -> f64 {
    let mut t = (x[0], [x[1], 0.4]);
    let (a, [b, c]) = t;
    t.0 = b;
    t.1[0] *= a;
    t.1[1] += c * b;
    a * b * c + t.0 * t.1[0] * t.1[1]
}
#[differentiable]
fn let_nested2(x: &[f64]) -> f64 {
    let mut t = (x[0], [x[1], 0.4]);
    let (a, w) = t;
    t.0 = w[1];
    t.1[0] *= a;
    t.1[1] += a;
    a * w[0] * w[1] + t.0 * t.1[0] * t.1[1]
}
#[differentiable]
fn let_rows(x: &[f64]) -> f64 {
    let mut g = [[x[0], x[1]], [0.4, x[0]]];
    let [p, q] = g;
    g[0] = q;
    g[1][0] *= p[1];
    p[0] * q[0] * g[0][0] + g[1][0] * p[1]
}
#[differentiable]
fn let_row(x: &[f64]) -> f64 {
    let mut g = [[x[0], x[1]], [0.4, x[0]]];
    let [p, q] = g[0];
    g[0][0] = q;
    g[0][1] *= p;
    p * q * g[0][0] + g[0][1] * p
}
mod of_let_field {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        t: (f64, f64),
        w: [f64; 2],
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut g = P {
            t: (x[0], x[1]),
            w: [x[1], 0.3],
        };
        let (p, q) = g.t;
        let [r, s] = g.w;
        g.t.0 = q;
        g.t.1 *= p;
        g.w[0] += r * s;
        p * q * g.t.0 + g.t.1 * p + r * g.w[0] * s
    }
}
use of_let_field::f as let_field;
mod of_let_field_whole {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        t: (f64, f64),
        w: [f64; 2],
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut g = P {
            t: (x[0], x[1]),
            w: [x[1], 0.3],
        };
        let P {
            t: (p, q),
            w: [r, s],
        } = g;
        g = P {
            t: (q, p * p),
            w: [s * r, q],
        };
        p * q * g.t.0 + g.t.1 * p + r * g.w[0] * s
    }
}
use of_let_field_whole::f as let_field_whole;
#[differentiable]
fn let_mut_names(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    let [mut a, b] = t;
    t[0] = b;
    a *= t[1];
    t[1] *= a;
    a * b + t[0] * t[1]
}
#[differentiable]
fn in_loop(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    for _ in 0..4 {
        let [a, b] = t;
        t[0] = b * 0.9;
        t[1] = a * b;
    }
    t[0] * t[1]
}
mod of_in_loop_struct {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut t = P { a: x[0], b: x[1] };
        for _ in 0..4 {
            let P { a, b } = t;
            t.a = b * 0.9;
            t.b = a * b;
        }
        t.a * t.b
    }
}
use of_in_loop_struct::f as in_loop_struct;
#[differentiable]
fn in_loop_if(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    for i in 0..4 {
        let [a, b] = t;
        if i % 2 == 0 {
            t[0] = b * 0.9;
        }
        t[1] = a * b;
    }
    t[0] * t[1]
}
mod of_by_call {
    use super::*;
    #[differentiable]
    fn g(t: &mut [f64; 2]) {
        t[0] *= 0.5;
        t[1] += t[0];
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut t = [x[0], x[1]];
        let [a, b] = t;
        g(&mut t);
        a * b + t[0] * t[1]
    }
}
use of_by_call::f as by_call;
mod of_by_method {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    impl P {
        fn go(&mut self) {
            self.a *= 0.3;
            self.b += self.a;
        }
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut t = P { a: x[0], b: x[1] };
        let P { a, b } = t;
        t.go();
        a * b + t.a * t.b
    }
}
use of_by_method::f as by_method;
#[differentiable]
fn by_swap(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    let [a, b] = t;
    t.swap(0, 1);
    a * a * b + t[0] * t[1] * a
}
#[differentiable]
fn by_ref(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    let [a, b] = t;
    let r = &mut t;
    r[0] = 3.0 * b;
    a * a * b + t[0] * t[1] * a
}
#[differentiable]
fn by_itermut(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    let [a, b] = t;
    for q in t.iter_mut() {
        *q *= b;
    }
    a * a * b + t[0] * t[1] * a
}
mod of_param_value {
    use super::*;
    #[differentiable]
    fn g(mut t: [f64; 2]) -> f64 {
        let [a, b] = t;
        t[0] = b;
        t[1] *= a;
        a * b + t[0] * t[1]
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        g([x[0], x[1]])
    }
}
use of_param_value::f as param_value;
mod of_param_self {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    impl P {
        fn go(mut self) -> f64 {
            let P { a, b } = self;
            self.a = b;
            self.b *= a;
            a * b + self.a * self.b
        }
        fn ga(&mut self) -> f64 {
            let P { a, b } = *self;
            self.a = b;
            self.b *= a;
            a * b + self.a * self.b
        }
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p = P { a: x[0], b: x[1] };
        p.go() * p.ga() + p.a
    }
}
use of_param_self::f as param_self;
mod of_deref_ref {
    use super::*;
    #[differentiable]
    fn g(t: &mut [f64; 2]) -> f64 {
        let [a, b] = *t;
        t[0] = b;
        t[1] *= a;
        a * b + t[0] * t[1]
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut t = [x[0], x[1]];
        g(&mut t) + t[0]
    }
}
use of_deref_ref::f as deref_ref;
mod of_deref_tuple {
    use super::*;
    #[differentiable]
    fn g(t: &mut (f64, f64)) -> f64 {
        let (a, b) = *t;
        t.0 = b;
        t.1 *= a;
        a * b + t.0 * t.1
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut t = (x[0], x[1]);
        g(&mut t) + t.0
    }
}
use of_deref_tuple::f as deref_tuple;
mod of_deref_copy {
    use super::*;
    #[differentiable]
    fn g(t: &mut [f64; 2]) -> f64 {
        let c = *t;
        t[0] = c[1];
        t[1] *= c[0];
        c[0] * c[1] + t[0] * t[1]
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut t = [x[0], x[1]];
        g(&mut t) + t[0]
    }
}
use of_deref_copy::f as deref_copy;
mod of_iter_elem_struct {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut w = [P { a: x[0], b: x[1] }; 2];
        let mut s = 0.0;
        for i in 0..2 {
            let P { a, b } = w[i];
            w[i].a = b;
            w[1 - i].b += a;
            s += a * b * w[i].a;
        }
        s + w[0].b
    }
}
use of_iter_elem_struct::f as iter_elem_struct;
mod of_for_mut_elem {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut w = [P { a: x[0], b: x[1] }, P { a: x[1], b: 0.3 }];
        let mut s = 0.0;
        for p in w.iter_mut() {
            let P { a, b } = *p;
            p.a = b * a;
            p.b += a;
            s += a * b * p.a;
        }
        s + w[0].b
    }
}
use of_for_mut_elem::f as for_mut_elem;
#[differentiable]
fn for_mut_arr(x: &[f64]) -> f64 {
    let mut w = [[x[0], x[1]], [x[1], 0.3]];
    let mut s = 0.0;
    for p in w.iter_mut() {
        let [a, b] = *p;
        p[0] = b * a;
        p[1] += a;
        s += a * b * p[0];
    }
    s + w[0][1]
}
#[differentiable]
fn for_mut_tup(x: &[f64]) -> f64 {
    let mut w = [(x[0], x[1]), (x[1], 0.3)];
    let mut s = 0.0;
    for p in w.iter_mut() {
        let (a, b) = *p;
        p.0 = b * a;
        p.1 += a;
        s += a * b * p.0;
    }
    s + w[0].1
}
#[differentiable]
fn for_mut_copy(x: &[f64]) -> f64 {
    let mut w = [[x[0], x[1]], [x[1], 0.3]];
    let mut s = 0.0;
    for p in w.iter_mut() {
        let c = *p;
        p[0] = c[1] * c[0];
        p[1] += c[0];
        s += c[0] * c[1] * p[0];
    }
    s + w[0][1]
}
#[differentiable]
fn alias_copy(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1]];
    let r = &mut w;
    let c = *r;
    let [a, b] = *r;
    r[0] = 3.0 * c[1];
    r[1] = a * b * r[0];
    c[0] * c[1] * a + r[1] + w[0]
}
mod of_struct_of_arr {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        w: [f64; 2],
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p = P { w: [x[0], x[1]] };
        let P { w } = p;
        p.w[0] = w[1] * 2.0;
        let q = p.w;
        p.w[1] *= q[0];
        w[0] * w[1] + p.w[0] * p.w[1] * q[1]
    }
}
use of_struct_of_arr::f as struct_of_arr;
#[differentiable]
fn closure_pat(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    let g = |[a, b]: [f64; 2]| a * b + a;
    let s = g(t);
    t[0] = s;
    let u = g(t);
    u * s + t[1]
}
#[differentiable]
fn closure_arg_mut(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    let mut n = 0.0;
    let mut g = |w: [f64; 2]| {
        n += w[0];
        w[0] * w[1]
    };
    let s = g(t);
    t[0] = s;
    let u = g(t);
    u * s + t[1] * n
}
#[differentiable]
fn closure_arg_shadow(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    let g = |mut w: [f64; 2]| {
        w[0] *= 2.0;
        w[0] * w[1]
    };
    let s = g(t);
    t[0] = s;
    let u = g(t);
    u * s + t[1] * t[0]
}
#[differentiable]
fn closure_tuple_mut(x: &[f64]) -> f64 {
    let mut t = (x[0], x[1]);
    let s = [1.0, 2.0].iter().fold(t, |(a, b), k| {
        t.0 += a * k;
        (b, a * k)
    });
    s.0 * s.1 + t.0
}
#[differentiable]
fn option_copy(x: &[f64]) -> f64 {
    let mut o = Some([x[0], x[1]]);
    if let Some([a, b]) = o {
        o = Some([b, a * a]);
        if let Some(c) = o {
            return a * b * c[0] + c[1];
        }
    }
    0.0
}
#[differentiable]
fn option_copy2(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let mut s = 0.0;
    while let Some(a) = o {
        o = if a < 4.0 {
            Some(a * (1.0 + x[1]))
        } else {
            None
        };
        s += a * a;
    }
    s
}
mod of_pv_let {
    use super::*;
    #[differentiable]
    fn g(mut t: [f64; 2]) -> f64 {
        let c = t;
        t[0] = c[1];
        t[1] *= c[0];
        c[0] * c[1] + t[0] * t[1]
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        g([x[0], x[1]])
    }
}
use of_pv_let::f as pv_let;
mod of_pv_struct {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    fn g(mut t: P) -> f64 {
        let c = t;
        let P { a, .. } = t;
        t.a = c.b;
        t.b *= c.a;
        c.a * c.b + t.a * t.b * a
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        g(P { a: x[0], b: x[1] })
    }
}
use of_pv_struct::f as pv_struct;
mod of_pv_tuple {
    use super::*;
    #[differentiable]
    fn g(mut t: (f64, f64)) -> f64 {
        let c = t;
        let (a, _) = t;
        t.0 = c.1;
        t.1 *= c.0;
        c.0 * c.1 + t.0 * t.1 * a
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        g((x[0], x[1]))
    }
}
use of_pv_tuple::f as pv_tuple;
mod of_pv_self {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    impl P {
        fn go(mut self) -> f64 {
            let c = self;
            self.a = c.b;
            self.b *= c.a;
            c.a * c.b + self.a * self.b
        }
        fn ga(&mut self) -> f64 {
            let c = *self;
            self.a = c.b;
            self.b *= c.a;
            c.a * c.b + self.a * self.b
        }
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p = P { a: x[0], b: x[1] };
        p.go() * p.ga() + p.a
    }
}
use of_pv_self::f as pv_self;
mod of_pv_for {
    use super::*;
    #[differentiable]
    fn g(mut t: [f64; 3]) -> f64 {
        let mut s = 0.0;
        for q in t {
            t[2] += q;
            s += q * t[2];
        }
        s + t[2]
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        g([x[0], x[1], 0.3])
    }
}
use of_pv_for::f as pv_for;
mod of_pv_for_iter {
    use super::*;
    #[differentiable]
    fn g(mut t: [f64; 3]) -> f64 {
        let s: f64 = t
            .into_iter()
            .map(|q| {
                t[2] += q;
                q * t[2]
            })
            .sum();
        s + t[2]
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        g([x[0], x[1], 0.3])
    }
}
use of_pv_for_iter::f as pv_for_iter;
mod of_pv_vec {
    use super::*;
    #[differentiable]
    fn g(mut t: Vec<f64>) -> f64 {
        let c = t.clone();
        t[0] = c[1];
        let d = t;
        d[0] * c[0] + d[1]
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        g(vec![x[0], x[1], 0.3])
    }
}
use of_pv_vec::f as pv_vec;
mod of_pv_scalar {
    use super::*;
    #[differentiable]
    fn g(mut t: f64, u: f64) -> f64 {
        let c = t;
        t *= u;
        let d = t;
        t += c;
        c * d * t
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        g(x[0], x[1])
    }
}
use of_pv_scalar::f as pv_scalar;
mod of_pat_param {
    use super::*;
    #[differentiable]
    fn g([mut a, b]: [f64; 2], (c, mut d): (f64, f64)) -> f64 {
        let e = a;
        a *= b;
        d += a;
        a * d * e + c
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        g([x[0], x[1]], (x[1], 0.4))
    }
}
use of_pat_param::f as pat_param;
mod of_field_copy {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct P {
        w: [f64; 2],
        k: f64,
    }
    #[differentiable]
    impl P {
        fn go(&mut self) -> f64 {
            let w = self.w;
            let k = self.k;
            self.w[0] = w[1] * k;
            self.k *= w[0];
            w[0] * w[1] * self.k + self.w[0]
        }
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p = P {
            w: [x[0], x[1]],
            k: x[1],
        };
        p.go() * p.go() + p.k
    }
}
use of_field_copy::f as field_copy;
mod of_field_copy2 {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct Q {
        u: f64,
        v: f64,
    }
    #[derive(Clone, Copy, Tangent)]
    struct P {
        w: Q,
        k: f64,
    }
    #[differentiable]
    impl P {
        fn go(&mut self) -> f64 {
            let w = self.w;
            let Q { u, v } = self.w;
            self.w.u = w.v * u;
            self.k *= w.u;
            w.u * w.v * self.k + self.w.u * v
        }
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p = P {
            w: Q { u: x[0], v: x[1] },
            k: x[1],
        };
        p.go() * p.go() + p.k
    }
}
use of_field_copy2::f as field_copy2;
mod of_elem_copy {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct Q {
        u: f64,
        v: f64,
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut w = vec![Q { u: x[0], v: x[1] }; 3];
        let mut s = 0.0;
        for i in 1..3 {
            let q = w[i - 1];
            w[i - 1].u *= 2.0;
            let r = w[i];
            w[i] = Q {
                u: q.u * r.v,
                v: w[i - 1].u,
            };
            s += q.u * r.u * w[i].v;
        }
        s
    }
}
use of_elem_copy::f as elem_copy;
#[differentiable]
fn elem_copy_arr(x: &[f64]) -> f64 {
    let mut w = vec![[x[0], x[1]]; 3];
    let mut s = 0.0;
    for i in 1..3 {
        let q = w[i - 1];
        w[i - 1][0] *= 2.0;
        let r = w[i];
        w[i] = [q[0] * r[1], w[i - 1][0]];
        s += q[0] * r[0] * w[i][1];
    }
    s
}
#[differentiable]
fn closure_mut_param(x: &[f64]) -> f64 {
    let t = [x[0], x[1]];
    let step = |mut w: [f64; 2], k: f64| {
        w[0] *= k;
        w[1] += w[0];
        w
    };
    let u = step(t, 2.0);
    let v = step(u, x[0]);
    t[0] * u[1] * v[1] + v[0]
}
mod of_closure_struct_param {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct Q {
        u: f64,
        v: f64,
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let t = Q { u: x[0], v: x[1] };
        let step = |mut w: Q, k: f64| {
            w.u *= k;
            w.v += w.u;
            w
        };
        let u = step(t, 2.0);
        let v = step(u, x[0]);
        t.u * u.v * v.v + v.u
    }
}
use of_closure_struct_param::f as closure_struct_param;
mod of_fold_struct {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct Q {
        u: f64,
        v: f64,
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let t = Q { u: x[0], v: x[1] };
        let r = x.iter().fold(t, |mut q, p| {
            q.u += p * q.v;
            q.v *= 0.5;
            q
        });
        r.u * r.v + t.u
    }
}
use of_fold_struct::f as fold_struct;
#[differentiable]
fn fold_arr(x: &[f64]) -> f64 {
    let mut t = [x[0], x[1]];
    let r = x.iter().fold(t, |mut q, p| {
        q[0] += p * q[1];
        q[1] *= 0.5;
        q
    });
    t[0] *= r[1];
    r[0] * r[1] + t[0]
}
#[differentiable]
fn map_opt_arr(x: &[f64]) -> f64 {
    let t = Some([x[0], x[1]]);
    let u = t.map(|mut w| {
        w[0] *= 2.0;
        w[0] * w[1]
    });
    match t {
        Some(w) => w[0] + u.unwrap(),
        None => 0.0,
    }
}
#[differentiable]
fn match_mut_opt(x: &[f64]) -> f64 {
    let t = Some([x[0], x[1]]);
    let u = match t {
        Some(mut a) => {
            a[0] *= a[1];
            a[0]
        }
        None => 0.0,
    };
    u * t.unwrap()[0]
}
#[differentiable]
fn iflet_mut(x: &[f64]) -> f64 {
    let t = Some(x[0]);
    let mut s = x[1];
    if let Some(mut a) = t {
        a *= s;
        s += a;
    }
    s * t.unwrap()
}
#[differentiable]
fn let_mut_copy(x: &[f64]) -> f64 {
    let t = [x[0], x[1]];
    let mut u = t;
    u[0] *= u[1];
    let mut v = u;
    v[1] += u[0];
    t[0] * u[0] + v[1] * t[1]
}
#[differentiable]
fn swap_lets(x: &[f64]) -> f64 {
    let (mut a, mut b) = ([x[0], x[1]], [x[1], 0.3]);
    for _ in 0..3 {
        let c = a;
        a = b;
        b = [c[0] * b[1] + 0.2, c[1] * 0.7];
    }
    a[0] * b[0] + a[1] * b[1]
}
mod of_ret_old {
    use super::*;
    #[derive(Clone, Copy, Tangent)]
    struct Q {
        u: f64,
        v: f64,
    }
    #[differentiable]
    impl Q {
        fn post(&mut self) -> Q {
            let old = *self;
            self.u += self.v;
            self.v *= old.u;
            old
        }
        fn post2(&mut self) -> f64 {
            let Q { u, v } = *self;
            *self = Q { u: v, v: u * v };
            u
        }
    }
    #[differentiable]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut q = Q { u: x[0], v: x[1] };
        let o = q.post();
        let p = q.post2();
        o.u * q.u + o.v * q.v * p
    }
}
use of_ret_old::f as ret_old;

#[differentiable]
fn replaced_in_rounds(mut c: Vec<f64>, k: f64) -> Vec<f64> {
    for _ in 0..2 {
        c = c.iter().map(|s| s * k).collect();
    }
    c
}

#[differentiable]
fn of_replaced(k: f64) -> f64 {
    let v = replaced_in_rounds(vec![0.2, k], k);
    v[0] * v[1]
}

judge! {
    let_tuple(&vec![1.2, 0.7]);
    let_struct(&vec![1.2, 0.7]);
    let_struct_rest(&vec![1.2, 0.7]);
    let_tstruct(&vec![1.2, 0.7]);
    let_nested(&vec![1.2, 0.7]);
    let_nested2(&vec![1.2, 0.7]);
    let_rows(&vec![1.2, 0.7]);
    let_row(&vec![1.2, 0.7]);
    let_field(&vec![1.2, 0.7]);
    let_field_whole(&vec![1.2, 0.7]);
    let_mut_names(&vec![1.2, 0.7]);
    in_loop(&vec![1.2, 0.7]);
    in_loop_struct(&vec![1.2, 0.7]);
    in_loop_if(&vec![1.2, 0.7]);
    by_call(&vec![1.2, 0.7]);
    by_method(&vec![1.2, 0.7]);
    by_swap(&vec![1.2, 0.7]);
    by_ref(&vec![1.2, 0.7]);
    by_itermut(&vec![1.2, 0.7]);
    param_value(&vec![1.2, 0.7]);
    param_self(&vec![1.2, 0.7]);
    deref_ref(&vec![1.2, 0.7]);
    deref_tuple(&vec![1.2, 0.7]);
    deref_copy(&vec![1.2, 0.7]);
    iter_elem_struct(&vec![1.2, 0.7]);
    for_mut_elem(&vec![1.2, 0.7]);
    for_mut_arr(&vec![1.2, 0.7]);
    for_mut_tup(&vec![1.2, 0.7]);
    for_mut_copy(&vec![1.2, 0.7]);
    alias_copy(&vec![1.2, 0.7]);
    struct_of_arr(&vec![1.2, 0.7]);
    closure_pat(&vec![1.2, 0.7]);
    closure_arg_mut(&vec![1.2, 0.7]);
    closure_arg_shadow(&vec![1.2, 0.7]);
    closure_tuple_mut(&vec![1.2, 0.7]);
    option_copy(&vec![1.2, 0.7]);
    option_copy2(&vec![1.2, 0.7]);
    pv_let(&vec![1.2, 0.7]);
    pv_struct(&vec![1.2, 0.7]);
    pv_tuple(&vec![1.2, 0.7]);
    pv_self(&vec![1.2, 0.7]);
    pv_for(&vec![1.2, 0.7]);
    pv_for_iter(&vec![1.2, 0.7]);
    pv_vec(&vec![1.2, 0.7]);
    pv_scalar(&vec![1.2, 0.7]);
    pat_param(&vec![1.2, 0.7]);
    field_copy(&vec![1.2, 0.7]);
    field_copy2(&vec![1.2, 0.7]);
    elem_copy(&vec![1.2, 0.7]);
    elem_copy_arr(&vec![1.2, 0.7]);
    closure_mut_param(&vec![1.2, 0.7]);
    closure_struct_param(&vec![1.2, 0.7]);
    fold_struct(&vec![1.2, 0.7]);
    fold_arr(&vec![1.2, 0.7]);
    map_opt_arr(&vec![1.2, 0.7]);
    match_mut_opt(&vec![1.2, 0.7]);
    iflet_mut(&vec![1.2, 0.7]);
    let_mut_copy(&vec![1.2, 0.7]);
    swap_lets(&vec![1.2, 0.7]);
    ret_old(&vec![1.2, 0.7]);
    of_replaced(0.9);
}
