//! Copies that change: the array, the vector or the struct that they were taken from keeps its entries.

use coenzyme::{Tangent, differentiable};

use crate::judge::positive;
use crate::subject::judge;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Point {
    fn pushed(&mut self, k: f64) {
        self.x += k;
    }
}

#[differentiable]
fn numbers_of_an_array(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1], x[2]];
    a[0] *= 2.0;
    let mut s = 0.0;
    for mut v in a {
        v *= 3.0;
        s += v * v;
    }
    s * a[0] + a[1]
}

#[differentiable]
fn rows_of_an_array(x: &[f64]) -> f64 {
    let mut m = [[x[0], x[1]], [x[2], 1.0]];
    m[0][1] *= 2.0;
    let mut s = 0.0;
    for mut row in m {
        row[0] *= 3.0;
        s += row[0] * row[1];
    }
    for (i, mut row) in m.into_iter().enumerate() {
        row.swap(0, 1);
        row[1] += i as f64;
        s *= row[1] + row[0];
    }
    s * m[0][0] + m[1][0] + m[0][1]
}

#[differentiable]
fn structs_of_an_array(x: &[f64]) -> f64 {
    let mut points = [Point { x: x[0], y: x[1] }, Point { x: x[1], y: x[2] }];
    points[0].y *= 2.0;
    let mut s = 0.0;
    for mut p in points {
        p.pushed(x[0]);
        p.y *= p.x;
        s += p.x * p.y;
    }
    s * points[0].x + points[1].x * points[1].y
}

#[differentiable]
fn pairs_of_an_array(x: &[f64]) -> f64 {
    let mut t = [(x[0], [x[1], 1.0]), (x[1], [x[2], 2.0])];
    t[0].0 += 1.0;
    let mut s = 0.0;
    for (mut a, mut b) in t {
        a *= 2.0;
        b[0] += a;
        s += a * b[0];
    }
    let u: f64 = t
        .into_iter()
        .map(|(mut a, b)| {
            a *= b[0];
            a
        })
        .sum();
    s * u * t[0].0 + t[1].1[0]
}

#[differentiable]
fn entries_of_a_copied_vector(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v[0] *= 2.0;
    let mut s = 0.0;
    for mut t in v.clone() {
        t *= 2.0;
        s += t * t;
    }
    s * v[0] + v[1]
}

#[differentiable]
fn rows_that_grow(x: &[f64]) -> f64 {
    let v = vec![vec![x[0], x[1]], vec![x[2]]];
    let mut s = 0.0;
    for mut row in v.clone() {
        row.push(x[0]);
        row[0] *= 2.0;
        s += row.iter().product::<f64>() * row.len() as f64;
    }
    for mut row in v {
        let last = row.pop().unwrap();
        row.extend_from_slice(&[1.0, x[1]]);
        s += row.iter().sum::<f64>() * last;
    }
    s
}

#[differentiable]
fn what_an_iterator_gives(x: &[f64], m: &mut [[f64; 2]]) -> f64 {
    let mut rows = m.iter().copied();
    let mut first = rows.next().unwrap();
    let second = rows.next().unwrap();
    first[1] += 2.0 * second[0];
    let mut it = x.iter().map(|v| v * v);
    let a: f64 = it.next().unwrap();
    let (b, c) = (it.next().unwrap(), it.next().unwrap());
    first[1] * m[0][1] * a + b * c
}

judge! {
    numbers_of_an_array(&positive(3));
    rows_of_an_array(&positive(3));
    structs_of_an_array(&positive(3));
    pairs_of_an_array(&positive(3));
    entries_of_a_copied_vector(&positive(3));
    rows_that_grow(&positive(3));
    what_an_iterator_gives(&positive(3), &mut vec![[0.2, 0.4], [-0.7, 1.2]]);
}
