//! Points and seeds, the same on every machine and for ever.
//!
//! The generator is our own: the stream of a library's default generator may change with its version,
//! and then every recorded failure would be lost.
//!
//! Values are drawn as integers and mapped to floats. The lattice `m·2⁻⁴`, `5 ≤ |m| ≤ 44`, contains no
//! zero and nothing near it, where half of all functions are degenerate, and products of two lattice
//! points are exact. Seeds are `±{4 … 12}/8`: a projection with a zero coefficient would hide an entry.

use std::ops::Range;

/// Which floats a point is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Points {
    /// Multiples of 2⁻⁴: short mantissas, exact products.
    #[default]
    Lattice,
    /// Lattice points displaced by up to 3 %, with every bit of the mantissa in use.
    FullMantissa,
}

/// A stream of random numbers (SplitMix64; Steele, Lea and Flood 2014,
/// doi:10.1145/2714064.2660195).
///
/// ```
/// use coenzyme_testutils::{Points, Stream};
///
/// let mut stream = Stream::of_case("v1:dot:fwd:n5", 0);
/// let x = stream.point(Points::Lattice, -5.0..5.0);
/// assert!((0.3..5.0).contains(&x.abs()) && (x * 16.0).fract() == 0.0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    state: u64,
}

impl Stream {
    /// The stream of the case called `stem`, at `seed`.
    pub fn of_case(stem: &str, seed: u64) -> Self {
        // FNV-1a, 64 bits.
        let hash = stem.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Stream {
            state: scramble(hash ^ scramble(seed)),
        }
    }

    /// An independent stream for the part called `label`: an argument, a lane.
    #[must_use]
    pub fn fork(&self, label: &str) -> Self {
        Self::of_case(label, self.state)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.state)
    }

    /// A uniform integer below `bound`.
    ///
    /// **Panics** if `bound` is zero.
    #[track_caller]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no integer is below zero");
        // Biased by bound/2⁶⁴: no sample here is long enough to see it.
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// A coordinate of a point, in `range`.
    ///
    /// Where `range` has no lattice points, a lattice of 1/64 of its length takes their place, away
    /// from both ends.
    ///
    /// **Panics** if `range` is empty or infinite.
    #[track_caller]
    pub fn point(&mut self, points: Points, range: Range<f64>) -> f64 {
        let value = self.one_of(&lattice(&range));
        match points {
            Points::Lattice => value,
            Points::FullMantissa => displaced(value, self.unit(), &range),
        }
    }

    /// As many lattice points of `range` as [`Stream::point`] would draw one by one.
    ///
    /// **Panics** if `range` is empty or infinite.
    #[track_caller]
    pub(crate) fn lattice_points(&mut self, length: usize, range: &Range<f64>) -> Vec<f64> {
        let lattice = lattice(range);
        (0..length).map(|_| self.one_of(&lattice)).collect()
    }

    fn one_of(&mut self, numbers: &[f64]) -> f64 {
        numbers[self.below(numbers.len() as u64) as usize]
    }

    /// A coefficient of a tangent or cotangent: `±{4 … 12}/8`, never near zero.
    pub fn seed(&mut self) -> f64 {
        let magnitude = (4 + self.below(9)) as f64 / 8.0;
        if self.below(2) == 0 {
            magnitude
        } else {
            -magnitude
        }
    }

    /// A tangent or cotangent of `length` entries.
    pub fn seeds(&mut self, length: usize) -> Vec<f64> {
        (0..length).map(|_| self.seed()).collect()
    }

    /// A tangent or cotangent of `length` entries that use the whole mantissa: no two of them cancel, and none survives a
    /// detour through single precision.
    pub fn full_seeds(&mut self, length: usize) -> Vec<f64> {
        (0..length)
            .map(|_| self.seed() * (1.0 + 0.03 * self.unit()))
            .collect()
    }

    /// A uniform number in `-1.0..1.0` that uses the whole mantissa.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// The lattice points of `range`; where there are none, those of a lattice of 1/64 of its length, away from both ends.
