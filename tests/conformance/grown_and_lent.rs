//! Parts of vectors that have grown are lent to calls: after the last push in place, before it as copies.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
}

#[differentiable]
fn layer(p: &[f64]) -> Layer {
    Layer {
        weights: p.iter().map(|v| v * v).collect(),
        bias: p[0] * p[p.len() - 1],
    }
}
#[differentiable]
fn through(l: &Layer, x: f64) -> f64 {
    let mut sum = l.bias;
    for w in &l.weights {
        sum += (w * x).sin();
    }
    sum * l.bias
}
#[differentiable]
fn between(a: &Layer, b: &Layer, x: f64) -> f64 {
    a.weights[0] * b.bias * x + (a.bias - b.weights[1]) * x * x
}
/// Reads one and changes the other.
#[differentiable]
fn mixed(into: &mut Layer, from: &Layer) -> f64 {
    into.bias *= from.weights[0];
    into.weights[1] += from.bias * into.bias;
    into.weights[1] * from.bias
}
#[differentiable]
impl Layer {
    fn energy(&self, x: f64) -> f64 {
        self.weights[1] * self.bias * x
    }
    fn scale(&mut self, x: f64) -> f64 {
        self.bias *= x;
        self.bias * self.weights[0]
    }
}

/// All are pushed before one is lent.
#[differentiable]
fn grown_first(p: &[f64], x: f64) -> f64 {
    let mut layers = Vec::new();
    for l in 0..3 {
        layers.push(layer(&p[l..l + 2]));
    }
    let mut z = x;
    for k in 0..5 {
        z = through(&layers[k % 3], z) + between(&layers[0], &layers[k % 3], z);
    }
    z
}
/// The same entry twice, and as a whole.
#[differentiable]
fn one_twice(p: &[f64], x: f64) -> f64 {
    let mut layers = vec![layer(p)];
    layers.push(layer(&p[1..]));
    let of_all = |layers: &[Layer], x: f64| between(&layers[1], &layers[0], x);
    between(&layers[1], &layers[1], x) * of_all(&layers, x) * layers[0].bias
}
/// Pushed to in the rounds that lend.
#[differentiable]
fn grows_meanwhile(p: &[f64], x: f64) -> f64 {
    let mut layers = vec![layer(&p[..2])];
    let mut z = x;
    for l in 0..3 {
        z = 0.3 * z + 0.1 * through(&layers[l], z);
        z *= 1.0 + 0.2 * between(&layers[0], &layers[l / 2], z);
        let bias = 0.5 * z * p[l];
        layers.push(Layer {
            weights: vec![p[l], bias],
            bias,
        });
    }
    z * through(&layers[3], x)
}
/// What is lent is popped, and pushed again with another length.
#[differentiable]
fn popped_afterwards(p: &[f64], x: f64) -> f64 {
    let mut layers = vec![layer(&p[..2])];
    let mut z = x;
    for l in 0..3 {
        layers.push(layer(&p[..l + 2]));
        z *= through(&layers[1], z) + through(&layers[0], x);
        layers.pop();
    }
    layers.clear();
    layers.push(layer(p));
    z * through(&layers[0], z)
}
/// An entry is written after it was lent, as a whole and in parts.
#[differentiable]
fn written_afterwards(p: &[f64], x: f64) -> f64 {
    let mut layers = Vec::new();
    for l in 0..2 {
        layers.push(layer(&p[l..l + 2]));
    }
    let mut z = through(&layers[0], x) * between(&layers[0], &layers[1], x);
    layers[0].bias *= z;
    z += through(&layers[0], x) * between(&layers[1], &layers[0], x);
    layers[1] = layer(&p[1..]);
    z += through(&layers[1], z);
    layers[1].weights[0] *= z;
    z * through(&layers[1], x)
}
/// A callee changes one entry and reads another, in rounds.
#[differentiable]
fn changed_by_a_callee(p: &[f64], x: f64) -> f64 {
    let mut layers = Vec::new();
    for l in 0..3 {
        layers.push(layer(&p[l..l + 2]));
    }
    let mut z = x;
    for l in 1..3 {
        let (before, rest) = layers.split_at_mut(l);
        z += 0.1 * mixed(&mut rest[0], &before[l - 1]) * through(&before[0], z);
        z *= 1.0 - 0.1 * mixed(&mut before[0], &rest[0]);
    }
    z * through(&layers[0], z)
}
/// A vector of each round, and one that is moved on.
#[differentiable]
fn of_each_round(p: &[f64], x: f64) -> f64 {
    let mut z = x;
    let mut last = vec![layer(p)];
    for k in 0..3 {
        let mut layers = Vec::new();
        for l in 0..k + 1 {
            layers.push(layer(&p[l..l + 2]));
        }
        z += between(&layers[k], &layers[0], z) * through(&last[0], z);
        last = layers;
    }
    z * through(&last[2], x)
}
/// The one that lends goes to the caller, who goes on with it.
#[differentiable]
fn given_away(p: &[f64], x: f64) -> Vec<f64> {
    let mut out = Vec::new();
    for v in p {
        out.push(v * v);
    }
    let scale = sum_of_squares(&out[1..]) * x;
    let mut more = out;
    more[0] *= scale;
    more.push(scale);
    more
}
#[differentiable]
fn sum_of_squares(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}
/// Memory of the caller that has grown here.
#[differentiable]
fn of_the_caller(rows: &mut Vec<Vec<f64>>, x: f64) -> f64 {
    rows.push(vec![x, x * x]);
    let z = sum_of_squares(&rows[0]) * sum_of_squares(&rows[1]);
    z * x
}
#[differentiable]
fn calls_it_twice(p: &[f64], x: f64) -> f64 {
    let mut rows = vec![p.to_vec()];
    let mut z = of_the_caller(&mut rows, x);
    rows.pop();
    rows.push(vec![z; 4]);
    rows.pop();
    rows[0][1] *= z;
    z += of_the_caller(&mut rows, z);
    z * sum_of_squares(&rows[0])
}
/// Between calls, entries change and their number does not.
#[differentiable]
fn changed_in_rounds(p: &[f64], x: f64) -> f64 {
    let mut layers = Vec::new();
    for l in 0..3 {
        layers.push(layer(&p[l..l + 2]));
    }
    let mut z = x;
    for k in 0..3 {
        for l in 0..3 {
            z = 0.5 * z + 0.1 * between(&layers[l], &layers[k], z);
            layers[k].bias += 0.1 * z;
            layers[l].weights[1] *= 0.9 - 0.1 * z;
        }
        layers[k].scale(0.9 + 0.1 * z);
        for l in layers.iter_mut() {
            l.bias *= 1.1;
        }
    }
    z + through(&layers[2], z)
}
/// Entries change in rounds, and one is pushed in the end.
#[differentiable]
fn changed_and_pushed(p: &[f64], x: f64) -> f64 {
    let mut rows = Vec::new();
    for l in 0..3 {
        rows.push(vec![p[l] * x, p[l + 1]]);
    }
    let mut z = x;
    for k in 0..3 {
        for l in 0..3 {
            z = 0.5 * z + 0.1 * sum_of_squares(&rows[l]) * sum_of_squares(&rows[k][..1]);
            rows[k][1] += 0.1 * z;
        }
        rows.push(vec![z; 2]);
        rows[k + 3][0] *= z;
    }
    z + sum_of_squares(&rows[5]) * sum_of_squares(&rows[0])
}
/// As a receiver, of methods that read and of one that writes.
#[differentiable]
fn as_receivers(p: &[f64], x: f64) -> f64 {
    let mut layers = Vec::new();
    for l in 0..3 {
        layers.push(layer(&p[l..l + 2]));
    }
    let mut z = x;
    for l in 0..3 {
        z += layers[l].energy(z) * layers[0].energy(x);
        z *= layers[l].scale(z);
        z += layers[l].energy(z);
    }
    z + layers[1].bias
}
/// Behind conditions and from a loop over references.
#[differentiable]
fn asked_and_iterated(p: &[f64], x: f64) -> f64 {
    let mut layers = Vec::new();
    for l in 0..4 {
        if p[l] > 0.0 {
            layers.push(layer(&p[l..l + 2]));
        }
    }
    let mut z = x;
    for l in &layers {
        z = match z > 0.5 {
            true => through(l, z),
            false => z + between(l, &layers[0], z),
        };
        if z > 10.0 {
            break;
        }
    }
    z
}

judge! {
    grown_first(&any(4), 0.7);
    one_twice(&any(3), 0.7);
    grows_meanwhile(&positive(4), 0.3);
    popped_afterwards(&any(4), 0.7);
    written_afterwards(&any(3), 0.7);
    changed_by_a_callee(&positive(4), 0.7);
    of_each_round(&any(4), 0.3);
    given_away(&any(3), 0.7);
    calls_it_twice(&any(2), 0.7);
    as_receivers(&any(4), 0.7);
    changed_in_rounds(&positive(4), 0.7);
    changed_and_pushed(&positive(4), 0.7);
    asked_and_iterated(&vec![0.6, -0.2, 0.9, 0.4, 0.3], 0.7);
}
