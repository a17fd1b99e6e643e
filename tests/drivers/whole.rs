//! `jacobian!`, `jvp!` and `vjp!` of functions of any arguments: central differences and each other judge them.

use coenzyme::ndarray::{Array1, Array2, ArrayView1, array};
use coenzyme::prelude::*;
use coenzyme::{Jacobian, jacobian, jvp, vjp};
use num_complex::Complex;

/// Compares with central differences of `f`, a function of all numbers, whose error is `h² = 1e-10`.
#[track_caller]
fn assert_differences(found: &Jacobian, x: &[f64], f: impl Fn(&[f64]) -> Vec<f64>) {
    const STEP: f64 = 1e-5;
    assert_eq!((found.rows(), found.columns()), (f(x).len(), x.len()));
    for j in 0..x.len() {
        let moved = |by: f64| {
            let mut x = x.to_vec();
            x[j] += by;
            f(&x)
        };
        for (i, (up, down)) in moved(STEP).iter().zip(moved(-STEP)).enumerate() {
            let (entry, slope) = (found[(i, j)], (up - down) / (2.0 * STEP));
            assert!(
                (entry - slope).abs() <= 1e-8 * (1.0 + slope.abs()),
                "({i}, {j}): {entry}, differences give {slope}"
            );
        }
    }
}

/// A spring and a damper, whose parameters are numbers of a struct.
#[derive(Clone, Debug, PartialEq, Tangent)]
struct Spring {
    stiffness: f64,
    damping: [f64; 2],
    name: String,
}

#[differentiable]
fn forces(spring: &Spring, x: f64, v: [f64; 2], sign: i32) -> Vec<f64> {
    let mut out = vec![0.0; 3];
    for k in 0..2 {
        out[k] = spring.stiffness * x.sin() - spring.damping[k] * v[k] * v[k];
        out[2] += out[k] * v[1 - k];
    }
    if sign < 0 {
        out[0] = -out[0];
    }
    out
}

#[test]
fn several_arguments_stand_side_by_side() {
    let spring = |p: &[f64]| Spring {
        stiffness: p[0],
        damping: [p[1], p[2]],
        name: "door".into(),
    };
    let p = [2.0, 0.3, 0.4, 0.9, 1.1, -0.6];
    let f = |p: &[f64]| forces(&spring(p), p[3], [p[4], p[5]], -1);
    // three rows, six columns: reverse
    let j = jacobian!(forces, &spring(&p), p[3], [p[4], p[5]], -1);
    assert_differences(&j, &p, f);
    // three rows, two columns: forward
    let part = jacobian!(forces, Const(&spring(&p)), Const(p[3]), [p[4], p[5]], -1);
    for i in 0..3 {
        assert_eq!(part.row(i), &j.row(i)[4..]);
    }
    // each row by `vjp!`, in the shape of the arguments
    for i in 0..3 {
        let unit: Vec<f64> = (0..3).map(|k| f64::from(i == k)).collect();
        let (ds, dx, dv, ()) = vjp!(forces, &spring(&p), p[3], [p[4], p[5]], -1, &unit);
        assert_eq!(
            [ds.stiffness, ds.damping[0], ds.damping[1], dx, dv[0], dv[1]],
            j.row(i)
        );
    }
    // a column by `jvp!`
    let (x, v) = (p[3], [p[4], p[5]]);
    let column = jvp!(
        forces,
        Duplicated(&spring(&p), &spring(&[0.0; 3])),
        Duplicated(x, 1.0),
        Duplicated(v, [0.0; 2]),
        Const(-1)
    );
    for i in 0..3 {
        assert!((column[i] - j[(i, 3)]).abs() < 1e-14);
    }
}

/// An explicit step that changes what it is given, and returns what is left of the energy.
#[differentiable]
fn step(state: &mut [f64], rate: f64) -> f64 {
    let n = state.len();
    for i in 0..n {
        state[i] += rate * state[(i + 1) % n] * state[i];
    }
    state.iter().map(|s| s * s).sum()
}

