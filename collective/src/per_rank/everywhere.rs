//! Collectives after which each rank has something of all others.

use super::linear::Linear;
use crate::comm::Received;
use crate::rule::rules;
use crate::transport::Op;
use crate::{Comm, Element, Ranked};

/// `Σ xᵣ` on each rank.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(d)`, the same on each rank | `x̄ += Σ ȳᵣ` |
/// | `y` | `(d)` | `ẏ = Σ ẋᵣ` |
///
/// The transpose is the same sum, since the loss is `Σ Lᵣ`. If all ranks have one loss that counts once, see
/// `typed::all_reduce`.
///
/// # Errors
/// As [`CommError`](crate::CommError) says.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_collective::{Comm, CommError, LocalMesh, per_rank::all_reduce};
///
/// /// The share of a rank in `½‖Σ xᵣ‖²`.
/// #[differentiable]
/// fn share(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
///     let total = all_reduce(comm, x)?;
///     Ok(0.5 * x[0] * total[0])
/// }
///
/// let gradients = LocalMesh::of(4).run(|process| {
///     let x = [process.rank() as f64 + 1.0];
///     let mut dx = [0.0];
///     autodiff!(Reverse, share, Const(process.world()), Duplicated(&x, &mut dx))?;
///     Ok::<_, CommError>(dx)
/// })?;
/// // Σ xᵣ = 10
/// assert_eq!(gradients, [[10.0]; 4]);
/// # Ok::<(), CommError>(())
/// ```
pub fn all_reduce<T: Element, K: Ranked>(comm: &K, x: &[T]) -> Received<T> {
    all_reduce::apply(comm.comm(), (), x)
}

impl Linear for all_reduce {
    type Told<'a> = ();
    const NAME: &'static str = "all_reduce";

    fn apply<T: Element>(comm: &Comm, (): (), x: &[T]) -> Received<T> {
        comm.all_reduce(Op::Sum, x)
    }
    fn transpose<T: Element>(comm: &Comm, (): (), dy: &[T], _: usize) -> Received<T> {
        comm.all_reduce(Op::Sum, dy)
    }
}
rules! { all_reduce([T]) -> [T] }

/// `1/n·Σ xᵣ` on each of `n` ranks; its own transpose, as [`all_reduce()`].
///
/// # Errors
/// As [`CommError`](crate::CommError) says.
pub fn all_reduce_mean<T: Element, K: Ranked>(comm: &K, x: &[T]) -> Received<T> {
    all_reduce_mean::apply(comm.comm(), (), x)
}

impl Linear for all_reduce_mean {
    type Told<'a> = ();
    const NAME: &'static str = "all_reduce_mean";

    fn apply<T: Element>(comm: &Comm, (): (), x: &[T]) -> Received<T> {
        let mut y = comm.all_reduce(Op::Sum, x)?;
        let n = T::lit(comm.size() as f64);
        y.iter_mut().for_each(|y| *y /= n);
        Ok(y)
    }
    fn transpose<T: Element>(comm: &Comm, (): (), dy: &[T], _: usize) -> Received<T> {
        Self::apply(comm, (), dy)
    }
}
rules! { all_reduce_mean([T]) -> [T] }

/// `[x₀, x₁, …]` on each rank.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(d)`, the same on each rank | `x̄ += ` block `rank` of `Σ ȳᵣ`: a [`reduce_scatter()`] |
/// | `y` | `(n·d)` | `ẏ = [ẋ₀, ẋ₁, …]` |
///
/// # Errors
/// As [`CommError`](crate::CommError) says.
pub fn all_gather<T: Element, K: Ranked>(comm: &K, x: &[T]) -> Received<T> {
    all_gather::apply(comm.comm(), (), x)
}

impl Linear for all_gather {
    type Told<'a> = ();
    const NAME: &'static str = "all_gather";

    fn apply<T: Element>(comm: &Comm, (): (), x: &[T]) -> Received<T> {
        comm.all_gather(&vec![x.len(); comm.size()], x)
    }
    fn transpose<T: Element>(comm: &Comm, (): (), dy: &[T], _: usize) -> Received<T> {
        reduce_scatter::apply(comm, (), dy)
    }
}
rules! { all_gather([T]) -> [T] }

/// [`all_gather()`] of `counts[r]` entries from rank `r`.
///
/// # Errors
/// As [`CommError`](crate::CommError) says; [`CommError::Lengths`](crate::CommError::Lengths) if `x` has not as many entries, or there is not a count for each rank.
pub fn all_gather_v<T: Element, K: Ranked>(comm: &K, counts: &[usize], x: &[T]) -> Received<T> {
    all_gather_v::apply(comm.comm(), (counts,), x)
}

impl Linear for all_gather_v {
    type Told<'a> = (&'a [usize],);
    const NAME: &'static str = "all_gather_v";

    fn apply<T: Element>(comm: &Comm, (counts,): (&[usize],), x: &[T]) -> Received<T> {
        comm.all_gather(comm.counted(Self::NAME, comm.size(), counts)?, x)
    }
    fn transpose<T: Element>(
        comm: &Comm,
        (counts,): (&[usize],),
        dy: &[T],
        _: usize,
    ) -> Received<T> {
        comm.reduce_scatter(counts, dy)
    }
}
rules! { all_gather_v([T], counts: Counts [usize]: 1) -> [T] }

