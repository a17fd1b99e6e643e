//! Several parts of one memory in one call, which are read: apart, one in the other, empty, of parameters, locals and fields.

use coenzyme::{Const, Tangent, differentiable, gradient};

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn weighted(w: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..w.len() {
        sum += w[i] * (a[i] - b[i]) * a[i];
    }
    sum
}

#[differentiable]
fn apart(x: &[f64]) -> f64 {
    let (w, rest) = x.split_at(2);
    weighted(w, &rest[..2], &rest[2..4]) * weighted(&x[4..6], &x[..2], &x[2..4])
}
/// In the first round all three are one part, in the second two of them overlap.
#[differentiable]
fn overlapping(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        sum += weighted(&x[..2], &x[k..][..2], &x[2 * k..2 * k + 2]);
    }
    sum
}
#[differentiable]
fn empty(x: &[f64]) -> f64 {
    weighted(&x[1..1], &x[..3], &x[..0]) + weighted(&x[..2], &x[2..], &x[1..=2])
}
#[differentiable]
fn of_a_local(x: &[f64]) -> f64 {
    let mut y: Vec<f64> = x.iter().map(|v| v * v).collect();
    let before = weighted(&y[..2], &y[2..4], &y[4..6]);
    y[0] *= before;
    weighted(&y[..2], &y[2..4], &y[1..3])
}

#[derive(Clone, Debug, Tangent)]
struct Layers {
    values: Vec<f64>,
}
#[differentiable]
fn of_a_field(layers: &Layers, rows: &[[f64; 4]; 2]) -> f64 {
    let v = weighted(
        &layers.values[..2],
        &layers.values[2..4],
        &layers.values[1..3],
    );
    let mut sum = v * v;
    for k in 0..2 {
        sum += weighted(&rows[k][..2], &rows[k][2..], &rows[1 - k][1..3]);
    }
    sum
}

/// Parts of what has no derivative, under names, lent to calls that have none either.
#[differentiable]
fn of_constants(x: f64, #[constant] data: &[f64]) -> f64 {
    let (a, b) = (&data[..3], &data[3..6]);
    let (c, d) = data.split_at(2);
    let e = &data[1..4];
    let mut sum = 0.0;
    for i in 0..3 {
        sum += x * x * (weighted(a, b, e) + weighted(c, &d[i..], e));
    }
    sum
}

#[test]
fn parts_without_derivative_are_lent() {
    let data = any(6);
    let (d, ()) = gradient!(of_constants, 0.7, Const(&data[..]));
    let expected = 2.0 * of_constants(0.7, &data) / 0.7;
    assert!(
        (d - expected).abs() <= 1e-12 * expected.abs(),
        "{d}, not {expected}"
    );
}

judge! {
    apart(&any(6));
    overlapping(&any(6));
    empty(&any(4));
    of_a_local(&any(6));
    of_a_field(&Layers { values: any(4) }, &[[0.3, -0.8, 1.2, 0.5], [0.9, 0.4, -0.6, 1.1]]);
}
