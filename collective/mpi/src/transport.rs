//! A communicator of MPI as a [`Transport`].

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use coenzyme_collective::CommError;
use coenzyme_collective::transport::{Call, Carries, Channel, Op, Route, Traffic, Transport, Wire};
use mpi::collective::SystemOperation;
use mpi::datatype::{Equivalence, Partition, PartitionMut};
use mpi::request::StaticScope;
use mpi::topology::{Color, SimpleCommunicator};
use mpi::traits::{
    Communicator, CommunicatorCollectives, Destination, MatchedReceiveVec, Root, Source,
};

use crate::agreement::agree;
use crate::health::Health;
use crate::pending::Pending;

/// What the communicators of one rank share.
pub(crate) struct Ledger {
    pub(crate) health: Health,
    /// Whether ranks meet before a collective, so that it waits for nobody.
    pub(crate) meets: bool,
    pub(crate) compares_calls: bool,
    pub(crate) traffic: RefCell<Traffic>,
}

/// One rank's end of a communicator: one of MPI for each pass, one for sums in parts, and one with the ranks in reversed order.
pub(crate) struct Mpi {
    comm: SimpleCommunicator,
    tangents: SimpleCommunicator,
    adjoints: SimpleCommunicator,
    sums: SimpleCommunicator,
    reversed: SimpleCommunicator,
    begun: Cell<i32>,
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
            sums: comm.duplicate(),
            begun: Cell::new(0),
            reversed: reversed.expect("all ranks have the same color"),
            comm,
            members,
            ledger,
            pending: RefCell::default(),
        }
    }

    /// A collective: meets the others, compares the calls, makes it, and counts messages as the model has them, for MPI does not say.
    fn collective<E>(
        &self,
        call: &Call,
        messages: impl IntoIterator<Item = usize>,
        work: impl FnOnce(),
    ) -> Result<(), CommError> {
        self.meet(call)?;
        work();
        self.count::<E>(messages);
        Ok(())
    }

    /// Waits until all ranks make this call.
    fn meet(&self, call: &Call) -> Result<(), CommError> {
        let Ledger { health, .. } = &*self.ledger;
        if self.ledger.meets {
            health.meet(&self.comm, &self.members, &call.to_string())?;
        }
        match self.ledger.compares_calls {
            true => agree(&self.comm, &self.members, call),
            false => Ok(()),
        }
    }

    fn count<E>(&self, messages: impl IntoIterator<Item = usize>) {
        let mut traffic = self.ledger.traffic.borrow_mut();
        traffic.calls += 1;
        for entries in messages {
            traffic.messages += 1;
            traffic.bytes += entries * size_of::<E>();
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
            Channel::Sums => &self.sums,
        }
    }

    fn root(&self, root: usize) -> mpi::topology::Process<'_> {
        self.comm.process_at_rank(root as i32)
    }

    /// Begins to send a message, and returns its number.
    fn begin<E: Wire>(&self, route: Route, flag: bool, x: &[E]) -> Result<usize, CommError> {
        let to = self.of(route.channel).process_at_rank(route.peer as i32);
        let message = packed(flag, x);
        length(message.len())?;
        self.ledger.health.look()?;
        self.count::<E>([]);
        let send = |message| to.immediate_send_with_tag(StaticScope, message, route.tag);
        Ok(self.pending.borrow_mut().start(message, send))
    }
}

/// Numbers as bytes, behind what kind they are and a flag.
fn packed<E: Wire>(flag: bool, x: &[E]) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(2 + size_of_val(x));
    bytes.extend([size_of::<E>() as u8, u8::from(flag)]);
    x.iter().for_each(|x| x.write(&mut bytes));
    bytes.into()
}

/// The flag, and the numbers.
fn unpacked<E: Wire>(message: &[u8]) -> Result<(bool, Vec<E>), CommError> {
    let (head, bytes) = message.split_at(2);
    if usize::from(head[0]) != size_of::<E>() {
        let other = |name: &&str| *name != E::NAME;
        return Err(CommError::Numbers {
            expected: E::NAME,
            found: [f64::NAME, f32::NAME]
                .into_iter()
                .find(other)
                .unwrap_or("?"),
        });
    }
    let numbers = bytes.chunks_exact(size_of::<E>()).map(E::read);
    Ok((head[1] != 0, numbers.collect()))
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
        self.ledger.health.timeout()
    }
    fn compares_calls(&self) -> bool {
        self.ledger.compares_calls
    }
    fn traffic(&self) -> Traffic {
        *self.ledger.traffic.borrow()
    }
    fn next_sum(&self) -> i32 {
        self.begun.replace((self.begun.get() + 1) & i32::MAX)
    }

    fn barrier(&self, call: &Call) -> Result<(), CommError> {
        self.meet(call)?;
        if !self.ledger.meets && !self.ledger.compares_calls {
            self.comm.barrier();
        }
        Ok(())
    }
}