/// Block `rank` of `Σ xᵣ`.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(n·d)` | `x̄ += [ȳ₀, ȳ₁, …]`: an [`all_gather()`] |
/// | `y` | `(d)` | `ẏ = ` block `rank` of `Σ ẋᵣ` |
///
/// # Errors
/// As [`CommError`](crate::CommError) says; [`CommError::NotDivisible`](crate::CommError::NotDivisible) if there are no `n` equal blocks.
pub fn reduce_scatter<T: Element, K: Ranked>(comm: &K, x: &[T]) -> Received<T> {
    reduce_scatter::apply(comm.comm(), (), x)
}

impl Linear for reduce_scatter {
    type Told<'a> = ();
    const NAME: &'static str = "reduce_scatter";

    fn apply<T: Element>(comm: &Comm, (): (), x: &[T]) -> Received<T> {
        comm.reduce_scatter(&comm.equal_parts(x.len())?, x)
    }
    fn transpose<T: Element>(comm: &Comm, (): (), dy: &[T], _: usize) -> Received<T> {
        all_gather::apply(comm, (), dy)
    }
}
rules! { reduce_scatter([T]) -> [T] }

/// [`reduce_scatter()`] into blocks of `counts[r]` entries for rank `r`.
///
/// # Errors
/// As [`CommError`](crate::CommError) says; [`CommError::Lengths`](crate::CommError::Lengths) if `x` has not as many entries, or there is not a count for each rank.
pub fn reduce_scatter_v<T: Element, K: Ranked>(comm: &K, counts: &[usize], x: &[T]) -> Received<T> {
    reduce_scatter_v::apply(comm.comm(), (counts,), x)
}

impl Linear for reduce_scatter_v {
    type Told<'a> = (&'a [usize],);
    const NAME: &'static str = "reduce_scatter_v";

    fn apply<T: Element>(comm: &Comm, (counts,): (&[usize],), x: &[T]) -> Received<T> {
        comm.reduce_scatter(comm.counted(Self::NAME, comm.size(), counts)?, x)
    }
    fn transpose<T: Element>(
        comm: &Comm,
        (counts,): (&[usize],),
        dy: &[T],
        _: usize,
    ) -> Received<T> {
        comm.all_gather(counts, dy)
    }
}
rules! { reduce_scatter_v([T], counts: Counts [usize]: 1) -> [T] }

/// `[block rank of x₀, block rank of x₁, …]`: the blocks of a matrix, transposed. Its own transpose.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(n·d)`, one block for each rank | `x̄ += all_to_all(ȳ)` |
/// | `y` | `(n·d)`, one block from each rank | `ẏ = all_to_all(ẋ)` |
///
/// # Errors
/// As [`CommError`](crate::CommError) says; [`CommError::NotDivisible`](crate::CommError::NotDivisible) if there are no `n` equal blocks.
pub fn all_to_all<T: Element, K: Ranked>(comm: &K, x: &[T]) -> Received<T> {
    all_to_all::apply(comm.comm(), (), x)
}

impl Linear for all_to_all {
    type Told<'a> = ();
    const NAME: &'static str = "all_to_all";

    fn apply<T: Element>(comm: &Comm, (): (), x: &[T]) -> Received<T> {
        let each = comm.equal_parts(x.len())?[0];
        comm.all_to_all(&vec![each; comm.size() * comm.size()], x)
    }
    fn transpose<T: Element>(comm: &Comm, (): (), dy: &[T], _: usize) -> Received<T> {
        Self::apply(comm, (), dy)
    }
}
rules! { all_to_all([T]) -> [T] }

/// [`all_to_all()`] of `counts[s·n + d]` entries from rank `s` to rank `d`.
///
/// # Errors
/// As [`CommError`](crate::CommError) says; [`CommError::Lengths`](crate::CommError::Lengths) if `x` has not as many entries, or there is not a count for each pair.
pub fn all_to_all_v<T: Element, K: Ranked>(comm: &K, counts: &[usize], x: &[T]) -> Received<T> {
    all_to_all_v::apply(comm.comm(), (counts,), x)
}

impl Linear for all_to_all_v {
    type Told<'a> = (&'a [usize],);
    const NAME: &'static str = "all_to_all_v";

    fn apply<T: Element>(comm: &Comm, (counts,): (&[usize],), x: &[T]) -> Received<T> {
        let pairs = comm.size() * comm.size();
        comm.all_to_all(comm.counted(Self::NAME, pairs, counts)?, x)
    }
    fn transpose<T: Element>(
        comm: &Comm,
        (counts,): (&[usize],),
        dy: &[T],
        _: usize,
    ) -> Received<T> {
        let n = comm.size();
        let swapped: Vec<_> = (0..n * n).map(|i| counts[i % n * n + i / n]).collect();
        comm.all_to_all(&swapped, dy)
    }
}
rules! { all_to_all_v([T], counts: Counts [usize]: 1) -> [T] }
