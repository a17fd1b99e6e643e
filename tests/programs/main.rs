//! The programs of `examples/`: their gradients against finite differences, and against adjoints written by hand.

#![allow(dead_code)]

mod black_scholes;
mod digits;
mod heat;
mod kalman;
mod lens;
mod n_body;

/// `f′(0)` by differences of fourth order at steps of `h`.
fn difference(f: impl Fn(f64) -> f64, h: f64) -> f64 {
    (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}

#[track_caller]
fn assert_close(a: f64, b: f64, relative: f64) {
    assert!(
        (a - b).abs() <= relative * a.abs().max(b.abs()).max(1e-3),
        "{a} and {b}"
    );
}

#[track_caller]
fn assert_all_close(a: &[f64], b: &[f64], relative: f64) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert_close(*a, *b, relative);
    }
}
