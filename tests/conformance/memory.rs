//! Slices, arrays, vectors.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn halves(x: &[f64]) -> f64 {
    let (a, b) = x.split_at(2);
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * b[i];
    }
    s * b[b.len() - 1]
}

#[differentiable]
fn mutable_halves(y: &mut [f64], k: f64) {
    let n = y.len() / 2;
    let (a, b) = y.split_at_mut(n);
    for i in 0..n {
        a[i] = a[i] * b[i] * k;
        b[i] += a[i] * a[i];
    }
}

#[differentiable]
fn split_three_ways(y: &mut [f64]) {
    let (first, rest) = y.split_at_mut(1);
    let (second, third) = rest.split_at_mut(2);
    first[0] *= second[1];
    second[0] += first[0] * third[0];
    third[0] = second[0] * second[1];
}

#[differentiable]
fn slices_of_slices(x: &[f64]) -> f64 {
    let a = &x[1..];
    let b = &a[..2];
    let c = &b[1..=1];
    a[0] * b[1] + c[0] * x[0] * b.len() as f64
}

#[differentiable]
fn vector_of_zeros(x: &[f64]) -> f64 {
    let mut y = vec![0.0; x.len()];
    for i in 0..x.len() {
        y[i] = x[i] * x[i];
        y[0] += y[i];
    }
    y[0] * y[x.len() - 1]
}

#[differentiable]
fn vector_of_values(x: f64) -> f64 {
    let mut y = vec![x * x; 3];
    y[1] *= x;
    let z = vec![x, y[1], 2.0];
    y[0] * y[1] + z[1] * z[2] * y[2]
}

#[differentiable]
fn array_of_values(x: f64, y: f64) -> f64 {
    let a = [x * y, x, 1.5];
    let mut b = [x; 3];
    b[1] = a[0] * b[2];
    let mut c = [0.0; 2];
    c[0] = b[1] * y;
    c[1] += c[0] * a[2];
    a[0] * b[1] + c[1]
}

#[differentiable]
fn matrix(x: &[f64]) -> f64 {
    let mut m = [[0.0; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            m[i][j] = x[i] * x[j] + m[i][0];
        }
    }
    m[0][0] * m[1][1] - m[0][1] * m[1][0] * x[2]
}

#[differentiable]
fn fixed_arrays(a: [f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[differentiable]
fn copied(y: &mut [f64], x: &[f64], k: f64) {
    y.copy_from_slice(x);
    for v in y.iter_mut() {
        *v *= k;
    }
}

#[differentiable]
fn copied_parts(y: &mut [f64], x: &[f64]) {
    y[0] *= 3.0;
    y[1..3].copy_from_slice(&x[..2]);
    y[2] *= y[0];
    y[0] += y[1];
}

#[differentiable]
fn filled(y: &mut [f64], x: f64) {
    y[0] *= x;
    let t = y[0] * x;
    y[1..].fill(t);
    y[2] *= x;
}

#[differentiable]
fn filled_with_zero(y: &mut [f64], x: &[f64]) -> f64 {
    let before = y[0] * y[1];
    y.fill(0.0);
    for i in 0..x.len() {
        y[i] += x[i] * x[i];
    }
    before * y[0]
}

#[differentiable]
fn copy_of_a_slice(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let z = x[1..].to_vec();
    let mut w = y.clone();
    y[0] *= z[0];
    w[1] = y[0] * w[1];
    y[0] * w[1] + z[1] * w[0]
}

#[differentiable]
fn returned_vector(x: &[f64], k: f64) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for i in 0..x.len() {
        y[i] = x[i] * k;
    }
    y[0] += k;
    y
}

#[differentiable]
fn returned_tuple(x: f64, y: f64) -> (f64, [f64; 2]) {
    let a = x * y;
    (a.sin(), [a, x])
}

#[differentiable]
fn matrix_product(c: &mut [f64], a: &[f64], b: &[f64], n: usize) {
    for i in 0..n {
        for j in 0..n {
            let mut s = 0.0;
            for k in 0..n {
                s += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] += s;
        }
    }
}

#[differentiable]
fn boxed(x: &Box<[f64]>) -> f64 {
    x[0] * x[1]
}

#[differentiable]
fn vectors_by_reference(x: &Vec<f64>, y: &mut Vec<f64>) {
    for i in 0..x.len() {
        y[i] += x[i] * x[i];
    }
}

#[differentiable]
fn vector_by_value(x: Vec<f64>) -> f64 {
    let mut s = 0.0;
    for v in &x {
        s += v * v;
    }
    s * x[0]
}

#[differentiable]
fn first_and_last(x: &[f64]) -> f64 {
    x[0] * x[x.len() - 1] + if x.is_empty() { 0.0 } else { x[1] }
}

judge! {
    halves(&any(5));
    mutable_halves(&mut positive(4), 0.7);
    split_three_ways(&mut any(4));
    slices_of_slices(&any(4));
    vector_of_zeros(&any(3));
    vector_of_values(0.7);
    array_of_values(0.7, -0.4);
    matrix(&any(3));
    fixed_arrays([0.3, -0.7, 1.2], &[0.9, 0.2, -0.4]);
    copied(&mut any(3), &positive(3), 0.7);
    copied_parts(&mut any(4), &positive(3));
    filled(&mut any(4), 0.7);
    filled_with_zero(&mut any(3), &positive(3));
    copy_of_a_slice(&any(3));
    returned_vector(&any(3), 0.7);
    returned_tuple(0.7, -0.4);
    matrix_product(&mut any(4), &positive(4), &any(4), 2);
    boxed(&any(2).into_boxed_slice());
    vectors_by_reference(&any(2), &mut positive(2));
    vector_by_value(any(3));
    first_and_last(&any(3));
}