///
/// **Panics** if `range` is empty or infinite.
#[track_caller]
pub(crate) fn lattice(range: &Range<f64>) -> Vec<f64> {
    let length = range.end - range.start;
    assert!(length > 0.0 && length.is_finite(), "no points in {range:?}");
    let sixteenths = (-44..=44_i32).filter(|m| m.abs() >= 5);
    let lattice = sixteenths.map(|m| f64::from(m) / 16.0);
    let lattice: Vec<f64> = lattice.filter(|value| range.contains(value)).collect();
    if lattice.is_empty() {
        let inside = (8..57).map(|part| range.start + length * f64::from(part) / 64.0);
        inside.collect()
    } else {
        lattice
    }
}

/// `value` displaced by `unit`, of `-1.0..=1.0`, times 3 %, unless that leaves `range`.
pub(crate) fn displaced(value: f64, unit: f64, range: &Range<f64>) -> f64 {
    let moved = value * (1.0 + 0.03 * unit);
    if range.contains(&moved) { moved } else { value }
}

fn scramble(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generator_is_splitmix() {
        // The published sequence from state 0: changing it would change every recorded case.
        let mut stream = Stream { state: 0 };
        assert_eq!(stream.bits(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(stream.bits(), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn many_points_are_those_drawn_one_by_one() {
        for range in [-3.0..3.0, 1e6..2e6] {
            let (mut one, mut all) = (Stream::of_case("a", 0), Stream::of_case("a", 0));
            let one: Vec<_> = (0..9)
                .map(|_| one.point(Points::Lattice, range.clone()))
                .collect();
            assert_eq!(all.lattice_points(9, &range), one);
        }
    }

    #[test]
    fn cases_labels_and_seeds_have_streams_of_their_own() {
        let base = Stream::of_case("a", 0);
        for mut other in [
            Stream::of_case("b", 0),
            Stream::of_case("a", 1),
            base.fork("lane 1"),
        ] {
            assert_ne!(base.clone().bits(), other.bits());
        }
    }

    #[test]
    fn lattice_keeps_away_from_zero_and_uses_both_signs() {
        let mut stream = Stream::of_case("lattice", 0);
        let values: Vec<_> = (0..2000)
            .map(|_| stream.point(Points::Lattice, -9.0..9.0))
            .collect();
        assert!(
            values
                .iter()
                .all(|v| (5.0 / 16.0..=2.75).contains(&v.abs()))
        );
        let distinct: std::collections::HashSet<_> = values.iter().map(|v| v.to_bits()).collect();
        assert_eq!(distinct.len(), 80);
    }

    #[test]
    fn ranges_are_respected_even_where_the_lattice_has_no_points() {
        let mut stream = Stream::of_case("ranges", 0);
        for range in [1e-9..2e-9, -0.1..0.1, 0.5..1.0, 1e3..1e12] {
            for points in [Points::Lattice, Points::FullMantissa] {
                assert!((0..200).all(|_| range.contains(&stream.point(points, range.clone()))));
            }
        }
    }

    #[test]
    fn seeds_are_never_small() {
        let seeds = Stream::of_case("seeds", 0).seeds(1000);
        assert!(seeds.iter().all(|s| (0.5..=1.5).contains(&s.abs())));
        assert!(seeds.contains(&-1.5) && seeds.contains(&0.5));
    }

    #[test]
    fn full_seeds_use_every_bit() {
        let seeds = Stream::of_case("seeds", 0).full_seeds(1000);
        assert!(seeds.iter().all(|s| (0.48..=1.55).contains(&s.abs())));
        assert!(seeds.iter().all(|s| f64::from(*s as f32) != *s));
    }

    #[test]
    #[should_panic = "no points in"]
    fn empty_range_is_refused() {
        Stream::of_case("", 0).point(Points::Lattice, 1.0..1.0);
    }
}
