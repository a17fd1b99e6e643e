//! A function, its rule and its tests, in a crate that knows nothing of Coenzyme but what is published.

use coenzyme::prelude::*;

/// Kepler's equation: the `E` for which `E − e·sin E = m`, by Newton's method, for an eccentricity `0 ≤ e < 1`.
///
/// ```
/// use coenzyme::prelude::*;
/// use external_rule::eccentric_anomaly;
///
/// #[differentiable]
/// fn distance(m: f64, e: f64) -> f64 {
///     1.0 - e * eccentric_anomaly(m, e).cos()
/// }
///
/// // at the pericentre the distance is 1 − e, and stationary
/// assert_eq!(gradient!(distance, 0.0, 0.5), (0.0, -1.0));
/// ```
#[primitive]
pub fn eccentric_anomaly(m: f64, e: f64) -> f64 {
    let mut anomaly = if e < 0.8 { m } else { std::f64::consts::PI };
    for _ in 0..20 {
        anomaly -= (anomaly - e * anomaly.sin() - m) / (1.0 - e * anomaly.cos());
    }
    anomaly
}

// From the equation, not from the iteration: exact, and it costs one sine and one cosine.
easy_rule! {
    fn eccentric_anomaly(m: f64, e: f64) -> anomaly: f64;
    let slope = 1.0 - e * anomaly.cos();
    danomaly/dm = 1.0 / slope;
    danomaly/de = anomaly.sin() / slope;
}

#[cfg(test)]
mod tests {
    use coenzyme_testutils::{test_rule, value};

    use super::eccentric_anomaly;

    // every mix of activities, both modes, one to three lanes, against finite differences
    test_rule! {
        eccentric_anomaly;
        m: value(0.7), e: value(0.3);
        ret: [Const, Active];
        name = a_nearly_round_orbit
    }

    test_rule! {
        eccentric_anomaly;
        m: value(2.5), e: value(0.9);
        ret: [Const, Active];
        name = a_comet
    }
}
