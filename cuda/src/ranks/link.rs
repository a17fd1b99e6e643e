//! What carries arrays between ranks.

use std::fmt::Debug;

use coenzyme_collective::{Comm, Element, per_rank};

use crate::error::{Error, Result};
use crate::launch::Address;

/// A collective of arrays of equal length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// `y = Σ xᵣ` on each rank.
    AllReduce,
    /// `y = [x₀, x₁, …]` on each rank.
    AllGather,
    /// `y` is block `rank` of `Σ xᵣ`.
    ReduceScatter,
    /// `y` is the root's `x`.
    Broadcast(usize),
    /// `y = Σ xᵣ` on the root, and nothing elsewhere.
    Reduce(usize),
}

impl Collective {
    /// The collective that sends cotangents back.
    #[must_use]
    pub fn transposed(self) -> Self {
        match self {
            Self::AllReduce => Self::AllReduce,
            Self::AllGather => Self::ReduceScatter,
            Self::ReduceScatter => Self::AllGather,
            Self::Broadcast(root) => Self::Reduce(root),
            Self::Reduce(root) => Self::Broadcast(root),
        }
    }

    /// The lengths are those of an argument and a result.
    pub(crate) fn fits(self, comm: &Comm, x: usize, y: usize) -> Result<()> {
        let (fits, expected) = match self {
            Self::AllGather => (comm.size() * x == y, "for each entry one of each rank"),
            Self::ReduceScatter => (comm.size() * y == x, "an entry for one of each rank"),
            Self::Reduce(root) if comm.rank() != root => (true, ""),
            _ => (x == y, "as many entries"),
        };
        match fits {
            true => Ok(()),
            false => Err(Error::shape("ranks", expected, format_args!("{y} for {x}"))),
        }
    }

    /// The same by way of the hosts.
    pub(crate) fn by_hosts<T: Element>(self, comm: &Comm, x: &[T]) -> Result<Vec<T>> {
        Ok(match self {
            Self::AllReduce => per_rank::all_reduce(comm, x)?,
            Self::AllGather => per_rank::all_gather(comm, x)?,
            Self::ReduceScatter => per_rank::reduce_scatter(comm, x)?,
            Self::Broadcast(root) => per_rank::broadcast(comm, root, x)?,
            Self::Reduce(root) => per_rank::reduce(comm, root, x)?,
        })
    }
}

/// A way from device to device. Calls are enqueued in order behind those of the device, on all ranks alike.
///
/// # Safety
/// [`run`](Self::run) is called with addresses of memory on the device that joined, of the length that the collective reads and writes.
#[allow(clippy::missing_safety_doc, unsafe_code)] // stated once, above
pub trait Link: Debug {
    /// Enqueues a collective of `f64` or `f32`, with `len` numbers in `x`, or in `y` of a [`ReduceScatter`](Collective::ReduceScatter).
    /// `y` is written on the ranks that have a result.
    ///
    /// # Errors
    /// What the library says.
    unsafe fn run(
        &self,
        collective: Collective,
        double: bool,
        x: Address,
        y: Address,
        len: usize,
    ) -> Result<()>;
}

/// What this rank has, if each of the others has it too: all go on, or none does.
///
/// # Errors
/// Why this rank has it not, or that another has it not.
pub(crate) fn agreed<T>(comm: &Comm, own: Result<T>) -> Result<T> {
    let (ready, ranks) = (comm.count(usize::from(own.is_ok()))?, comm.size());
    match own {
        Ok(_) if ready < ranks => Err(Error::Missing {
            what: format!("what {} of {ranks} ranks lack, and say", ranks - ready),
        }),
        own => own,
    }
}
