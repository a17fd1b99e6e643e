//! A deep-equilibrium model: a network of infinitely many equal layers, `z = tanh(Wz + ux + b)`, is trained to be a curve through noisy data. Neither its
//! value nor its gradient knows how many layers it took.
//!
//! Bai, Kolter & Koltun 2019, *Deep equilibrium models*, NeurIPS, arXiv:1909.01377.
//!
//! Writes `equilibrium.png` to the folder that is given, or to `target/pictures`: the data, the model before it was trained, and after.

use coenzyme::prelude::*;
use coenzyme_loops::random::{normal, uniform};
use coenzyme_loops::{Error, FixedPoint, Solver, fixed_point};
use indicatif::ProgressIterator;

#[path = "pictures/mod.rs"]
mod pictures;
use pictures::{Curve, Frame};

const UNITS: usize = 8;
/// `W`, `u`, `b`, and the weights of the units in the result.
const PARAMETERS: usize = UNITS * UNITS + 3 * UNITS;
const ROUNDS: i32 = 300;

/// One layer, of the parameters and the input `x` behind them. The rows of `W` add up to 0.9 at most, so that it contracts.
#[differentiable]
fn layer(z: &mut [f64], p: &[f64], _t: usize) {
    let n = z.len();
    let mut next = vec![0.0; n];
    for i in 0..n {
        let mut sum = p[n * n + i] * p[n * n + 3 * n] + p[n * n + n + i];
        for j in 0..n {
            sum += 0.9 / n as f64 * p[n * i + j].tanh() * z[j];
        }
        next[i] = sum.tanh();
    }
    z.copy_from_slice(&next);
}

#[differentiable]
fn model(p: &[f64], x: f64) -> Result<f64, Error> {
    let mut with_input = vec![x; PARAMETERS + 1];
    with_input[..PARAMETERS].copy_from_slice(p);
    let mut z = [0.0; UNITS];
    let how = FixedPoint::new(1e-12, 500).with_solver(Solver::Direct);
    fixed_point(&mut z[..], &with_input[..], Inactive(layer {}), how)?;
    let mut y = 0.0;
    for i in 0..UNITS {
        y += p[UNITS * UNITS + 2 * UNITS + i] * z[i];
    }
    Ok(y)
}

#[differentiable]
fn loss(p: &[f64], x: &[f64], y: &[f64]) -> Result<f64, Error> {
    let mut sum = 0.0;
    for k in 0..x.len() {
        let off = model(p, x[k])? - y[k];
        sum += off * off;
    }
    Ok(sum / x.len() as f64)
}

/// What is learnt: `sin 2x` with noise of 0.1.
fn data() -> (Vec<f64>, Vec<f64>) {
    let x: Vec<f64> = (0..40).map(|i| 6.0 * uniform(1, i) - 3.0).collect();
    let noisy = |(i, x): (usize, &f64)| (2.0 * x).sin() + 0.1 * normal(2, i as u64);
    let y = x.iter().enumerate().map(noisy).collect();
    (x, y)
}

fn curve(p: &[f64]) -> Result<Vec<(f64, f64)>, Error> {
    let grid = (0..=200).map(|i| 0.03 * f64::from(i) - 3.0);
    grid.map(|x| Ok((x, model(p, x)?))).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (x, y) = data();
    let mut p: Vec<f64> = (0..PARAMETERS as u64).map(|i| normal(3, i)).collect();
    let before = (loss(&p, &x, &y)?, curve(&p)?);
    // Adam: Kingma & Ba 2015, arXiv:1412.6980
    let [mut mean, mut square] = [(); 2].map(|()| vec![0.0; PARAMETERS]);
    for round in (1..ROUNDS).progress() {
        let mut dp = vec![0.0; PARAMETERS];
        let of_p = Duplicated(&p[..], &mut dp[..]);
        autodiff!(Reverse, loss, Active, of_p, Const(&x[..]), Const(&y[..]))?;
        for i in 0..PARAMETERS {
            mean[i] = 0.9 * mean[i] + 0.1 * dp[i];
            square[i] = 0.99 * square[i] + 0.01 * dp[i] * dp[i];
            let step = mean[i] / (1.0 - 0.9_f64.powi(round));
            p[i] -= 0.05 * step / ((square[i] / (1.0 - 0.99_f64.powi(round))).sqrt() + 1e-8);
        }
    }
    let after = (loss(&p, &x, &y)?, curve(&p)?);
    println!(
        "mean square error: {:.3} before, {:.4} after",
        before.0, after.0
    );
    assert!(before.0 > 0.2 && after.0 < 0.04);
    let folder = pictures::folder();
    let points = x.into_iter().zip(y).collect();
    let curves = vec![
        Curve::points(points),
        Curve::line(before.1),
        Curve::line(after.1),
    ];
    Frame::new(-3.0..3.0, -3.0..3.0, curves).save(&folder.join("equilibrium.png"))?;
    println!("the picture is in {}", folder.display());
    Ok(())
}
