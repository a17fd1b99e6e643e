//! The bodies.

#[path = "../../examples/n_body/model.rs"]
mod model;

use coenzyme::prelude::*;
use model::{System, potential};

use super::{assert_all_close, assert_close, difference};

#[test]
fn forces_are_newtons() {
    let x: Vec<[f64; 3]> = (0..7)
        .map(|i| [0, 1, 2].map(|k| f64::from(3 * i + k).sin() + f64::from(i)))
        .collect();
    let mass: Vec<f64> = (1..8).map(f64::from).collect();
    let (dx, dmass) = gradient!(potential, &x, &mass);
    let mut hand = vec![[0.0; 3]; 7];
    model::by_hand(&x, &mass, &mut hand);
    assert_all_close(dx.as_flattened(), hand.as_flattened(), 1e-13);
    for i in 0..7 {
        for k in 0..3 {
            let at = |h: f64| {
                let mut x = x.clone();
                x[i][k] += h;
                potential(&x, &mass)
            };
            assert_close(dx[i][k], difference(at, 1e-3), 1e-8);
        }
        let at = |h: f64| {
            let mut mass = mass.clone();
            mass[i] += h;
            potential(&x, &mass)
        };
        assert_close(dmass[i], difference(at, 1e-2), 1e-10);
    }
}

/// The leapfrog method runs backwards along the same way, and its error shrinks with the square of the step.
#[test]
fn the_motion_is_reversible_and_of_second_order() {
    let start = System::figure_eight();
    let run = |steps: usize, h: f64, system: &mut System| (0..steps).for_each(|_| system.step(h));
    let error = |steps: usize| {
        let mut system = start.clone();
        run(steps, 1.0 / steps as f64, &mut system);
        (system.energy() - start.energy()).abs()
    };
    let ratio = error(100) / error(200);
    assert!((3.8..4.2).contains(&ratio), "{ratio}");

    let mut system = start.clone();
    run(100, 0.01, &mut system);
    system.v.iter_mut().flatten().for_each(|v| *v = -*v);
    run(100, 0.01, &mut system);
    assert_all_close(system.x.as_flattened(), start.x.as_flattened(), 1e-10);
}
