//! Partials that are vectors, diagonals and matrices, contracted in both modes.

use coenzyme::Diagonal;
use coenzyme::prelude::*;

/// `(x·k, Σ k)`: a vector and a number by a number and a slice.
#[primitive]
fn scaled_by(x: f64, k: &[f64]) -> (Vec<f64>, f64) {
    (k.iter().map(|k| x * k).collect(), k.iter().sum())
}

easy_rule! {
    fn scaled_by(x: f64, k: &[f64]) -> (y: Vec<f64>, s: f64);
    dy/dx = k;
    dy/dk = Diagonal(vec![x; k.len()]);
    ds/dx = constant;
    ds/dk = vec![1.0; k.len()];
}

/// A rotation by 90°, given by its Jacobian.
#[primitive]
fn turned(x: &[f64]) -> Vec<f64> {
    vec![-x[1], x[0]]
}

easy_rule! {
    fn turned(x: &[f64]) -> y: Vec<f64>;
    dy/dx = vec![vec![0.0, -1.0], vec![1.0, 0.0]];
}

/// The same by value, with fixed lengths and one more entry.
#[primitive]
fn lifted(x: [f64; 2], h: f64) -> [f64; 3] {
    [-x[1], x[0], h]
}

easy_rule! {
    fn lifted(x: [f64; 2], h: f64) -> y: [f64; 3];
    dy/dx = [[0.0, -1.0], [1.0, 0.0], [0.0, 0.0]];
    dy/dh = [0.0, 0.0, 1.0];
}

#[test]
fn slices_and_arrays_contract_in_both_modes() {
    let (k, dk) = ([1.0, 2.0], [10.0, 20.0]);
    assert_eq!(
        autodiff!(
            Forward,
            scaled_by,
            Duplicated(3.0, 1.0),
            Duplicated(&k, &dk)
        ),
        ((vec![31.0, 62.0], 30.0),)
    );
    let thunk = Thunk::<_, Active<(Vec<f64>, f64)>>::new(scaled_by {});
    let mut shadow = [0.5, 0.5];
    let mut args = (Active(3.0), Duplicated(&k, &mut shadow));
    let tape = thunk.augmented(&mut args).tape;
    let (dx, ()) = thunk.reverse([(vec![1.0, 10.0], 100.0)], tape, &mut args);
    assert_eq!((dx, shadow), ([21.0], [103.5, 130.5]));

    let (x, dx) = ([1.0, 2.0], [10.0, 20.0]);
    assert_eq!(
        autodiff!(Forward, turned, Duplicated(&x, &dx)),
        (vec![-20.0, 10.0],)
    );
    let thunk = Thunk::<_, Duplicated<Vec<f64>>>::new(turned {});
    let mut shadow = [1.0, 1.0];
    let mut args = (Duplicated(&x, &mut shadow),);
    let augmented = thunk.augmented(&mut args);
    assert_eq!(augmented.shadow, [vec![0.0, 0.0]]);
    thunk.reverse([vec![3.0, 5.0]], augmented.tape, &mut args);
    assert_eq!(shadow, [6.0, -2.0]);

    let thunk = Thunk::<_, Active<[f64; 3]>>::new(lifted {});
    let mut args = (Active(x), Active(7.0));
    let augmented = thunk.augmented(&mut args);
    let gradients = thunk.reverse([[3.0, 5.0, 7.0]], augmented.tape, &mut args);
    assert_eq!(gradients, ([[5.0, -3.0]], [7.0]));
}
