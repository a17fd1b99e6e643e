//! Functions of many parameters.

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsDuplicated, autodiff};

#[allow(clippy::too_many_arguments)]
#[differentiable]
fn many(
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
    g: f64,
    h: f64,
    i: f64,
    j: f64,
    k: f64,
    l: f64,
    m: &[f64],
    n: usize,
    o: f64,
    p: f64,
    q: f64,
    r: f64,
    s: f64,
    t: f64,
    u: f64,
    v: f64,
    w: f64,
    x: f64,
    y: f64,
    z: &mut [f64],
) -> f64 {
    z[0] = a * b;
    let first = a
        + 2.0 * b
        + 3.0 * c
        + 4.0 * d
        + 5.0 * e
        + 6.0 * f
        + 7.0 * g
        + 8.0 * h
        + 9.0 * i
        + 10.0 * j
        + 11.0 * k;
    let second =
        12.0 * l + 13.0 * m[n] + 15.0 * o + 16.0 * p + 17.0 * q + 18.0 * r + 19.0 * s + 20.0 * t;
    first * second + u * v * w * x * y
}

#[differentiable]
fn caller(x: f64, m: &[f64], z: &mut [f64]) -> f64 {
    many(
        x, x, x, x, x, x, x, x, x, x, x, x, m, 1, x, x, x, x, x, x, x, x, x, x, x, z,
    )
}

#[test]
fn as_many_as_the_alphabet_has_letters() {
    let (m, mut dm) = ([1.0, 1.0], [0.0; 2]);
    let (mut z, mut dz) = ([0.0], [1.0]);
    let args = (
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Duplicated(&m[..], &mut dm[..]),
        Const(1),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(1.0),
        Active(2.0),
        Active(1.0),
        Active(1.0),
        Const(1.0),
        Active(1.0),
        Duplicated(&mut z[..], &mut dz[..]),
    );
    let (gradients,) = autodiff(Reverse, &many {}, AsActive, args);
    // 1 + 2 + … + 11 = 66; 12 + 13 + 15 + … + 20 = 130
    assert_eq!(
        (gradients.0, gradients.1, gradients.2),
        (131.0, 261.0, 390.0)
    );
    assert_eq!(
        (gradients.19, gradients.20, gradients.21, gradients.24),
        (1320.0, 1.0, 2.0, 2.0)
    );
    assert_eq!((dm, z), ([0.0, 13.0 * 66.0], [1.0]));
}

#[test]
fn calls_of_such_functions() {
    let (m, mut dm) = ([1.0, 1.0], [0.0; 2]);
    let (mut z, mut dz) = ([0.0], [0.0]);
    let ((dx, (), ()),) = autodiff(
        Reverse,
        &caller {},
        AsActive,
        (
            Active(1.0),
            Duplicated(&m[..], &mut dm[..]),
            Duplicated(&mut z[..], &mut dz[..]),
        ),
    );
    let (forward,) = autodiff(
        Forward,
        &caller {},
        AsDuplicated,
        (Duplicated(1.0, 1.0), Const(&m[..]), Const(&mut z[..])),
    );
    // 66·130 + 66·117 + 5
    assert_eq!((dx, forward), (66.0 * 130.0 + 66.0 * 117.0 + 5.0, dx));
    assert_eq!(dm, [0.0, 13.0 * 66.0]);
}
