//! Feature `nalgebra`: every rule in every mix of activities, through the code that users write, and programs.

mod made;
mod paths;
mod programs;
mod rotations;
mod solves;
mod vectors;

/// Asserts that a gradient agrees with central differences of order four: rounding is about 1e-11 of the value.
#[track_caller]
fn assert_agrees(x: &[f64], f: impl Fn(&[f64]) -> f64, gradient: impl Fn(&[f64]) -> Vec<f64>) {
    let found = gradient(x);
    assert_eq!(found.len(), x.len());
    for i in 0..x.len() {
        let at = |h: f64| {
            let mut moved = x.to_vec();
            moved[i] += h;
            f(&moved)
        };
        let slope = |h: f64| (at(h) - at(-h)) / (2.0 * h);
        let truth = (4.0 * slope(1e-4) - slope(2e-4)) / 3.0;
        let allowed = 1e-8 * (1.0 + truth.abs() + f(x).abs());
        assert!(
            (found[i] - truth).abs() < allowed,
            "entry {i}: {} but differences give {truth}",
            found[i]
        );
    }
}
