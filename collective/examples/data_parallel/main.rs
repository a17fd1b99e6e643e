//! Training on samples that are cut among ranks. The gradient of a layer is on its way to the other ranks while that of the layer before
//! is computed.
//!
//! `cargo run -p coenzyme-collective --example data_parallel`

use coenzyme::Thunk;
use coenzyme::prelude::*;
use coenzyme_collective::per_rank::{iall_reduce, wait};
use coenzyme_collective::{Comm, CommError, LocalMesh};

/// Samples in all, hidden units.
const SAMPLES: usize = 24;
const HIDDEN: usize = 8;

/// `tanh(w·x + b)` of each unit for each sample; `w` has a weight and a bias for each.
#[differentiable]
fn features(w: &[f64], x: &[f64]) -> Vec<f64> {
    let mut h = vec![0.0; x.len() * HIDDEN];
    for s in 0..x.len() {
        for j in 0..HIDDEN {
            h[s * HIDDEN + j] = (w[2 * j] * x[s] + w[2 * j + 1]).tanh();
        }
    }
    h
}

/// The sum of the squared errors of `h·v`, over all samples divided by their number.
#[differentiable]
fn errors(v: &[f64], h: &[f64], t: &[f64]) -> f64 {
    let mut sum = 0.0;
    for s in 0..t.len() {
        let mut y = 0.0;
        for j in 0..HIDDEN {
            y += v[j] * h[s * HIDDEN + j];
        }
        sum += (y - t[s]) * (y - t[s]);
    }
    sum / SAMPLES as f64
}

/// Gradient descent, with the samples of this rank; returns the losses and the weights.
fn train(comm: &Comm) -> Result<(Vec<f64>, Vec<f64>), CommError> {
    let own = (0..SAMPLES).filter(|s| s % comm.size() == comm.rank());
    let x: Vec<f64> = own.map(|s| s as f64 / SAMPLES as f64).collect();
    let t: Vec<f64> = x.iter().map(|x| (4.0 * x).sin()).collect();
    let mut w: Vec<f64> = (0..2 * HIDDEN).map(|i| 3.0 * (i as f64).sin()).collect();
    let mut v: Vec<f64> = (0..HIDDEN).map(|i| (1.7 * i as f64).cos()).collect();
    let mut losses = Vec::new();
    for _ in 0..400 {
        let h = features(&w, &x);
        let (mut dv, mut dh) = (vec![0.0; HIDDEN], make_zero(&h));
        let (_, loss) = autodiff!(
            ReverseWithPrimal,
            errors,
            Duplicated(&v, &mut dv),
            Duplicated(&h, &mut dh),
            Const(&t)
        );
        dv.push(loss);
        let last = iall_reduce(comm, &dv)?;
        // meanwhile: the first layer, by its transpose
        let mut dw = vec![0.0; w.len()];
        let mut args = (Duplicated(&w, &mut dw), Const(&x));
        let thunk = Thunk::<_, Duplicated<Vec<f64>>>::new(features {});
        let augmented = thunk.augmented(&mut args);
        thunk.reverse([dh], augmented.tape, &mut args);
        let first = iall_reduce(comm, &dw)?;
        let (dv, dw) = (wait(comm, &last)?, wait(comm, &first)?);
        losses.push(dv[HIDDEN]);
        v.iter_mut().zip(&dv).for_each(|(v, dv)| *v -= 0.03 * dv);
        w.iter_mut().zip(&dw).for_each(|(w, dw)| *w -= 0.03 * dw);
    }
    Ok((losses, [w, v].concat()))
}

fn main() -> Result<(), CommError> {
    let on = |ranks| LocalMesh::of(ranks).run(|process| train(process.world()));
    let serial = &on(1)?[0];
    println!(
        "loss {:.6} at first, {:.6} after 400 steps",
        serial.0[0], serial.0[399]
    );
    assert!(serial.0[399] < 0.1 * serial.0[0]);
    for ranks in [2, 3, 4] {
        let found = on(ranks)?;
        // all ranks have the same weights, to the bit, and those of one rank, up to the order of sums
        assert!(found.iter().all(|rank| *rank == found[0]));
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-11);
        assert!(close(&found[0].0, &serial.0) && close(&found[0].1, &serial.1));
        println!("the same on {ranks} ranks");
    }
    Ok(())
}
