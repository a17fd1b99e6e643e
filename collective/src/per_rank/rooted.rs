//! Collectives with a root.

use super::linear::Linear;
use crate::comm::Received;
use crate::rule::rules;
use crate::{Comm, Element, Ranked};

/// The root's `x` on each rank. Other ranks give an `x` of the same length, which is not read.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(d)` | on the root `x̄ += Σ ȳᵣ`, elsewhere nothing: a [`reduce()`] |
/// | `y` | `(d)` | `ẏ = ` the root's `ẋ` |
///
/// # Errors
/// As [`CommError`](crate::CommError) says; [`CommError::NoRank`](crate::CommError::NoRank) if there is no such root.
pub fn broadcast<T: Element, K: Ranked>(comm: &K, root: usize, x: &[T]) -> Received<T> {
    broadcast::apply(comm.comm(), (&root,), x)
}

impl Linear for broadcast {
    type Told<'a> = (&'a usize,);
    const NAME: &'static str = "broadcast";

    fn apply<T: Element>(comm: &Comm, (root,): (&usize,), x: &[T]) -> Received<T> {
        comm.broadcast(*root, x)
    }
    fn transpose<T: Element>(
        comm: &Comm,
        (root,): (&usize,),
        dy: &[T],
        length: usize,
    ) -> Received<T> {
        let mut sum = comm.reduce(*root, dy)?;
        sum.resize(length, T::zero());
        Ok(sum)
    }
}
rules! { broadcast([T], root: Root usize: 1) -> [T] }

/// `Σ xᵣ` on the root; nothing elsewhere.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(d)`, the same on each rank | `x̄ += ` the root's `ȳ`: a [`broadcast()`] |
/// | `y` | `(d)` on the root, `(0)` elsewhere | `ẏ = Σ ẋᵣ` |
///
/// # Errors
/// As [`CommError`](crate::CommError) says; [`CommError::NoRank`](crate::CommError::NoRank) if there is no such root.
pub fn reduce<T: Element, K: Ranked>(comm: &K, root: usize, x: &[T]) -> Received<T> {
    reduce::apply(comm.comm(), (&root,), x)
}

impl Linear for reduce {
    type Told<'a> = (&'a usize,);
    const NAME: &'static str = "reduce";

    fn apply<T: Element>(comm: &Comm, (root,): (&usize,), x: &[T]) -> Received<T> {
        comm.reduce(*root, x)
    }
    fn transpose<T: Element>(
        comm: &Comm,
        (root,): (&usize,),
        dy: &[T],
        length: usize,
    ) -> Received<T> {
        let mut of_root = dy.to_vec();
        of_root.resize(length, T::zero());
        comm.broadcast(*root, &of_root)
    }
}
rules! { reduce([T], root: Root usize: 1) -> [T] }

/// `[x₀, x₁, …]` on the root; nothing elsewhere.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(d)`, the same on each rank | `x̄ += ` block `rank` of the root's `ȳ`: a [`scatter()`] |
/// | `y` | `(n·d)` on the root, `(0)` elsewhere | `ẏ = [ẋ₀, ẋ₁, …]` |
///
/// # Errors
/// As [`CommError`](crate::CommError) says; [`CommError::NoRank`](crate::CommError::NoRank) if there is no such root.
pub fn gather<T: Element, K: Ranked>(comm: &K, root: usize, x: &[T]) -> Received<T> {
    gather::apply(comm.comm(), (&root,), x)
}

impl Linear for gather {
    type Told<'a> = (&'a usize,);
    const NAME: &'static str = "gather";

    fn apply<T: Element>(comm: &Comm, (root,): (&usize,), x: &[T]) -> Received<T> {
        comm.gather(*root, &vec![x.len(); comm.size()], x)
    }
    fn transpose<T: Element>(
        comm: &Comm,
        (root,): (&usize,),
        dy: &[T],
        length: usize,
    ) -> Received<T> {
        comm.scatter(*root, &vec![length; comm.size()], dy)
    }
}
rules! { gather([T], root: Root usize: 1) -> [T] }

