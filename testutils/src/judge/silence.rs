//! Seeds of which some are zero: a rule that stops at the first zero, or looks at one seed for all, shows here.

use std::fmt;
use std::ops::Range;

/// Which seeds are made zero, among those of all active inputs or outputs in a row.
#[derive(Clone, Debug)]
pub(super) enum Silence {
    /// All but these.
    AllBut(Range<usize>),
    /// Every second one, from this on.
    Alternate(usize),
    /// One lane.
    Lane(usize),
    /// All of them.
    All,
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Silence::AllBut(range) => write!(f, "only seeds {range:?} are not zero"),
            Silence::Alternate(first) => write!(f, "every second seed is zero, from {first} on"),
            Silence::Lane(lane) => write!(f, "the seeds of lane {lane} are zero"),
            Silence::All => f.write_str("all seeds are zero"),
        }
    }
}

impl Silence {
    /// The patterns to be tried for blocks of these lengths in `width` lanes: each block alone, every second entry, the first
    /// and the last lane, and nothing at all.
    pub(super) fn patterns(blocks: &[usize], width: usize) -> Vec<Silence> {
        let total: usize = blocks.iter().sum();
        let mut patterns = Vec::new();
        if blocks.len() > 1 {
            let mut start = 0;
            for length in blocks {
                patterns.push(Silence::AllBut(start..start + length));
                start += length;
            }
        }
        if total > 1 {
            patterns.extend([Silence::Alternate(0), Silence::Alternate(1)]);
        }
        if width > 1 && total > 0 {
            patterns.extend([Silence::Lane(0), Silence::Lane(width - 1)]);
        }
        if total > 0 {
            patterns.push(Silence::All);
        }
        patterns
    }

    /// The block that alone has seeds, of blocks of these lengths, if the pattern leaves one.
    pub(super) fn speaker(&self, blocks: &[usize]) -> Option<usize> {
        let Silence::AllBut(range) = self else {
            return None;
        };
        let starts = blocks.iter().scan(0, |next, length| {
            *next += length;
            Some(*next - length)
        });
        starts.into_iter().position(|start| start == range.start)
    }

    /// Zeroes what the pattern says of one block, which starts at `start`, in every lane.
    pub(super) fn apply(&self, start: usize, lanes: &mut [Vec<f64>]) {
        for (lane, seeds) in lanes.iter_mut().enumerate() {
            for (entry, seed) in seeds.iter_mut().enumerate() {
                let silent = match self {
                    Silence::AllBut(range) => !range.contains(&(start + entry)),
                    Silence::Alternate(first) => (start + entry) % 2 == *first,
                    Silence::Lane(silent) => lane == *silent,
                    Silence::All => true,
                };
                if silent {
                    *seed = 0.0;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_speaks_once_alone() {
        assert_eq!(Silence::patterns(&[1, 4], 2).len(), 7);
        assert_eq!(Silence::patterns(&[1], 1).len(), 1);
        assert_eq!(Silence::patterns(&[], 3).len(), 0);
        let mut lanes = vec![vec![1.0; 3], vec![1.0; 3]];
        let speakers = Silence::patterns(&[1, 4], 1);
        let speakers = speakers.iter().map(|pattern| pattern.speaker(&[1, 4]));
        assert!(speakers.eq([Some(0), Some(1), None, None, None]));
        Silence::AllBut(5..7).apply(4, &mut lanes);
        assert_eq!(lanes, [[0.0, 1.0, 1.0], [0.0, 1.0, 1.0]]);
        Silence::Alternate(1).apply(0, &mut lanes);
        Silence::Lane(0).apply(0, &mut lanes);
        assert_eq!(lanes, [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    }
}
