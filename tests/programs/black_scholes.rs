//! The option.

#[path = "../../examples/black_scholes/model.rs"]
mod model;

use coenzyme::prelude::*;
use model::{Random, by_hand, closed, price};

use super::{assert_all_close, assert_close, difference};

const PATHS: usize = 3000;
const MARKET: [f64; 3] = [100.0, 0.25, 0.03];
const CONTRACT: (f64, f64) = (95.0, 0.75);

fn reverse(seed: u64) -> [f64; 3] {
    let ([s, sigma, r], (k, t)) = (MARKET, CONTRACT);
    let ((delta, vega, rho, ..),) = autodiff!(
        Reverse,
        price,
        Active(s),
        Active(sigma),
        Active(r),
        Const(k),
        Const(t),
        Const(PATHS),
        Const(&mut Random(seed))
    );
    [delta, vega, rho]
}

#[test]
fn both_modes_and_the_hand_agree_on_one_stream() {
    let ([s, sigma, r], (k, t)) = (MARKET, CONTRACT);
    let d = reverse(7);
    assert_all_close(
        &d,
        &by_hand(s, sigma, r, k, t, PATHS, &mut Random(7)),
        1e-12,
    );
    for (i, d) in d.into_iter().enumerate() {
        let unit = |j: usize| f64::from(i == j);
        let (tangent,) = autodiff!(
            Forward,
            price,
            Duplicated(s, unit(0)),
            Duplicated(sigma, unit(1)),
            Duplicated(r, unit(2)),
            Const(k),
            Const(t),
            Const(PATHS),
            Const(&mut Random(7))
        );
        assert_close(d, tangent, 1e-12);
    }
}

/// The closed formula's greeks are its derivatives, and simulation gets near them.
#[test]
fn greeks_are_derivatives_of_the_closed_formula() {
    let (k, t) = CONTRACT;
    let [s, sigma, r] = MARKET;
    let truth = closed(s, sigma, r, k, t);
    for i in 0..3 {
        let at = |h: f64| {
            let mut market = MARKET;
            market[i] += h * market[i];
            closed(market[0], market[1], market[2], k, t)[0]
        };
        assert_close(truth[i + 1] * MARKET[i], difference(at, 1e-3), 1e-8);
    }
    // four standard deviations of 3000 pairs
    assert_all_close(&reverse(8), &truth[1..], 4.0 / (PATHS as f64).sqrt());
}
