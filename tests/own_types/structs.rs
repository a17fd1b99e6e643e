//! Tuples and structs, by value and by reference.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, Tangent)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
    size: usize,
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Pair(f64, f64);

const P: Point = Point { x: 0.7, y: -0.4 };
const Q: Point = Point { x: 0.2, y: 1.1 };

fn layer() -> Layer {
    Layer {
        weights: vec![0.3, -0.7],
        bias: 0.2,
        size: 2,
    }
}

#[differentiable]
fn by_value(p: Point, k: f64) -> f64 {
    p.x * p.y * k
}

#[differentiable]
fn by_reference(p: &Point, q: &Point) -> f64 {
    let (dx, dy) = (p.x - q.x, p.y - q.y);
    (dx * dx + dy * dy).sqrt()
}

#[differentiable]
fn changed(p: &mut Point, k: f64) {
    p.x *= k;
    p.y += p.x * p.x;
}

#[differentiable]
fn made(x: f64, y: f64) -> f64 {
    let p = Point { x: x * y, y };
    let q = Pair(p.x, p.y * x);
    p.x * p.y + q.0 * q.1
}

#[differentiable]
fn returned(x: f64, y: f64) -> Point {
    Point {
        x: x * y,
        y: x.sin(),
    }
}

#[differentiable]
fn pattern(p: Point) -> f64 {
    let Point { x, y } = p;
    let Point { x: a, .. } = Point { x: y, y: x };
    x * y * a
}

#[differentiable]
fn pattern_in_parameters(Point { x, y }: Point, Pair(a, b): Pair) -> f64 {
    x * a + y * b * b
}

#[differentiable]
fn inactive_fields(l: &Layer, x: &[f64]) -> f64 {
    let mut s = l.bias;
    for i in 0..l.size {
        s += l.weights[i] * x[i];
    }
    s.tanh()
}

#[differentiable]
fn trained(l: &mut Layer, x: &[f64], rate: f64) {
    for i in 0..l.size {
        l.weights[i] -= rate * x[i] * l.bias;
    }
    l.bias *= rate;
}

#[differentiable]
fn slice_of_structs(p: &[Point]) -> f64 {
    let mut s = 0.0;
    for i in 0..p.len() {
        for j in 0..i {
            let dx = p[i].x - p[j].x;
            s += dx * p[i].y * p[j].y;
        }
    }
    s
}

#[differentiable]
fn iterated_structs(p: &[Point]) -> f64 {
    p.iter().map(|p| p.x * p.y).sum::<f64>()
        + p.iter()
            .zip(p.iter().skip(1))
            .map(|(a, b)| a.x * b.y)
            .sum::<f64>()
}

#[differentiable]
fn moved_structs(p: &mut [Point], v: &[Point], dt: f64) {
    for (p, v) in p.iter_mut().zip(v) {
        p.x += v.x * dt;
        p.y += v.y * dt * p.x;
    }
}

#[differentiable]
fn local_struct(x: f64, n: usize) -> f64 {
    let mut p = Point { x, y: 0.5 };
    for _ in 0..n {
        p.x += 0.1 * p.y;
        p.y -= 0.1 * p.x.sin();
    }
    p.x * p.y
}

#[differentiable]
fn replaced_struct(x: f64, n: usize) -> f64 {
    let mut p = Point { x, y: 0.5 };
    for _ in 0..n {
        p = Point {
            x: p.x + 0.1 * p.y,
            y: p.y * p.x,
        };
    }
    p.x * p.y
}

#[differentiable]
fn copies_of_structs(p: &[Point]) -> f64 {
    let a = p[0];
    let b = p[1];
    a.x * b.y - a.y * b.x
}

#[differentiable]
fn tuples_in_loops(x: f64, n: usize) -> f64 {
    let mut s = (x, 1.0);
    for _ in 0..n {
        s = (s.0 * s.1, s.0 + 0.1);
    }
    s.0 * s.1
}

#[differentiable]
fn nested_tuples(x: f64, y: f64) -> f64 {
    let t = ((x, y * x), [x, y]);
    (t.0).0 * t.0.1 + t.1[1] * t.1[0]
}

#[differentiable]
fn tuple_by_value(t: (f64, usize)) -> f64 {
    t.0 * t.0 * t.1 as f64
}

judge! {
    by_value(P, 0.9);
    by_reference(&P, &Q);
    changed(&mut P, 0.9);
    made(0.7, -0.4);
    returned(0.7, -0.4);
    pattern(P);
    pattern_in_parameters(P, Pair(0.2, 0.9));
    inactive_fields(&layer(), &vec![0.4, 0.9]);
    trained(&mut layer(), &vec![0.4, 0.9], 0.1);
    slice_of_structs(&vec![P, Q, Point { x: -0.3, y: 0.6 }]);
    iterated_structs(&vec![P, Q, Point { x: -0.3, y: 0.6 }]);
    moved_structs(&mut vec![P, Q], &vec![Q, P], 0.1);
    local_struct(0.7, 3);
    replaced_struct(0.7, 3);
    copies_of_structs(&vec![P, Q]);
    tuples_in_loops(0.7, 3);
    nested_tuples(0.7, -0.4);
    tuple_by_value((0.7, 3));
}
