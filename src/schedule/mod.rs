//! Checkpointing: which states of a loop are kept for its reverse pass, and which are computed again.
//!
//! [`Schedule`] is what a caller chooses, [`Plan`] the order of actions that follows from it, [`Replay`] what performs them.

mod plan;
mod replay;

pub use plan::{Action, Plan};
pub use replay::Replay;

use crate::Tangent;

/// How many states of a loop are kept for its reverse pass, and how many steps are taped at once.
///
/// A loop of `n` steps is cut into blocks of `block` steps. Of `m = ⌈n/block⌉` blocks the states at the beginning of at most
/// `snapshots` are kept at any time; the others are computed again from these, at the places that need the least
/// recomputation: binomial checkpointing, Griewank and Walther, *Algorithm 799: revolve*, ACM TOMS 26(1), 2000,
/// doi:10.1145/347837.347846.
///
/// | schedule | states kept | steps on tape | calls of each step |
/// |---|---|---|---|
/// | `Schedule::every(1)` | `n − 1` | 1 | 2, the last one 1 |
/// | `Schedule::every(k)`, `k ≈ √n` | `n/k` | `k` | 2, the last `k` 1 |
/// | `Schedule::binomial(c)` | `c` | 1 | at most `r + 1` |
///
/// where `r` is the least number with `C(c + r, c) ≥ n`. It grows with the `c`-th root of `n`; with `c ≈ log₂ n` both `c` and `r` are
/// logarithmic. The calls are those of the primal, of the recomputation and of the augmented primal together.
///
/// ```
/// use coenzyme::schedule::Schedule;
///
/// // ten states serve a thousand steps at five calls of each step at most
/// assert_eq!(Schedule::binomial(10).repetitions(1000), 4);
/// assert_eq!(Schedule::every(32).repetitions(1000), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Tangent)]
pub struct Schedule {
    snapshots: usize,
    block: usize,
}

impl Schedule {
    /// At most `snapshots` states, placed so that the fewest steps run again.
    ///
    /// # Panics
    /// If `snapshots` is 0: the state that the loop starts from is one.
    #[track_caller]
    pub const fn binomial(snapshots: usize) -> Self {
        assert!(snapshots > 0, "a schedule keeps at least one state");
        Self {
            snapshots,
            block: 1,
        }
    }

    /// Every `steps`-th state. Each step runs twice; the tapes of `steps` steps exist at once. Least memory if `steps` is
    /// about `√n`.
    ///
    /// # Panics
    /// If `steps` is 0.
    #[track_caller]
    pub const fn every(steps: usize) -> Self {
        Self::binomial(usize::MAX).taping(steps)
    }

    /// As many states as are logarithmic in the number of steps: `⌈log₂ n⌉`, and not less than four.
    pub const fn logarithmic(n: usize) -> Self {
        let bits = (usize::BITS - n.leading_zeros()) as usize;
        Self::binomial(if bits < 4 { 4 } else { bits })
    }

    /// The same with the tapes of `steps` steps at once: fewer states, in exchange.
    ///
    /// # Panics
    /// If `steps` is 0.
    #[must_use]
    #[track_caller]
    pub const fn taping(self, steps: usize) -> Self {
        assert!(steps > 0, "a schedule tapes at least one step");
        Self {
            block: steps,
            ..self
        }
    }

    /// The least `r` with `C(c + r, c) ≥ m`, for the `m` blocks of a loop of `n` steps and `c` snapshots. No step runs more
    /// than `r` times plainly, and each runs once taped.
    pub const fn repetitions(self, n: usize) -> usize {
        repetitions(n.div_ceil(self.block), self.snapshots)
    }

    /// The fewest runs of a step without tape that undo a loop of `n` steps: `r·m − C(c + r, r − 1)` blocks (Griewank and Walther
    /// 2000, proposition 1). Each step runs once more with tape.
    ///
    /// ```
    /// use coenzyme::schedule::Schedule;
    ///
    /// assert_eq!(Schedule::binomial(3).advances(10), 15);
    /// assert_eq!(Schedule::every(1).advances(10), 9);
    /// assert_eq!(Schedule::every(10).advances(10), 0); // all on tape
    /// ```
    pub const fn advances(self, n: usize) -> usize {
        let (blocks, r) = (self.blocks(n), self.repetitions(n));
        if r == 0 {
            return 0;
        }
        let runs = r * blocks - reach(self.snapshots.saturating_add(1), r - 1);
        // the last block, which may be shorter, runs with tape alone
        runs * self.block
    }

