//! Generic functions that take, return and lend arrays, under names of one's own: as crates of vectors and matrices are written.

use std::ops::{Add, Mul, Sub};

use coenzyme::differentiable;
use num_traits::Float;

use crate::subject::judge;

type Vector3<T> = [T; 3];
type Matrix2x3<T> = [[T; 3]; 2];
type Matrix3x2<T> = [[T; 2]; 3];

#[differentiable]
fn dot<T>(a: Vector3<T>, b: Vector3<T>) -> T
where
    T: Copy + Add<T, Output = T> + Mul<T, Output = T>,
{
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[differentiable]
fn cross<T: Float>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[differentiable]
fn scaled<T: Copy + Mul<T, Output = T>>(a: Vector3<T>, s: T) -> Vector3<T> {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[differentiable]
fn column<T: Copy>(m: Matrix2x3<T>, i: usize) -> [T; 2] {
    [m[0][i], m[1][i]]
}

#[differentiable]
fn transposed<T: Copy>(m: Matrix2x3<T>) -> Matrix3x2<T> {
    [column(m, 0), column(m, 1), column(m, 2)]
}

#[differentiable]
fn times<T>(m: Matrix2x3<T>, v: Vector3<T>) -> [T; 2]
where
    T: Copy + Add<T, Output = T> + Mul<T, Output = T>,
{
    [dot(m[0], v), dot(m[1], v)]
}

#[differentiable]
fn take_away<T>(from: &mut Vector3<T>, what: &Vector3<T>, times: T)
where
    T: Copy + Sub<T, Output = T> + Mul<T, Output = T>,
{
    for i in 0..3 {
        from[i] = from[i] - what[i] * times;
    }
}

/// By name and by type, by value and lent, from one generic function to another.
#[differentiable]
fn rejected<T: Float>(a: Vector3<T>, b: [T; 3]) -> Vector3<T> {
    let mut rest = cross(a, scaled(b, a[1]));
    let share = dot(a, b) / dot(b, b);
    take_away(&mut rest, &b, share);
    rest
}

#[differentiable]
fn triple(a: [f64; 3], b: [f64; 3], k: f64) -> f64 {
    dot(scaled(a, k), cross(a, rejected(b, a))) + cross(a, b)[1]
}

#[differentiable]
fn matrices(m: [[f64; 3]; 2], v: [f64; 3]) -> f64 {
    let t = transposed(m);
    let y = times(m, v);
    t[2][0] * y[0] * y[1] + t[1][1] * column(m, 0)[1]
}

#[differentiable]
fn lent(a: [f64; 3], x: &[f64; 3], y: &mut [f64; 3]) -> f64 {
    take_away(y, x, a[0]);
    let mut rest = a;
    take_away(&mut rest, y, x[2]);
    dot(rest, *y)
}

judge! {
    triple([0.3, -0.8, 0.5], [0.9, 0.4, -1.1], 0.7);
    matrices([[0.3, -0.8, 0.5], [0.2, 0.6, -0.4]], [0.9, 0.4, -1.1]);
    lent([0.3, -0.8, 0.5], &[0.9, 0.4, -1.1], &mut [0.2, 0.6, -0.4]);
}