impl<E: Wire + Equivalence> Carries<E> for Mpi {
    fn all_reduce(&self, call: &Call, op: Op, x: &[E], y: &mut [E]) -> Result<(), CommError> {
        length(x.len())?;
        let (n, at) = (self.size(), self.rank());
        let share = |rank: usize| (rank + 1) * x.len() / n - rank * x.len() / n;
        let parts = self
            .others()
            .map(|_| share(at))
            .chain(self.others().map(share));
        self.collective::<E>(call, parts, || {
            self.comm.all_reduce_into(x, y, operation(op))
        })
    }

    fn all_gather(
        &self,
        call: &Call,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError> {
        let (lengths, places) = blocks(counts)?;
        self.collective::<E>(call, self.others().map(|rank| counts[rank]), || {
            let mut y = PartitionMut::new(y, lengths, places);
            self.comm.all_gather_varcount_into(x, &mut y);
        })
    }

    /// MPI has it for unequal blocks, the binding has not: a sum on rank 0 that is scattered.
    fn reduce_scatter(
        &self,
        call: &Call,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError> {
        let (lengths, places) = blocks(counts)?;
        let own = counts[self.rank()];
        self.collective::<E>(call, self.others().map(|_| own), || {
            let sum = SystemOperation::sum();
            if counts.iter().all(|count| *count == counts[0]) {
                return self.comm.reduce_scatter_block_into(x, y, sum);
            }
            let root = self.root(0);
            if self.rank() != 0 {
                root.reduce_into(x, sum);
                return root.scatter_varcount_into(y);
            }
            let mut total = vec![E::zero(); x.len()];
            root.reduce_into_root(x, &mut total[..], sum);
            let total = Partition::new(&total[..], lengths, places);
            root.scatter_varcount_into_root(&total, y);
        })
    }

    fn all_to_all(
        &self,
        call: &Call,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError> {
        let (n, me) = (self.size(), self.rank());
        let sent = &counts[me * n..][..n];
        let received: Vec<_> = (0..n).map(|from| counts[from * n + me]).collect();
        let ((sent, from), (lengths, places)) = (blocks(sent)?, blocks(&received)?);
        self.collective::<E>(call, self.others().map(|rank| received[rank]), || {
            let x = Partition::new(x, sent, from);
            let mut y = PartitionMut::new(y, lengths, places);
            self.comm.all_to_all_varcount_into(&x, &mut y);
        })
    }

    fn broadcast(&self, call: &Call, root: usize, x: &mut [E]) -> Result<(), CommError> {
        length(x.len())?;
        let parts = (self.rank() != root).then_some(x.len());
        self.collective::<E>(call, parts, || self.root(root).broadcast_into(x))
    }

    fn reduce(&self, call: &Call, root: usize, x: &[E], y: &mut [E]) -> Result<(), CommError> {
        length(x.len())?;
        let at_root = self.rank() == root;
        let parts = self.others().filter(|_| at_root).map(|_| x.len());
        self.collective::<E>(call, parts, || {
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
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError> {
        let (lengths, places) = blocks(counts)?;
        let at_root = self.rank() == root;
        let parts = self.others().filter(|_| at_root).map(|rank| counts[rank]);
        self.collective::<E>(call, parts, || {
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
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError> {
        let (lengths, places) = blocks(counts)?;
        let parts = (self.rank() != root).then_some(y.len());
        self.collective::<E>(call, parts, || {
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
        x: &[E],
        y: &mut [E],
    ) -> Result<(), CommError> {
        let comm = if backwards {
            &self.reversed
        } else {
            &self.comm
        };
        length(x.len())?;
        let first = comm.rank() == 0;
        self.collective::<E>(call, (!first).then_some(x.len()), || {
            if inclusive {
                return comm.scan_into(x, y, SystemOperation::sum());
            }
            comm.exclusive_scan_into(x, y, SystemOperation::sum());
            if first {
                // MPI leaves it as it was
                y.fill(E::zero());
            }
        })
    }

    fn send(&self, route: Route, flag: bool, x: &[E]) -> Result<(), CommError> {
        let id = self.begin(route, flag, x)?;
        let to = self.members[route.peer];
        let call = format!("send(to {to}, tag {})", route.tag);
        let sent = || self.pending.borrow_mut().is_sent(id).then_some(());
        self.ledger.health.wait(&[to], &call, sent)
    }

    fn recv(&self, route: Route, x: &mut [E]) -> Result<bool, CommError> {
        let from = self.of(route.channel).process_at_rank(route.peer as i32);
        let sender = self.members[route.peer];
        let call = format!("recv(from {sender}, tag {})", route.tag);
        let there = || from.immediate_matched_probe_with_tag(route.tag);
        let message = self.ledger.health.wait(&[sender], &call, there)?;
        let (received, _) = message.matched_receive_vec::<u8>();
        let (flag, received) = unpacked::<E>(&received)?;
        self.count::<E>((route.peer != self.rank()).then_some(received.len()));
        if received.len() != x.len() {
            return Err(CommError::Lengths {
                call: "recv",
                expected: x.len(),
                found: received.len(),
            });
        }
        x.copy_from_slice(&received);
        Ok(flag)
    }

    fn start(&self, route: Route, flag: bool, x: &[E]) -> Result<(), CommError> {
        self.begin(route, flag, x).map(|_| ())
    }
}
