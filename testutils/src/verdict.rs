//! What may come of a case.

use std::fmt;

use crate::check::Check;

/// What came of a case, from best to worst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every check passed, and could have failed.
    Pass,
    /// The mix is declared unsupported, for this reason.
    Unsupported(String),
    /// The case cannot tell a right rule from a wrong one.
    Vacuous(String),
    /// The differences cannot judge to the precision required.
    Inconclusive(String),
    /// A check failed.
    Fail(Check),
}

impl Verdict {
    /// Whether a test may end with this verdict without anybody's permission.
    pub const fn is_green(&self) -> bool {
        matches!(self, Verdict::Pass | Verdict::Unsupported(_))
    }

    /// The verdict in one word.
    pub const fn word(&self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Unsupported(_) => "UNSUPPORTED",
            Verdict::Vacuous(_) => "VACUOUS",
            Verdict::Inconclusive(_) => "INCONCLUSIVE",
            Verdict::Fail(_) => "FAIL",
        }
    }

    /// The worse of the two; of two equally bad, the first.
    #[must_use]
    pub fn worse(self, other: Verdict) -> Verdict {
        if other.severity() > self.severity() {
            other
        } else {
            self
        }
    }

    const fn severity(&self) -> u8 {
        match self {
            Verdict::Pass => 0,
            Verdict::Unsupported(_) => 1,
            Verdict::Vacuous(_) => 2,
            Verdict::Inconclusive(_) => 3,
            Verdict::Fail(_) => 4,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            Verdict::Pass => Ok(()),
            Verdict::Fail(check) => write!(f, " {check}"),
            Verdict::Unsupported(reason)
            | Verdict::Vacuous(reason)
            | Verdict::Inconclusive(reason) => write!(f, " {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worst_verdict_wins_and_ties_keep_the_first() {
        let vacuous = Verdict::Vacuous("zero block".into());
        let kink = Verdict::Inconclusive("kink".into());
        let fail = Verdict::Fail(Check::R4);
        assert_eq!(Verdict::Pass.worse(vacuous.clone()), vacuous);
        assert_eq!(kink.clone().worse(vacuous), kink);
        assert_eq!(fail.clone().worse(Verdict::Fail(Check::P1)), fail);
        assert_eq!(kink.worse(fail.clone()), fail);
    }

    #[test]
    fn only_pass_and_unsupported_are_green() {
        assert!(Verdict::Pass.is_green() && Verdict::Unsupported(String::new()).is_green());
        assert!(!Verdict::Vacuous(String::new()).is_green());
        assert!(!Verdict::Inconclusive(String::new()).is_green());
        assert!(!Verdict::Fail(Check::L1).is_green());
    }

    #[test]
    fn each_verdict_is_worse_than_those_before_it() {
        let reason = || "reason".to_owned();
        let ordered = [
            (Verdict::Pass, "PASS"),
            (Verdict::Unsupported(reason()), "UNSUPPORTED"),
            (Verdict::Vacuous(reason()), "VACUOUS"),
            (Verdict::Inconclusive(reason()), "INCONCLUSIVE"),
            (Verdict::Fail(Check::R4), "FAIL"),
        ];
        for (better, (verdict, word)) in ordered.iter().enumerate() {
            assert_eq!(verdict.word(), *word);
            for (other, _) in &ordered[..better] {
                assert_eq!(&verdict.clone().worse(other.clone()), verdict);
                assert_eq!(&other.clone().worse(verdict.clone()), verdict);
            }
        }
        assert_eq!(ordered[1].0.to_string(), "UNSUPPORTED reason");
        assert_eq!(ordered[3].0.to_string(), "INCONCLUSIVE reason");
    }

    #[test]
    fn verdicts_print_their_reason() {
        assert_eq!(
            Verdict::Vacuous("J = 0".into()).to_string(),
            "VACUOUS J = 0"
        );
        assert_eq!(
            Verdict::Fail(Check::I1).to_string(),
            "FAIL I1 primal returned iff needed"
        );
        assert_eq!(Verdict::Pass.to_string(), "PASS");
    }
}
