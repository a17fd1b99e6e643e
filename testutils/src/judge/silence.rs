//! Seeds of which some are zero: a rule that stops at the first zero, or looks at one seed for all, shows here.

use std::ops::Range;

/// Which seeds are made zero, among those of all active inputs or outputs in a row.
#[derive(Clone, Debug)]
pub(super) enum Silence {
    /// All but these.
    AllBut(Range<usize>),
    /// Every second one, from this on.
    Alternate(usize),
    /// The first lane.
    FirstLane,
}

impl Silence {
    /// The patterns to be tried for blocks of these lengths in `width` lanes: each block alone, every second entry, and
    /// the first lane.
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
            patterns.push(Silence::FirstLane);
        }
        patterns
    }

    /// Zeroes what the pattern says of one block, which starts at `start`, in every lane.
    pub(super) fn apply(&self, start: usize, lanes: &mut [Vec<f64>]) {
        for (lane, seeds) in lanes.iter_mut().enumerate() {
            for (entry, seed) in seeds.iter_mut().enumerate() {
                let silent = match self {
                    Silence::AllBut(range) => !range.contains(&(start + entry)),
                    Silence::Alternate(first) => (start + entry) % 2 == *first,
                    Silence::FirstLane => lane == 0,
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
        assert_eq!(Silence::patterns(&[1, 4], 2).len(), 5);
        assert_eq!(Silence::patterns(&[1], 1).len(), 0);
        assert_eq!(Silence::patterns(&[], 3).len(), 0);
        let mut lanes = vec![vec![1.0; 3], vec![1.0; 3]];
        Silence::AllBut(5..7).apply(4, &mut lanes);
        assert_eq!(lanes, [[0.0, 1.0, 1.0], [0.0, 1.0, 1.0]]);
        Silence::Alternate(1).apply(0, &mut lanes);
        Silence::FirstLane.apply(0, &mut lanes);
        assert_eq!(lanes, [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    }
}
