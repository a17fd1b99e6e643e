//! A picture of differences against the step, in plain text.

use std::fmt::Write;

use super::direction::Direction;
use super::{Ladder, steps};

/// Decades that the picture shows, from 1 down.
const DECADES: usize = 16;

/// Columns for each decade.
const WIDE: usize = 3;

impl Ladder {
    /// How far the central differences of a function of one output are from two numbers, step by step: from what a rule says,
    /// `o`, and from the best estimate, `*`; `#` where both are.
    ///
    /// A wrong rule stays away from every difference; a right one comes as near as the estimate. Where the stars are
    /// nearest there is the plateau: to its left the steps are too wide, to its right rounding takes over.
    ///
    /// ```
    /// let ladder = coenzyme_testutils::Ladder::default();
    /// let picture = ladder.picture(|x| Some(x[0].sin()), &[1.0], &[1.0], 0.5, 1_f64.cos());
    /// assert!(picture.contains("2^-2") && picture.contains('o') && picture.contains('*'));
    /// ```
    ///
    /// **Panics** if `x` and `direction` differ in length.
    #[track_caller]
    pub fn picture(
        &self,
        mut primal: impl FnMut(&[f64]) -> Option<f64>,
        x: &[f64],
        direction: &[f64],
        rule: f64,
        best: f64,
    ) -> String {
        let inputs = (x.len(), direction.len());
        assert_eq!(
            inputs.0, inputs.1,
            "a direction has one entry for each input"
        );
        let along = Direction::Vector(direction);
        let h_max = self.h_max(x.len(), along);
        let steps = steps::steps(along.magnitude(x), h_max, self.stride, self.precision);
        let mut picture = format!("step   {:>23}  {}", "difference", axis());
        for step in steps.into_iter().filter(|step| step.is_finite()) {
            let (minus, _) = along.displace(x, -step, self.precision);
            let (plus, _) = along.displace(x, step, self.precision);
            let difference = primal(&plus).zip(primal(&minus));
            let difference = difference.map(|(plus, minus)| (plus - minus) / (2.0 * step));
            let line = difference.filter(|value| value.is_finite()).map_or_else(
                || format!("{:>23}", "none"),
                |value| {
                    let marks = marks(distance(value, rule), distance(value, best));
                    format!("{value:>23.16e}  {marks}")
                },
            );
            let power = format!("2^{:.0}", step.log2());
            write!(picture, "\n{power:<6} {line}").expect("strings take all");
        }
        picture
    }
}

/// The distance of a difference from a number, relative to the number if that is large.
fn distance(difference: f64, from: f64) -> f64 {
    (difference - from).abs() / from.abs().max(1e-3)
}

/// The column of a distance: 1 and more is far left, 10⁻¹⁶ far right.
fn column(distance: f64) -> usize {
    let decades = -distance.max(1e-300).log10();
    (decades.clamp(0.0, DECADES as f64) * WIDE as f64) as usize
}

fn axis() -> String {
    let tick = |decade: usize| format!("{:<1$}", format!("1e-{decade}"), 4 * WIDE);
    let ticks: String = (0..=DECADES).step_by(4).map(tick).collect();
    format!("{}  o rule  * best", ticks.trim_end())
}

fn marks(rule: f64, best: f64) -> String {
    let (rule, best) = (column(rule), column(best));
    let mark = |at: usize| match (at == rule, at == best) {
        (true, true) => '#',
        (true, false) => 'o',
        (false, true) => '*',
        (false, false) => ' ',
    };
    (0..=rule.max(best)).map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_rule_stays_away_where_the_estimate_comes_near() {
        let square = |x: &[f64]| Some(x[0] * x[0]);
        let picture = Ladder::default().picture(square, &[1.5], &[1.0], 3.1, 3.0);
        let lines: Vec<&str> = picture.lines().collect();
        assert_eq!(lines.len(), 1 + 16);
        assert!(lines[0].starts_with("step") && lines[0].contains("1e-16"));
        // Exact differences: the estimate is at the far right, the rule a thirtieth off.
        let at = |mark| lines[1].find(mark).expect("both are marked");
        assert!(at('*') > at('o') + 10 * WIDE, "{picture}");
    }

    #[test]
    fn failures_and_agreement_are_marked() {
        let root = |x: &[f64]| (x[0] > 0.9).then(|| x[0].sqrt());
        let picture = Ladder::default().picture(root, &[1.0], &[1.0], 0.5, 0.5);
        let (_, lines) = picture.split_once('\n').expect("a line for each step");
        assert!(lines.contains("none") && lines.contains('#'), "{picture}");
        assert!(!lines.contains(" o") && !lines.contains('*'), "{picture}");
    }
}
