//! Rules reached from where users stand: drivers, and functions whose derivative is generated.

use coenzyme::prelude::*;
use coenzyme::{Inactive, Tangent};
use coenzyme_rules::array::{insert_axis, mul, sum, sum_axis, tanh};
use coenzyme_rules::linalg::{Error, eigh, logdet, lu, matvec, qr, svd};
use coenzyme_rules::loops::{Schedule, iterate};
use coenzyme_rules::nn::softmax_cross_entropy;
use coenzyme_rules::parallel::reduce;
use coenzyme_rules::scalar::erf;
use coenzyme_rules::signal::conv1d;
use ndarray::{Array1, Array2, Array3, array};

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

/// The product of the pivots.
#[differentiable]
fn pivots(a: &Array2<f64>) -> Result<f64, Error> {
    let factors = lu(a)?;
    let u = &factors.2;
    Ok(u[[0, 0]] * u[[1, 1]])
}

/// It is the determinant, up to the sign of the order.
#[test]
fn generated_derivatives_reach_factors() {
    let (a, mut da) = (array![[1.0, 5.0], [2.0, 4.0]], Array2::zeros((2, 2)));
    let returned = autodiff!(Reverse, pivots, Active, Duplicated(&a, &mut da));
    assert!(returned.is_ok());
    assert_eq!(da, array![[-4.0, 2.0], [5.0, -1.0]]);
    let singular = array![[1.0, 2.0], [2.0, 4.0]];
    let returned = autodiff!(Reverse, pivots, Active, Duplicated(&singular, &mut da));
    assert_eq!(returned.map(|_| ()), Err(Error::Singular { column: 1 }));
}

/// The squared norm of `Q·R`, of `V·diag(λ)·Vᵀ`, and of `U·diag(s)·Vᵀ`, from factors that have names of their own.
#[differentiable]
fn norms_of_products(a: &Array2<f64>) -> Result<f64, Error> {
    let (q, r) = qr(a)?;
    let again = q.dot(&r);
    let (values, vectors) = eigh(a)?;
    let scaled = &vectors * &values;
    let symmetric = scaled.dot(&vectors.t());
    let (u, s, v) = svd(a)?;
    let singular = (&u * &s).dot(&v.t());
    Ok((&again * &again).sum() + (&symmetric * &symmetric).sum() + (&singular * &singular).sum())
}

