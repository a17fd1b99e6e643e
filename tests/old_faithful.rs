//! The example `old_faithful`: its gradient, its fit and the rule written by hand.

#![allow(dead_code)]

#[path = "../examples/old_faithful/check.rs"]
mod check;
#[path = "../examples/old_faithful/compare.rs"]
mod compare;
#[path = "../examples/old_faithful/data.rs"]
mod data;
#[path = "../examples/old_faithful/exponentials.rs"]
mod exponentials;
#[path = "../examples/old_faithful/fit.rs"]
mod fit;
#[path = "../examples/old_faithful/model.rs"]
mod model;
#[path = "../examples/old_faithful/plot.rs"]
mod plot;
#[path = "../examples/old_faithful/uncertainty.rs"]
mod uncertainty;

use coenzyme::prelude::*;
use coenzyme::{gradient_into, hessian};
use exponentials::{logsumexp, shifted, textbook};

/// The maximum found by other programs, `mclust` and `mixtools` of R: weight, and of each component mean and covariance.
const WEIGHT: f64 = 0.35587;
const MEANS: [[f64; 2]; 2] = [[2.03639, 54.4785], [4.28966, 79.9681]];
const COVARIANCES: [[f64; 3]; 2] = [[0.069168, 0.43517, 33.6973], [0.169968, 0.94061, 36.0462]];
const LOG_LIKELIHOOD: f64 = -1130.26396;

fn assert_close(found: f64, truth: f64, relative: f64) {
    assert!(
        (found - truth).abs() <= relative * truth.abs(),
        "{found} is not {truth}"
    );
}

#[test]
fn the_gradient_agrees_with_finite_differences_along_the_whole_fit() {
    let data = data::observations();
    let steps = fit::fit(&data, model::start(&data), true).unwrap();
    for step in &steps {
        for entry in check::gradient_check(&step.theta, &data) {
            // rounding of a value of a thousand, divided by a step of 7e-4
            assert!(entry.error() < 1e-8, "{entry:?}");
        }
    }
}

#[test]
fn the_fit_is_the_maximum_that_others_find() {
    let data = data::observations();
    assert_eq!(data.len(), 272);
    let steps = fit::fit(&data, model::start(&data), true).unwrap();
    let last = steps.last().unwrap();
    assert!(last.gradient_norm < 1e-6);
    assert_close(last.log_likelihood, LOG_LIKELIHOOD, 1e-8);
    let found = model::natural(&last.theta);
    assert_close(found[0], WEIGHT, 1e-4);
    for ((found, mean), [v0, v01, v1]) in found[1..].chunks(5).zip(MEANS).zip(COVARIANCES) {
        assert_close(found[0], mean[0], 1e-5);
        assert_close(found[1], mean[1], 1e-5);
        assert_close(found[2].powi(2), v0, 1e-4);
        assert_close(found[3].powi(2), v1, 1e-4);
        assert_close(found[4] * found[2] * found[3], v01, 1e-4);
    }
}

#[test]
fn the_standard_errors_of_a_mean_are_near_those_of_its_own_cloud() {
    let data = data::observations();
    let steps = fit::fit(&data, model::start(&data), true).unwrap();
    let theta = &steps.last().unwrap().theta;
    let (natural, errors) = (model::natural(theta), uncertainty::standard_errors(theta));
    // the clouds hardly overlap: a mean of n observations has the error s/√n, the weight that of a binomial
    let n = data.len() as f64;
    for (first, weight) in [(1, natural[0]), (6, 1.0 - natural[0])] {
        for i in first..first + 2 {
            assert_close(errors[i], natural[i + 2] / (weight * n).sqrt(), 0.06);
        }
    }
    assert_close(
        errors[0],
        (natural[0] * (1.0 - natural[0]) / n).sqrt(),
        0.01,
    );
}

#[test]
fn the_rule_by_hand_is_right_where_the_generated_derivative_overflows() {
    let large = [1000.0, 1001.0];
    let weight = 1.0 / (1.0 + 1.0_f64.exp());
    let (value, ([a, b],)) = value_and_gradient(&logsumexp {}, (large,));
    assert_close(value, 1001.0 + (-1.0_f64).exp().ln_1p(), 1e-15);
    assert_close(a, weight, 1e-15);
    assert_close(b, 1.0 - weight, 1e-15);
    let mut overflown = [0.0; 2];
    assert_eq!(
        gradient_into(&textbook {}, &large, &mut overflown),
        f64::INFINITY
    );
    assert!(overflown.iter().all(|d| d.is_nan()));
}

#[test]
fn the_rule_by_hand_agrees_with_the_generated_derivatives() {
    let x = [0.5, -1.0, 2.0, 2.0];
    let (value, (gradient,)) = value_and_gradient(&logsumexp {}, (x,));
    for f in [
        value_and_gradient(&textbook {}, (&x,)),
        value_and_gradient(&shifted {}, (&x,)),
    ] {
        assert_close(f.0, value, 1e-15);
        for (generated, by_hand) in f.1.0.iter().zip(gradient) {
            assert_close(*generated, by_hand, 1e-14);
        }
    }
    let dx = [1.0, 2.0, -1.0, 0.5];
    let (tangent,) = autodiff!(Forward, logsumexp, Duplicated(x, dx));
    let inner: f64 = gradient.iter().zip(dx).map(|(g, d)| g * d).sum();
    assert_close(tangent, inner, 1e-15);
    assert_eq!(
        autodiff!(ForwardWithPrimal, logsumexp, Const, Const(x)),
        (value,)
    );
}

#[test]
fn the_picture_shows_every_observation() {
    let data = data::observations();
    let steps = fit::fit(&data, model::start(&data), true).unwrap();
    let svg = plot::svg(&data, &steps);
    assert_eq!(svg.matches("<circle").count(), data.len() + 2);
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
}

#[test]
fn the_hessian_is_symmetric() {
    let data = data::observations();
    let h = hessian(&model::log_likelihood_of {}, &model::start(&data));
    for (i, row) in h.iter().enumerate() {
        for (entry, mirrored) in row.iter().zip(&h) {
            assert!((entry - mirrored[i]).abs() < 1e-10 * (1.0 + entry.abs()));
        }
    }
}
