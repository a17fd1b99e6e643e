//! The filter.

#[path = "../../examples/kalman/data.rs"]
mod data;
#[path = "../../examples/kalman/model.rs"]
mod model;

use coenzyme::prelude::*;

use super::{assert_close, difference};

fn check<const N: usize>(log_r: f64, log_q: &[f64; N]) {
    let y = &data::NILE[..40];
    let mut dlog_q = [0.0; N];
    let ((dlog_r, ..),) = autodiff!(
        Reverse,
        model::log_likelihood,
        Active,
        Active(log_r),
        Duplicated(log_q, &mut dlog_q),
        Const(y)
    );
    let (r_by_hand, q_by_hand) = model::by_hand(log_r, log_q, y);
    // a prior variance of 1e9 leaves nine digits
    assert_close(dlog_r, r_by_hand, 1e-7);
    assert_close(
        dlog_r,
        difference(|h| model::log_likelihood(log_r + h, log_q, y), 1e-2),
        1e-5,
    );
    for i in 0..N {
        let at = |h: f64| {
            let mut log_q = *log_q;
            log_q[i] += h;
            model::log_likelihood(log_r, &log_q, y)
        };
        assert_close(dlog_q[i], q_by_hand[i], 1e-7);
        assert_close(dlog_q[i], difference(at, 1e-2), 1e-5);
    }
}

#[test]
fn states_of_one_and_two_numbers_agree_with_differences() {
    check(9.0, &[7.0]);
    check(8.0, &[6.0, 3.0]);
}

/// Without noise of the level, all observations are of one number, and the likelihood is that of the residuals from their mean.
#[test]
fn a_constant_level_is_a_mean() {
    let y = &data::NILE;
    let n = y.len() as f64;
    let mean = y.iter().sum::<f64>() / n;
    let squares: f64 = y.iter().map(|y| (y - mean) * (y - mean)).sum();
    let r = 20_000.0_f64;
    let expected = -0.5 * ((n - 1.0) * (std::f64::consts::TAU * r).ln() + n.ln() + squares / r);
    assert_close(model::log_likelihood(r.ln(), &[-40.0], y), expected, 1e-6);
}
