//! `K(m)` and `K′(m)` for a hundred parameters at once: by a sum over random numbers that is differentiated, in no memory, and by the rule of
//! `elliptic_k`.
//!
//! Writes `elliptic.png` to the folder that is given, or to `target/pictures`.

use std::f64::consts::FRAC_PI_2;

use coenzyme::prelude::*;
use coenzyme_loops::random::Pcg32;
use coenzyme_loops::sum_loop;
use coenzyme_rules::scalar::elliptic_k;
use indicatif::ProgressIterator;

#[path = "pictures/mod.rs"]
mod pictures;
use pictures::{Curve, Frame};

const SAMPLES: usize = 100_000;

#[differentiable]
fn integrand(u: f64, m: &f64) -> f64 {
    let s = (FRAC_PI_2 * u).sin();
    1.0 / (1.0 - *m * s * s).sqrt()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scale = FRAC_PI_2 / SAMPLES as f64;
    let [mut k, mut dk, mut exact, mut dexact] = [const { Vec::new() }; 4];
    for i in (0..100).progress() {
        let m = 0.9 * f64::from(i) / 99.0;
        let mut rng = Pcg32::default();
        rng.advance(i as u64 * SAMPLES as u64);
        let mut dm = 0.0;
        let (_, value) = autodiff!(
            ReverseWithPrimal,
            sum_loop,
            Active,
            Const(Inactive(rng.floats().take(SAMPLES))),
            Duplicated(&m, &mut dm),
            Const(Inactive(integrand {}))
        );
        k.push((m, scale * value));
        dk.push((m, scale * dm));
        exact.push((m, elliptic_k(m)));
        dexact.push((m, gradient!(elliptic_k, m).0));
    }
    // five standard errors of the samples
    for ((a, b), tolerance) in [((&k, &exact), 0.02), ((&dk, &dexact), 0.25)] {
        let worst = a
            .iter()
            .zip(b)
            .map(|(a, b)| (a.1 - b.1).abs())
            .fold(0.0, f64::max);
        println!("largest difference to the exact value: {worst:.4}");
        assert!(worst < tolerance);
    }
    let folder = pictures::folder();
    let curves = vec![
        Curve::line(exact),
        Curve::line(dexact),
        Curve::points(k),
        Curve::points(dk),
    ];
    Frame::new(0.0..0.9, 0.0..5.0, curves).save(&folder.join("elliptic.png"))?;
    println!("the picture is in {}", folder.display());
    Ok(())
}
