//! The extrapolation table of one entry, every cell with its bar.

use super::rung::Rung;

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
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) column: usize,
    pub(super) rung: usize,
    pub(super) value: f64,
    pub(super) bar: f64,
    pub(super) noise: f64,
}

/// The cells whose two neighbours are alive.
pub(super) fn cells(rungs: &[Rung], climb: Climb) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (column, values) in extrapolate(rungs, climb.ratio).iter().enumerate() {
        for (before, three) in values.windows(3).enumerate() {
            let (value, rung) = (three[1], before + 1);
            // Not `max` first: it would prefer a number to the NaN of a dead neighbour.
            let [wide, narrow] = [(value - three[0]).abs(), (value - three[2]).abs()];
            if wide.is_nan() || narrow.is_nan() {
                continue;
            }
            let noise = noise(rungs, value);
            let bar = wide.max(narrow) + rounding(&rungs[rung], climb) + noise / rungs[rung].step;
            cells.push(Cell {
                column,
                rung,
                value,
                bar,
                noise,
            });
        }
    }
    cells
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
///
/// Where dead rungs have hidden part of it, it is at least half the smallest change seen: a function that
/// moves by jumps is wrong by a jump.
fn noise(rungs: &[Rung], value: f64) -> f64 {
    let narrow = rungs.iter().rev().filter(|rung| rung.alive).take(NOISY);
    let shown = median(
        narrow
            .map(|rung| (rung.slope - value).abs() * rung.step)
            .collect(),
    );
    shown.max(quantum(rungs) / 2.0)
}

/// The smallest change of a function that saturates at narrow steps; zero if it does not.
fn quantum(rungs: &[Rung]) -> f64 {
    // Only from one rung to the next: across a gap of the ladder, any function comes to rest.
    if rungs
        .windows(2)
        .any(|pair| pair[0].alive && pair[1].saturated)
    {
        let changes = rungs.iter().filter(|rung| rung.alive && rung.change != 0.0);
        changes
            .map(|rung| rung.change.abs())
            .fold(f64::INFINITY, f64::min)
    } else {
        0.0
    }
}

/// The middle value; zero of none.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::super::rung::kill_saturated;
    use super::*;

    const CLIMB: Climb = Climb {
        magnitude: 1.0,
        scale: 1.0,
        epsilon: f64::EPSILON,
        ratio: 8.0,
    };

    fn rungs(f: impl Fn(f64) -> f64) -> Vec<Rung> {
        let at = |k: i32| {
            let h = 0.25 * 8_f64.powi(-k);
            Rung::new(f(1.0 - h), f(1.0), f(1.0 + h), h, h)
        };
        (0..8).map(at).collect()
    }

    #[test]
    fn columns_are_exact_for_their_degree() {
        // Central differences have even error terms: column j is exact up to degree 2j + 2.
        for (column, degree) in [(0, 2), (1, 4), (2, 6)] {
            let table = extrapolate(&rungs(|x| x.powi(degree)), 8.0);
            let first = table[column][column];
            assert!(
                (first - f64::from(degree)).abs() < 1e-13,
                "column {column}: {first}"
            );
        }
    }

    #[test]
    fn dead_rung_spoils_its_neighbours_only() {
        let mut rungs = rungs(f64::exp);
        rungs[3] = Rung::DEAD;
        let alive: Vec<_> = cells(&rungs, CLIMB)
            .iter()
            .map(|c| (c.column, c.rung))
            .collect();
        assert_eq!(alive, [(0, 1), (0, 5), (0, 6), (1, 6)]);
    }

    #[test]
    fn jumping_function_is_as_noisy_as_its_jumps() {
        let jump = 0.5_f64.powi(21);
        let mut rungs = rungs(|x| (x / jump).round() * jump);
        assert_eq!(quantum(&rungs), 0.0);
        kill_saturated(&mut rungs, 1.0, f64::EPSILON);
        assert!(rungs[7].saturated);
        assert_eq!(quantum(&rungs), 4.0 * jump);
        assert!(noise(&rungs, 1.0) >= 2.0 * jump);
    }

    /// A rung at which nothing is remarkable but what is given.
    fn rung(step: f64, slope: f64, change: f64) -> Rung {
        let magnitude = 8.0;
        let (jump, alive, saturated) = (0.0, true, false);
        Rung {
            step,
            slope,
            jump,
            magnitude,
            change,
            alive,
            saturated,
        }
    }

    #[test]
    fn bar_is_the_spread_of_three_rungs_and_rounding_and_noise() {
        let rungs = [
            rung(4.0, 1.0, 4.0),
            rung(2.0, 1.5, 3.0),
            rung(1.0, 1.25, 1.25),
        ];
        let climb = Climb {
            magnitude: 5.0,
            epsilon: 0.125,
            ratio: 2.0,
            ..CLIMB
        };
        let rounding = 0.125 * (8.0 + 5.0 * 1.5) / 2.0;
        assert_eq!(super::rounding(&rungs[1], climb), rounding);
        let cells = cells(&rungs, climb);
        assert_eq!(cells.len(), 1);
        let cell = cells[0];
        // |Dᵢ − 1.5|·hᵢ is 2, 0 and 0.25.
        assert_eq!(
            (cell.column, cell.rung, cell.value, cell.noise),
            (0, 1, 1.5, 0.25)
        );
        assert_eq!(cell.bar, 0.5 + rounding + 0.25 / 2.0);
    }

    #[test]
    fn saturation_hides_half_of_the_smallest_change() {
        let saturated = Rung {
            saturated: true,
            ..Rung::DEAD
        };
        let rungs = [
            rung(4.0, 1.0, 9.0),
            rung(3.0, 1.0, 0.0),
            rung(2.0, 1.0, 6.0),
            saturated,
        ];
        assert_eq!((quantum(&rungs), noise(&rungs, 1.0)), (6.0, 3.0));
        assert_eq!(noise(&rungs[..3], 1.0), 0.0);
    }

    #[test]
    fn middle_of_nothing_is_zero() {
        assert_eq!(median(vec![]), 0.0);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![5.0, 3.0, 1.0, 2.0, 4.0]), 3.0);
    }
}
