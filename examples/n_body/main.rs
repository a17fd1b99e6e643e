//! Three bodies on an eight: forces are minus the gradient of the energy, and nobody has written them down. They are asserted
//! against Newton's law; energy and momentum against their conservation, and the motion against its period.
//!
//! The picture goes to `target/n_body.svg`.
//!
//! `cargo run --release --example n_body`

mod model;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use coenzyme::prelude::*;
use model::{System, potential};

/// The time after which the bodies are where they were.
const PERIOD: f64 = 6.32591398;
const STEPS: usize = 20_000;

fn main() -> std::io::Result<()> {
    let start = System::figure_eight();
    let (gradient, dmass) = gradient!(potential, &start.x, &start.mass);
    let mut hand = [[0.0; 3]; 3];
    model::by_hand(&start.x, &start.mass, &mut hand);
    for (i, (a, b)) in gradient.iter().zip(&hand).enumerate() {
        println!("force on body {i}: [{:>8.5}, {:>8.5}]", -a[0], -a[1]);
        assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-14));
    }
    // Euler: the energy is of degree −1 in the positions and of degree 2 in the masses
    let energy = potential(&start.x, &start.mass);
    let along = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    assert!((along(start.x.as_flattened(), gradient.as_flattened()) + energy).abs() < 1e-14);
    assert!((along(&start.mass, &dmass) - 2.0 * energy).abs() < 1e-14);

    let mut system = start.clone();
    let mut drift = 0.0_f64;
    let mut way = String::new();
    for step in 0..STEPS {
        system.step(PERIOD / STEPS as f64);
        drift = drift.max((system.energy() / start.energy() - 1.0).abs());
        if step % 100 == 0 {
            let _ = write!(
                way,
                "{:.1},{:.1} ",
                300.0 + 240.0 * system.x[0][0],
                120.0 - 240.0 * system.x[0][1]
            );
        }
    }
    let moved = system.x.as_flattened().iter().zip(start.x.as_flattened());
    let moved = moved.fold(0.0_f64, |far, (a, b)| far.max((a - b).abs()));
    let momentum = system
        .momentum()
        .into_iter()
        .fold(0.0_f64, |m, p| m.max(p.abs()));
    println!("\nafter one period of {STEPS} steps");
    println!("  farthest from where it was   {moved:.1e}");
    println!("  greatest error of the energy {drift:.1e}");
    println!("  momentum                     {momentum:.1e}");
    // the method's error is of second order in a step of 3e-4
    assert!(moved < 1e-5 && drift < 1e-7 && momentum < 1e-12);

    let path = target().join("n_body.svg");
    let bodies = start.x.iter().map(|x| {
        format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"7\" fill=\"#d95f02\"/>\n",
            300.0 + 240.0 * x[0],
            120.0 - 240.0 * x[1]
        )
    });
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 600 240\"><rect width=\"600\" height=\"240\" fill=\"white\"/>\n\
         <polygon points=\"{way}\" fill=\"none\" stroke=\"#1b6ca8\" stroke-width=\"2\"/>\n{}</svg>\n",
        bodies.collect::<String>()
    );
    std::fs::write(&path, svg)?;
    println!("picture: {}", path.display());
    Ok(())
}

/// The directory that this program was built in: `target`, two above `release/examples`.
fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().nth(3);
    target.unwrap_or(Path::new(".")).to_owned()
}
