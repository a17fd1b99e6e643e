//! A derivative by many small looks: where the primal is coarse, for it is small beside what it is added to.
//!
//! A step shows `f₊ − f₋` to the last place of `f`, and a ladder knows a slope no better than that by the step. The rounding of
//! many steps of different lengths averages out: the odd part of `f` is fitted by odd Chebyshev polynomials, and the slope's error is
//! that of least squares, known from the residuals, and what one more polynomial changes.
//! The even part shows a kink, which the odd part does not.

use super::direction::Direction;
use super::{Ladder, Precision};
use crate::estimate::{Doubt, Estimate};
use crate::tolerance::{Judgement, Tolerance};

/// How many odd polynomials are tried.
const ORDERS: std::ops::RangeInclusive<usize> = 2..=8;

/// How many standard errors a bar is.
const ERRORS: f64 = 3.0;

/// So many pairs of looks at functions of few numbers, and of more.
const LOOKS: [usize; 2] = [2048, 512];

/// So many of functions in single precision, which are always looked at so.
const LOOKS_IN_SINGLE: usize = 256;

/// In single precision a rule may be off by this part of a derivative, …
const ROUNDED: f64 = 1e-5;

/// … and by so many of the output's last places, for it may subtract numbers of that size.
const CANCELLED: f64 = 8.0;

/// Few numbers.
const FEW: usize = 16;

/// How much wider than the ladder's plateau the looks are taken.
const WIDER: [f64; 7] = [256.0, 64.0, 16.0, 8.0, 4.0, 2.0, 1.0];

/// A function that changes by fewer of its last places than this moves by jumps.
const PLACES: f64 = 64.0;

/// Where the looks are, as parts of the widest, and the polynomials there: the same for every output and every width.
struct Bases {
    at: Vec<f64>,
    /// Odd Chebyshev polynomials.
    odd: Basis,
    /// Even powers, …
    even: Basis,
    /// … and with them a corner.
    cornered: Basis,
}

impl Bases {
    fn new(count: usize) -> Self {
        // More of them far out, as Chebyshev would, and none where another is.
        let part = |look: usize| (look as f64 + 0.5) / count as f64;
        let at = |look| (std::f64::consts::FRAC_PI_2 * part(look)).sin();
        let at: Vec<f64> = (0..count).map(at).collect();
        let odd = |u: f64, order: usize| (f64::from(2 * order as u32 + 1) * u.acos()).cos();
        let even = |u: f64, order: usize| u.powi(2 * (order as i32 + 1));
        let cornered = |u: f64, order: usize| match order {
            0 => u,
            order => even(u, order - 1),
        };
        Self {
            odd: Basis::new(&at, *ORDERS.end(), odd),
            even: Basis::new(&at, 4, even),
            cornered: Basis::new(&at, 5, cornered),
            at,
        }
    }
}

/// The odd part of an output, and its even part without the middle, at each look.
struct Looks {
    widest: f64,
    odd: Vec<f64>,
    even: Vec<f64>,
    /// The last place of the output.
    place: f64,
    precision: Precision,
}

impl Ladder {
    /// Replaces what `tolerance` cannot judge of the derivatives `known` along a direction by what is better known.
    pub(crate) fn averaged(
        &self,
        primal: &mut dyn FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        direction: &[f64],
        known: &mut [Estimate],
        tolerance: Tolerance,
    ) {
        let coarse = |estimate: &Estimate| {
            let judgement = tolerance.judge(estimate.value, estimate);
            matches!(judgement, Judgement::Inconclusive(Doubt::TooWide { .. }))
        };
        let entries = 0..known.len();
        let doubtful: Vec<usize> = entries.filter(|entry| coarse(&known[*entry])).collect();
        let widths = doubtful.iter().filter_map(|entry| known[*entry].plateau);
        let mut widths: Vec<f64> = widths.map(|plateau| plateau.widest).collect();
        widths.sort_by(f64::total_cmp);
        widths.dedup();
        if widths.is_empty() {
            return;
        }
        let bases = Bases::new(match self.precision {
            Precision::Double => LOOKS[usize::from(x.len() > FEW)],
            Precision::Single => LOOKS_IN_SINGLE,
        });
        // Outputs of very different widths are rare, and may stay unknown.
        for width in widths.into_iter().rev().take(2) {
            for wider in WIDER {
                let Some(all) = self.looks(primal, x, direction, width * wider, &bases.at) else {
                    continue;
                };
                for entry in &doubtful {
                    let better = all
                        .get(*entry)
                        .and_then(|looks| fitted(looks, &bases, &known[*entry]));
                    if let Some(better) = better {
                        known[*entry] = better;
                    }
                }
            }
        }
    }

