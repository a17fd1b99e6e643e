//! References to arrays and vectors where a slice is wanted.

use coenzyme::differentiable;

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn rows_of_an_array(r: [[f64; 3]; 3]) -> f64 {
    let mut turn = [[0.0; 4]; 3];
    for i in 0..3 {
        turn[i][..3].copy_from_slice(&r[i]);
        turn[i][3] = r[i][0] * r[i][2];
    }
    turn[0][1] * turn[1][2] + turn[2][3] * turn[0][3]
}

#[differentiable]
fn rows_of_an_array_by_reference(r: &[[f64; 3]; 3]) -> f64 {
    let mut turn = [[0.0; 4]; 3];
    for i in 0..3 {
        turn[i][1..].copy_from_slice(&r[i]);
    }
    turn[0][1] * turn[1][2] + turn[2][3] * turn[0][3]
}

#[differentiable]
fn from_a_vector(x: &[f64]) -> f64 {
    let v: Vec<f64> = x.iter().map(|v| v * v).collect();
    let mut t = [0.0; 6];
    t[..4].copy_from_slice(&v);
    t[4] = t[0] * t[1];
    t[4] * t[3] * t[2]
}

#[differentiable]
fn half(x: &[f64]) -> Vec<f64> {
    vec![0.5 * x[0] * x[1], x[1] * x[1]]
}

#[differentiable]
fn from_what_a_call_returns(x: &[f64]) -> f64 {
    let mut t = vec![0.0; 4];
    let row = half(x);
    t[0..2].copy_from_slice(&row);
    let next = half(&t[..2]);
    t[2..].copy_from_slice(&next);
    t[0] * t[3] + t[2] * t[1]
}

#[differentiable]
fn from_a_call(x: &[f64]) -> f64 {
    let mut t = vec![0.0; 6];
    t[1..3].copy_from_slice(&half(x));
    t[4..].copy_from_slice(&[x[0], x[0] * x[1]]);
    t[3..4].copy_from_slice(&vec![x[1]]);
    t[1] * t[2] * t[4] + t[5] * t[3]
}

#[differentiable]
fn array_returned(x: f64) -> [f64; 2] {
    [x, x * x]
}

#[differentiable]
fn from_an_array_that_a_call_returns(x: f64) -> f64 {
    let mut t = vec![0.0; 4];
    let row = array_returned(x);
    t[0..2].copy_from_slice(&row);
    t[2..].copy_from_slice(&row[..]);
    t[0] * t[3] + t[2] * t[1]
}

#[differentiable]
fn from_entries_of_a_vector(rows: &[Vec<f64>]) -> f64 {
    let mut t = [0.0; 4];
    t[..2].copy_from_slice(&rows[0]);
    t[2..].copy_from_slice(&rows[1]);
    t[0] * t[3] + t[2] * t[1]
}

#[differentiable]
fn into_entries_of_a_vector(x: &[f64], rows: &mut [Vec<f64>]) {
    let v = half(x);
    rows[0].copy_from_slice(&v);
    rows[1].copy_from_slice(&x[..2]);
    rows[1][0] *= rows[0][1];
}

#[differentiable]
fn from_a_parameter_that_is_a_vector(v: &Vec<f64>, a: [f64; 2], y: &mut [f64]) {
    y[..2].copy_from_slice(v);
    y[2..].copy_from_slice(&a);
    y[0] *= y[3];
}

#[differentiable]
fn from_a_field(x: f64) -> f64 {
    let pair = ([x, x * x], 2.0);
    let mut t = [0.0; 3];
    t[1..].copy_from_slice(&pair.0);
    t[1] * t[2] * pair.1
}

#[differentiable]
fn whole_arrays(x: [f64; 3]) -> f64 {
    let mut t = [0.0; 3];
    t.copy_from_slice(&x);
    let mut u = vec![1.0; 3];
    u.copy_from_slice(&t);
    t[0] * u[1] * u[2]
}

#[differentiable]
fn cloned_from(x: &[f64]) -> f64 {
    let v = x.to_vec();
    let mut t = [0.0; 4];
    t.clone_from_slice(&v);
    let mut w = vec![0.0; 6];
    w[1..5].clone_from_slice(&t);
    w[1] * w[4] + w[2] * w[3]
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut m = vec![0.0; 6];
    for i in 0..3 {
        let row = half(&x[i..i + 2]);
        m[2 * i..2 * i + 2].copy_from_slice(&row);
    }
    m[0] * m[3] + m[5] * m[2]
}

judge! {
    rows_of_an_array([[0.4, -0.2, 0.7], [1.1, 0.3, -0.6], [0.2, 0.9, 0.5]]);
    rows_of_an_array_by_reference(&[[0.4, -0.2, 0.7], [1.1, 0.3, -0.6], [0.2, 0.9, 0.5]]);
    from_a_vector(&any(4));
    from_what_a_call_returns(&any(2));
    from_a_call(&any(2));
    from_an_array_that_a_call_returns(0.7);
    from_entries_of_a_vector(&vec![any(2), any(2)]);
    into_entries_of_a_vector(&any(2), &mut vec![any(2), any(2)]);
    from_a_parameter_that_is_a_vector(&any(2), [0.3, 0.8], &mut any(4));
    from_a_field(0.7);
    whole_arrays([0.3, 0.8, -0.4]);
    cloned_from(&any(4));
    in_a_loop(&any(4));
}
