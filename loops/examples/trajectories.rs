//! Three balls are thrown through air so that they land at `(5, 0)` after two seconds: gradients through a hundred of Euler's steps, found by going
//! back through the steps exactly, in the memory of two states.
//!
//! Writes `trajectories_1.png`, `_5` and `_15`, and `trajectories.gif`, to the folder that is given, or to `target/pictures`.

use coenzyme::prelude::*;
use coenzyme_loops::{Error, Reversal, reversible};
use indicatif::ProgressBar;

#[path = "pictures/mod.rs"]
mod pictures;
use pictures::{Curve, Frame, animate};

const DT: f64 = 0.02;
const STEPS: usize = 100;
const GRAVITY: f64 = 9.81;

/// Euler's step of `v′ = −μ·‖v‖·v − g·e_y`.
#[differentiable]
fn step(x: &mut [f64], friction: &f64, _t: usize) {
    let (vx, vy) = (x[2], x[3]);
    let speed = (vx * vx + vy * vy).sqrt();
    x[0] += DT * vx;
    x[1] += DT * vy;
    x[2] = vx - DT * *friction * speed * vx;
    x[3] = vy - DT * (*friction * speed * vy + GRAVITY);
}

/// Its inverse, in closed form: the speed before the step solves a quadratic equation.
#[inactive]
fn back(x: &mut [f64], friction: &f64, _t: usize) {
    let (wx, wy) = (x[2], x[3] + DT * GRAVITY);
    let c = DT * friction;
    let w = wx.hypot(wy);
    let speed = 2.0 * w / (1.0 + (1.0 - 4.0 * c * w).sqrt());
    let factor = 1.0 / (1.0 - c * speed);
    (x[2], x[3]) = (wx * factor, wy * factor);
    x[0] -= DT * x[2];
    x[1] -= DT * x[3];
}

/// The square of the distance to the target.
#[differentiable]
fn miss(start: &[f64], friction: f64) -> Result<f64, Error> {
    let mut x = start.to_vec();
    let (f, inverse) = (Inactive(step {}), Inactive(back {}));
    reversible(
        &mut x,
        &friction,
        f,
        inverse,
        STEPS,
        Reversal::checked(1e-12),
    )?;
    Ok((x[0] - 5.0) * (x[0] - 5.0) + x[1] * x[1])
}

/// The path, for the picture.
fn path(start: &[f64; 4]) -> Vec<(f64, f64)> {
    let mut x = *start;
    let mut path = vec![(x[0], x[1])];
    for t in 0..STEPS {
        step(&mut x, &0.1, t);
        path.push((x[0], x[1]));
    }
    path
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = pictures::folder();
    let mut starts = [
        [1.0, 1.0, 10.0, 5.0],
        [2.0, 2.0, 9.0, 3.0],
        [4.0, 1.0, 4.0, 6.0],
    ];
    let mut frames = Vec::new();
    let bar = ProgressBar::new(15);
    for iteration in 1..=15 {
        let curves = starts
            .iter()
            .map(|start| Curve::line(path(start)))
            .collect();
        let frame = Frame::new(-1.0..13.0, -9.0..7.0, curves).with_mark((5.0, 0.0));
        if [1, 5, 15].contains(&iteration) {
            frame.save(&folder.join(format!("trajectories_{iteration}.png")))?;
        }
        frames.push(frame);
        let mut losses = [0.0; 3];
        for (start, loss) in starts.iter_mut().zip(&mut losses) {
            let (value, (of_start, _)) = value_and_gradient(&miss {}, (&start[..], 0.1))?;
            *loss = value;
            start[2] -= 0.2 * of_start[2];
            start[3] -= 0.2 * of_start[3];
        }
        bar.println(format!("{iteration:2}  {losses:.6?}"));
        bar.inc(1);
    }
    bar.finish();
    animate(&frames, &folder.join("trajectories.gif"))?;
    for start in &starts {
        let loss = miss(start, 0.1)?;
        assert!(loss < 4e-4, "a ball misses by {loss}");
    }
    println!("pictures are in {}", folder.display());
    Ok(())
}
