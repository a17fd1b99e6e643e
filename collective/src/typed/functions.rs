//! Linear collectives between markers.

use super::markers::{Partial, Reduced, Replicated, Varying};
use super::rule::typed;
use crate::comm::Received;
use crate::transport::Op;
use crate::{Comm, Element};

typed! {
    /// `Σ xᵣ`, which all ranks have then. The transpose is [`vary()`]: no communication.
    all_reduce(Varying) -> Replicated,
    |comm, x| comm.all_reduce(Op::Sum, x),
    |comm, dy, length| Ok(dy.to_vec())
}

typed! {
    /// `1/n·Σ xᵣ`. The transpose takes `ȳ/n`, without communication.
    all_reduce_mean(Varying) -> Replicated,
    |comm, x| Ok(shared(comm, &comm.all_reduce(Op::Sum, x)?)),
    |comm, dy, length| Ok(shared(comm, dy))
}

/// `y/n`.
fn shared<T: Element>(comm: &Comm, y: &[T]) -> Vec<T> {
    let n = T::lit(comm.size() as f64);
    y.iter().map(|y| *y / n).collect()
}

typed! {
    /// The value whose parts the ranks have. The transpose sends nothing: all have the cotangent, which is
    /// [`Reduced`].
    total(Partial) -> Replicated,
    |comm, x| comm.all_reduce(Op::Sum, x),
    |comm, dy, length| Ok(dy.to_vec())
}

typed! {
    /// A replicated value for use with data of the rank's own. The transpose sums over all ranks.
    vary(Replicated) -> Varying,
    |_comm, x| Ok(x.to_vec()),
    |comm, dy, length| comm.all_reduce(Op::Sum, dy)
}

typed! {
    /// A replicated value whose uses count rank by rank; its cotangent is summed here, once.
    as_reduced(Replicated) -> Reduced,
    |_comm, x| Ok(x.to_vec()),
    |comm, dy, length| comm.all_reduce(Op::Sum, dy)
}

typed! {
    /// Values of ranks as parts of their sum.
    as_partial(Varying) -> Partial,
    |_comm, x| Ok(x.to_vec()),
    |comm, dy, length| Ok(dy.to_vec())
}

typed! {
    /// A reduced value for use with data of the rank's own: its cotangent stays in parts.
    as_varying(Reduced) -> Varying,
    |_comm, x| Ok(x.to_vec()),
    |comm, dy, length| Ok(dy.to_vec())
}

typed! {
    /// `[x₀, x₁, …]`, which all ranks have then. The transpose takes the rank's own block, without communication.
    all_gather(Varying) -> Replicated,
    |comm, x| comm.all_gather(&vec![x.len(); comm.size()], x),
    |comm, dy, length| Ok(dy[comm.rank() * length..][..length].to_vec())
}

typed! {
    /// [`all_gather()`] of `counts[r]` entries from rank `r`.
    all_gather_v(Varying, counts: &[usize] = Counts [usize]: 1) -> Replicated,
    |comm, x| comm.all_gather(comm.counted("all_gather_v", comm.size(), counts)?, x),
    |comm, dy, length| {
        let begin: usize = counts[..comm.rank()].iter().sum();
        Ok(dy[begin..begin + length].to_vec())
    }
}

typed! {
    /// `[x₀, x₁, …]`, whose uses count rank by rank, as shards of weights that are gathered for a layer. The transpose is
    /// [`reduce_scatter()`].
    all_gather_reduced(Varying) -> Reduced,
    |comm, x| comm.all_gather(&vec![x.len(); comm.size()], x),
    |comm, dy, length| comm.reduce_scatter(&vec![length; comm.size()], dy)
}

typed! {
    /// [`all_gather_reduced()`] of `counts[r]` entries from rank `r`. The transpose is [`reduce_scatter_v()`].
    all_gather_reduced_v(Varying, counts: &[usize] = Counts [usize]: 1) -> Reduced,
    |comm, x| comm.all_gather(comm.counted("all_gather_reduced_v", comm.size(), counts)?, x),
    |comm, dy, length| comm.reduce_scatter(counts, dy)
}

typed! {
    /// Block `rank` of the value whose parts the ranks have. The transpose is [`all_gather_reduced()`].
    reduce_scatter(Partial) -> Varying,
    |comm, x| comm.reduce_scatter(&comm.equal_parts(x.len())?, x),
    |comm, dy, length| comm.all_gather(&vec![dy.len(); comm.size()], dy)
}

typed! {
    /// [`reduce_scatter()`] into blocks of `counts[r]` entries for rank `r`. The transpose is [`all_gather_reduced_v()`].
    reduce_scatter_v(Partial, counts: &[usize] = Counts [usize]: 1) -> Varying,
    |comm, x| comm.reduce_scatter(comm.counted("reduce_scatter_v", comm.size(), counts)?, x),
    |comm, dy, length| comm.all_gather(counts, dy)
}

typed! {
    /// The root's value, which all ranks have then. The transpose gives `ȳ` to the root, without communication.
    broadcast(Varying, root: usize = Root usize: 1) -> Replicated,
    |comm, x| comm.broadcast(*root, x),
    |comm, dy, length| match comm.rank() == *root {
        true => Ok(dy.to_vec()),
        false => Ok(vec![T::zero(); dy.len()]),
    }
}

typed! {
    /// The value whose parts the ranks have, on the root; nothing elsewhere. The transpose sends the root's `ȳ` to all.
    reduce(Partial, root: usize = Root usize: 1) -> Varying,
    |comm, x| comm.reduce(*root, x),
    |comm, dy, length| {
        let mut of_root = dy.to_vec();
        of_root.resize(length, T::zero());
        comm.broadcast(*root, &of_root)
    }
}
