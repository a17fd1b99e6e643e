//! Which case it was: its description for people, its id for machines.

use std::fmt;
use std::str::FromStr;

/// Which half of the rule system a case exercises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// `forward`: tangents.
    Forward,
    /// `augmented_primal` and `reverse`: cotangents.
    Reverse,
}

impl Mode {
    const fn key(self) -> &'static str {
        match self {
            Mode::Forward => "fwd",
            Mode::Reverse => "rev",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Mode::Forward => "forward",
            Mode::Reverse => "reverse",
        })
    }
}

/// One case: a rule, a mode, and the facts that fix everything else.
///
/// Each fact is given twice, in words for the message and as a key for the id.
///
/// ```
/// use coenzyme_testutils::{Case, Mode};
///
/// let case = Case::new("square_sum", Mode::Reverse)
///     .fact("ret=Active y=Duplicated x=Duplicated", "Active,Dup,Dup")
///     .fact("overwritten={x}", "ow01")
///     .seed(7);
/// assert_eq!(case.id(), "v1:square_sum:rev:Active,Dup,Dup:ow01:7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    rule: String,
    mode: Mode,
    facts: Vec<String>,
    keys: Vec<String>,
    seed: u64,
}

impl Case {
    /// A case of `rule` without facts, at seed 0.
    pub fn new(rule: impl Into<String>, mode: Mode) -> Self {
        Case {
            rule: rule.into(),
            mode,
            facts: Vec::new(),
            keys: Vec::new(),
            seed: 0,
        }
    }

    /// Adds a fact: `words` for the message, `key` for the id.
    #[must_use]
    pub fn fact(mut self, words: impl Into<String>, key: impl Into<String>) -> Self {
        self.facts.push(words.into());
        self.keys.push(key.into());
        self
    }

    /// Sets the seed of the points and tangents.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The name of the rule.
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// Which half of the rule system is exercised.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The facts in words, as a line of a message.
    pub fn facts(&self) -> String {
        self.facts.join(" | ")
    }

    /// The fact in words that begins so.
    pub(crate) fn words_beginning(&self, with: &str) -> Option<&str> {
        let mut facts = self.facts.iter().map(String::as_str);
        facts.find(|fact| fact.starts_with(with))
    }

    /// The id without the seed. Random streams derive from it, so a new test never changes the data
    /// of another.
    pub fn stem(&self) -> String {
        let head = ["v1", &self.rule, self.mode.key()];
        let keys = self.keys.iter().map(String::as_str);
        head.into_iter().chain(keys).collect::<Vec<_>>().join(":")
    }

    /// The id that replays this case, on any machine.
    pub fn id(&self) -> String {
        format!("{}:{:x}", self.stem(), self.seed)
    }
}

/// The id of a case, read back from `TESTUTILS_REPLAY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    stem: String,
    seed: u64,
    simpler: u64,
}

impl Replay {
    /// The seed to run the case at.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// In which way the point was made simpler; 0 for the point itself.
    pub(crate) fn simpler(&self) -> u64 {
        self.simpler
    }

    /// Whether `case` is the one to run, whatever its seed.
    pub fn wants(&self, case: &Case) -> bool {
        self.stem == case.stem()
    }

    /// Whether the case to run is `case` with further facts.
    pub(crate) fn wants_part(&self, case: &Case) -> bool {
        let rest = self.stem.strip_prefix(&case.stem());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    }
}

/// An id that no case could have printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseReplayError {
    found: String,
}

impl fmt::Display for ParseReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected v1:rule:mode:…:seed, found {:?}", self.found)
    }
}

impl std::error::Error for ParseReplayError {}

impl FromStr for Replay {
    type Err = ParseReplayError;

    fn from_str(text: &str) -> Result<Self, ParseReplayError> {
        text.rsplit_once(':')
            .filter(|(stem, _)| stem.starts_with("v1:"))
            .and_then(|(stem, seed)| {
                let (seed, simpler) = seed.split_once('~').unwrap_or((seed, "0"));
                Some(Replay {
                    stem: stem.to_owned(),
                    seed: u64::from_str_radix(seed, 16).ok()?,
                    simpler: u64::from_str_radix(simpler, 16).ok()?,
                })
            })
            .ok_or_else(|| ParseReplayError {
                found: text.to_owned(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replay_finds_its_case_again() {
        let case = Case::new("dot", Mode::Forward)
            .fact("n=5 f64", "n5:f64")
            .seed(0x9e37);
        let replay: Replay = case.id().parse().unwrap();
        assert!(replay.wants(&case));
        assert_eq!((replay.seed(), replay.simpler()), (0x9e37, 0));
        let simpler: Replay = format!("{}~2a", case.id()).parse().unwrap();
        assert!(simpler.wants(&case));
        assert_eq!((simpler.seed(), simpler.simpler()), (0x9e37, 0x2a));
        assert!(!replay.wants(&Case::new("dot", Mode::Reverse).fact("n=5 f64", "n5:f64")));
    }

    #[test]
    fn replay_refuses_what_is_not_an_id() {
        for text in [
            "",
            "7",
            "v2:dot:fwd:7",
            "v1:dot:fwd:no seed",
            "v1:dot:fwd:7~",
        ] {
            let error = text.parse::<Replay>().unwrap_err();
            assert!(error.to_string().contains("expected v1:rule:mode"));
        }
    }
}
