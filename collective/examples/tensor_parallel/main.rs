//! A network of two layers, the first cut by columns and the second by rows, so that one sum makes the whole: each rank holds a part of the
//! weights, and its gradient is that part of the serial one. The types say where cotangents have to be summed.
//!
//! `cargo run -p coenzyme-collective --example tensor_parallel`

use coenzyme::Inactive;
use coenzyme::prelude::*;
use coenzyme_collective::shards::{Collective, Link};
use coenzyme_collective::typed::{Replicated, all_reduce, local, map, vary, varying};
use coenzyme_collective::{Along, Axis, CommError, LocalMesh, Mesh};

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

/// The loss, and the gradients in the input and in the weights, whole.
fn on(ranks: usize) -> Result<(f64, Vec<f64>, Vec<f64>, Vec<f64>), CommError> {
    let [inputs, hidden, outputs, samples] = SIZES;
    let (w1, w2) = (
        numbers(inputs * hidden, 0.7),
        numbers(hidden * outputs, 1.3),
    );
    let parts = LocalMesh::new(Mesh::new([("tp", ranks)])).run(|process| {
        let along: Along<Tp> = process.axis()?;
        let part = |w: &[f64]| {
            let each = w.len() / ranks;
            w[process.rank() * each..][..each].to_vec()
        };
        let (w1, w2) = (part(&w1), part(&w2));
        let x = Replicated::new(&along, numbers(samples * inputs, 0.9))?;
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
        let traffic = process.traffic() - begun;
        Ok::<_, CommError>((loss.into_inner(), dx.flatten(), d1, d2, traffic))
    })?;
    // one sum forwards, of the outputs, and one backwards, of the inputs' cotangents
    let bytes = [samples * outputs, samples * inputs].map(|entries| 8 * entries);
    let model = bytes.map(|bytes| Collective::AllReduce.bytes(bytes, ranks));
    let moved: usize = parts.iter().map(|part| part.4.bytes).sum();
    assert_eq!(moved, model.iter().sum::<usize>());
    let link = Link {
        bandwidth: 1e10,
        latency: 2e-6,
    };
    let seconds: f64 = bytes
        .iter()
        .map(|bytes| Collective::AllReduce.seconds(*bytes, ranks, link))
        .sum();
    println!(
        "{ranks} ranks: {moved:5} bytes, {:.1} µs on a link of 10 GB/s and 2 µs",
        1e6 * seconds
    );
    let join = |of: fn(&(f64, Vec<f64>, Vec<f64>, Vec<f64>, _)) -> &Vec<f64>| -> Vec<f64> {
        parts.iter().flat_map(|part| of(part).clone()).collect()
    };
    Ok((
        parts[0].0,
        parts[0].1.clone(),
        join(|p| &p.2),
        join(|p| &p.3),
    ))
}

fn main() -> Result<(), CommError> {
    let serial = on(1)?;
    for ranks in [2, 3, 4] {
        let found = on(ranks)?;
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13);
        assert!((found.0 - serial.0).abs() < 1e-13);
        assert!(
            close(&found.1, &serial.1) && close(&found.2, &serial.2) && close(&found.3, &serial.3)
        );
    }
    println!("loss {:.12}; the gradients are those of one rank", serial.0);
    Ok(())
}
