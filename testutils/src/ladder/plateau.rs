//! From the rungs of one entry to its estimate.

use super::kink;
use super::rung::{Rung, all_flat, kill_saturated};
use crate::estimate::{Doubt, Estimate, Plateau};

/// Richardson columns: errors of order 2, 4 and 6 in the step.
const COLUMNS: usize = 3;

/// How many of the narrowest rungs measure the noise.
const NOISY: usize = 5;

/// What the ladder knows of the coordinate it climbs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Climb {
    /// `|x|`.
    pub(super) magnitude: f64,
    /// The power of two that steps are relative to.
    pub(super) scale: f64,
    /// The spacing of numbers near one.
    pub(super) epsilon: f64,
    /// The ratio of neighbouring steps.
    pub(super) ratio: f64,
}

/// A cell of the extrapolation table: column `j`, ending at rung `k`.
struct Cell {
    column: usize,
    rung: usize,
    value: f64,
    bar: f64,
    noise: f64,
}

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

/// The cell of least relative bar, among those whose two neighbours are alive.
fn best_cell(rungs: &[Rung], climb: Climb) -> Option<Cell> {
    let table = extrapolate(rungs, climb.ratio);
    // Relative to a typical slope, lest a cell win by being near zero.
    let typical = 1e-3
        * median(
            rungs
                .iter()
                .filter(|r| r.alive)
                .map(|r| r.slope.abs())
                .collect(),
        );
    let mut best: Option<(f64, Cell)> = None;
    for (column, values) in table.iter().enumerate() {
        for rung in 1..rungs.len().saturating_sub(1) {
            let (before, value, after) = (values[rung - 1], values[rung], values[rung + 1]);
            // Not `max` first: it would prefer a number to the NaN of a dead neighbour.
            let [wide, narrow] = [(value - before).abs(), (value - after).abs()];
            if wide.is_nan() || narrow.is_nan() {
                continue;
            }
            let spread = wide.max(narrow);
            let noise = noise(rungs, value);
            let bar = spread + rounding(&rungs[rung], climb) + noise / rungs[rung].step;
            let relative = bar / value.abs().max(typical);
            if best.as_ref().is_none_or(|(least, _)| relative < *least) {
                best = Some((
                    relative,
                    Cell {
                        column,
                        rung,
                        value,
                        bar,
                        noise,
                    },
                ));
            }
        }
    }
    best.map(|(_, cell)| cell)
}

/// `T₀ₖ = Dₖ` and `Tⱼₖ = Tⱼ₋₁,ₖ + (Tⱼ₋₁,ₖ − Tⱼ₋₁,ₖ₋₁)/(r²ʲ − 1)`, where `r` is the ratio of neighbouring
/// steps (Richardson 1911, doi:10.1098/rsta.1911.0009). Dead rungs are NaN, and so is all they touch.
fn extrapolate(rungs: &[Rung], ratio: f64) -> [Vec<f64>; COLUMNS] {
    let mut table: [Vec<f64>; COLUMNS] = Default::default();
    table[0] = rungs.iter().map(|rung| rung.slope).collect();
    for column in 1..COLUMNS {
        let weight = (ratio * ratio).powi(column as i32) - 1.0;
        let previous = &table[column - 1];
        let pairs = previous
            .windows(2)
            .map(|pair| pair[1] + (pair[1] - pair[0]) / weight);
        table[column] = std::iter::once(f64::NAN)
            .chain(pairs)
            .take(rungs.len())
            .collect();
    }
    table
}

/// `ε(|f₊| + |f₋| + |x·D|)/h`: what rounding the values and the displaced points may do.
pub(super) fn rounding(rung: &Rung, climb: Climb) -> f64 {
    climb.epsilon * (rung.magnitude + climb.magnitude * rung.slope.abs()) / rung.step
}

/// `median |Dᵢ − T|·hᵢ` over the narrowest rungs: the error of `f₊ − f₋` that they show.
fn noise(rungs: &[Rung], value: f64) -> f64 {
    let narrow = rungs.iter().rev().filter(|rung| rung.alive).take(NOISY);
    median(
        narrow
            .map(|rung| (rung.slope - value).abs() * rung.step)
            .collect(),
    )
}

/// The middle value; zero of none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
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
    fn too_few_living_rungs_are_no_plateau() {
        let estimate = at_one(|x| if (x - 1.0).abs() > 1e-14 { f64::NAN } else { x });
        assert_eq!(estimate.doubt, Some(Doubt::NoPlateau));
    }

    #[test]
    fn nothing_alive_is_no_plateau() {
        assert_eq!(at_one(|_| f64::NAN).doubt, Some(Doubt::NoPlateau));
    }
}
