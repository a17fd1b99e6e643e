//! Vectors in structs that are entries of a vector, and those behind a name for their struct: what is pushed to them and popped from them.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Default, Tangent)]
struct Node {
    value: f64,
    children: Vec<usize>,
    weights: Vec<f64>,
}
#[derive(Clone, Debug, Default, Tangent)]
struct Arena {
    nodes: Vec<Node>,
    scale: f64,
}
#[differentiable]
impl Arena {
    fn insert(&mut self, value: f64, parent: usize) -> usize {
        let id = self.nodes.len();
        self.nodes.push(Node {
            value,
            ..Default::default()
        });
        if id > 0 {
            self.nodes[parent].children.push(id);
            self.nodes[parent].weights.push(value * value * self.scale);
        }
        id
    }
    fn sum(&self, id: usize) -> f64 {
        self.nodes[id].value.powi(2)
            + self.nodes[id]
                .children
                .iter()
                .zip(&self.nodes[id].weights)
                .map(|(&c, w)| w * self.sum(c))
                .sum::<f64>()
    }
    fn prune(&mut self, id: usize) -> f64 {
        self.nodes[id].children.pop();
        self.nodes[id].weights.pop().unwrap_or(0.0)
    }
}
#[differentiable]
fn arena(x: &[f64]) -> f64 {
    let mut a = Arena {
        nodes: vec![],
        scale: x[0],
    };
    let root = a.insert(x[0], 0);
    let b = a.insert(x[1], root);
    a.scale *= x[1];
    a.insert(x[2], root);
    let c = a.insert(x[1] * x[2], b);
    a.insert(x[3], c);
    let s = a.sum(root);
    let p = a.prune(root);
    s * a.sum(root) + p
}
#[differentiable]
fn local_nodes(x: &[f64]) -> f64 {
    let mut nodes: Vec<Node> = x
        .iter()
        .map(|v| Node {
            value: *v,
            children: vec![],
            weights: vec![],
        })
        .collect();
    for i in 1..nodes.len() {
        nodes[i / 2].children.push(i);
        let v = nodes[i].value;
        nodes[i / 2].weights.push(v * v);
        nodes[0].value *= 1.5;
    }
    let mut s = 0.0;
    for n in &nodes {
        for (c, w) in n.children.iter().zip(&n.weights) {
            s += nodes[*c].value * w * n.value;
        }
    }
    nodes[0].weights.clear();
    nodes[1].weights.truncate(1);
    s * nodes[1].weights.iter().sum::<f64>()
}

#[derive(Clone, Debug, Default, Tangent)]
struct Links {
    nodes: Vec<Node>,
    scale: f64,
    order: Vec<usize>,
}
#[differentiable]
fn add(n: &mut Node, x: f64) {
    n.weights.push(x * n.value);
    n.children.push(1);
}
#[differentiable]
impl Links {
    fn link(&mut self, p: usize, c: usize) {
        let node = &mut self.nodes[p];
        node.children.push(c);
        node.weights.push(self.scale * node.value);
    }
    fn all(&mut self, x: f64) {
        for n in self.nodes.iter_mut() {
            n.children.push(0);
            n.weights.push(x * n.value);
        }
        for n in &mut self.nodes {
            n.weights.pop();
            n.children.pop();
            n.weights.push(x);
            n.children.push(2);
        }
    }
    fn by_call(&mut self, i: usize, x: f64) {
        add(&mut self.nodes[i], x);
    }
    fn total(&self) -> f64 {
        let mut s = 0.0;
        for n in &self.nodes {
            for (c, w) in n.children.iter().zip(&n.weights) {
                s += self.nodes[*c].value * w * n.value;
            }
        }
        s
    }
}
#[differentiable]
fn links(x: &[f64]) -> f64 {
    let mut a = Links {
        nodes: x
            .iter()
            .map(|v| Node {
                value: *v,
                ..Default::default()
            })
            .collect(),
        scale: x[0],
        order: vec![],
    };
    a.link(0, 1);
    a.link(0, 2);
    a.scale *= x[1];
    a.link(1, 2);
    let s = a.total();
    a.all(x[1] * s);
    a.by_call(2, x[0]);
    s * a.total()
}

#[derive(Clone, Debug, Tangent)]
struct Scan {
    tracks: Vec<f64>,
    k: f64,
}
#[differentiable]
impl Scan {
    fn scan(&mut self, z: &[f64]) {
        let t = &mut self.tracks;
        for z in z {
            t.push(z * z);
        }
    }
    fn scan2(&mut self, z: &[f64]) {
        let Self { tracks, k } = self;
        for z in z {
            tracks.push(*k * z);
        }
        *k *= 2.0;
    }
}
#[differentiable]
fn scans(k: f64, x: &[f64]) -> f64 {
    let mut t = Scan { tracks: vec![], k };
    t.scan(x);
    t.scan2(x);
    t.tracks.iter().map(|v| v * v).sum::<f64>() * t.k
}

judge! {
    arena(&any(4));
    local_nodes(&any(5));
    links(&any(3));
    scans(0.7, &any(4));
}