#[test]
fn memory_that_is_changed_has_rows_and_columns() {
    let before = [0.7, -0.4, 1.2, 0.3];
    let f = |p: &[f64]| {
        let mut state = p[1..].to_vec();
        let energy = step(&mut state, p[0]);
        [vec![energy], state].concat()
    };
    // the parameter comes last, and first among the numbers of `f`
    let mut state = before[1..].to_vec();
    let j = jacobian!(step, &mut state[..], before[0]);
    let after = f(&before);
    assert_eq!(state, after[1..]);
    assert_eq!((j.rows(), j.columns()), (4, 4));
    let in_order = |p: &[f64]| f(&[&p[3..], &p[..3]].concat());
    assert_differences(&j, &[&before[1..], &before[..1]].concat(), in_order);
    // more columns than rows are taken by rows
    #[differentiable]
    fn both(x: &[f64], out: &mut [f64]) {
        for i in 0..out.len() {
            out[i] = x[i] * x[i + 1] + out[i].sin();
        }
    }
    let (x, out) = ([0.3, 0.5, -0.8, 0.1], [0.2, 0.9]);
    let mut written = out;
    let j = jacobian!(both, &x, &mut written);
    assert_differences(&j, &[&x[..], &out[..]].concat(), |p| {
        let mut out = p[4..].to_vec();
        both(&p[..4], &mut out);
        out
    });
    // the cotangent of what is written is the rest of the seed
    for i in 0..2 {
        let (mut written, unit) = (out, [f64::from(i == 0), f64::from(i == 1)]);
        let (dx, dout) = vjp!(both, &x, &mut written, &unit);
        assert_eq!([&dx[..], &dout[..]].concat(), j.row(i));
        assert_eq!(written[1], x[1] * x[2] + out[1].sin());
    }
}

#[differentiable]
fn matrix_powers(a: &Array2<f64>, x: ArrayView1<f64>) -> Array1<f64> {
    let y = a.dot(&x);
    let z = a.dot(&y);
    &z * &y
}

#[test]
fn arrays_and_views() {
    let (a, x) = (
        array![[0.3, -0.2, 1.0], [0.5, 0.1, 0.7], [-0.9, 0.4, 0.2]],
        array![1.0, 0.5, -2.0],
    );
    let f = |p: &[f64]| {
        let a = Array2::from_shape_vec((3, 3), p[..9].to_vec()).unwrap();
        matrix_powers(&a, ArrayView1::from(&p[9..])).to_vec()
    };
    let p: Vec<f64> = a.iter().chain(&x).copied().collect();
    assert_differences(&jacobian!(matrix_powers, &a, x.view()), &p, f);
    let j = jacobian!(matrix_powers, Const(&a), x.view());
    let (da, dx) = vjp!(matrix_powers, &a, x.view(), &array![1.0, 0.0, 0.0]);
    assert_eq!(da.shape(), [3, 3]);
    for k in 0..3 {
        assert!((dx[k] - j[(0, k)]).abs() < 1e-14);
    }
}

#[differentiable]
fn squared(z: Complex<f64>, by: Vec<f64>) -> (Complex<f64>, f64) {
    (z * z * by[0], z.re * by[1])
}

#[test]
fn complex_numbers_are_two_and_vectors_may_be_owned() {
    let (z, by) = (Complex::new(0.6, -1.3), vec![2.0, 0.7]);
    let j = jacobian!(squared, z, by.clone());
    assert_differences(&j, &[z.re, z.im, by[0], by[1]], |p| {
        let (w, y) = squared(Complex::new(p[0], p[1]), vec![p[2], p[3]]);
        vec![w.re, w.im, y]
    });
    // Cauchy and Riemann's equations
    assert_eq!((j[(0, 0)], j[(0, 1)]), (j[(1, 1)], -j[(1, 0)]));
}

