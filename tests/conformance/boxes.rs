//! Boxes of active values.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn of_a_number(x: Box<f64>, y: f64) -> f64 {
    *x * y + x.sin()
}

#[differentiable]
fn lent(x: &Box<f64>, y: f64) -> f64 {
    if **x > 0.0 { **x * y } else { x.exp() + y }
}

#[differentiable]
fn changed(x: &mut Box<f64>, y: f64) -> f64 {
    let before = **x;
    **x += before * y;
    **x *= y;
    **x * before
}

#[differentiable]
fn local(x: f64, y: f64) -> f64 {
    let mut b = Box::new(x * 2.0);
    *b += y * *b;
    let c = Box::new(*b * x);
    *b * c.sin() + *c
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut total = Box::new(0.0);
    for v in x {
        *total += v * v;
        if *total > 2.0 {
            *total *= *v;
        }
    }
    total.sqrt()
}

#[differentiable]
fn of_an_array(x: Box<[f64; 3]>) -> f64 {
    let mut total = 0.0;
    for v in x.iter() {
        total += v * v;
    }
    total * x[1]
}

#[differentiable]
fn array_changed(x: &mut Box<[f64; 3]>, y: f64) {
    x[0] *= x[1];
    x[2] += y * x[0];
}

#[differentiable]
fn local_array(x: f64, y: f64) -> f64 {
    let mut b = Box::new([x, y]);
    b[0] *= b[1];
    let a = *b;
    b[1] = a[0] * 3.0;
    b[0] * b[1] + a[1]
}

#[derive(Clone, PartialEq, Tangent)]
struct Spring {
    k: f64,
    rest: f64,
}

#[differentiable]
fn of_a_struct(s: Box<Spring>, x: f64) -> f64 {
    s.k * (x - s.rest) * (x - s.rest)
}

#[differentiable]
fn struct_changed(s: &mut Box<Spring>, x: f64) -> f64 {
    s.k *= x;
    s.k * s.rest
}

#[differentiable]
fn local_struct(x: f64, y: f64) -> f64 {
    let mut s = Box::new(Spring { k: x, rest: y });
    s.k += s.rest * s.k;
    s.k * s.k * s.rest
}

#[differentiable]
fn slice(x: &[f64]) -> f64 {
    let v: Box<[f64]> = x.to_vec().into_boxed_slice();
    let w = x
        .iter()
        .map(|x| x * x)
        .collect::<Vec<_>>()
        .into_boxed_slice();
    v.iter().zip(w.iter()).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn slice_of_a_local(x: f64, y: f64) -> f64 {
    let v = vec![x, x * y];
    let mut b = v.into_boxed_slice();
    b[0] *= b[1];
    b[0] + b[1]
}

#[differentiable]
fn returned(x: f64) -> Box<f64> {
    Box::new(x * x)
}

#[differentiable]
fn returned_local(x: f64, y: f64) -> Box<f64> {
    let mut b = Box::new(x);
    *b *= y;
    b
}

#[differentiable]
fn returned_slice(x: &[f64]) -> Box<[f64]> {
    let v: Vec<f64> = x.iter().map(|x| x * x).collect();
    v.into_boxed_slice()
}

#[differentiable]
fn returned_array(x: f64, y: f64) -> Box<[f64; 2]> {
    Box::new([x * y, x + y])
}

#[differentiable]
fn calls(x: f64, y: f64) -> f64 {
    let b: Box<f64> = returned(x);
    let c: Box<f64> = returned_local(*b, y);
    let d = Box::new(*c + 1.0);
    of_a_number(d, y) + lent(&c, x)
}

#[differentiable]
fn square(x: &f64) -> f64 {
    x * x
}

#[differentiable]
fn lent_content(x: f64) -> f64 {
    let b = Box::new(x);
    square(&*b) + square(&b)
}

#[differentiable]
fn in_a_vector(x: f64, y: f64) -> f64 {
    let v: Vec<Box<f64>> = vec![Box::new(x), Box::new(y)];
    let mut t = 1.0;
    for b in v.iter() {
        t *= **b;
    }
    t
}

#[derive(Clone, Tangent)]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

#[differentiable]
fn chain(n: &Node) -> f64 {
    match &n.next {
        Some(next) => n.value * chain(next),
        None => n.value,
    }
}

fn node() -> Node {
    Node {
        value: 2.0,
        next: Some(Box::new(Node {
            value: 0.5,
            next: Some(Box::new(Node {
                value: -1.5,
                next: None,
            })),
        })),
    }
}

#[derive(Clone, Debug, Tangent)]
struct Deep {
    inner: Box<[f64; 2]>,
    scale: Box<f64>,
    tail: Box<[f64]>,
}
#[differentiable]
fn deep(d: &mut Deep, k: f64) -> f64 {
    d.inner[0] *= k;
    for t in d.tail.iter_mut() {
        *t *= d.inner[1];
    }
    d.inner[0] * d.tail[0]
}

#[differentiable]
fn boxed_branch(x: f64, y: f64) -> f64 {
    let b: Box<f64> = if x > y { Box::new(x * y) } else { Box::new(y) };
    let mut c: Box<f64> = b.clone();
    if *b > 0.1 {
        *c *= x;
    }
    *b + *c
}

#[differentiable]
fn boxes_of(x: &[f64]) -> f64 {
    let v: Vec<Box<f64>> = x.iter().map(|v| Box::new(v * v)).collect();
    v.iter().map(|b| **b * 2.0).sum()
}

judge! {
    deep(&mut Deep { inner: Box::new([0.3, 0.7]), scale: Box::new(0.2), tail: any(2).into_boxed_slice() }, 1.3);
    boxed_branch(0.7, 0.4) (0.2, 0.4) (0.3, 0.05);
    boxes_of(&any(3));
    of_a_number (Box::new(1.3), 0.4);
    lent (&Box::new(1.3), 0.4) (&Box::new(-0.3), 0.4);
    changed (&mut Box::new(1.3), 0.4);
    local (1.3, 0.4);
    in_a_loop (&positive(5));
    of_an_array (Box::new([1.0, 0.3, -0.7]));
    array_changed (&mut Box::new([1.0, 0.3, -0.7]), 0.6);
    local_array (0.7, 1.2);
    of_a_struct (Box::new(Spring { k: 1.2, rest: 0.4 }), 2.0);
    struct_changed (&mut Box::new(Spring { k: 1.2, rest: 0.4 }), 2.0);
    local_struct (0.7, 1.2);
    slice (&any(4));
    slice_of_a_local (0.7, 1.2);
    returned (0.7);
    returned_local (0.7, 1.2);
    returned_slice (&any(3));
    returned_array (0.7, 1.2);
    calls (0.7, 1.2);
    lent_content (0.7);
    in_a_vector (0.7, 1.2);
    chain (&node());
}
