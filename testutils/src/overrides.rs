//! What a rule's author allows, each with a reason.

use std::fmt;

use crate::check::Check;
use crate::comparison::Comparison;
use crate::verdict::Verdict;

/// One permission. It is printed in every run and counted in every report.
#[derive(Clone, Debug, PartialEq)]
pub enum Override {
    /// A check compares in another way.
    Compare(Check, Comparison, String),
    /// An inconclusive case is not an error.
    Inconclusive(String),
    /// A vacuous case is not an error.
    Vacuous(String),
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Override::Compare(check, comparison, reason) => {
                write!(f, "{check:?} within {comparison}: {reason}")
            }
            Override::Inconclusive(reason) => write!(f, "inconclusive allowed: {reason}"),
            Override::Vacuous(reason) => write!(f, "vacuous allowed: {reason}"),
        }
    }
}

/// The permissions of a case.
///
/// ```
/// use coenzyme_testutils::{Check, Comparison, Overrides};
///
/// let simd = Overrides::none().compare(Check::B1, Comparison::Ulps(2), "SIMD sums by lanes of four");
/// assert_eq!(simd.comparison(Check::B1), Some(Comparison::Ulps(2)));
/// assert_eq!(simd.comparison(Check::L1), Some(Comparison::Bits));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    all: Vec<Override>,
}

impl Overrides {
    /// No permissions.
    pub fn none() -> Self {
        Self::default()
    }

    /// Compares in another way in one check.
    ///
    /// **Panics** without a reason.
    #[must_use]
    #[track_caller]
    pub fn compare(self, check: Check, comparison: Comparison, reason: &str) -> Self {
        self.with(Override::Compare(check, comparison, demanded(reason)))
    }

    /// Lets the case be inconclusive.
    ///
    /// **Panics** without a reason.
    #[must_use]
    #[track_caller]
    pub fn allow_inconclusive(self, reason: &str) -> Self {
        self.with(Override::Inconclusive(demanded(reason)))
    }

    /// Lets the case be vacuous.
    ///
    /// **Panics** without a reason.
    #[must_use]
    #[track_caller]
    pub fn allow_vacuous(self, reason: &str) -> Self {
        self.with(Override::Vacuous(demanded(reason)))
    }

    /// The permissions, in the order in which they were given.
    pub fn all(&self) -> &[Override] {
        &self.all
    }

    /// How `check` compares under these permissions; `None` if it compares no numbers.
    pub fn comparison(&self, check: Check) -> Option<Comparison> {
        let mine = self.all.iter().rev().find_map(|given| match given {
            Override::Compare(of, comparison, _) if *of == check => Some(*comparison),
            _ => None,
        });
        mine.or(check.comparison())
    }

    /// Whether a test may end with `verdict`.
    pub fn allow(&self, verdict: &Verdict) -> bool {
        verdict.is_green()
            || self.all.iter().any(|given| {
                matches!(
                    (given, verdict),
                    (Override::Inconclusive(_), Verdict::Inconclusive(_))
                        | (Override::Vacuous(_), Verdict::Vacuous(_))
                )
            })
    }

    fn with(mut self, given: Override) -> Self {
        self.all.push(given);
        self
    }
}

#[track_caller]
fn demanded(reason: &str) -> String {
    assert!(!reason.trim().is_empty(), "an override needs a reason");
    reason.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_permission_for_a_check_counts() {
        let twice = Overrides::none()
            .compare(Check::P1, Comparison::Ulps(8), "pairwise sum")
            .compare(Check::P1, Comparison::Ulps(16), "blocked pairwise sum");
        assert_eq!(twice.comparison(Check::P1), Some(Comparison::Ulps(16)));
        assert_eq!(twice.all()[0].to_string(), "P1 within 8 ulp: pairwise sum");
    }

    #[test]
    fn permission_covers_its_own_verdict_only() {
        let noisy = Overrides::none().allow_inconclusive("bisection inside");
        assert!(noisy.allow(&Verdict::Inconclusive("kink".into())));
        assert!(!noisy.allow(&Verdict::Vacuous("zero".into())));
        let idle = Overrides::none().allow_vacuous("a branch without derivative");
        assert!(idle.allow(&Verdict::Vacuous("zero".into())));
        assert!(!idle.allow(&Verdict::Fail(Check::P1)) && idle.allow(&Verdict::Pass));
    }

    #[test]
    #[should_panic = "an override needs a reason"]
    fn permission_without_reason_is_refused() {
        let _ = Overrides::none().allow_vacuous(" ");
    }
}
