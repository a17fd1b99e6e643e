//! What communication costs.

/// The connection between two ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Bytes per second.
    pub bandwidth: f64,
    /// Seconds that a message takes whatever its length.
    pub latency: f64,
}

/// What several ranks do together.
///
/// | | rounds | messages in all | bytes in all, of `S` |
/// |---|---|---|---|
/// | `AllReduce`: a ring, twice | `2·(n − 1)` | `2·n·(n − 1)` | `2·(n − 1)·S` |
/// | `AllGather`, `ReduceScatter`, `AllToAll`: a ring | `n − 1` | `n·(n − 1)` | `(n − 1)·S` |
/// | `Broadcast`, `Reduce`: a binomial tree | `⌈log₂ n⌉` | `n − 1` | `(n − 1)·S` |
/// | `Gather`, `Scatter`: to and from the root | `n − 1` | `n − 1` | `(n − 1)/n·S` |
/// | `Scan`: a chain | `n − 1` | `n − 1` | `(n − 1)·S` |
/// | `Message`: one from each rank | 1 | `n` | `n·S` |
///
/// `S` is the whole array: what each rank has for a sum, the gathered array, and all that one rank sends in an `AllToAll`. A
/// [`LocalMesh`](crate::LocalMesh) moves as many messages and bytes.
///
/// Source: Patarasuk & Yuan 2009, *Bandwidth optimal all-reduce algorithms for clusters of workstations*, Journal of Parallel and
/// Distributed Computing 69.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// Each has a part of a sum, and gets the sum.
    AllReduce,
    /// Each has a shard, and gets all.
    AllGather,
    /// Each has a part of a sum, and gets a shard of the sum.
    ReduceScatter,
    /// Each has a block for each other.
    AllToAll,
    /// One has what all get.
    Broadcast,
    /// Each has a part of a sum, and one gets the sum.
    Reduce,
    /// Each has a shard, and one gets all.
    Gather,
    /// One has all, and each gets a shard.
    Scatter,
    /// Each gets the sum of those before it.
    Scan,
    /// Each sends to one other: a permutation, a shift.
    Message,
}

impl Collective {
    /// Seconds for an array of so many bytes, whole, on so many ranks: rounds of a latency and a message each. Nothing for one rank.
    ///
    /// ```
    /// use coenzyme_collective::shards::{Collective, Link};
    ///
    /// let link = Link { bandwidth: 1.0, latency: 0.0 };
    /// assert_eq!(Collective::AllReduce.seconds(1000, 4, link), 1500.0);
    /// ```
    #[must_use]
    pub fn seconds(self, bytes: usize, ranks: usize, link: Link) -> f64 {
        if ranks <= 1 {
            return 0.0;
        }
        let (n, whole) = (ranks as f64, bytes as f64 / link.bandwidth);
        let (rounds, message) = match self {
            Collective::AllReduce => (2.0 * (n - 1.0), whole / n),
            Collective::AllGather
            | Collective::ReduceScatter
            | Collective::AllToAll
            | Collective::Gather
            | Collective::Scatter => (n - 1.0, whole / n),
            Collective::Broadcast | Collective::Reduce => (n.log2().ceil(), whole),
            Collective::Scan => (n - 1.0, whole),
            Collective::Message => (1.0, whole),
        };
        rounds * (message + link.latency)
    }

    /// The messages that all ranks receive together.
    #[must_use]
    pub fn messages(self, ranks: usize) -> usize {
        let others = ranks - 1;
        match self {
            Collective::AllReduce => 2 * ranks * others,
            Collective::AllGather | Collective::ReduceScatter | Collective::AllToAll => {
                ranks * others
            }
            Collective::Message if ranks > 1 => ranks,
            _ => others,
        }
    }

    /// The bytes that all ranks receive together, for an array of so many bytes that is cut in equal parts.
    ///
    /// ```
    /// use coenzyme_collective::shards::Collective;
    ///
    /// assert_eq!(Collective::AllReduce.bytes(1000, 4), 6000);
    /// assert_eq!(Collective::AllReduce.messages(4), 24);
    /// ```
    #[must_use]
    pub fn bytes(self, bytes: usize, ranks: usize) -> usize {
        let others = ranks - 1;
        match self {
            Collective::AllReduce => 2 * others * bytes,
            Collective::Gather | Collective::Scatter => others * bytes / ranks,
            Collective::Message if ranks > 1 => ranks * bytes,
            _ => others * bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;

    #[test]
    fn n34_rings_cost_what_they_send() {
        use Collective::{AllGather, AllReduce, ReduceScatter};
        let link = Link {
            bandwidth: 1.0,
            latency: 0.0,
        };
        let of = |collective: Collective, devices| collective.seconds(1000, devices, link);
        let costs = [of(AllReduce, 4), of(AllGather, 4), of(ReduceScatter, 4)];
        assert_eq!(costs, [1500.0, 750.0, 750.0]);
        assert_eq!([1, 2, 8].map(|n| of(AllReduce, n)), [0.0, 1000.0, 1750.0]);
        let wide = Link {
            bandwidth: 2.0,
            ..link
        };
        assert_eq!(AllReduce.seconds(1000, 4, wide), 750.0);
        let slow = Link {
            latency: 10.0,
            ..link
        };
        assert_eq!(AllReduce.seconds(1000, 4, slow), 1500.0 + 60.0);
        assert_eq!(AllGather.seconds(1000, 4, slow), 750.0 + 30.0);
        assert_eq!(Collective::Broadcast.seconds(1000, 5, slow), 3.0 * 1010.0);
        assert_eq!(Collective::Message.seconds(1000, 4, slow), 1010.0);

        let mesh = Mesh::new([("dp", 2), ("tp", 4)]);
        let along = |axes: &[&str]| of(AllReduce, mesh.devices(axes.iter().copied()));
        assert_eq!([along(&["dp"]), along(&["tp"])], [1000.0, 1500.0]);
        assert_eq!([along(&["dp", "tp"]), along(&[])], [1750.0, 0.0]);
    }
}
