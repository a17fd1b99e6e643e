//! A communicator of MPI as a [`Transport`].

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use coenzyme_collective::CommError;
use coenzyme_collective::transport::{Call, Channel, Op, Route, Traffic, Transport};
use mpi::collective::SystemOperation;
use mpi::datatype::{Partition, PartitionMut};
use mpi::request::StaticScope;
use mpi::topology::{Color, SimpleCommunicator};
use mpi::traits::{
    Communicator, CommunicatorCollectives, Destination, MatchedReceiveVec, Root, Source,
};

use crate::agreement::agree;
use crate::pending::Pending;
use crate::watchdog::Watchdog;

/// What the communicators of one rank share.
pub(crate) struct Ledger {
    pub(crate) watchdog: Watchdog,
    pub(crate) timeout: Duration,
    pub(crate) compares_calls: bool,
    pub(crate) traffic: RefCell<Traffic>,
}

/// One rank's end of a communicator: one of MPI for each pass, and one with the ranks in reversed order.
pub(crate) struct Mpi {
    comm: SimpleCommunicator,
    tangents: SimpleCommunicator,
    adjoints: SimpleCommunicator,
    reversed: SimpleCommunicator,
    members: Vec<usize>,
    ledger: Rc<Ledger>,
    pending: RefCell<Pending>,
}

/// Lengths and places of blocks, as MPI counts them.
fn blocks(counts: &[usize]) -> Result<(Vec<i32>, Vec<i32>), CommError> {
    let mut begin = 0;
    let mut places = Vec::new();
    let mut lengths = Vec::new();
    for count in counts {
        places.push(length(begin)?);
        lengths.push(length(*count)?);
        begin += count;
    }
    Ok((lengths, places))
}

/// MPI counts in 32 bits.
fn length(entries: usize) -> Result<i32, CommError> {
    i32::try_from(entries).map_err(|_| CommError::TooLong(entries))
}

fn operation(op: Op) -> SystemOperation {
    match op {
        Op::Sum => SystemOperation::sum(),
        Op::Max => SystemOperation::max(),
        Op::Min => SystemOperation::min(),
        Op::Prod => SystemOperation::product(),
    }
}

impl Mpi {
    pub(crate) fn new(comm: SimpleCommunicator, members: Vec<usize>, ledger: Rc<Ledger>) -> Self {
        let reversed = comm.split_by_color_with_key(Color::with_value(0), -comm.rank());
        Self {
            tangents: comm.duplicate(),
            adjoints: comm.duplicate(),
            reversed: reversed.expect("all ranks have the same color"),
            comm,
            members,
            ledger,
            pending: RefCell::default(),
        }
    }

    /// A collective: compares the calls, makes it under the watchdog, and counts messages as the model has them, for MPI does not say.
    fn collective(
        &self,
        call: &Call,
        messages: impl IntoIterator<Item = usize>,
        work: impl FnOnce(),
    ) -> Result<(), CommError> {
        length(call.counts.iter().copied().max().unwrap_or(0))?;
        self.ledger.watchdog.watch(call, || {
            if self.ledger.compares_calls {
                agree(&self.comm, &self.members, call)?;
            }
            work();
            Ok(())
        })?;
        self.count(messages);
        Ok(())
    }

    fn count(&self, messages: impl IntoIterator<Item = usize>) {
        let mut traffic = self.ledger.traffic.borrow_mut();
        traffic.calls += 1;
        for entries in messages {
            traffic.messages += 1;
            traffic.bytes += entries * size_of::<f64>();
        }
    }

    fn others(&self) -> impl Iterator<Item = usize> {
        (0..self.size()).filter(|rank| *rank != self.rank())
    }

    fn of(&self, channel: Channel) -> &SimpleCommunicator {
        match channel {
            Channel::Primal => &self.comm,
            Channel::Tangent => &self.tangents,
            Channel::Adjoint => &self.adjoints,
        }
    }

