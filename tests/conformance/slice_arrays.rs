//! Fixed arrays from slices and from functions.

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn try_into(x: &[f64]) -> f64 {
    let a: [f64; 3] = x[0..3].try_into().unwrap();
    a[0] * a[1] * a[2]
}

#[differentiable]
fn from_fn(x: &[f64]) -> f64 {
    let a = std::array::from_fn::<_, 3, _>(|i| x[i] * 2.0);
    let b: [f64; 2] = std::array::from_fn(|i| x[i] * a[i]);
    a[0] * a[1] * a[2] + b[0] * b[1]
}

#[differentiable]
fn from_fn_returned(x: &[f64]) -> [f64; 3] {
    std::array::from_fn(|i| x[i] * x[i])
}

#[differentiable]
fn from(x: [f64; 3]) -> f64 {
    let v = Vec::from(x);
    let a = <[f64; 3]>::from(x);
    v[0] * a[1] * a[2]
}

#[differentiable]
fn first_chunk(x: &[f64]) -> f64 {
    let a = x.first_chunk::<3>().unwrap();
    a[0] * a[1] * a[2]
}

#[differentiable]
fn if_first_chunk(x: &[f64]) -> f64 {
    if let Some([a, b]) = x.first_chunk::<2>() {
        a * b
    } else {
        1.0
    }
}

#[differentiable]
fn slice_array(x: &[f64]) -> f64 {
    let a: &[f64; 2] = x[..2].try_into().unwrap();
    let [p, q] = *a;
    p * q
}

#[differentiable]
fn try_from(x: &[f64]) -> f64 {
    let a = <[f64; 2]>::try_from(&x[..2]).unwrap();
    let b: [f64; 2] = x[1..3].try_into().expect("three");
    a[0] * a[1] * b[1]
}

#[derive(Clone, Tangent)]
struct Held {
    a: [f64; 2],
    v: Vec<f64>,
}

#[differentiable]
fn fields(h: &Held) -> f64 {
    let (mut a, mut v) = (h.a.to_vec(), h.v.to_vec());
    a[0] *= v[1];
    v[0] *= a[1];
    a[0] * v[0]
}

judge! {
    fields (&Held { a: [0.3, 0.6], v: any(3) });
    try_into (&any(4));
    from_fn (&any(4));
    from_fn_returned (&any(4));
    from ([0.4, 0.6, 0.7]);
    first_chunk (&any(4));
    if_first_chunk (&any(4)) (&any(1));
    slice_array (&any(4));
    try_from (&any(4));
}
