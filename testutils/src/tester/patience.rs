//! How long the sizes may take that nobody has given.
//!
//! A rule may take the cube of the length in time, or more, and show it by nothing else: what a call does with the numbers in its
//! slices cannot be counted. So each size has a price, by a clock, before it is tried, and where all that is left does not pay for it, no
//! size as long is tried, and the report says so. The clock decides on nothing else: no verdict depends on it, and a price is the least
//! of several, for a machine that is busy makes some of them too high but none too low.

use std::time::{Duration, Instant};

/// What all sizes of one call may cost together: in debug mode enough for the square of a thousand.
const BUDGET: Duration = Duration::from_secs(4);

/// To judge a size as one that was given costs as much as so many glances.
const GLANCES: u32 = 16;

/// Shorter arguments cost next to nothing.
const LONG: usize = 24;

/// How often a price is asked for that seems too high.
const OFFERS: usize = 3;

/// What is left of the budget.
pub(super) struct Patience {
    left: Duration,
    /// The first length that costs too much.
    ends: Option<usize>,
}

impl Patience {
    /// For what costs as much as it likes, if that is wanted.
    pub(super) fn new(endless: bool) -> Self {
        Patience {
            left: if endless { Duration::MAX } else { BUDGET },
            ends: None,
        }
    }

    /// The length from which on sizes were left out, if any were.
    pub(super) fn ended_at(&self) -> Option<usize> {
        self.ends
    }

    /// Whether there is time for a size of so many numbers, at which `glance` looks once: to judge it, or to go on without.
    pub(super) fn suffices(&mut self, length: usize, judges: bool, glance: &dyn Fn()) -> bool {
        if self.left == Duration::MAX || length < LONG {
            return true;
        }
        if self.ends.is_some_and(|ends| length >= ends) {
            return false;
        }
        let glances = if judges { GLANCES } else { 1 };
        let mut least = Duration::MAX;
        for _ in 0..OFFERS {
            let started = Instant::now();
            glance();
            least = least.min(started.elapsed().saturating_mul(glances));
            // A bargain is taken at once.
            if least <= self.left / 64 {
                break;
            }
        }
        match self.left.checked_sub(least) {
            Some(left) => self.left = left,
            None => self.ends = Some(length),
        }
        self.ends.is_none()
    }
}
