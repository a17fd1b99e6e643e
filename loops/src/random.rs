//! Random numbers that can be drawn again: the reverse pass of a loop draws what the loop drew.
//!
//! Both generators are small values without hidden state. [`Pcg32`] is a sequence, an iterator that can be cloned and moved ahead; [`Philox`] is a
//! function of a counter, so that each item of a loop has numbers of its own in whatever order they are drawn.

use coenzyme::inactive;

/// The generator PCG-XSH-RR 64/32: a sequence of 2⁶⁴ numbers for each of 2⁶³ streams.
///
/// Source: O'Neill, *PCG: a family of simple fast space-efficient statistically good algorithms for random number generation*,
/// HMC-CS-2014-0905. The default has the state and the stream of Dr.Jit and Mitsuba.
///
/// ```
/// use coenzyme_loops::random::Pcg32;
///
/// let mut rng = Pcg32::default();
/// let drawn: Vec<u32> = rng.clone().take(3).collect();
/// assert_eq!(drawn, [465482994, 3895364073, 1746730475]);
/// rng.advance(2);
/// assert_eq!(rng.next_u32(), 1746730475);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pcg32 {
    state: u64,
    increment: u64,
}

const MULTIPLIER: u64 = 0x5851_f42d_4c95_7f2d;

impl Pcg32 {
    /// The generator that starts from `seed` in the stream `stream`.
    pub const fn new(seed: u64, stream: u64) -> Self {
        let mut rng = Self {
            state: 0,
            increment: stream << 1 | 1,
        };
        rng.step();
        rng.state = rng.state.wrapping_add(seed);
        rng.step();
        rng
    }

    const fn step(&mut self) {
        let product = self.state.wrapping_mul(MULTIPLIER);
        self.state = product.wrapping_add(self.increment);
    }

    /// The next 32 bits.
    pub const fn next_u32(&mut self) -> u32 {
        let state = self.state;
        self.step();
        let bits = (((state >> 18) ^ state) >> 27) as u32;
        bits.rotate_right((state >> 59) as u32)
    }

    /// Moves ahead by `steps` numbers, in about 64 multiplications at most.
    pub const fn advance(&mut self, mut steps: u64) {
        let (mut factor, mut summand) = (MULTIPLIER, self.increment);
        let (mut all_factor, mut all_summand) = (1_u64, 0_u64);
        while steps > 0 {
            if steps & 1 == 1 {
                all_factor = all_factor.wrapping_mul(factor);
                all_summand = all_summand.wrapping_mul(factor).wrapping_add(summand);
            }
            summand = factor.wrapping_add(1).wrapping_mul(summand);
            factor = factor.wrapping_mul(factor);
            steps >>= 1;
        }
        self.state = all_factor
            .wrapping_mul(self.state)
            .wrapping_add(all_summand);
    }

    /// The numbers as floats in `[0, 1)`: multiples of 2⁻²³, the upper 23 bits, as Dr.Jit's `next_float32`.
    pub fn floats(self) -> impl Iterator<Item = f64> + Clone {
        self.map(|bits| f64::from(bits >> 9) / f64::from(1_u32 << 23))
    }
}

impl Default for Pcg32 {
    fn default() -> Self {
        Self::new(0x853c_49e6_748f_ea9b, 0xda3e_39cb_94b9_5bdb)
    }
}

impl Iterator for Pcg32 {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        Some(self.next_u32())
    }
}

/// The generator Philox 4×32-10: four numbers for each value of a counter of 128 bits.
///
/// Source: Salmon, Moraes, Dror and Shaw, *Parallel random numbers: as easy as 1, 2, 3*, SC 2011, doi:10.1145/2063384.2063405.
///
/// ```
/// use coenzyme_loops::random::Philox;
///
/// // the published test vector
/// assert_eq!(Philox::new(0).bits(0), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
/// let u = Philox::new(7).uniform(41);
/// assert!((0.0..1.0).contains(&u) && u == Philox::new(7).uniform(41));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Philox {
    key: u64,
}

impl Philox {
    /// The generator of a seed.
    pub const fn new(seed: u64) -> Self {
        Self { key: seed }
    }

    /// The 128 bits of a counter.
    pub const fn bits(self, counter: u128) -> [u32; 4] {
        let mut x = [
            counter as u32,
            (counter >> 32) as u32,
            (counter >> 64) as u32,
            (counter >> 96) as u32,
        ];
        let mut key = [self.key as u32, (self.key >> 32) as u32];
        let mut round = 0;
        while round < 10 {
            let a = 0xD251_1F53 * x[0] as u64;
            let b = 0xCD9E_8D57 * x[2] as u64;
            x = [
                (b >> 32) as u32 ^ x[1] ^ key[0],
                b as u32,
                (a >> 32) as u32 ^ x[3] ^ key[1],
                a as u32,
            ];
            key = [
                key[0].wrapping_add(0x9E37_79B9),
                key[1].wrapping_add(0xBB67_AE85),
            ];
            round += 1;
        }
        x
    }

    /// A number in `[0, 1)` for a counter: a multiple of 2⁻⁵³.
    pub fn uniform(self, counter: u64) -> f64 {
        self.pair(counter).0
    }

    /// A standard normal number for a counter, by Box and Muller's transformation.
    pub fn normal(self, counter: u64) -> f64 {
        let (u, v) = self.pair(counter);
        (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    fn pair(self, counter: u64) -> (f64, f64) {
        let [a, b, c, d] = self.bits(u128::from(counter)).map(u64::from);
        let unit = |high: u64, low: u64| ((high << 32 | low) >> 11) as f64 / (1_u64 << 53) as f64;
        (unit(a, b), unit(c, d))
    }
}

/// [`Philox::uniform`] of a seed and a counter, to be called in `#[differentiable]` code: it has no derivative and leaves nothing
/// on the tape.
#[inactive]
pub fn uniform(seed: u64, counter: u64) -> f64 {
    Philox::new(seed).uniform(counter)
}

/// [`Philox::normal`] of a seed and a counter, to be called in `#[differentiable]` code.
#[inactive]
pub fn normal(seed: u64, counter: u64) -> f64 {
    Philox::new(seed).normal(counter)
}