/// There is no root of what is negative.
#[differentiable]
fn roots(x: &[f64], by: f64) -> Result<Vec<f64>, usize> {
    let mut roots = vec![];
    for i in 0..x.len() {
        if x[i] < 0.0 {
            return Err(i);
        }
        roots.push(by * x[i].sqrt());
    }
    Ok(roots)
}

#[test]
fn errors_pass_through() {
    let j = jacobian!(roots, &[4.0, 1.0], 3.0).unwrap();
    assert_eq!(j.as_slice(), [0.75, 0.0, 2.0, 0.0, 1.5, 1.0]);
    assert_eq!(jacobian!(roots, &[4.0, -1.0], 3.0), Err(1));
    assert_eq!(vjp!(roots, &[4.0, -1.0], 3.0, &[0.0; 2]), Err(1));
    assert_eq!(jvp!(roots, &[4.0, -1.0], &[1.0, 1.0], Const(3.0)), Err(1));
    assert_eq!(
        vjp!(roots, &[4.0, 1.0], 3.0, vec![1.0, 2.0]),
        Ok((vec![0.75, 3.0], 4.0)).map(|(dx, dby): (Vec<f64>, f64)| ([dx[0], dx[1]], dby))
    );
    // nothing to differentiate, nothing returned
    let j = jacobian!(roots, &[] as &[f64], 3.0).unwrap();
    assert_eq!((j.rows(), j.columns()), (0, 1));
    let j = jacobian!(roots, Const(&[4.0, 1.0]), Const(3.0)).unwrap();
    assert_eq!((j.rows(), j.columns()), (2, 0));
}

#[test]
#[should_panic(expected = "vjp: the result has 2 numbers, the cotangent 3")]
fn a_cotangent_of_another_length_is_refused() {
    let _ = vjp!(roots, &[4.0, 1.0], 3.0, &[1.0, 2.0, 3.0]);
}

#[test]
#[should_panic(expected = "Duplicated: lane 0")]
fn a_direction_of_another_length_is_refused() {
    let _ = jvp!(roots, &[4.0, 1.0][..], &[1.0][..], Const(3.0));
}

/// A function with rules of its own.
#[primitive]
fn normalised(x: &[f64], scale: f64) -> Vec<f64> {
    let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    x.iter().map(|x| scale * x / norm).collect()
}

easy_rule! {
    fn normalised(x: &[f64], scale: f64) -> y: Vec<f64>;
    let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let n = x.len();
    dy/dx = Array2::from_shape_fn((n, n), |(i, j)| (scale * f64::from(i == j) - y[i] * y[j] / scale) / norm);
    dy/dscale = y.iter().map(|y| y / scale).collect::<Vec<_>>();
}

#[differentiable]
fn through_a_rule(x: &[f64], scale: f64) -> Vec<f64> {
    let mut y = normalised(x, scale * scale);
    for i in 1..y.len() {
        y[i] *= y[i - 1];
    }
    y
}

#[test]
fn rules_are_used() {
    let p = [0.4, -1.0, 0.7, 1.3];
    let j = jacobian!(through_a_rule, &p[..3], p[3]);
    assert_differences(&j, &p, |p| through_a_rule(&p[..3], p[3]));
}

/// The sum of squares has the gradient as its Jacobian; sixty inputs, by one row.
#[differentiable]
fn energy(x: &[f64], k: f64) -> f64 {
    x.iter().map(|x| k * x * x).sum()
}

#[test]
fn the_row_of_a_number_is_its_gradient() {
    let x: Vec<f64> = (0..60).map(|i| (i as f64).cos()).collect();
    let (dx, dk) = gradient!(energy, &x, 0.5);
    let j = jacobian!(energy, &x, 0.5);
    assert_eq!(j.rows(), 1);
    assert_eq!(j.row(0), [dx, vec![dk]].concat());
    assert_eq!(vjp!(energy, &x, 0.5, 2.0).1, 2.0 * dk);
}
