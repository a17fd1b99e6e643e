//! Whether the two sides of a point agree.

use super::cell::{Climb, rounding};
use super::rung::Rung;

/// A jump of the slope is believed if it exceeds what rounding and noise explain by this factor.
const CLEAR: f64 = 16.0;

/// Whether the plateau that ends at rung `end` has a kink under it.
///
/// For a smooth function `|D⁺ − D⁻| ≈ |f″|·h` shrinks with the step, here by eight or more per rung; at a
/// kink it stays. Three rungs are asked, the narrowest that noise leaves readable: two could agree
/// by accident near an inflection.
pub(super) fn at(rungs: &[Rung], end: usize, noise: f64, climb: Climb) -> bool {
    let clear = |rung: &Rung| {
        // Three values are rounded here, and each quotient divides by one step, not two.
        let doubtful = 2.0 * rounding(rung, climb) + 2.0 * noise / rung.step;
        rung.alive && rung.jump > CLEAR * doubtful && rung.jump > 1e-6 * rung.slope.abs()
    };
    let Some(last) = rungs.iter().rposition(clear) else {
        return false;
    };
    // Narrower rungs, on which the plateau stands, see one smooth side only.
    if last + 1 < end || last < 2 {
        return false;
    }
    let [wide, middle, narrow] = [&rungs[last - 2], &rungs[last - 1], &rungs[last]];
    let stays = |before: &Rung, after: &Rung| after.jump >= before.jump / 2.0;
    clear(middle) && wide.alive && stays(wide, middle) && stays(middle, narrow)
}

#[cfg(test)]
mod tests {
    use super::super::plateau::estimate;
    use super::*;
    use crate::estimate::Doubt;

    fn doubt(f: impl Fn(f64) -> f64, x: f64) -> Option<Doubt> {
        let climb = Climb {
            magnitude: x.abs(),
            scale: 1.0,
            epsilon: f64::EPSILON,
            ratio: 8.0,
        };
        let rung = |k: i32| {
            let h = 0.25 * 8_f64.powi(-k);
            Rung::new(f(x - h), f(x), f(x + h), h, h)
        };
        estimate((0..16).map(rung).collect(), climb).doubt
    }

    #[test]
    fn a_kink_is_seen_on_three_rungs_in_a_row() {
        let climb = Climb {
            magnitude: 1.0,
            scale: 1.0,
            epsilon: f64::EPSILON,
            ratio: 8.0,
        };
        let about_zero = |f: fn(f64) -> f64, k: i32| {
            let h = 0.5_f64.powi(k);
            Rung::new(f(-h), f(0.0), f(h), h, h)
        };
        let (rung, line) = (|k| about_zero(f64::abs, k), |k| about_zero(|x| x, k));
        assert!(at(&[rung(1), rung(2), rung(3)], 3, 0.0, climb));
        assert!(!at(&[rung(1), line(2), rung(3)], 3, 0.0, climb));
        assert!(!at(&[Rung::DEAD, rung(2), rung(3)], 3, 0.0, climb));
    }

    /// Whether rungs of one step, with these jumps, have a kink under the plateau that ends at `end`.
    fn kinked(jumps: &[f64], end: usize, [slope, step, epsilon, noise]: [f64; 4]) -> bool {
        let rung = |jump: &f64| Rung {
            step,
            slope,
            jump: *jump,
            magnitude: 1.0,
            change: slope,
            alive: true,
            saturated: false,
        };
        let rungs: Vec<_> = jumps.iter().map(rung).collect();
        let (magnitude, scale, ratio) = (0.0, 1.0, 8.0);
        at(
            &rungs,
            end,
            noise,
            Climb {
                magnitude,
                scale,
                epsilon,
                ratio,
            },
        )
    }

    #[test]
    fn three_rungs_with_the_same_jump_are_a_kink() {
        let plain = [1.0, 1.0, 0.0, 0.0];
        for (end, expected) in [(2, true), (3, true), (4, false)] {
            assert_eq!(
                kinked(&[1.0, 1.0, 1.0], end, plain),
                expected,
                "plateau to {end}"
            );
        }
        assert!(!kinked(&[1.0, 1.0], 1, plain), "two are too few");
        assert!(kinked(&[2.0, 1.0, 0.5], 2, plain), "halves stay");
        assert!(!kinked(&[8.0, 1.0, 1.0], 2, plain), "the widest shrinks");
        assert!(
            !kinked(&[1.0, 1.0, 0.25], 2, plain),
            "the narrowest shrinks"
        );
        assert!(
            !kinked(&[4.0, 1.0, 2.0], 2, plain),
            "down and up is no plateau"
        );
    }

    #[test]
    fn jumps_that_rounding_or_noise_explain_are_no_kink() {
        let sixty_fourth = 1.0 / 64.0;
        let of = |jump: f64, [slope, step, epsilon, noise]: [f64; 4]| {
            kinked(&[jump; 3], 2, [slope, step, epsilon, noise])
        };
        // 16·(2·rounding + 2·noise/step) is 1 in each case.
        for facts in [
            [0.0, 1.0, sixty_fourth, sixty_fourth],
            [0.0, 0.5, 0.0, sixty_fourth],
            [0.0, 0.5, sixty_fourth, 0.0],
        ] {
            assert!(!of(0.9, facts) && !of(1.0, facts), "{facts:?}");
            assert!(of(1.1, facts), "{facts:?}");
        }
        // A millionth of the slope is not seen.
        let steep = [1e6, 1.0, 0.0, 0.0];
        assert!(!of(1.0, steep) && of(1.5, steep));
    }

    #[test]
    fn kinks_at_the_point_are_seen() {
        let kinked: [fn(f64) -> f64; 4] = [
            |x| (x - 0.5).abs(),
            |x| x.max(0.5),
            |x| x.sin() + 0.01 * (x - 0.5).abs(),
            |x| x * x + (x - 0.5).max(0.0),
        ];
        for (number, f) in kinked.into_iter().enumerate() {
            assert_eq!(doubt(f, 0.5), Some(Doubt::Kink), "function {number}");
        }
    }

    #[test]
    fn kink_too_near_to_be_told_from_the_point_is_seen() {
        assert_eq!(doubt(|x| (x - 0.5).abs(), 0.5 + 1e-13), Some(Doubt::Kink));
    }

    #[test]
    fn kinks_away_from_the_point_do_not_matter() {
        for distance in [0.1, 1e-2, 1e-3, 1e-5] {
            let relu = |x: f64| (x - 0.5).max(0.0) + x.sin();
            assert_eq!(doubt(relu, 0.5 + distance), None, "{distance}");
        }
    }

    #[test]
    fn smooth_functions_have_no_kinks() {
        let smooth: [fn(f64) -> f64; 6] = [
            f64::sin,
            f64::exp,
            f64::ln,
            |x| x * x,
            |x| (300.0 * x).cos(),
            |x| x.powi(3),
        ];
        for (number, f) in smooth.into_iter().enumerate() {
            for x in [0.25, 0.3125, 0.5, 0.7, 1.0] {
                assert_eq!(doubt(f, x), None, "function {number} at {x}");
            }
        }
        assert_eq!(doubt(f64::cos, 0.0), None, "even about the point");
        assert_eq!(doubt(|x| (x - 0.5).powi(3), 0.5), None, "inflection");
    }
}
