//! A call option by simulation, and its closed formula.

use std::f64::consts::{PI, SQRT_2, TAU};

use coenzyme::prelude::*;

/// A stream of random numbers: splitmix64 (Steele, Lea and Flood, OOPSLA 2014, doi:10.1145/2660193.2660195).
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Between 0 and 1, both excluded.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }
}

/// The next normal number, by Box and Muller. It does not depend on what is differentiated.
#[inactive]
pub(crate) fn normal(#[constant] random: &mut Random) -> f64 {
    (-2.0 * random.uniform().ln()).sqrt() * (TAU * random.uniform()).cos()
}

/// The price of a call with strike `k` and maturity `t` on a share of price `s` and volatility `sigma`, at the interest `r`: the mean of
/// `exp(−rt)·max(S − k, 0)` over simulated paths, each with its mirror image.
#[differentiable]
pub(crate) fn price(
    s: f64,
    sigma: f64,
    r: f64,
    k: f64,
    t: f64,
    paths: usize,
    #[constant] random: &mut Random,
) -> f64 {
    let drift = (r - 0.5 * sigma * sigma) * t;
    let spread = sigma * t.sqrt();
    let mut sum = 0.0;
    for _ in 0..paths {
        let z = normal(random);
        let up = s * (drift + spread * z).exp();
        let down = s * (drift - spread * z).exp();
        sum += (up - k).max(0.0) + (down - k).max(0.0);
    }
    (-r * t).exp() * sum / (2 * paths) as f64
}

/// The adjoint by hand: of the share's price, the volatility and the interest: delta, vega and rho.
pub(crate) fn by_hand(
    s: f64,
    sigma: f64,
    r: f64,
    k: f64,
    t: f64,
    paths: usize,
    random: &mut Random,
) -> [f64; 3] {
    let drift = (r - 0.5 * sigma * sigma) * t;
    let spread = sigma * t.sqrt();
    let (mut sum, mut dgrowth_s, mut ddrift, mut dspread) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..paths {
        let z = normal(random);
        for z in [z, -z] {
            let growth = (drift + spread * z).exp();
            if s * growth > k {
                sum += s * growth - k;
                dgrowth_s += growth;
                ddrift += s * growth;
                dspread += s * growth * z;
            }
        }
    }
    let scale = (-r * t).exp() / (2 * paths) as f64;
    [
        scale * dgrowth_s,
        scale * (dspread * t.sqrt() - ddrift * sigma * t),
        scale * t * (ddrift - sum),
    ]
}

/// Price, delta, vega and rho by the formulas of Black and Scholes, Journal of Political Economy 81(3), 1973, doi:10.1086/260062.
pub(crate) fn closed(s: f64, sigma: f64, r: f64, k: f64, t: f64) -> [f64; 4] {
    let cumulative = |x: f64| 0.5 * coenzyme_rules::scalar::erfc(-x / SQRT_2);
    let spread = sigma * t.sqrt();
    let d1 = ((s / k).ln() + (r + 0.5 * sigma * sigma) * t) / spread;
    let d2 = d1 - spread;
    let discounted = k * (-r * t).exp();
    [
        s * cumulative(d1) - discounted * cumulative(d2),
        cumulative(d1),
        s * t.sqrt() * (-0.5 * d1 * d1).exp() / (2.0 * PI).sqrt(),
        t * discounted * cumulative(d2),
    ]
}
