//! `S { x, ..Default::default() }` in lists, arrays, tuples, calls and options.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Default, Tangent)]
struct Node {
    value: f64,
    children: Vec<usize>,
}
#[derive(Clone, Debug, Default, Tangent)]
struct Forest {
    nodes: Vec<Node>,
    s: f64,
}
#[differentiable]
fn two(x: f64) -> f64 {
    let v = vec![
        Node {
            value: x,
            ..Default::default()
        },
        Node {
            value: x * x,
            ..Default::default()
        },
    ];
    v[0].value * v[1].value
}
#[differentiable]
fn inside(x: f64) -> f64 {
    let a = Forest {
        nodes: vec![Node {
            value: x,
            ..Default::default()
        }],
        ..Default::default()
    };
    a.nodes[0].value
}
#[differentiable]
fn array(x: f64) -> f64 {
    let v = [Node {
        value: x,
        ..Default::default()
    }];
    v[0].value
}
#[differentiable]
fn pair(x: f64) -> f64 {
    let v = (
        Node {
            value: x,
            ..Default::default()
        },
        1,
    );
    v.0.value
}
#[differentiable]
fn squared(n: Node) -> f64 {
    n.value * n.value
}
#[differentiable]
fn argument(x: f64) -> f64 {
    squared(Node {
        value: x,
        ..Default::default()
    })
}
#[differentiable]
fn option(x: f64) -> f64 {
    let v = Some(Node {
        value: x,
        ..Default::default()
    });
    v.map_or(0.0, |n| n.value * x)
}
#[differentiable]
fn pushed(x: f64) -> f64 {
    let mut v = Vec::new();
    v.push(Node {
        value: x,
        ..Default::default()
    });
    v[0].value * x
}

judge! {
    two(0.7);
    inside(0.7);
    array(0.7);
    pair(0.7);
    argument(0.7);
    option(0.7);
    pushed(0.7);
}