    /// Looks at every output at these parts of `widest`.
    fn looks(
        &self,
        primal: &mut dyn FnMut(&[f64]) -> Option<Vec<f64>>,
        x: &[f64],
        direction: &[f64],
        widest: f64,
        parts: &[f64],
    ) -> Option<Vec<Looks>> {
        let middle = primal(x)?;
        let count = parts.len();
        let of = |value: &f64| Looks {
            widest,
            odd: Vec::with_capacity(count),
            even: Vec::with_capacity(count),
            place: self.precision.epsilon() * value.abs(),
            precision: self.precision,
        };
        let mut all: Vec<Looks> = middle.iter().map(of).collect();
        for part in parts {
            let step = widest * part;
            let along = Direction::Vector(direction);
            let plus = primal(&along.displace(x, step, self.precision).0)?;
            let minus = primal(&along.displace(x, -step, self.precision).0)?;
            if plus.len() != all.len() || minus.len() != all.len() {
                return None;
            }
            for (entry, looks) in all.iter_mut().enumerate() {
                looks.odd.push((plus[entry] - minus[entry]) / 2.0);
                looks.even.push(
                    (plus[entry] - middle[entry]) / 2.0 + (minus[entry] - middle[entry]) / 2.0,
                );
            }
        }
        Some(all)
    }
}

/// The slope of the best fit, if it is better known than `known` and does not contradict it.
fn fitted(looks: &Looks, bases: &Bases, known: &Estimate) -> Option<Estimate> {
    let change = looks
        .odd
        .iter()
        .fold(0.0_f64, |most, odd| most.max(odd.abs()));
    if !change.is_finite() || change < PLACES * looks.place || is_bent(looks, bases) {
        return None;
    }
    let fits: Option<Vec<_>> = ORDERS
        .map(|order| slope(looks, &bases.odd, order))
        .collect();
    let fits = fits?;
    let pairs = fits.windows(2);
    let bars = pairs.map(|pair| {
        (
            pair[1].0,
            (pair[1].0 - pair[0].0).abs() + ERRORS * pair[1].1,
        )
    });
    let (value, bar) = bars.min_by(|one, other| one.1.total_cmp(&other.1))?;
    let bar = match looks.precision {
        Precision::Double => bar,
        Precision::Single => bar.max(ROUNDED * value.abs()).max(CANCELLED * looks.place),
    };
    let agrees = (value - known.value).abs() <= 4.0 * (bar + known.bar);
    (agrees && bar < known.bar).then_some(Estimate {
        value,
        bar,
        terms: known.terms.max(value.abs()),
        stairs: if known.stairs == 0.0 { 0.0 } else { value },
        ..*known
    })
}

/// Whether the even part has a corner: then it is no polynomial.
fn is_bent(looks: &Looks, bases: &Bases) -> bool {
    let fits = [&bases.even, &bases.cornered].map(|basis| basis.fit(&looks.even, basis.columns));
    match fits {
        [Some(fit), Some(cornered)] => cornered.residual < 0.5 * fit.residual,
        _ => true,
    }
}

/// The slope at the middle of a fit by `order` odd Chebyshev polynomials, and its standard error.
fn slope(looks: &Looks, odd: &Basis, order: usize) -> Option<(f64, f64)> {
    let fit = odd.fit(&looks.odd, order)?;
    // T′₂ₖ₊₁(0) = (−1)ᵏ·(2k + 1)
    let at_zero =
        |k: usize| if k.is_multiple_of(2) { 1.0 } else { -1.0 } * (2 * k + 1) as f64 / looks.widest;
    let slopes: Vec<f64> = (0..order).map(at_zero).collect();
    let value = fit
        .coefficients
        .iter()
        .zip(&slopes)
        .map(|(c, s)| c * s)
        .sum();
    let variance: f64 = (0..order)
        .flat_map(|i| (0..order).map(move |j| (i, j)))
        .map(|(i, j)| slopes[i] * fit.inverse[i][j] * slopes[j])
        .sum();
    Some((value, fit.residual * variance.max(0.0).sqrt()))
}

/// A fit of numbers by a basis.
struct Fit {
    coefficients: Vec<f64>,
    /// The inverse of the normal matrix.
    inverse: Vec<Vec<f64>>,
    /// The standard deviation of what is left.
    residual: f64,
}

/// Functions to fit by, at each look.
struct Basis {
    columns: usize,
    /// A row for each look.
    values: Vec<f64>,
    normal: Vec<Vec<f64>>,
}

