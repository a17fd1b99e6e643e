//! The steps of a ladder.

use super::Precision;

/// More steps than this and the ladder is cut in two, so that no column costs more than 48 evaluations
/// of the primal.
const LONGEST: usize = 24;

/// Coordinates below this are small beside the scale of the function, which is taken to be one.
const TINY: f64 = 1e-6;

/// The steps for a coordinate of magnitude `x`, wide to narrow, each `2^-stride` of the one before.
///
/// A NaN among them marks a gap: its neighbours are not neighbours of each other.
pub(super) fn steps(x: f64, h_max: f64, stride: u32, precision: Precision) -> Vec<f64> {
    let epsilon = precision.epsilon();
    let scale = x.max(1.0).log2().ceil().min(1023.0).exp2();
    let widest = power_below(h_max.min(scale / 4.0));
    let narrowest = match x {
        0.0 => 8.0 * epsilon,
        _ if x < TINY => x * epsilon.powf(0.75),
        _ => 8.0 * epsilon * x,
    };
    let whole = run(widest, narrowest, stride);
    if whole.len() <= LONGEST {
        return whole;
    }
    // Near a tiny x live two scales: that of the function (1) and that of x. Steps between them say
    // nothing that one of the two does not.
    let near = run(power_below(widest.min(x / 4.0)), narrowest, stride);
    let kept = LONGEST.saturating_sub(near.len() + 1);
    let far = whole.into_iter().take(kept);
    far.chain([f64::NAN])
        .chain(near)
        .take(LONGEST + 1)
        .collect()
}

fn run(widest: f64, narrowest: f64, stride: u32) -> Vec<f64> {
    let ratio = f64::from(stride).exp2().recip();
    std::iter::successors(Some(widest), |h| Some(h * ratio))
        .take_while(|h| *h >= narrowest && h.is_normal())
        .collect()
}

/// The greatest power of two not above `x`.
fn power_below(x: f64) -> f64 {
    x.log2().floor().exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(x: f64) -> Vec<f64> {
        steps(x, f64::INFINITY, 3, Precision::Double)
    }

    #[test]
    fn ordinary_coordinates_have_sixteen_steps() {
        for x in [1.0, 0.0, 1e12] {
            assert_eq!(double(x).len(), 16, "x = {x}");
        }
        assert_eq!(double(1.0)[..2], [0.25, 0.03125]);
        assert_eq!(double(1000.0)[0], 256.0);
    }

    #[test]
    fn no_ladder_is_longer_than_the_budget() {
        for exponent in -308..=308 {
            let steps = double(10_f64.powi(exponent));
            let alive = steps.iter().filter(|h| h.is_finite()).count();
            assert!((7..=LONGEST).contains(&alive), "1e{exponent}: {alive}");
        }
    }

    #[test]
    fn tiny_coordinates_are_seen_at_both_scales() {
        let steps = double(1e-100);
        assert_eq!(steps[0], 0.25);
        assert_eq!(steps.iter().filter(|h| h.is_nan()).count(), 1);
        assert!(steps.iter().any(|&h| h < 1e-100 && h > 1e-102));
    }

    #[test]
    fn two_scales_share_the_budget() {
        let x = 0.5_f64.powi(332);
        let alive = |steps: &[f64]| steps.iter().filter(|h| h.is_finite()).count();
        let two = double(x);
        let gap = two.iter().position(|h| h.is_nan()).unwrap();
        // Thirteen steps from x/4 to ε^¾·x, ten of the function's own scale.
        assert_eq!((gap, alive(&two)), (10, 23));
        assert_eq!(two[gap + 1], x / 4.0);
        let fine = steps(x, f64::INFINITY, 1, Precision::Double);
        assert_eq!((alive(&fine), fine.len()), (LONGEST, LONGEST + 1));
    }

    #[test]
    fn ladders_end_where_rounding_begins() {
        // The narrowest step is the last above 8ε|x|, and above ε^¾·|x| for a tiny coordinate.
        let epsilon = f64::EPSILON;
        let narrowest = [
            (0.0, 8.0 * epsilon),
            (1.0, 8.0 * epsilon),
            (1000.0, 8e3 * epsilon),
            (1e-6, 8e-6 * epsilon),
            (9e-7, 9e-7 * 2_f64.powi(-39)),
            (1e-100, 1e-100 * 2_f64.powi(-39)),
        ];
        for (x, end) in narrowest {
            let last = *double(x).last().unwrap();
            assert!(
                (end..8.0 * end).contains(&last),
                "{last:e} at {x:e}, not {end:e}"
            );
        }
    }

    #[test]
    fn caps_and_single_precision_are_respected() {
        assert_eq!(steps(1.0, 0.1, 3, Precision::Double)[0], 0.0625);
        assert_eq!(steps(1.0, f64::INFINITY, 3, Precision::Single).len(), 7);
        assert_eq!(steps(1.0, f64::INFINITY, 4, Precision::Double).len(), 12);
    }
}
