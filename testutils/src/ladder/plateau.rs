//! From the rungs of one entry to its estimate.

use super::cell::{Cell, Climb, cells, median};
use super::kink;
use super::rung::{Rung, all_flat, all_jitter, kill_saturated};
use crate::estimate::{Doubt, Estimate, Plateau};

/// Two cells exclude each other if they are this many of their bars apart.
const CONTRADICTION: f64 = 10.0;

/// Estimates the derivative of one entry from its rungs, wide to narrow.
pub(super) fn estimate(mut rungs: Vec<Rung>, climb: Climb) -> Estimate {
    let still = all_jitter(&rungs, climb.epsilon).then(|| flat(&rungs, climb));
    let staircase = kill_saturated(&mut rungs, climb.scale, climb.epsilon);
    if all_flat(&rungs) {
        return flat(&rungs, climb);
    }
    let Some(cell) = best(cells(&rungs, climb), typical(&rungs)) else {
        return still.unwrap_or(Estimate::unknown(Doubt::NoPlateau));
    };
    // Slopes of rounding may agree by accident, where steps are narrow.
    if let Some(still) = still.filter(|still| still.bar <= cell.bar) {
        return still;
    }
    let widest = &rungs[cell.rung - cell.column - 1];
    let kinked = kink::at(&rungs, cell.rung, cell.noise, climb);
    Estimate {
        bar: cell.bar,
        stairs: if staircase { cell.value } else { 0.0 },
        doubt: kinked.then_some(Doubt::Kink),
        plateau: Some(Plateau {
            widest: widest.step,
            narrowest: rungs[cell.rung + 1].step,
            order: 2 * (cell.column as u32 + 1),
            noise: in_units(cell.noise, &rungs[cell.rung], climb.epsilon),
        }),
        ..Estimate::exact(cell.value)
    }
}

/// An error of `f₊ − f₋` in units of the last place of `f`.
fn in_units(error: f64, rung: &Rung, epsilon: f64) -> f64 {
    let unit = epsilon * rung.magnitude / 2.0;
    if unit > 0.0 { error / unit } else { 0.0 }
}

/// The estimate of an entry that never changes but by rounding: zero, as far as that lets one see.
fn flat(rungs: &[Rung], climb: Climb) -> Estimate {
    let mut alive = rungs.iter().enumerate().filter(|(_, rung)| rung.alive);
    let Some((index, widest)) = alive.next() else {
        return Estimate::unknown(Doubt::NoPlateau);
    };
    if alive.count() < 2 {
        return Estimate::unknown(Doubt::NoPlateau);
    }
    let changes = rungs
        .iter()
        .filter(|rung| rung.alive)
        .map(|rung| rung.change.abs());
    let jitter = changes.fold(0.0, f64::max);
    let kinked = kink::at(rungs, index, jitter, climb);
    Estimate {
        bar: (climb.epsilon * widest.magnitude + jitter) / widest.step,
        flat: true,
        doubt: kinked.then_some(Doubt::Kink),
        ..Estimate::exact(0.0)
    }
}

/// A thousandth of a typical slope: what bars are relative to where the derivative is near zero, lest no bar be small there.
fn typical(rungs: &[Rung]) -> f64 {
    let alive = rungs.iter().filter(|rung| rung.alive);
    1e-3 * median(alive.map(|rung| rung.slope.abs()).collect())
}