impl Basis {
    fn new(at: &[f64], columns: usize, function: impl Fn(f64, usize) -> f64) -> Self {
        let values = at
            .iter()
            .flat_map(|u| (0..columns).map(|k| function(*u, k)).collect::<Vec<_>>());
        let values: Vec<f64> = values.collect();
        let mut normal = vec![vec![0.0; columns]; columns];
        for row in values.chunks_exact(columns) {
            for (left, of_left) in row.iter().zip(&mut normal) {
                for (right, entry) in row.iter().zip(of_left) {
                    *entry += left * right;
                }
            }
        }
        Self {
            columns,
            values,
            normal,
        }
    }

    /// Least squares by the first `order` functions and the normal equations, which for nearly orthogonal columns lose nothing.
    fn fit(&self, values: &[f64], order: usize) -> Option<Fit> {
        let rows = || self.values.chunks_exact(self.columns).zip(values);
        let mut right = vec![0.0; order];
        for (row, value) in rows() {
            for (sum, x) in right.iter_mut().zip(row) {
                *sum += x * value;
            }
        }
        let normal = self.normal[..order].iter();
        let inverse = inverse(normal.map(|row| row[..order].to_vec()).collect())?;
        let product = |row: &Vec<f64>| row.iter().zip(&right).map(|(a, b)| a * b).sum();
        let coefficients: Vec<f64> = inverse.iter().map(product).collect();
        let mut squares = 0.0;
        for (row, value) in rows() {
            let mut left = *value;
            for (x, c) in row.iter().zip(&coefficients) {
                left -= x * c;
            }
            squares += left * left;
        }
        let freedom = values.len().checked_sub(order).filter(|n| *n > 0)?;
        let residual = (squares / freedom as f64).sqrt();
        residual.is_finite().then_some(Fit {
            coefficients,
            inverse,
            residual,
        })
    }
}

/// The inverse of a small matrix by Gauss and Jordan; `None` if it is singular.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for pivot in 0..n {
        let best = (pivot..n)
            .max_by(|a, b| matrix[*a][pivot].abs().total_cmp(&matrix[*b][pivot].abs()))?;
        matrix.swap(pivot, best);
        let divisor = matrix[pivot][pivot];
        if divisor == 0.0 || !divisor.is_finite() {
            return None;
        }
        matrix[pivot].iter_mut().for_each(|x| *x /= divisor);
        let row = matrix[pivot].clone();
        let others = matrix.iter_mut().enumerate().filter(|(i, _)| *i != pivot);
        for (_, other) in others {
            let factor = other[pivot];
            other
                .iter_mut()
                .zip(&row)
                .for_each(|(a, b)| *a -= factor * b);
        }
    }
    Some(matrix.into_iter().map(|row| row[n..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The derivative at one by the ladder, and averaged.
    fn at_one(f: impl Fn(f64) -> f64) -> (Estimate, Estimate) {
        let ladder = Ladder::default();
        let mut primal = |x: &[f64]| Some(vec![f(x[0])]);
        let before = ladder.directional(&mut primal, &[1.0], &[1.0]).unwrap();
        let mut after = before.clone();
        ladder.averaged(&mut primal, &[1.0], &[1.0], &mut after, Tolerance::DOUBLE);
        (before[0], after[0])
    }

    #[test]
    fn small_beside_a_large_number_is_known_better() {
        let (before, after) = at_one(|x| 1e9 + x.sin());
        let error = (after.value - 1_f64.cos()).abs();
        assert!(
            error <= after.bar && after.bar < before.bar / 8.0,
            "{before:?} {after:?}"
        );
        assert!(after.bar < 2.5e-7 * after.value);
    }

    #[test]
    fn what_is_known_stays_as_it_is() {
        let (before, after) = at_one(f64::exp);
        assert_eq!(before, after);
    }

    #[test]
    fn a_corner_far_below_is_no_slope() {
        // Of |x − 1| the odd part is zero.
        let (before, after) = at_one(|x| 1e9 + 1e-2 * (x - 1.0).abs() + 1e-2 * x);
        let right =
            (after.value - 0.02).abs() <= after.bar || (after.value - 0.0).abs() <= after.bar;
        assert!(before == after || right, "{before:?} {after:?}");
    }

    #[test]
    fn a_function_that_moves_by_jumps_is_not_averaged() {
        let (before, after) = at_one(|x| 1e16 + x);
        assert_eq!(before, after);
    }

    #[test]
    fn small_matrices_are_inverted() {
        let inverse = inverse(vec![vec![0.0, 2.0], vec![4.0, 0.0]]).unwrap();
        assert_eq!(inverse, [[0.0, 0.25], [0.5, 0.0]]);
        assert!(super::inverse(vec![vec![0.0]]).is_none());
    }
}
