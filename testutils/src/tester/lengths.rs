//! Z4: every size, at a glance.
//!
//! A rule may be wrong at a single length, where two blocks of its loop meet. Each is tried, but for one direction and two steps
//! only; what looks wrong is then judged as a size that was given.

use crate::sample::Stream;

/// Every length up to here is tried, …
const ALL_UP_TO: usize = 130;

/// … and these beyond.
const BEYOND: [usize; 18] = [
    150, 191, 200, 255, 257, 300, 384, 511, 512, 513, 768, 1000, 1001, 1023, 1024, 1025, 2049, 4099,
];

/// Arrays of several extents take longer: of each, every length up to here, …
const EXTENTS_UP_TO: usize = 50;

/// … and these beyond.
const EXTENTS_BEYOND: [usize; 10] = [61, 63, 64, 65, 66, 97, 100, 127, 128, 129];

/// The others of several extents are drawn below this.
const OTHERS_BELOW: u64 = 8;

/// Functions of arrays with several axes, and those that need the memory of a square, are not tried with more numbers.
pub(super) const FEW: usize = 1100;
pub(super) const SQUARES: usize = 140;

/// What `count` different extents become.
pub(super) fn assignments(count: usize) -> Vec<Vec<usize>> {
    if count == 1 {
        let all = (0..=ALL_UP_TO).chain(BEYOND);
        return all.map(|length| vec![length]).collect();
    }
    let mut stream = Stream::of_case("other extents", 0);
    let lengths = (1..=EXTENTS_UP_TO).chain(EXTENTS_BEYOND);
    let each = lengths.flat_map(|length| (0..count).map(move |place| (place, length)));
    let mut assigned = |(place, length): (usize, usize)| -> Vec<usize> {
        let mut extents: Vec<_> = (0..count)
            .map(|_| 1 + stream.below(OTHERS_BELOW - 1) as usize)
            .collect();
        extents[place] = length;
        extents
    };
    each.map(&mut assigned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_extent_takes_every_length() {
        let all = assignments(1);
        assert!((0..=130).all(|length| all.contains(&vec![length])));
        assert_eq!(all.last(), Some(&vec![4099]));
    }

    #[test]
    fn several_extents_take_turns() {
        let all = assignments(3);
        for place in 0..3 {
            let has = |length: usize| all.iter().any(|of| of[place] == length);
            assert!((1..=50).all(has) && has(129));
        }
        let long = |of: &&Vec<usize>| of.iter().filter(|length| **length > 7).count() > 1;
        assert_eq!(all.iter().find(long), None);
    }
}
