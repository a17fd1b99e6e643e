//! Assignment and places.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Body {
    mass: f64,
    position: [f64; 2],
    trail: Vec<f64>,
}

fn body() -> Body {
    Body {
        mass: 1.3,
        position: [0.4, -0.7],
        trail: vec![0.2, 0.9, -0.3],
    }
}

#[differentiable]
fn assigned(x: f64, y: f64) -> f64 {
    let mut a = x;
    a = a * y;
    a = a.sin() + x;
    a
}

#[differentiable]
fn compound(x: f64, y: f64) -> f64 {
    let mut a = x;
    a += y;
    a *= x;
    a -= y * y;
    a /= x + 2.0;
    a
}

#[differentiable]
fn compound_by_itself(x: f64) -> f64 {
    let mut a = x;
    a *= a;
    a += a;
    a -= a * a;
    a /= a + 3.0;
    a
}

#[differentiable]
fn entries(y: &mut [f64], x: &[f64]) {
    y[0] = x[0] * x[1];
    y[1] += x[1];
    y[2] -= y[0] * x[0];
    y[0] *= y[1];
    y[1] /= x[0];
}

#[differentiable]
fn computed_index(y: &mut [f64], x: &[f64], n: usize) {
    let k = n / 2;
    y[k] = x[n - 1] * x[k];
    y[n - k - 1] += x[0] * y[k];
    y[(k + 1) % n] *= 2.0;
}

#[differentiable]
fn indirect(y: &mut [f64], x: &[f64], at: &[usize]) {
    for i in 0..at.len() {
        y[at[i]] += x[i] * x[at[i]];
    }
}

#[differentiable]
fn behind_a_reference(y: &mut f64, x: f64) {
    *y = *y * x;
    *y += x.sin();
}

#[differentiable]
fn read_behind_a_reference(y: &f64, x: &f64) -> f64 {
    *y * x.sin() + y * y
}

#[differentiable]
fn fields(b: &Body, k: f64) -> f64 {
    b.mass * b.position[0] * k + b.position[1] * b.trail[2] + b.trail[0].sin()
}

#[differentiable]
fn assigned_fields(b: &mut Body, k: f64) {
    b.mass *= k;
    b.position[0] = b.mass * b.position[1];
    b.trail[1] += b.position[0] * k;
    b.position[1] -= b.trail[1];
}

#[differentiable]
fn nested_arrays(m: &[[f64; 2]], v: [f64; 2]) -> f64 {
    let mut s = 0.0;
    for i in 0..m.len() {
        s += m[i][0] * v[0] + m[i][1] * v[1] * m[i][0];
    }
    s
}

#[differentiable]
fn rows_of_vectors(m: &mut [Vec<f64>], x: &[f64]) {
    for i in 0..m.len() {
        for j in 0..m[i].len() {
            m[i][j] = m[i][j] * x[j] + x[i];
        }
    }
}

#[differentiable]
fn tuple_fields(p: &mut (f64, [f64; 2]), k: f64) -> f64 {
    p.0 = p.0 * k;
    p.1[1] += p.0;
    p.1[0] * p.1[1]
}

#[differentiable]
fn local_tuple_fields(x: f64, y: f64) -> f64 {
    let mut p = (x, y);
    p.0 = p.0 * p.1;
    p.1 += p.0.sin();
    p.0 * p.1
}

#[differentiable]
fn destructuring_assignment(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    (a, b) = (b * 2.0, a * b);
    (a, b) = (b, a);
    a * b + a.sin()
}

#[differentiable]
fn fibonacci(x: f64, y: f64, n: usize) -> f64 {
    let (mut a, mut b) = (x, y);
    for _ in 0..n {
        (a, b) = (b, a * b + 0.1);
    }
    a + b
}

#[differentiable]
fn swapped_scalars(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x * 2.0, y);
    std::mem::swap(&mut a, &mut b);
    a * a * b
}

#[differentiable]
fn swapped_entries(y: &mut [f64], x: f64) {
    y[0] *= x;
    y.swap(0, 2);
    y[0] *= y[1];
    y.swap(1, 2);
}

#[differentiable]
fn overwritten_by_a_constant(y: &mut [f64], x: &[f64]) -> f64 {
    y[0] = x[0] * x[1];
    let a = y[0] * y[0];
    y[0] = 1.0;
    a + y[0] * y[1]
}

judge! {
    assigned(0.7, -0.4);
    compound(0.7, -0.4);
    compound_by_itself(0.7);
    entries(&mut any(3), &positive(2));
    computed_index(&mut any(5), &positive(5), 5) (&mut any(4), &positive(4), 4);
    indirect(&mut any(3), &positive(3), &vec![2, 0, 2]);
    behind_a_reference(&mut 0.7, 1.2);
    read_behind_a_reference(&0.7, &-1.2);
    fields(&body(), 0.7);
    assigned_fields(&mut body(), 0.7);
    nested_arrays(&vec![[0.2, 0.4], [-0.7, 1.2], [0.3, 0.6]], [0.7, -0.9]);
    rows_of_vectors(&mut vec![any(2), positive(2)], &positive(2));
    tuple_fields(&mut (0.4, [0.8, -0.3]), 0.7);
    local_tuple_fields(0.4, 0.8);
    destructuring_assignment(0.4, 0.8);
    fibonacci(0.4, 0.8, 4) (0.4, 0.8, 0);
    swapped_scalars(0.4, 0.8);
    swapped_entries(&mut any(3), 0.8);
    overwritten_by_a_constant(&mut any(2), &positive(2));
}
