//! One number that did not pass.

use crate::check::Check;
use crate::estimate::Plateau;
use crate::layout::Place;
use crate::tolerance::Judgement;

/// One number that did not pass, and everything known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The check it did not pass.
    pub check: Check,
    /// Where it stands, such as `x.shadow[1, 2]`.
    pub place: Place,
    /// The lane it belongs to, if it belongs to one.
    pub lane: Option<usize>,
    /// What the rule answered.
    pub got: f64,
    /// What was expected.
    pub expected: f64,
    /// How far apart the two might have been.
    pub limit: f64,
    /// Why it did not pass.
    pub judgement: Judgement,
    /// Which seeds it was, if not all those drawn.
    pub seeds: String,
    /// Where the differences were taken, if they were.
    pub plateau: Option<Plateau>,
}

impl Finding {
    /// The distance over the distance allowed; zero for what could not be judged.
    pub fn excess(&self) -> f64 {
        match self.judgement {
            Judgement::Fail { excess } => excess,
            Judgement::Pass | Judgement::Inconclusive(_) => 0.0,
        }
    }

    /// Whether it is wrong, rather than unknown.
    pub fn is_wrong(&self) -> bool {
        matches!(self.judgement, Judgement::Fail { .. })
    }

    /// Whether it belongs to the same table of a message: same check, same argument, same lane.
    pub(super) fn beside(&self, other: &Finding) -> bool {
        self.check == other.check
            && self.place.argument == other.place.argument
            && self.lane == other.lane
            && self.is_wrong() == other.is_wrong()
    }
}
