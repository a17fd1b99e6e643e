//! Bindings and patterns.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn shadowed(x: f64, y: f64) -> f64 {
    let x = x * y;
    let x = x + x.sin();
    x * y
}

#[differentiable]
fn tuple_pattern(x: &[f64]) -> f64 {
    let (a, b) = (x[0] * x[1], x[0] + x[1]);
    let (c, (d, e)) = (a * b, (a - b, b.sin()));
    c * d + e
}

#[differentiable]
fn tuple_of_a_binding(x: &[f64]) -> f64 {
    let p = (x[0].sin(), x[1] * x[0]);
    let (a, b) = p;
    a * b + p.0
}

#[differentiable]
fn array_pattern(x: &[f64]) -> f64 {
    let [a, b, c] = [x[0] * x[1], x[1] * x[2], x[2].exp()];
    a * b - c
}

#[differentiable]
fn array_parameter([a, b, c]: [f64; 3], k: f64) -> f64 {
    a * b * k + c * c
}

#[differentiable]
fn tuple_parameter((a, b): (f64, f64)) -> f64 {
    a.sin() * b
}

#[differentiable]
fn wildcard(x: &[f64]) -> f64 {
    let (a, _) = (x[0] * x[0], x[1]);
    let _ = a * x[1];
    let _unused = x[1].exp();
    a * 3.0
}

#[differentiable]
fn block_value(x: f64, y: f64) -> f64 {
    let z = {
        let a = x * y;
        let b = a + y;
        a * b
    };
    z + {
        let a = z.sin();
        a * x
    }
}

#[differentiable]
fn inner_scope_shadows(x: f64) -> f64 {
    let a = x * 2.0;
    {
        let a = a * a;
        let _b = a + 1.0;
    }
    a * x
}

#[differentiable]
fn declared_later(x: f64, up: bool) -> f64 {
    let y;
    if up {
        y = x * x;
    } else {
        y = x.sin();
    }
    y * x
}

#[differentiable]
fn annotated(x: &[f64]) -> f64 {
    let a: f64 = x[0];
    let b: f64 = 2.0;
    let n: usize = x.len();
    let c: f64 = a * b + n as f64;
    c * a
}

#[differentiable]
fn mutable_parameter(mut x: f64, n: usize) -> f64 {
    for _ in 0..n {
        x = x * x + 0.1;
    }
    x
}

#[differentiable]
fn reference_pattern(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for &v in x {
        s += v * v;
    }
    for (i, &v) in x.iter().enumerate() {
        s += v * i as f64;
    }
    s
}

#[differentiable]
fn alias_of_a_part(x: &[f64]) -> f64 {
    let a = &x[1..];
    let b = &a[1];
    let c = &x[0];
    a[0] * *b + *c * b
}

#[differentiable]
fn mutable_alias(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let r = &mut y[1..];
    r[0] *= 2.0;
    r[1] = r[0] * r[1];
    let s = &mut y[0];
    *s = *s * 3.0;
    y[0] * y[1] + y[2]
}

#[differentiable]
fn mutable_tuple_pattern(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    for _ in 0..3 {
        let t = a * b;
        a = t + 0.5;
        b += t.sin();
    }
    a * b
}

#[differentiable]
fn same_name_in_branches(x: f64, y: f64) -> f64 {
    let r = if x > 0.5 {
        let t = x * y;
        t * t
    } else {
        let t = x + y;
        t.exp()
    };
    let t = r * 2.0;
    t + x
}

#[differentiable]
fn constants_inside(x: f64) -> f64 {
    const K: f64 = 1.5;
    static OFFSET: f64 = 0.25;
    let pi = std::f64::consts::PI;
    K * x + OFFSET * x * x + pi * x.sin()
}

#[differentiable]
fn rest_patterns(x: f64) -> f64 {
    let (a, ..) = (x, x * x, 2.0);
    let [b, c, ..] = [x, x.sin(), x, x];
    a * b * c
}

#[differentiable]
fn declared_together(x: f64) -> f64 {
    let (a, b);
    a = x * 2.0;
    b = a * x;
    a * b
}

#[differentiable]
fn named_in_a_range(x: f64, y: f64) -> f64 {
    let a = if let t @ 0.0..=1.0 = x { t * y } else { x * x };
    let b = if y > -9.0
        && let t @ -1.0..0.0 = y
    {
        x * t
    } else {
        y
    };
    let (mut c, mut s) = (x, 0.0);
    while let t @ 0.1..=3.0 = c {
        s += t * y;
        c *= 0.5;
    }
    a * b + s
}

#[derive(Clone, Copy, Tangent)]
struct Weighted {
    a: f64,
    n: usize,
    b: [f64; 2],
}

#[differentiable]
fn numbers_beside_names(x: f64, y: f64) -> f64 {
    let w = Weighted {
        a: x,
        n: 2,
        b: [y, x],
    };
    match w {
        Weighted { a, n: 1, .. } => a,
        Weighted {
            a,
            n: 2,
            b: [u, 0.0..=1.0],
        } => a * u,
        Weighted { a, b: [_, v], .. } => a * v * y,
    }
}

judge! {
    named_in_a_range(0.83, 1.1) (1.37, -0.6);
    numbers_beside_names(0.83, 1.1) (1.37, -0.6);
    rest_patterns(0.7);
    declared_together(0.7);
    shadowed(0.7, -1.2) (0.3, 0.4);
    tuple_pattern(&any(2));
    tuple_of_a_binding(&any(2));
    array_pattern(&any(3));
    array_parameter([0.3, 1.2, -0.7], 0.8);
    tuple_parameter((0.3, 1.2));
    wildcard(&any(2));
    block_value(0.7, -0.4);
    inner_scope_shadows(0.7);
    declared_later(0.7, true) (0.7, false);
    annotated(&any(2));
    mutable_parameter(0.7, 3) (0.4, 0);
    reference_pattern(&any(3));
    alias_of_a_part(&any(3));
    mutable_alias(&any(3));
    mutable_tuple_pattern(&positive(2));
    same_name_in_branches(0.7, 0.4) (0.2, 0.4);
    constants_inside(0.7);
}
