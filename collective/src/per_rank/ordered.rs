//! Maps that depend on the order of ranks: prefix sums and permutations.

use super::linear::Linear;
use crate::comm::Received;
use crate::rule::rules;
use crate::transport::{Channel, Route};
use crate::{Comm, CommError, Element, Ranked};

/// `x₀ + … + x_rank`.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(d)`, the same on each rank | `x̄ += ȳ_rank + … + ȳ₍ₙ₋₁₎`: the scan from the other end |
/// | `y` | `(d)` | `ẏ = ẋ₀ + … + ẋ_rank` |
///
/// # Errors
/// As [`CommError`] says.
pub fn scan<T: Element, K: Ranked>(comm: &K, x: &[T]) -> Received<T> {
    scan::apply(comm.comm(), (), x)
}

impl Linear for scan {
    type Told<'a> = ();
    const NAME: &'static str = "scan";

    fn apply<T: Element>(comm: &Comm, (): (), x: &[T]) -> Received<T> {
        comm.scan(true, false, x)
    }
    fn transpose<T: Element>(comm: &Comm, (): (), dy: &[T], _: usize) -> Received<T> {
        comm.scan(true, true, dy)
    }
}
rules! { scan([T]) -> [T] }

/// `x₀ + … + x₍rank₋₁₎`, zero on rank 0: [`scan()`] without the rank's own.
///
/// # Errors
/// As [`CommError`] says.
pub fn exscan<T: Element, K: Ranked>(comm: &K, x: &[T]) -> Received<T> {
    exscan::apply(comm.comm(), (), x)
}

impl Linear for exscan {
    type Told<'a> = ();
    const NAME: &'static str = "exscan";

    fn apply<T: Element>(comm: &Comm, (): (), x: &[T]) -> Received<T> {
        comm.scan(false, false, x)
    }
    fn transpose<T: Element>(comm: &Comm, (): (), dy: &[T], _: usize) -> Received<T> {
        comm.scan(false, true, dy)
    }
}
rules! { exscan([T]) -> [T] }

/// `x` goes from the first to the second rank of each pair. A rank that nothing goes to gets zeros.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(d)`, the same on each rank | `x̄ += permute(ȳ)` with all pairs turned round |
/// | `y` | `(d)` | `ẏ = permute(ẋ)` |
///
/// No rank is first in two pairs, nor second in two. A ring is `[(0, 1), (1, 2), …, (n − 1, 0)]`.
///
/// # Errors
/// As [`CommError`] says; [`CommError::NotAPermutation`] if a rank sends or receives twice, [`CommError::NoRank`] if there is none.
pub fn permute<T: Element, K: Ranked>(comm: &K, pairs: &[(usize, usize)], x: &[T]) -> Received<T> {
    permute::apply(comm.comm(), (pairs,), x)
}

impl Linear for permute {
    type Told<'a> = (&'a [(usize, usize)],);
    const NAME: &'static str = "permute";

    fn apply<T: Element>(comm: &Comm, (pairs,): (&[(usize, usize)],), x: &[T]) -> Received<T> {
        permuted(comm, pairs, x)
    }
    fn transpose<T: Element>(
        comm: &Comm,
        (pairs,): Self::Told<'_>,
        dy: &[T],
        _: usize,
    ) -> Received<T> {
        let turned: Vec<_> = pairs.iter().map(|(from, to)| (*to, *from)).collect();
        permuted(comm, &turned, dy)
    }
}
rules! { permute([T], pairs: Pairs [(usize, usize)]: 1) -> [T] }

/// Messages of permutations have a tag of their own, the largest that every MPI allows.
const PERMUTE: i32 = 32767;

fn permuted<T: Element>(comm: &Comm, pairs: &[(usize, usize)], x: &[T]) -> Received<T> {
    for (at, (from, to)) in pairs.iter().enumerate() {
        comm.exists(*from)?;
        comm.exists(*to)?;
        for (other_from, other_to) in &pairs[..at] {
            if from == other_from {
                return Err(CommError::NotAPermutation(*from));
            }
            if to == other_to {
                return Err(CommError::NotAPermutation(*to));
            }
        }
    }
    let flat: Vec<_> = pairs.iter().flat_map(|(from, to)| [*from, *to]).collect();
    comm.same_call::<T>(permute::NAME, x.len(), &flat)?;
    let me = comm.rank();
    let route = |peer| Route {
        channel: Channel::Primal,
        peer,
        tag: PERMUTE,
    };
    let to = pairs.iter().find(|(from, _)| *from == me);
    let from = pairs.iter().find(|(_, to)| *to == me);
    match (to, from) {
        // nothing is sent to oneself
        (Some((_, to)), _) if *to == me => Ok(x.to_vec()),
        (to, from) => {
            let from = from.map(|(from, _)| route(*from));
            let (y, _) = comm.send_recv(to.map(|(_, to)| route(*to)), false, x, from)?;
            Ok(y)
        }
    }
}