/// The cell of least relative bar that no narrower cell contradicts.
///
/// A derivative is a limit: if a wide plateau and a narrow one exclude each other, the wide one belongs
/// to a function seen from too far away, such as `1/x` from both sides of its pole.
fn best(mut cells: Vec<Cell>, typical: f64) -> Option<Cell> {
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
        assert_eq!(
            estimate.bar,
            24.0 * f64::EPSILON,
            "6ε over the widest step of 1/4"
        );
    }

    #[test]
    fn constants_that_jitter_are_zero_within_their_jitter() {
        // Odd steps down the ladder round up, the others not at all.
        let unit = 8.0 * f64::EPSILON;
        let at = |k: i32| {
            let h = 0.25 * 8_f64.powi(-k);
            let plus = if k % 2 == 0 { 1.0 + unit } else { 1.0 };
            Rung::new(1.0, 1.0, plus, h, h)
        };
        let jittery = estimate((0..16).map(at).collect(), CLIMB);
        assert_eq!((jittery.value, jittery.doubt), (0.0, None));
        let rounding = f64::EPSILON * (2.0 + unit);
        assert_eq!(jittery.bar, (rounding + unit) / 0.25);
        // Narrow steps of slope one are an accident among wide ones of slope zero.
        let accident = |k: i32| {
            let h = 0.25 * 8_f64.powi(-k);
            let plus = if k < 13 { 1.0 } else { 1.0 + 2.0 * h };
            Rung::new(1.0, 1.0, plus, h, h)
        };
        assert_eq!(estimate((0..16).map(accident).collect(), CLIMB).value, 0.0);
    }

    #[test]
    fn small_slopes_that_the_steps_resolve_are_no_jitter() {
        let estimate = at_one(|x| 1.0 + 1e-13 * (x - 1.0));
        assert!((estimate.value - 1e-13).abs() < 1e-14, "{estimate:?}");
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

    fn cell(rung: usize, value: f64, bar: f64) -> Cell {
        let (column, noise) = (0, 0.0);
        Cell {
            column,
            rung,
            value,
            bar,
            noise,
        }
    }

    /// The rung and the value of the best cell.
    fn best_of(cells: &[Cell], typical: f64) -> Option<(usize, f64)> {
        best(cells.to_vec(), typical).map(|cell| (cell.rung, cell.value))
    }

    #[test]
    fn best_cell_has_the_least_bar_for_its_value() {
        let cells = [cell(1, 4.0, 1.0), cell(2, 0.5, 0.25)];
        assert_eq!(best_of(&cells, 0.0), Some((1, 4.0)));
        let near_zero = [cell(1, 1.0, 0.125), cell(2, 0.0, 0.0625)];
        assert_eq!(best_of(&near_zero, 0.0), Some((1, 1.0)));
        assert_eq!(best_of(&near_zero, 1.0), Some((2, 0.0)));
        assert_eq!(best_of(&[], 1.0), None);
    }

    #[test]
    fn narrower_cells_have_the_last_word() {
        let bar = 1.0 / 64.0;
        // Twenty bars are no contradiction, more are.
        let wide = cell(1, 1.0, bar);
        assert_eq!(
            best_of(&[wide, cell(2, 1.0 - 20.0 * bar, bar)], 0.0),
            Some((1, 1.0))
        );
        assert_eq!(best_of(&[wide, cell(2, 0.5, bar)], 0.0), Some((2, 0.5)));
        // Neither a wider cell nor one of the same rung contradicts.
        assert_eq!(best_of(&[wide, cell(1, 0.5, bar)], 0.0), Some((1, 1.0)));
        assert_eq!(best_of(&[wide, cell(0, 0.5, bar)], 0.0), Some((1, 1.0)));
    }

    #[test]
    fn typical_slopes_are_those_of_living_rungs() {
        let rung = |slope| Rung {
            slope,
            alive: true,
            ..Rung::DEAD
        };
        let dead = Rung {
            slope: 1e9,
            ..Rung::DEAD
        };
        let rungs = [rung(-8.0), rung(4.0), rung(2.0), dead, dead];
        assert_eq!(typical(&rungs), 1e-3 * 4.0);
    }

    #[test]
    fn plateaus_span_the_steps_of_their_order() {
        let functions: [fn(f64) -> f64; 5] = [
            f64::sin,
            f64::exp,
            |x| x * x,
            |x| x.powi(4),
            |x| (30.0 * x).sin(),
        ];
        let mut orders = std::collections::BTreeSet::new();
        for f in functions {
            let plateau = at_one(f).plateau.expect("smooth");
            // Order 2 compares three steps, 4 four, 6 five, each an eighth of the one before.
            let steps = (plateau.widest / plateau.narrowest).log2() / 3.0 + 1.0;
            assert_eq!(steps, f64::from(plateau.order) / 2.0 + 2.0, "{plateau:?}");
            orders.insert(plateau.order);
        }
        assert!(orders.len() > 1, "{orders:?}");
    }

    #[test]
    fn noise_is_in_units_of_the_last_place() {
        // Numbers near 1024, rounded to 2⁻²¹: 2²¹ units of 2⁻⁴².
        let jump = 0.5_f64.powi(21);
        let rounded = at_one(|x| 1024.0 + (x.sin() / jump).round() * jump);
        let noise = rounded.plateau.expect("coarse, not rough").noise;
        let unit = 2_f64.powi(21);
        assert!(
            (unit / 8.0..unit * 8.0).contains(&noise),
            "{noise} of {unit}"
        );
        let rung = Rung {
            magnitude: 8.0,
            ..Rung::DEAD
        };
        assert_eq!(in_units(5.0, &rung, 0.5), 2.5);
        // Where a unit is too small to be a number, there is nothing to count.
        let tiny = at_one(|x| 1e-310 * x).plateau.expect("linear");
        assert_eq!(tiny.noise, 0.0);
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
