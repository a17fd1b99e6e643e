//! What communication costs.

/// The connection between neighbours on a ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Bytes per second.
    pub bandwidth: f64,
    /// Seconds that a message takes whatever its length.
    pub latency: f64,
}

/// What several devices do together with the shards of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// Each has a part of a sum, and gets the sum.
    AllReduce,
    /// Each has a shard, and gets all.
    AllGather,
    /// Each has a part of a sum, and gets a shard of the sum.
    ReduceScatter,
}

impl Collective {
    /// Seconds for an array of so many bytes, whole, on a ring of `devices`: `n − 1` messages of `bytes/n`, twice for
    /// [`AllReduce`](Self::AllReduce), which is a reduce-scatter and a gather. Nothing for one device.
    ///
    /// Source: Patarasuk & Yuan 2009, *Bandwidth optimal all-reduce algorithms for clusters of workstations*, Journal of Parallel and
    /// Distributed Computing 69.
    ///
    /// ```
    /// use coenzyme_rules::shards::{Collective, Link};
    ///
    /// let link = Link { bandwidth: 1.0, latency: 0.0 };
    /// assert_eq!(Collective::AllReduce.seconds(1000, 4, link), 1500.0);
    /// ```
    #[must_use]
    pub fn seconds(self, bytes: usize, devices: usize, link: Link) -> f64 {
        if devices <= 1 {
            return 0.0;
        }
        let n = devices as f64;
        let message = bytes as f64 / n / link.bandwidth + link.latency;
        let rounds = match self {
            Collective::AllReduce => 2.0,
            Collective::AllGather | Collective::ReduceScatter => 1.0,
        };
        rounds * (n - 1.0) * message
    }
}

#[cfg(test)]
mod tests {
    use super::super::Mesh;
    use super::*;

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

        let mesh = Mesh::new([("dp", 2), ("tp", 4)]);
        let along = |axes: &[&str]| of(AllReduce, mesh.devices(axes.iter().copied()));
        assert_eq!([along(&["dp"]), along(&["tp"])], [1000.0, 1500.0]);
        assert_eq!([along(&["dp", "tp"]), along(&[])], [1750.0, 0.0]);
    }
}