/// [`gather()`] of `counts[r]` entries from rank `r`.
///
/// # Errors
/// As [`CommError`](crate::CommError) says; [`CommError::Lengths`](crate::CommError::Lengths) if `x` has not as many entries, or there is not a count for each rank.
pub fn gather_v<T: Element, K: Ranked>(
    comm: &K,
    root: usize,
    counts: &[usize],
    x: &[T],
) -> Received<T> {
    gather_v::apply(comm.comm(), (&root, counts), x)
}

impl Linear for gather_v {
    type Told<'a> = (&'a usize, &'a [usize]);
    const NAME: &'static str = "gather_v";

    fn apply<T: Element>(comm: &Comm, (root, counts): (&usize, &[usize]), x: &[T]) -> Received<T> {
        comm.gather(*root, comm.counted(Self::NAME, comm.size(), counts)?, x)
    }
    fn transpose<T: Element>(
        comm: &Comm,
        (root, counts): Self::Told<'_>,
        dy: &[T],
        _: usize,
    ) -> Received<T> {
        comm.scatter(*root, counts, dy)
    }
}
rules! { gather_v([T], root: Root usize: 1, counts: Counts [usize]: 2) -> [T] }

/// Block `rank` of the root's `x`, which has `each` entries for each rank. Elsewhere `x` is not read, and may be empty.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(n·each)` on the root | on the root `x̄ += [ȳ₀, ȳ₁, …]`: a [`gather()`] |
/// | `y` | `(each)` | `ẏ = ` block `rank` of the root's `ẋ` |
///
/// # Errors
/// As [`CommError`](crate::CommError) says; [`CommError::Lengths`](crate::CommError::Lengths) if the root has not as many entries.
pub fn scatter<T: Element, K: Ranked>(comm: &K, root: usize, each: usize, x: &[T]) -> Received<T> {
    scatter::apply(comm.comm(), (&root, &each), x)
}

impl Linear for scatter {
    type Told<'a> = (&'a usize, &'a usize);
    const NAME: &'static str = "scatter";

    fn apply<T: Element>(comm: &Comm, (root, each): (&usize, &usize), x: &[T]) -> Received<T> {
        comm.scatter(*root, &vec![*each; comm.size()], x)
    }
    fn transpose<T: Element>(
        comm: &Comm,
        (root, each): Self::Told<'_>,
        dy: &[T],
        length: usize,
    ) -> Received<T> {
        let mut whole = comm.gather(*root, &vec![*each; comm.size()], dy)?;
        whole.resize(length, T::zero());
        Ok(whole)
    }
}
rules! { scatter([T], root: Root usize: 1, each: Each usize: 2) -> [T] }

/// [`scatter()`] of `counts[r]` entries to rank `r`.
///
/// # Errors
/// As [`CommError`](crate::CommError) says; [`CommError::Lengths`](crate::CommError::Lengths) if the root has not as many entries, or there is not a count for each rank.
pub fn scatter_v<T: Element, K: Ranked>(
    comm: &K,
    root: usize,
    counts: &[usize],
    x: &[T],
) -> Received<T> {
    scatter_v::apply(comm.comm(), (&root, counts), x)
}

impl Linear for scatter_v {
    type Told<'a> = (&'a usize, &'a [usize]);
    const NAME: &'static str = "scatter_v";

    fn apply<T: Element>(comm: &Comm, (root, counts): (&usize, &[usize]), x: &[T]) -> Received<T> {
        comm.scatter(*root, comm.counted(Self::NAME, comm.size(), counts)?, x)
    }
    fn transpose<T: Element>(
        comm: &Comm,
        (root, counts): Self::Told<'_>,
        dy: &[T],
        n: usize,
    ) -> Received<T> {
        let mut whole = comm.gather(*root, counts, dy)?;
        whole.resize(n, T::zero());
        Ok(whole)
    }
}
rules! { scatter_v([T], root: Root usize: 1, counts: Counts [usize]: 2) -> [T] }