    fn root(&self, root: usize) -> mpi::topology::Process<'_> {
        self.comm.process_at_rank(root as i32)
    }
}

/// Entries with their flag behind.
fn flagged(flag: bool, x: &[f64]) -> Box<[f64]> {
    let flag = f64::from(u8::from(flag));
    x.iter().copied().chain([flag]).collect()
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.comm.rank() as usize
    }
    fn size(&self) -> usize {
        self.members.len()
    }
    fn in_world(&self, rank: usize) -> usize {
        self.members[rank]
    }
    fn timeout(&self) -> Duration {
        self.ledger.timeout
    }
    fn compares_calls(&self) -> bool {
        self.ledger.compares_calls
    }
    fn traffic(&self) -> Traffic {
        *self.ledger.traffic.borrow()
    }

    fn barrier(&self, call: &Call) -> Result<(), CommError> {
        self.ledger
            .watchdog
            .watch(call, || match self.ledger.compares_calls {
                // nobody passes before all have said what they call
                true => agree(&self.comm, &self.members, call),
                false => {
                    self.comm.barrier();
                    Ok(())
                }
            })
    }

    fn all_reduce(&self, call: &Call, op: Op, x: &[f64], y: &mut [f64]) -> Result<(), CommError> {
        let (n, at) = (self.size(), self.rank());
        let share = |rank: usize| (rank + 1) * x.len() / n - rank * x.len() / n;
        let parts = self
            .others()
            .map(|_| share(at))
            .chain(self.others().map(share));
        self.collective(call, parts, || {
            self.comm.all_reduce_into(x, y, operation(op))
        })
    }

    fn all_gather(
        &self,
        call: &Call,
        x: &[f64],
        counts: &[usize],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        let (lengths, places) = blocks(counts)?;
        self.collective(call, self.others().map(|rank| counts[rank]), || {
            let mut y = PartitionMut::new(y, lengths, places);
            self.comm.all_gather_varcount_into(x, &mut y);
        })
    }

    /// MPI has it for unequal blocks, the binding has not: a sum on rank 0 that is scattered.
    fn reduce_scatter(
        &self,
        call: &Call,
        x: &[f64],
        counts: &[usize],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        let (lengths, places) = blocks(counts)?;
        let own = counts[self.rank()];
        self.collective(call, self.others().map(|_| own), || {
            let sum = SystemOperation::sum();
            if counts.iter().all(|count| *count == counts[0]) {
                return self.comm.reduce_scatter_block_into(x, y, sum);
            }
            let root = self.root(0);
            if self.rank() != 0 {
                root.reduce_into(x, sum);
                return root.scatter_varcount_into(y);
            }
            let mut total = vec![0.0; x.len()];
            root.reduce_into_root(x, &mut total[..], sum);
            let total = Partition::new(&total[..], lengths, places);
            root.scatter_varcount_into_root(&total, y);
        })
    }

    fn all_to_all(
        &self,
        call: &Call,
        x: &[f64],
        counts: &[usize],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        let (n, me) = (self.size(), self.rank());
        let sent = &counts[me * n..][..n];
        let received: Vec<_> = (0..n).map(|from| counts[from * n + me]).collect();
        let ((sent, from), (lengths, places)) = (blocks(sent)?, blocks(&received)?);
        self.collective(call, self.others().map(|rank| received[rank]), || {
            let x = Partition::new(x, sent, from);
            let mut y = PartitionMut::new(y, lengths, places);
            self.comm.all_to_all_varcount_into(&x, &mut y);
        })
    }

    fn broadcast(&self, call: &Call, root: usize, x: &mut [f64]) -> Result<(), CommError> {
        let parts = (self.rank() != root).then_some(x.len());
        self.collective(call, parts, || self.root(root).broadcast_into(x))
    }

    fn reduce(&self, call: &Call, root: usize, x: &[f64], y: &mut [f64]) -> Result<(), CommError> {
        let at_root = self.rank() == root;
        let parts = self.others().filter(|_| at_root).map(|_| x.len());
        self.collective(call, parts, || {
            let sum = SystemOperation::sum();
            match at_root {
                true => self.root(root).reduce_into_root(x, y, sum),
                false => self.root(root).reduce_into(x, sum),
            }
        })
    }

    fn gather(
        &self,
        call: &Call,
        root: usize,
        x: &[f64],
        counts: &[usize],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        let (lengths, places) = blocks(counts)?;
        let at_root = self.rank() == root;
        let parts = self.others().filter(|_| at_root).map(|rank| counts[rank]);
        self.collective(call, parts, || {
            if !at_root {
                return self.root(root).gather_varcount_into(x);
            }
            let mut y = PartitionMut::new(y, lengths, places);
            self.root(root).gather_varcount_into_root(x, &mut y);
        })
    }

    fn scatter(
        &self,
        call: &Call,
        root: usize,
        x: &[f64],
        counts: &[usize],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        let (lengths, places) = blocks(counts)?;
        let parts = (self.rank() != root).then_some(y.len());
        self.collective(call, parts, || {
            if self.rank() != root {
                return self.root(root).scatter_varcount_into(y);
            }
            let x = Partition::new(x, lengths, places);
            self.root(root).scatter_varcount_into_root(&x, y);
        })
    }

    fn scan(
        &self,
        call: &Call,
        inclusive: bool,
        backwards: bool,
        x: &[f64],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        let comm = if backwards {
            &self.reversed
        } else {
            &self.comm
        };
        let first = comm.rank() == 0;
        self.collective(call, (!first).then_some(x.len()), || {
            if inclusive {
                return comm.scan_into(x, y, SystemOperation::sum());
            }
            comm.exclusive_scan_into(x, y, SystemOperation::sum());
            if first {
                // MPI leaves it as it was
                y.fill(0.0);
            }
        })
    }

    fn send(&self, route: Route, flag: bool, x: &[f64]) -> Result<(), CommError> {
        length(x.len() + 1)?;
        self.count([]);
        let to = self.of(route.channel).process_at_rank(route.peer as i32);
        let call = format!("send(to {}, tag {})", self.members[route.peer], route.tag);
        let message = flagged(flag, x);
        (self.ledger.watchdog).watch(&call, || to.send_with_tag(&message[..], route.tag));
        Ok(())
    }

    fn recv(&self, route: Route, x: &mut [f64]) -> Result<bool, CommError> {
        let from = self.of(route.channel).process_at_rank(route.peer as i32);
        let deadline = Instant::now() + self.ledger.timeout;
        let (message, status) = loop {
            if let Some(found) = from.immediate_matched_probe_with_tag(route.tag) {
                break found;
            }
            if Instant::now() > deadline {
                return Err(CommError::TimedOut {
                    rank: self.members[self.rank()],
                    call: format!("recv(from {}, tag {})", self.members[route.peer], route.tag),
                    missing: vec![self.members[route.peer]],
                    after: self.ledger.timeout,
                });
            }
            std::thread::yield_now();
        };
        let (received, _) = (message, status).matched_receive_vec::<f64>();
        let (flag, received) = received
            .split_last()
            .expect("a flag comes with every message");
        self.count([received.len()]);
        if received.len() != x.len() {
            return Err(CommError::Lengths {
                call: "recv",
                expected: x.len(),
                found: received.len(),
            });
        }
        x.copy_from_slice(received);
        Ok(*flag != 0.0)
    }

    fn start(&self, route: Route, flag: bool, x: &[f64]) -> Result<(), CommError> {
        length(x.len() + 1)?;
        self.count([]);
        let to = self.of(route.channel).process_at_rank(route.peer as i32);
        let send = |message| to.immediate_send_with_tag(StaticScope, message, route.tag);
        self.pending.borrow_mut().start(flagged(flag, x), send);
        Ok(())
    }
}
