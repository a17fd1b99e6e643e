//! From the rungs of one entry to its estimate.

use super::cell::{Cell, Climb, cells, median};
use super::kink;
use super::rung::{Rung, all_flat, kill_saturated};
use crate::estimate::{Doubt, Estimate, Plateau};

/// Two cells exclude each other if they are this many of their bars apart.
const CONTRADICTION: f64 = 10.0;

/// Estimates the derivative of one entry from its rungs, wide to narrow.
pub(super) fn estimate(mut rungs: Vec<Rung>, climb: Climb) -> Estimate {
    kill_saturated(&mut rungs, climb.scale, climb.epsilon);
    if all_flat(&rungs) {
        return flat(&rungs, climb);
    }
    let Some(cell) = best_cell(&rungs, climb) else {
        return Estimate::unknown(Doubt::NoPlateau);
    };
    let widest = &rungs[cell.rung - cell.column - 1];
    let unit = climb.epsilon * rungs[cell.rung].magnitude / 2.0;
    let kinked = kink::at(&rungs, cell.rung, cell.noise, climb);
    Estimate {
        bar: cell.bar,
        doubt: kinked.then_some(Doubt::Kink),
        plateau: Some(Plateau {
            widest: widest.step,
            narrowest: rungs[cell.rung + 1].step,
            order: 2 * (cell.column as u32 + 1),
            noise: if unit > 0.0 { cell.noise / unit } else { 0.0 },
        }),
        ..Estimate::exact(cell.value)
    }
}

/// The estimate of an entry that never changes: zero, as far as rounding lets one see.
fn flat(rungs: &[Rung], climb: Climb) -> Estimate {
    let mut alive = rungs.iter().enumerate().filter(|(_, rung)| rung.alive);
    let Some((index, widest)) = alive.next() else {
        return Estimate::unknown(Doubt::NoPlateau);
    };
    if alive.count() < 2 {
        return Estimate::unknown(Doubt::NoPlateau);
    }
    let kinked = kink::at(rungs, index, 0.0, climb);
    Estimate {
        bar: climb.epsilon * widest.magnitude / widest.step,
        flat: true,
        doubt: kinked.then_some(Doubt::Kink),
        ..Estimate::exact(0.0)
    }
}

/// The cell of least relative bar that no narrower cell contradicts.
///
/// A derivative is a limit: if a wide plateau and a narrow one exclude each other, the wide one belongs
/// to a function seen from too far away, such as `1/x` from both sides of its pole.
fn best_cell(rungs: &[Rung], climb: Climb) -> Option<Cell> {
    let mut cells = cells(rungs, climb);
    let slopes = rungs.iter().filter(|rung| rung.alive);
    // Relative to a typical slope, lest a cell win by being near zero.
    let typical = 1e-3 * median(slopes.map(|rung| rung.slope.abs()).collect());
    let relative = |cell: &Cell| cell.bar / cell.value.abs().max(typical);
    loop {
        let best = cells
            .iter()
            .min_by(|a, b| relative(a).total_cmp(&relative(b)))?;
        let rung = best.rung;
        let excluded = |cell: &Cell| {
            cell.rung > rung
                && (cell.value - best.value).abs() > CONTRADICTION * (cell.bar + best.bar)
        };
        if !cells.iter().any(excluded) {
            return Some(*best);
        }
        cells.retain(|cell| cell.rung > rung);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIMB: Climb = Climb {
        magnitude: 1.0,
        scale: 1.0,
        epsilon: f64::EPSILON,
        ratio: 8.0,
    };

    fn at_one(f: impl Fn(f64) -> f64) -> Estimate {
        let rung = |k: i32| {
            let h = 0.25 * 8_f64.powi(-k);
            Rung::new(f(1.0 - h), f(1.0), f(1.0 + h), h, h)
        };
        estimate((0..16).map(rung).collect(), CLIMB)
    }

    #[test]
    fn smooth_functions_are_known_to_ten_digits() {
        let estimate = at_one(f64::exp);
        let error = (estimate.value - 1_f64.exp()).abs();
        assert!(
            error <= estimate.bar && estimate.bar < 1e-10,
            "{estimate:?}"
        );
    }

    #[test]
    fn parabolas_are_exact() {
        let estimate = at_one(|x| x * x);
        assert_eq!((estimate.value, estimate.doubt), (2.0, None));
        assert!(estimate.bar < 1e-13);
    }

    #[test]
    fn constants_are_flat_and_have_the_bar_of_their_rounding() {
        let estimate = at_one(|_| 3.0);
        assert!(estimate.flat && estimate.value == 0.0 && estimate.doubt.is_none());
        assert!(estimate.bar > 0.0 && estimate.bar < 1e-14);
    }

    #[test]
    fn unresolved_oscillation_does_not_pretend() {
        let estimate = at_one(|x| (1e13 * x).sin());
        assert!(estimate.doubt.is_some() || estimate.bar > 1e-3 * estimate.value.abs());
    }

    #[test]
    fn pole_between_the_points_is_not_a_plateau() {
        let near_pole = at_one(|x| 1.0 / (x - 1.0 + 1e-9));
        let error = (near_pole.value + 1e18).abs();
        assert!(
            near_pole.doubt.is_some() || error <= near_pole.bar,
            "{near_pole:?}"
        );
    }

    #[test]
    fn too_few_living_rungs_are_no_plateau() {
        let estimate = at_one(|x| if (x - 1.0).abs() > 1e-14 { f64::NAN } else { x });
        assert_eq!(estimate.doubt, Some(Doubt::NoPlateau));
    }

    #[test]
    fn too_few_constant_rungs_are_no_plateau() {
        let alive_within = |distance: f64| {
            at_one(move |x| {
                if (x - 1.0).abs() > distance {
                    f64::NAN
                } else {
                    3.0
                }
            })
        };
        // The steps are 2⁻², 2⁻⁵, … 2⁻⁴⁷: two of them, and three.
        assert_eq!(alive_within(0.5_f64.powi(44)).doubt, Some(Doubt::NoPlateau));
        assert_eq!(alive_within(0.5_f64.powi(41)).doubt, None);
    }

    #[test]
    fn nothing_alive_is_no_plateau() {
        assert_eq!(at_one(|_| f64::NAN).doubt, Some(Doubt::NoPlateau));
    }
}
