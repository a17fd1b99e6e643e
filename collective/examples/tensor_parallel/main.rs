//! A network of two layers, the first cut by columns and the second by rows, so that one sum makes the whole: each rank holds a part of the
//! weights, and its gradient is that part of the serial one. The types say where cotangents have to be summed.
//!
//! `cargo run -p coenzyme-collective --example tensor_parallel`

use coenzyme::Inactive;
use coenzyme::prelude::*;
use coenzyme_collective::shards::{Collective, Link};
use coenzyme_collective::typed::{Replicated, all_reduce, local, map, vary, varying};
use coenzyme_collective::{Along, Axis, CommError, LocalMesh, Mesh, Process};

/// Tensor parallelism.
struct Tp;
impl Axis for Tp {
    const NAME: &'static str = "tp";
}

/// Inputs, hidden units, outputs, samples.
const SIZES: [usize; 4] = [6, 24, 3, 5];

/// `½‖y‖²/samples`.
#[differentiable]
fn loss(y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..y.len() {
        sum += 0.5 * y[i] * y[i];
    }
    sum / 5.0
}

/// The loss of `tanh(x·W₁)·W₂`. `w1` has this rank's columns, one after the other, `w2` its rows.
#[differentiable]
fn network(
    along: &Along<Tp>,
    x: &Replicated<Vec<f64>, Tp>,
    w1: &[f64],
    w2: &[f64],
) -> Result<Replicated<f64, Tp>, CommError> {
    let (inputs, outputs, samples) = (6, 3, 5);
    let x = vary(along, x)?;
    let x = local(&x);
    let hidden = w1.len() / inputs;
    let mut part = vec![0.0; samples * outputs];
    for s in 0..samples {
        for j in 0..hidden {
            let mut sum = 0.0;
            for i in 0..inputs {
                sum += x[s * inputs + i] * w1[j * inputs + i];
            }
            let h = sum.tanh();
            for o in 0..outputs {
                part[s * outputs + o] += h * w2[j * outputs + o];
            }
        }
    }
    let y = all_reduce(along, &varying(along, &part))?;
    Ok(map(along, Inactive(loss {}), &y))
}

fn numbers(length: usize, by: f64) -> Vec<f64> {
    (0..length).map(|i| (by * i as f64).sin()).collect()
}

/// The loss, and its gradients: that in the input on each rank, those in the weights of this rank, or of all.
#[derive(Clone)]
struct Step {
    loss: f64,
    input: Vec<f64>,
    columns: Vec<f64>,
    rows: Vec<f64>,
}

/// On one rank of those that have the weights together.
fn step(process: &Process, w1: &[f64], w2: &[f64]) -> Result<Step, CommError> {
    let along: Along<Tp> = process.axis()?;
    let part = |w: &[f64]| {
        let each = w.len() / along.size();
        w[along.rank() * each..][..each].to_vec()
    };
    let (w1, w2) = (part(w1), part(w2));
    let x = Replicated::new(&along, numbers(SIZES[3] * SIZES[0], 0.9))?;
    let (mut dx, mut d1, mut d2) = (make_zero(&x), make_zero(&w1), make_zero(&w2));
    let begun = process.traffic();
    let (_, loss) = autodiff!(
        ReverseWithPrimal,
        network,
        Const(&along),
        Duplicated(&x, &mut dx),
        Duplicated(&w1, &mut d1),
        Duplicated(&w2, &mut d2)
    )?;
    // one sum forwards, of the outputs, and one backwards, of the inputs' cotangents
    assert_eq!((process.traffic() - begun).calls, 2);
    Ok(Step {
        loss: loss.into_inner(),
        input: Tangent::to_flat(&dx),
        columns: d1,
        rows: d2,
    })
}

/// On so many ranks, the weights' gradients put together.
fn on(ranks: usize) -> Result<Step, CommError> {
    let [inputs, hidden, outputs, samples] = SIZES;
    let (w1, w2) = (
        numbers(inputs * hidden, 0.7),
        numbers(hidden * outputs, 1.3),
    );
    let mesh = Mesh::new([("tp", ranks)]);
    let parts = LocalMesh::new(mesh).run(|process| step(process, &w1, &w2))?;
    let sums = [samples * outputs, samples * inputs].map(|entries| 8 * entries);
    let link = Link {
        bandwidth: 1e10,
        latency: 2e-6,
    };
    let seconds = sums.map(|bytes| Collective::AllReduce.seconds(bytes, ranks, link));
    let bytes = sums.map(|bytes| Collective::AllReduce.bytes(bytes, ranks));
    println!(
        "{ranks} ranks: {:5} bytes, {:.1} µs on a link of 10 GB/s and 2 µs",
        bytes[0] + bytes[1],
        1e6 * (seconds[0] + seconds[1])
    );
    Ok(Step {
        columns: parts.iter().flat_map(|part| part.columns.clone()).collect(),
        rows: parts.iter().flat_map(|part| part.rows.clone()).collect(),
        ..parts[0].clone()
    })
}

fn main() -> Result<(), CommError> {
    let serial = on(1)?;
    for ranks in [2, 3, 4] {
        let found = on(ranks)?;
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13);
        assert!(close(&[found.loss], &[serial.loss]) && close(&found.input, &serial.input));
        assert!(close(&found.columns, &serial.columns) && close(&found.rows, &serial.rows));
    }
    println!(
        "loss {:.12}; the gradients are those of one rank",
        serial.loss
    );
    Ok(())
}
