//! Names for a part and for what is in it, `z @ [a, b]`; boxes by `as_mut` and `as_ref`.

use coenzyme::{Tangent, differentiable};

use crate::judge::positive;
use crate::subject::judge;

#[derive(Clone, Copy, Debug, Tangent)]
struct P {
    a: f64,
    z: [f64; 2],
}

#[differentiable]
fn of_a_field(x: &[f64]) -> f64 {
    let p = P {
        a: x[0],
        z: [x[1], x[2]],
    };
    let P { a, z: z @ [q, h] } = p;
    a * q + z[1] * h
}

#[differentiable]
fn changed_afterwards(x: &[f64]) -> f64 {
    let mut p = P {
        a: x[0],
        z: [x[1], x[2]],
    };
    let whole @ P {
        a,
        z: mut z @ [q, _],
    } = p;
    p.a = 2.0;
    z[0] *= a;
    z[1] *= z[0] + q;
    whole.a * q + z[1] * p.a + whole.z[0]
}

#[differentiable]
fn of_tuples(x: &[f64]) -> f64 {
    let (t @ (a, b), c @ [d, e]) = ((x[0], x[1]), [x[2], x[0]]);
    t.0 * b + c[1] * d * a + e
}

#[differentiable]
fn behind_a_reference(p: &P) -> f64 {
    let r @ P { a, z: [q, h] } = p;
    r.a * *q + *a * *h
}

#[differentiable]
fn of_a_reference(x: &[f64]) -> f64 {
    behind_a_reference(&P {
        a: x[0],
        z: [x[1], x[2]],
    })
}

#[differentiable]
fn boxes(x: f64, y: f64) -> f64 {
    let mut b = Box::new(x);
    *b.as_mut() *= y;
    *b.as_ref() + x * *b
}

judge! {
    of_a_field(&positive(3));
    changed_afterwards(&positive(3));
    of_tuples(&positive(3));
    of_a_reference(&positive(3));
    boxes(0.3, 0.7);
}
