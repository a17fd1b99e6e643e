//! The best form of a lens: power and shape that make the smallest spot of light on a screen, by Newton's method on a gradient
//! through ray tracing, where rays that get lost leave early. The shape is asserted against that of third-order theory, and the
//! gradient against an adjoint written by hand.
//!
//! `cargo run --release --example lens`

mod model;

use coenzyme::prelude::*;
use model::{Mounting, by_hand, spot, trace};

const INDEX: f64 = 1.5;
const HEIGHTS: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];

fn main() {
    let mounting = Mounting {
        index: vec![1.0, INDEX, 1.0],
        distance: vec![0.01, 100.0],
    };

    println!("derivatives of where a ray meets the screen, generated and by hand\n");
    let curvature = [0.012, -0.009];
    for height in [0.5, 3.0, 20.0] {
        let mut d = [0.0; 2];
        let generated = autodiff!(
            Reverse,
            trace,
            Active,
            Active(height),
            Duplicated(&curvature[..], &mut d[..]),
            Const(&mounting)
        );
        let ((dheight, ..),) = generated.expect("the ray gets through");
        let mut hand = [0.0; 2];
        let by_hand =
            by_hand(height, &curvature, &mounting, &mut hand).expect("the ray gets through");
        println!(
            "height {height:>4}: {dheight:>10.6} {by_hand:>10.6}, curvatures {d:>12.5?} {hand:>12.5?}"
        );
        assert!((dheight - by_hand).abs() < 1e-12);
        assert!(
            d.iter()
                .zip(hand)
                .all(|(a, b)| (a - b).abs() < 1e-10 * b.abs())
        );
    }
    let lost = autodiff!(
        Reverse,
        trace,
        Active,
        Active(70.0),
        Duplicated(&curvature[..], &mut [0.0; 2][..]),
        Const(&mounting)
    );
    println!("height   70: {lost:?}");
    assert!(lost.is_none());

    println!(
        "\n{:>9} {:>14} {:>12} {:>16}",
        "", "power", "shape", "spot, mean y²"
    );
    let (mut power, mut shape) = (0.0195, 0.0);
    for round in 0..12 {
        let (value, d) = gradient(power, shape, &mounting);
        println!(
            "{round:>9} {power:>14.9} {shape:>12.7} {:>16.6e}",
            value / HEIGHTS.len() as f64
        );
        // columns of the Hessian, by differences of the gradient
        let (hp, hs) = (1e-7, 1e-3);
        let column = |a: [f64; 2], b: [f64; 2], h: f64| [(a[0] - b[0]) / h, (a[1] - b[1]) / h];
        let of_power = column(
            gradient(power + hp, shape, &mounting).1,
            gradient(power - hp, shape, &mounting).1,
            2.0 * hp,
        );
        let of_shape = column(
            gradient(power, shape + hs, &mounting).1,
            gradient(power, shape - hs, &mounting).1,
            2.0 * hs,
        );
        let det = of_power[0] * of_shape[1] - of_power[1] * of_shape[0];
        power -= (d[0] * of_shape[1] - d[1] * of_shape[0]) / det;
        shape -= (d[1] * of_power[0] - d[0] * of_power[1]) / det;
    }
    // Coddington's shape factor of least spherical aberration, for a thin lens and an object far away
    let theory = 2.0 * (INDEX * INDEX - 1.0) / (INDEX + 2.0);
    println!("\nshape {shape:.4}, by third-order theory {theory:.4}");
    assert!((shape - theory).abs() < 0.01);
    assert!(
        (power * (INDEX - 1.0) * 100.0 - 1.0).abs() < 0.01,
        "the screen is at the focus"
    );
}

/// The spot, and its derivatives in power and shape.
fn gradient(power: f64, shape: f64, mounting: &Mounting) -> (f64, [f64; 2]) {
    let done = autodiff!(
        ReverseWithPrimal,
        spot,
        Active,
        Active(power),
        Active(shape),
        Const(&HEIGHTS[..]),
        Const(mounting)
    );
    let ((dpower, dshape, ..), value) = done.expect("all rays get through");
    (value, [dpower, dshape])
}