/// All three are the squared norm of a symmetric matrix.
#[test]
fn factors_may_have_names_of_their_own() {
    let a = array![[2.0, 0.5], [0.5, -1.0]];
    let direction = array![[1.0, 2.0], [2.0, 3.0]];
    let want = 6.0 * (&a * &direction).sum();
    let (tangent,) = autodiff!(Forward, norms_of_products, Duplicated(&a, &direction)).unwrap();
    assert!((tangent - want).abs() < 1e-12, "{tangent} {want}");
    let mut da = Array2::zeros((2, 2));
    autodiff!(Reverse, norms_of_products, Active, Duplicated(&a, &mut da)).unwrap();
    let tangent = (&da * &direction).sum();
    assert!((tangent - want).abs() < 1e-12, "{tangent} {want}");
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

/// `x + y + xy/4`, which is associative.
#[differentiable]
fn compound(x: f64, y: f64) -> f64 {
    x + y + 0.25 * x * y
}

/// A step of a loop.
#[differentiable]
fn step(x: &mut [f64], p: &[f64], _t: usize) {
    x[0] += p[0] * x[1].sin();
    x[1] *= p[1];
}

/// One function of each module that the two above do not call.
#[differentiable]
fn modules(x: &Array2<f64>, kernel: &Array3<f64>, p: &[f64], #[constant] labels: &[usize]) -> f64 {
    let signals = insert_axis(x, 1);
    let filtered = conv1d(&signals, kernel, 1, 1);
    let logits = sum_axis(&filtered, 1);
    let loss = softmax_cross_entropy(&logits, labels);
    let mut state = [loss, 0.5];
    iterate(&mut state, p, Inactive(step {}), 3, Schedule::binomial(2));
    let all = reduce(p, Inactive(compound {}));
    state[0] * all
}

#[test]
fn generated_derivatives_reach_every_module() {
    let x = array![[0.3, -0.2, 0.9], [0.5, 0.1, -0.7]];
    let kernel = array![[[0.4, -1.1, 0.6]], [[0.2, 0.3, 0.8]]];
    let (p, labels) = ([0.7, 0.9], [2_usize, 0]);
    let (mut dx, mut dk, mut dp) = (
        Tangent::zero_like(&x),
        Tangent::zero_like(&kernel),
        [0.0; 2],
    );
    autodiff!(
        Reverse,
        modules,
        Active,
        Duplicated(&x, &mut dx),
        Duplicated(&kernel, &mut dk),
        Duplicated(&p[..], &mut dp[..]),
        Const(&labels[..])
    );
    let near = |d: f64, at: &dyn Fn(f64) -> f64| {
        let want = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((d - want).abs() < 1e-8, "{d}, by differences {want}");
    };
    for (i, d) in dx.indexed_iter() {
        near(*d, &|h| {
            let mut x = x.clone();
            x[i] += h;
            modules(&x, &kernel, &p, &labels)
        });
    }
    for (i, d) in dk.indexed_iter() {
        near(*d, &|h| {
            let mut kernel = kernel.clone();
            kernel[i] += h;
            modules(&x, &kernel, &p, &labels)
        });
    }
    for (i, d) in dp.iter().enumerate() {
        near(*d, &|h| {
            let mut p = p;
            p[i] += h;
            modules(&x, &kernel, &p, &labels)
        });
    }
}

/// The same functions, each called by a driver: the tangent along the gradient of a number is its squared size.
#[test]
fn drivers_reach_every_module() {
    let (x, labels) = (array![[0.3, -0.2], [0.5, 0.1]], [1_usize, 0]);
    let mut dx = Tangent::zero_like(&x);
    autodiff!(
        Reverse,
        softmax_cross_entropy,
        Active,
        Duplicated(&x, &mut dx),
        Const(&labels[..])
    );
    let (along,): (f64,) = autodiff!(
        Forward,
        softmax_cross_entropy,
        Duplicated(&x, &dx),
        Const(&labels[..])
    );
    assert!((along - Tangent::inner(&dx, &dx)).abs() < 1e-15 && along > 0.0);

    let (signal, kernel) = (array![[[1.0, 2.0, 4.0]]], array![[[-1.0, 1.0]]]);
    let (tangent,) = autodiff!(
        Forward,
        conv1d,
        Duplicated(&signal, &signal),
        Const(&kernel),
        Const(1),
        Const(0)
    );
    assert_eq!(tangent, array![[[1.0, 2.0]]]);

    let (p, mut dp) = ([1.0, 2.0, 3.0], [0.0; 3]);
    autodiff!(
        Reverse,
        reduce,
        Active,
        Duplicated(&p[..], &mut dp[..]),
        Const(Inactive(compound {}))
    );
    // ∏ (1 + xᵢ/4) over the others
    assert_eq!(dp, [1.5 * 1.75, 1.25 * 1.75, 1.25 * 1.5]);

    let (mut state, mut dstate) = ([0.4, 0.0], [1.0, 0.0]);
    let (q, mut dq) = ([0.7, 0.9], [0.0; 2]);
    autodiff!(
        Reverse,
        iterate,
        Const,
        Duplicated(&mut state[..], &mut dstate[..]),
        Duplicated(&q[..], &mut dq[..]),
        Const(Inactive(step {})),
        Const(2),
        Const(Schedule::binomial(1))
    );
    // the sine of 0 does not move the state, but the speed at which it would has a derivative
    assert_eq!((state[0], dstate[0], dq), (0.4, 1.0, [0.0, 0.0]));
    assert!((dstate[1] - 0.7 * 1.9).abs() < 1e-15);
}
