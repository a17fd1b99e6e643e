//! What holds on every backend: each check is a program that runs on all ranks, and panics where something is wrong.
//! `tests/local` runs them on threads, `mpi/tests/mpirun.rs` under MPI.

mod arrays;
mod begun;
pub(crate) mod cases;
mod elements;
mod hands;
mod laws;
mod markers;
mod messages;
mod numbers;
mod programs;
mod rows;
mod styles;

use coenzyme_collective::Process;

/// A program for every number of ranks.
pub(crate) type Check = (&'static str, fn(&Process));

/// All of them, with a name each.
pub(crate) fn checks() -> Vec<Check> {
    [
        laws::CHECKS,
        numbers::CHECKS,
        messages::CHECKS,
        begun::CHECKS,
        programs::CHECKS,
        markers::CHECKS,
        arrays::CHECKS,
        styles::CHECKS,
        elements::CHECKS,
        rows::CHECKS,
        hands::CHECKS,
    ]
    .concat()
}

/// Numbers in [-1, 1] with full mantissas, the same in every run.
pub(crate) struct Random(u64);

impl Random {
    /// A stream for each rank and purpose.
    pub(crate) fn new(seed: usize, rank: usize) -> Self {
        Self((seed as u64 * 1000 + rank as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self, length: usize) -> Vec<f64> {
        (0..length).map(|_| self.next()).collect()
    }
}

/// `Σ aᵢ·bᵢ`.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Fails unless the vectors agree to some roundings of their largest entry.
#[track_caller]
pub(crate) fn assert_close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}: lengths");
    let scale = expected.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!(
            (a - b).abs() <= tolerance * scale,
            "{what}: entry {i} is {a}, and should be {b}\n{found:?}\n{expected:?}"
        );
    }
}
