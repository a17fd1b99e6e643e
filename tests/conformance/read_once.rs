//! An operation on a variable that lies in memory takes what the variable is then, whatever it becomes.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn put(into: &mut f64, x: f64) {
    *into = (0.5 * *into + x * x).sin();
}

#[differentiable]
fn both_of_a_turn(x: f64) -> f64 {
    let mut a = x * 0.9;
    let (s, c) = a.sin_cos();
    a = s * c;
    a * c + s
}
#[differentiable]
fn turns_in_a_loop(x: f64) -> f64 {
    let mut angle = x;
    for _ in 0..3 {
        let (s, c) = angle.sin_cos();
        angle = 0.7 * s * c + 0.2 * angle;
    }
    angle
}
#[differentiable]
fn turned_in_place(x: &[f64]) -> f64 {
    let (mut u, mut v, mut angle) = (x[0], x[1], x[1] * 0.5);
    for _ in 0..2 {
        let (s, c) = angle.sin_cos();
        (u, v) = (c * u - s * v, s * u + c * v);
        angle += 0.1 * u * v;
    }
    u * v + angle
}
#[differentiable]
fn turn_of_a_pair(x: f64) -> f64 {
    let mut a = x;
    put(&mut a, x);
    let turn = a.sin_cos();
    a *= turn.1;
    turn.0 * turn.1 * a
}
#[differentiable]
fn negative_before_a_call(x: f64) -> f64 {
    let mut a = x;
    put(&mut a, 0.3);
    let q = -a;
    put(&mut a, q);
    a * q * q
}
#[differentiable]
fn negative_before_a_change(x: f64) -> f64 {
    let mut a = x;
    put(&mut a, x);
    let q = -a;
    a = q * 0.5 + x;
    (q * a).sin() * q
}
#[differentiable]
fn negative_in_a_loop(x: &[f64]) -> f64 {
    let mut a = x[0];
    let mut sum = 0.0;
    for v in x {
        let q = -a;
        put(&mut a, *v);
        sum += q * q * a;
    }
    sum
}
#[differentiable]
fn negative_of_an_entry(x: &[f64]) -> f64 {
    let mut w = [x[0], x[1]];
    let q = -w[0];
    w[0] = q * w[1];
    w[1] = -w[1] * q;
    q * w[0] * w[1]
}
#[differentiable]
fn cast_before_a_change(x: f64) -> f64 {
    let mut a = x;
    put(&mut a, x);
    let q = a as f64;
    put(&mut a, q);
    q * q * a
}
#[differentiable]
fn midpoint_before_a_change(x: f64, y: f64) -> f64 {
    let mut a = x;
    put(&mut a, y);
    let q = f64::midpoint(a, y);
    a = q * q * x;
    q * q * a
}
#[differentiable]
fn turn_through_a_reference(x: f64) -> f64 {
    let mut a = x;
    let r = &mut a;
    let (s, c) = r.sin_cos();
    *r = s * c + *r;
    s * c * a
}
#[differentiable]
fn turn_of_an_argument(a: &mut f64, x: f64) -> f64 {
    let (s, c) = a.sin_cos();
    *a = s * x;
    s * c + -*a
}

judge! {
    both_of_a_turn(0.83);
    turns_in_a_loop(0.83);
    turned_in_place(&vec![0.8, 1.1]);
    turn_of_a_pair(0.83);
    negative_before_a_call(0.83);
    negative_before_a_change(0.83);
    negative_in_a_loop(&vec![0.8, 1.1, 0.4]);
    negative_of_an_entry(&vec![0.8, 1.1]);
    cast_before_a_change(0.83);
    midpoint_before_a_change(0.83, 1.1);
    turn_through_a_reference(0.83);
    turn_of_an_argument(&mut 0.83, 1.1);
}
