//! Checkpointing: which states of a loop are kept for its reverse pass, and which are computed again.

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
/// | `Schedule::every(1)` | `n` | 1 | 2 |
/// | `Schedule::every(k)`, `k ≈ √n` | `n/k` | `k` | 2 |
/// | `Schedule::binomial(c)` | `c` | 1 | at most `r + 2` |
///
/// where `r` is the least number with `C(c + r, c) ≥ n`. It grows with the `c`-th root of `n`; with `c ≈ log₂ n` both `c` and `r` are
/// logarithmic. The calls are those of the primal, of the recomputation and of the augmented primal together.
///
/// ```
/// use coenzyme::schedule::Schedule;
///
/// // ten states serve a thousand steps at six calls of each step at most
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
    /// than `r + 1` times plainly, and each runs once taped.
    pub const fn repetitions(self, n: usize) -> usize {
        repetitions(n.div_ceil(self.block), self.snapshots)
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
/// With `r` repetitions, `β(s, r) = C(s + r, s)`: the part before the next state is reversed with `s` states and `r − 1`
/// repetitions, so it is at most `β(s, r − 1)` long; the part after it, with `s − 1` states and `r` repetitions, is at least
/// `β(s − 1, r − 1)` long.
pub const fn next_snapshot(blocks: usize, snapshots: usize) -> Option<usize> {
    if snapshots < 2 || blocks < 2 {
        return None;
    }
    let r = repetitions(blocks, snapshots);
    let before = reach(snapshots, r - 1);
    let after = reach(snapshots - 1, r - 1);
    let rest = blocks.saturating_sub(after);
    let next = if before < rest { before } else { rest };
    Some(if next == 0 { 1 } else { next })
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
