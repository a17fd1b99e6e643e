//! Rules reached from where users stand: drivers, and functions whose derivative is generated.

use coenzyme::prelude::*;
use coenzyme_rules::array::{mul, sum, tanh};
use coenzyme_rules::linalg::{Error, logdet, matvec};
use coenzyme_rules::scalar::erf;
use ndarray::{Array1, Array2, array};

#[test]
fn drivers_reach_rules_of_numbers() {
    let slope = std::f64::consts::FRAC_2_SQRT_PI;
    assert_eq!(autodiff!(Reverse, erf, Active, Active(0.0)), ((slope,),));
    assert_eq!(
        autodiff!(Forward, erf, Duplicated(0.0, 2.0)),
        (2.0 * slope,)
    );
}

#[test]
fn drivers_reach_rules_of_arrays() {
    let (x, mut dx) = (array![[1.0, 2.0], [3.0, 4.0]], Array2::zeros((2, 2)));
    autodiff!(Reverse, sum, Active, Duplicated(&x, &mut dx));
    assert_eq!(dx, Array2::<f64>::ones((2, 2)));
    let y = autodiff!(Forward, mul, Duplicated(&x, &dx), Const(&x));
    assert_eq!(y, (x.clone(),));
    let two = BatchDuplicated(&x, [&x, &dx]);
    let (tangents,) = autodiff!(Forward, sum, two);
    assert_eq!(tangents, [10.0, 4.0]);
}

#[test]
fn errors_come_through() {
    let (a, mut da) = (array![[1.0, 2.0], [2.0, 4.0]], Array2::zeros((2, 2)));
    let returned = autodiff!(Reverse, logdet, Active, Duplicated(&a, &mut da));
    assert_eq!(returned.map(|_| ()), Err(Error::Singular { column: 1 }));
    let a = array![[2.0, 0.0], [0.0, 4.0]];
    let returned = autodiff!(Reverse, logdet, Active, Duplicated(&a, &mut da));
    assert!(returned.is_ok());
    assert_eq!(da, array![[0.5, 0.0], [0.0, 0.25]]);
}

/// `Σ tanh(W·x)`
#[differentiable]
fn layer(w: &Array2<f64>, x: &Array1<f64>) -> f64 {
    let h = matvec(w, x);
    let y = tanh(&h);
    let s = sum(&y);
    s * erf(s)
}

#[test]
fn generated_derivatives_reach_rules() {
    let (w, x) = (array![[0.3, -0.2], [0.5, 0.1]], array![1.0, 2.0]);
    let (mut dw, mut dx) = (Array2::zeros((2, 2)), Array1::zeros(2));
    autodiff!(
        Reverse,
        layer,
        Active,
        Duplicated(&w, &mut dw),
        Duplicated(&x, &mut dx)
    );
    for i in 0..2 {
        let at = |h: f64| {
            let mut x = x.clone();
            x[i] += h;
            layer(&w, &x)
        };
        let want = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((dx[i] - want).abs() < 1e-9, "{} {want}", dx[i]);
        for j in 0..2 {
            let at = |h: f64| {
                let mut w = w.clone();
                w[(i, j)] += h;
                layer(&w, &x)
            };
            let want = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((dw[(i, j)] - want).abs() < 1e-9, "{} {want}", dw[(i, j)]);
        }
    }
}
