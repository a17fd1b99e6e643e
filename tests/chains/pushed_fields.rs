//! Vectors in fields and in parts of tuples that get other lengths.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Tangent)]
struct Reserve2S {
    v: Vec<f64>,
}
#[differentiable]
fn reserved_in_a_field(x: &[f64]) -> f64 {
    let mut s = Reserve2S { v: Vec::new() };
    s.v.reserve_exact(3);
    s.v.extend(x.iter().map(|a| a * a));
    s.v[0] * s.v[2]
}
#[derive(Clone, Tangent)]
struct FieldpushS {
    v: Vec<f64>,
}
#[differentiable]
fn pushed_to_a_field(x: &[f64]) -> f64 {
    let mut s = FieldpushS { v: Vec::new() };
    s.v.extend(x.iter().map(|a| a * a));
    s.v.push(x[0]);
    s.v[0] * s.v[2]
}
#[derive(Clone, Tangent)]
struct Fp1S {
    v: Vec<f64>,
    k: f64,
}
#[differentiable]
fn field_grows_in_a_loop(x: &[f64]) -> f64 {
    let mut s = Fp1S {
        v: Vec::new(),
        k: x[0],
    };
    for a in x {
        s.v.push(a * s.k);
        s.k += a;
    }
    let l = s.v.pop().unwrap();
    l * s.v[1] * s.v.len() as f64
}
#[derive(Clone, Tangent)]
struct Fp2S {
    v: Vec<f64>,
    k: f64,
}
#[differentiable]
fn field_that_changes(x: &[f64]) -> f64 {
    let mut s = Fp2S {
        v: vec![x[0]],
        k: x[0],
    };
    s.v.push(x[1]);
    s.v[0] *= x[2];
    s.v.insert(1, x[3]);
    s.v.retain(|a| *a > 0.5);
    s.v.iter().map(|a| a * a).sum::<f64>() * s.k
}
#[derive(Clone, Default, Tangent)]
struct Fp3S {
    v: Vec<f64>,
    n: usize,
}
#[differentiable]
fn field_by_default(x: &[f64]) -> f64 {
    let mut s = Fp3S::default();
    for a in x {
        s.v.push(a * a);
        s.n += 1;
    }
    let mut t = 0.0;
    while let Some(a) = s.v.pop() {
        t = t * 0.5 + a;
    }
    t * s.n as f64
}
#[differentiable]
fn part_of_a_pair_grows(x: &[f64]) -> f64 {
    let mut t = (Vec::new(), 1.0);
    for a in x {
        t.0.push(a * t.1);
        t.1 *= a;
    }
    t.0[1] * t.0[2] * t.1
}
#[derive(Clone, Tangent)]
struct Fp5S {
    v: Vec<f64>,
    k: f64,
}
#[differentiable]
fn field_filled_again(x: &[f64]) -> f64 {
    let mut s = Fp5S { v: vec![], k: 1.0 };
    for i in 0..3 {
        s.v.clear();
        for a in x {
            s.v.push(a * s.k);
        }
        s.k = s.v.iter().sum::<f64>() / (i as f64 + 1.5);
    }
    s.k
}
#[derive(Clone, Tangent)]
struct Fp6S {
    v: Vec<f64>,
    k: f64,
}
#[differentiable]
fn field_cut_and_extended(x: &[f64]) -> f64 {
    let mut s = Fp6S {
        v: x.to_vec(),
        k: 1.0,
    };
    let n = s.v.len();
    s.v.truncate(2);
    s.v.extend_from_slice(&x[1..]);
    s.v.swap(0, 3);
    s.v.iter()
        .enumerate()
        .map(|(i, a)| a * i as f64)
        .sum::<f64>()
        * n as f64
        * s.v.len() as f64
}

judge! {
    reserved_in_a_field(&vec![0.3, 1.3, 2.0]);
    pushed_to_a_field(&vec![0.3, 1.3, 2.0, 0.7]);
    field_grows_in_a_loop(&vec![0.3, 1.3, 2.0, 0.7]);
    field_that_changes(&vec![0.3, 1.3, 2.0, 0.7]);
    field_by_default(&vec![0.3, 1.3, 2.0, 0.7]);
    part_of_a_pair_grows(&vec![0.3, 1.3, 2.0, 0.7]);
    field_filled_again(&vec![0.3, 1.3, 2.0, 0.7]);
    field_cut_and_extended(&vec![0.3, 1.3, 2.0, 0.7]);
}
