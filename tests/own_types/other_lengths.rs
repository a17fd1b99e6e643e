//! Structs with a vector in them that are assigned as a whole: the vector has another length before.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Trace {
    mean: f64,
    all: Vec<f64>,
}

#[differentiable]
fn shrinks(x: f64, n: usize) -> f64 {
    let mut last = Trace {
        mean: x,
        all: vec![x, x * x],
    };
    for _ in 0..n {
        last = Trace {
            mean: last.mean * x,
            all: vec![last.mean],
        };
    }
    last.all.iter().sum::<f64>() * last.mean
}

#[differentiable]
fn begins_with_a_copy(s: Trace, x: f64, n: usize) -> f64 {
    let mut last = s.clone();
    for _ in 0..n {
        last = Trace {
            mean: last.mean * x,
            all: vec![last.mean],
        };
    }
    last.all.iter().sum::<f64>() * last.mean + s.mean
}

#[differentiable]
fn one_of_two(s: Trace, n: usize) -> Trace {
    let mut last = s.clone();
    for _ in 0..n {
        last = Trace {
            mean: last.mean * 1.5,
            all: vec![last.mean],
        };
    }
    if last.mean > 0.4 { last } else { s }
}

#[differentiable]
fn returned_early(s: Trace, t: Trace, n: usize) -> Trace {
    let mut last = s.clone();
    for k in 0..n {
        if k == 1 {
            return t;
        }
        last = Trace {
            mean: last.mean * t.mean,
            all: vec![last.mean, last.all[0] * t.all[1], 1.0],
        };
    }
    if last.mean > s.mean { last } else { s }
}

fn trace(mean: f64, all: &[f64]) -> Trace {
    Trace {
        mean,
        all: all.to_vec(),
    }
}

judge! {
    shrinks(0.9, 0) (0.9, 2);
    begins_with_a_copy(trace(0.3, &[0.3, 0.4]), 1.1, 0) (trace(0.3, &[0.3, 0.4]), 1.1, 2);
    one_of_two(trace(0.3, &[0.3, 0.4]), 0) (trace(0.3, &[0.3, 0.4]), 1) (trace(0.3, &[0.5]), 3);
    returned_early(trace(0.3, &[0.3, 0.4]), trace(1.3, &[0.3, 0.4]), 0)
        (trace(0.3, &[0.3, 0.4]), trace(1.3, &[0.3, 0.4]), 1)
        (trace(0.3, &[0.3, 0.4]), trace(1.3, &[0.3, 0.4]), 2);
}
