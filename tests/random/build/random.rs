//! Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood 2014, doi 10.1145/2714064.2660195).

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not zero.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of some.
    pub(crate) fn of<T: Clone>(&mut self, some: &[T]) -> T {
        some[self.below(some.len())].clone()
    }

    /// One of some, as often as its weight says.
    pub(crate) fn weighted<T: Copy>(&mut self, some: &[(usize, T)]) -> T {
        let mut left = self.below(some.iter().map(|(weight, _)| weight).sum());
        for (weight, one) in some {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return *one,
            }
        }
        unreachable!("below the sum of the weights")
    }
}
