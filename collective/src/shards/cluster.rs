//! A cluster that is not there.

use super::cost::{Collective, Link};

/// Ranks with a clock each: computes nothing, and tells how long it would take.
///
/// A round of a collective ends for a rank when its message has come, which begins when the sender is ready and takes a latency and its
/// bytes over the bandwidth. If all ranks begin together that is [`Collective::seconds`]; one that is late holds up those that wait
/// for it.
///
/// ```
/// use coenzyme_collective::shards::{Cluster, Collective, Link};
///
/// let link = Link { bandwidth: 1e10, latency: 1e-6 };
/// let mut cluster = Cluster::new(1000, link, 1e12);
/// cluster.compute(|_rank| 1e9);
/// cluster.collective(Collective::AllReduce, 8_000_000);
/// let expected = 1e-3 + Collective::AllReduce.seconds(8_000_000, 1000, link);
/// assert!((cluster.seconds() - expected).abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct Cluster {
    clocks: Vec<f64>,
    link: Link,
    speed: f64,
}

impl Cluster {
    /// So many ranks, each with so many operations a second. **Panics** for no ranks.
    #[must_use]
    #[track_caller]
    pub fn new(ranks: usize, link: Link, operations_per_second: f64) -> Self {
        assert!(ranks > 0, "a cluster of no ranks");
        Self {
            clocks: vec![0.0; ranks],
            link,
            speed: operations_per_second,
        }
    }

    /// Each rank computes so many operations.
    pub fn compute(&mut self, operations: impl Fn(usize) -> f64) {
        for (rank, clock) in self.clocks.iter_mut().enumerate() {
            *clock += operations(rank) / self.speed;
        }
    }

    /// All ranks take part in a collective on an array of so many bytes, whole. Takes time in proportion to the ranks, whatever the rounds.
    pub fn collective(&mut self, collective: Collective, bytes: usize) {
        let n = self.clocks.len();
        if n == 1 {
            return;
        }
        let whole = bytes as f64 / self.link.bandwidth;
        let (block, all) = (
            whole / n as f64 + self.link.latency,
            whole + self.link.latency,
        );
        match collective {
            Collective::AllReduce => self.ring(2 * (n - 1), block),
            Collective::AllGather | Collective::ReduceScatter | Collective::AllToAll => {
                self.ring(n - 1, block);
            }
            Collective::Message => self.shift(all),
            Collective::Scan => {
                for rank in 1..n {
                    self.message(rank - 1, rank, all);
                }
            }
            Collective::Gather => (1..n).for_each(|rank| self.message(rank, 0, block)),
            Collective::Scatter => (1..n).for_each(|rank| self.send(0, rank, block)),
            Collective::Broadcast => {
                for span in spans(n) {
                    (span..n.min(2 * span)).for_each(|to| self.send(to - span, to, all));
                }
            }
            Collective::Reduce => {
                for span in spans(n).into_iter().rev() {
                    (span..n.min(2 * span)).for_each(|from| self.message(from, from - span, all));
                }
            }
        }
    }

    /// When the last rank is done.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.clocks.iter().copied().fold(0.0, f64::max)
    }

    /// Rounds in which each rank receives from the one before it, as many as bring word of each to all: who is latest holds up all.
    fn ring(&mut self, rounds: usize, message: f64) {
        let latest = self.clocks.iter().copied().fold(f64::MIN, f64::max);
        self.clocks.fill(latest + rounds as f64 * message);
    }

    /// One such round.
    fn shift(&mut self, message: f64) {
        let n = self.clocks.len();
        let before = self.clocks.clone();
        for (rank, clock) in self.clocks.iter_mut().enumerate() {
            *clock = clock.max(before[(rank + n - 1) % n]) + message;
        }
    }

    /// The receiver waits for the sender.
    fn message(&mut self, from: usize, to: usize, message: f64) {
        self.clocks[to] = self.clocks[to].max(self.clocks[from]) + message;
    }

    /// And the sender for its line, before it sends again.
    fn send(&mut self, from: usize, to: usize, message: f64) {
        self.message(from, to, message);
        self.clocks[from] += message;
    }
}

/// 1, 2, 4, … below `n`: the rounds of a binomial tree.
fn spans(n: usize) -> Vec<usize> {
    std::iter::successors(Some(1), |span| Some(2 * span))
        .take_while(|span| *span < n)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: Link = Link {
        bandwidth: 1000.0,
        latency: 0.25,
    };

    /// A ring, round by round.
    fn rounds(clocks: &mut Vec<f64>, rounds: usize, message: f64) {
        let n = clocks.len();
        for _ in 0..rounds {
            let before = clocks.clone();
            *clocks = (0..n)
                .map(|rank| before[rank].max(before[(rank + n - 1) % n]) + message)
                .collect();
        }
    }

    #[test]
    fn a_ring_takes_what_its_rounds_take_one_by_one() {
        for n in [2, 3, 7, 16] {
            let mut cluster = Cluster::new(n, LINK, 1.0);
            cluster.compute(|rank| (rank * rank % 5) as f64);
            let mut clocks = cluster.clocks.clone();
            for (collective, times) in [
                (Collective::AllGather, n - 1),
                (Collective::AllReduce, 2 * (n - 1)),
            ] {
                cluster.collective(collective, 840);
                rounds(&mut clocks, times, 0.84 / n as f64 + 0.25);
                let pairs = cluster.clocks.iter().zip(&clocks);
                assert!(
                    pairs.clone().all(|(a, b)| (a - b).abs() < 1e-9),
                    "{collective:?} on {n}"
                );
                // and again, from clocks that differ
                cluster.compute(|rank| rank as f64);
                clocks
                    .iter_mut()
                    .enumerate()
                    .for_each(|(rank, clock)| *clock += rank as f64);
            }
        }
    }

    #[test]
    fn ranks_that_begin_together_take_what_the_model_says() {
        use Collective::{
            AllGather, AllReduce, AllToAll, Broadcast, Gather, Message, Reduce, ReduceScatter,
            Scan, Scatter,
        };
        let all = [
            AllReduce,
            AllGather,
            ReduceScatter,
            AllToAll,
            Broadcast,
            Reduce,
            Gather,
            Scatter,
            Scan,
            Message,
        ];
        for n in [1, 2, 3, 4, 7, 16] {
            for collective in all {
                let mut cluster = Cluster::new(n, LINK, 1.0);
                cluster.collective(collective, 840);
                let (found, model) = (cluster.seconds(), collective.seconds(840, n, LINK));
                assert!(
                    (found - model).abs() < 1e-9,
                    "{collective:?} on {n}: {found}, {model}"
                );
            }
        }
    }

    #[test]
    fn one_that_is_late_holds_up_all() {
        let mut cluster = Cluster::new(4, LINK, 1.0);
        cluster.compute(|rank| if rank == 2 { 5.0 } else { 0.0 });
        cluster.collective(Collective::AllReduce, 800);
        // its first block goes round the ring, then the sums do
        let rounds = Collective::AllReduce.seconds(800, 4, LINK);
        assert!((cluster.seconds() - (5.0 + rounds)).abs() < 1e-12);
        // a shift reaches its neighbour alone
        let mut cluster = Cluster::new(4, LINK, 1.0);
        cluster.compute(|rank| if rank == 2 { 5.0 } else { 0.0 });
        cluster.collective(Collective::Message, 1000);
        assert_eq!(cluster.clocks, [1.25, 1.25, 6.25, 6.25]);
    }
}
