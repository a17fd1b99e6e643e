//! Tables in constants and statics, looked at in parts, and elements of tables without derivative as operands.

use crate::judge::{any, positive};
use crate::subject::judge;
use coenzyme::differentiable;

const C: [f64; 3] = [1.0, 2.0, 3.0];
const D: &[f64] = &[1.0, 2.0, 3.0, 0.5];
static S: [f64; 4] = [0.1, 0.2, 0.3, 0.4];
const BANDS: [(f64, f64); 3] = [(0.0, 0.1), (0.4, 0.22), (0.9, 0.32)];

struct Model;
impl Model {
    const KNOTS: [f64; 4] = [0.0, 0.25, 0.5, 2.0];
}

#[differentiable]
fn windows(x: f64) -> f64 {
    let mut sum = 0.0;
    for w in C.windows(2) {
        sum += x * x * (w[1] - w[0]);
    }
    sum
}
#[differentiable]
fn windows_of_pairs(x: f64) -> f64 {
    let mut due = 0.0;
    for pair in BANDS.windows(2) {
        let [(lo, rate), (hi, _)] = pair else {
            unreachable!()
        };
        if x <= *lo {
            break;
        }
        due += rate * (x.min(*hi) - lo);
    }
    due
}
#[differentiable]
fn chunks(x: f64) -> f64 {
    D.chunks(2).map(|c| c[0] * x + c[1] * x * x).sum()
}
#[differentiable]
fn chunks_of_a_constant_of_a_type(x: f64) -> f64 {
    Model::KNOTS
        .windows(2)
        .map(|w| (x - w[0]) * (w[1] - x))
        .sum()
}
#[differentiable]
fn parts(x: f64) -> f64 {
    C[1..].iter().map(|c| c / x).sum::<f64>() + S[..2].iter().map(|s| s * x).sum::<f64>()
}
#[differentiable]
fn horner(x: f64) -> f64 {
    C[1..].iter().fold(C[0], |sum, c| sum * x + c)
}
#[differentiable]
fn halves(x: f64) -> f64 {
    let (a, b) = S.split_at(2);
    let (l, r) = D.split_at(1);
    a[0] * b[0] * x + l[0] * r[1] * x * x
}
#[differentiable]
fn first(x: f64) -> f64 {
    C.first().unwrap() * x * x + x * S.last().unwrap()
}
#[differentiable]
fn first_of_a_local(x: f64) -> f64 {
    let c = [1.5, 2.0];
    let d = vec![0.5, 0.25];
    (c.first().unwrap() * x).sin() - d.get(1).unwrap() * x / c.last().unwrap()
}
#[differentiable]
fn inside_a_loop(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (i, x) in x.iter().enumerate() {
        const STEPS: [f64; 3] = [0.5, 0.25, 2.0];
        let up = STEPS.windows(2).map(|w| w[1] - w[0]).sum::<f64>();
        sum += x * x * up + D[i..].iter().map(|d| d * x).sum::<f64>();
    }
    sum
}
#[differentiable]
fn in_a_closure(x: &[f64]) -> f64 {
    x.iter()
        .map(|x| S[1..].iter().map(|s| s * x.sin()).sum::<f64>() * x)
        .sum()
}
#[differentiable]
#[allow(non_snake_case)]
fn locals_in_capitals(X: &[f64], k: f64) -> f64 {
    let mut A = X.to_vec();
    A[1..].iter_mut().for_each(|a| *a *= k);
    let B = vec![0.5, k, k * k];
    let (l, r) = A.split_at_mut(1);
    r[0] += l[0] * B[1..].iter().sum::<f64>();
    A.windows(2).map(|w| w[0] * w[1]).sum::<f64>() + X[1..].iter().map(|x| x.sin()).sum::<f64>()
}

judge! {
    windows(0.7);
    windows_of_pairs(0.7) (0.2);
    chunks(0.7);
    chunks_of_a_constant_of_a_type(0.3);
    parts(0.7);
    horner(0.7);
    halves(0.7);
    first(0.7);
    first_of_a_local(0.7);
    inside_a_loop(&any(3));
    in_a_closure(&positive(3));
    locals_in_capitals(&any(4), 0.7);
}