    /// How many states are kept at most.
    pub const fn snapshots(self) -> usize {
        self.snapshots
    }

    /// The number of blocks of a loop of `n` steps.
    pub const fn blocks(self, n: usize) -> usize {
        n.div_ceil(self.block)
    }

    /// The steps of a block.
    pub fn steps(self, block: usize, n: usize) -> std::ops::Range<usize> {
        let start = block * self.block;
        start..n.min(start.saturating_add(self.block))
    }

    /// Whether a step's state changes between the two halves of the step's derivative.
    pub const fn overwrites(self) -> bool {
        self.block > 1
    }
}

/// The most blocks that `snapshots` states reverse with `repetitions`: `C(snapshots + repetitions, snapshots)`.
const fn reach(snapshots: usize, repetitions: usize) -> usize {
    let mut product: u128 = 1;
    let mut k = 1;
    while k <= repetitions as u128 {
        product = product * (snapshots as u128 + k) / k;
        if product > usize::MAX as u128 {
            return usize::MAX;
        }
        k += 1;
    }
    product as usize
}

/// The fewest repetitions with which `snapshots` states reverse so many blocks.
const fn repetitions(blocks: usize, snapshots: usize) -> usize {
    let mut r = 0;
    while reach(snapshots, r) < blocks {
        r += 1;
    }
    r
}

/// Where the next state is kept, in blocks after the last one, if `blocks` are to be reversed with `snapshots` states, one of
/// which is at their beginning; `None` if there is no room.
///
/// With `r` repetitions, `β(s, r) = C(s + r, s)`: the part before the next state, reversed with `s` states and at most `r − 1`
/// repetitions, has between `β(s, r − 2)` and `β(s, r − 1)` steps; the part after it, reversed with `s − 1` states and at most `r`, has between
/// `β(s − 1, r − 1)` and `β(s − 1, r)`. Every place that fits both needs the fewest steps; the middle one writes few states.
pub const fn next_snapshot(blocks: usize, snapshots: usize) -> Option<usize> {
    if snapshots < 2 || blocks < 2 {
        return None;
    }
    const fn min(a: usize, b: usize) -> usize {
        if a < b { a } else { b }
    }
    let r = repetitions(blocks, snapshots);
    let shortest = if r < 2 { 1 } else { reach(snapshots, r - 2) };
    let rest = blocks.saturating_sub(reach(snapshots - 1, r));
    let first = if shortest > rest { shortest } else { rest };
    let last = min(
        reach(snapshots, r - 1),
        blocks.saturating_sub(reach(snapshots - 1, r - 1)),
    );
    let last = if last < first { first } else { last };
    Some(first + (last - first) / 2)
}

#[cfg(test)]
mod tests {
    use super::{next_snapshot, reach, repetitions};

    /// The fewest steps that run again, by trying every place for the next state.
    fn fewest(blocks: usize, snapshots: usize) -> Vec<Vec<usize>> {
        let mut t = vec![vec![0; snapshots + 1]; blocks + 1];
        for l in 2..=blocks {
            t[l][1] = l * (l - 1) / 2;
            for s in 2..=snapshots {
                let places = (1..l).map(|m| m + t[l - m][s - 1] + t[m][s]);
                t[l][s] = places.min().expect("there are places");
            }
        }
        t
    }

    #[test]
    fn states_are_placed_where_the_fewest_steps_run_again() {
        let t = fewest(60, 7);
        for l in 2..=60 {
            assert_eq!(next_snapshot(l, 1), None);
            for s in 2..=7 {
                let m = next_snapshot(l, s).expect("there is room");
                assert_eq!(
                    m + t[l - m][s - 1] + t[m][s],
                    t[l][s],
                    "{l} blocks, {s} states"
                );
            }
        }
    }

    /// `t(l, s) = r·l − C(s + r, r − 1)`: Griewank and Walther's proposition 1.
    #[test]
    fn the_fewest_steps_are_those_of_the_literature() {
        let t = fewest(60, 7);
        for l in 2..=60 {
            for s in 1..=7 {
                let r = repetitions(l, s);
                assert_eq!(
                    t[l][s],
                    r * l - reach(s + 1, r - 1),
                    "{l} blocks, {s} states"
                );
            }
        }
    }

    #[test]
    fn reach_saturates() {
        assert_eq!(reach(usize::MAX, 1), usize::MAX);
        assert_eq!(repetitions(1_000_000_000, usize::MAX), 1);
        assert_eq!(repetitions(1, 1), 0);
        assert_eq!(next_snapshot(1000, usize::MAX), Some(1));
    }
}
