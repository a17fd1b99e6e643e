//! Collectives among threads. Each rank leaves what others read, and counts a message for each part of another rank's that it reads:
//! as many, and as long, as on a ring.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::World;
use super::group::{Deposit, Group};
use crate::CommError;
use crate::transport::{Call, Channel, Op, Route, Traffic, Transport};

/// What the communicators of one rank share.
#[derive(Default)]
pub(super) struct Ledger {
    traffic: RefCell<Traffic>,
    /// Buffers that were left for others, to be used again when those have read them.
    buffers: RefCell<Vec<Deposit>>,
}

/// One rank's end of a communicator.
pub(super) struct Local {
    pub(super) world: Arc<World>,
    pub(super) group: Arc<Group>,
    pub(super) id: usize,
    pub(super) me: usize,
    pub(super) ledger: Rc<Ledger>,
}

/// The tag of messages inside of a scan, which no user's message can have.
const CHAIN: i32 = -1;

impl Local {
    /// Leaves a copy of `x`, and returns what all have left.
    fn exchange(&self, call: &Call, x: &[f64]) -> Result<Arc<Vec<Deposit>>, CommError> {
        let mut copy = Vec::new();
        if !x.is_empty() {
            copy = self.ledger.buffer();
            copy.extend_from_slice(x);
        }
        self.exchange_buffer(call, copy)
    }

    fn exchange_buffer(&self, call: &Call, own: Vec<f64>) -> Result<Arc<Vec<Deposit>>, CommError> {
        let deposit = Arc::new(own);
        self.ledger.keep(&deposit);
        let (health, timeout) = (&self.world.health, self.world.timeout);
        (self.group).exchange(self.me, call, deposit, health, timeout)
    }

    /// Notes messages of so many entries each.
    fn note(&self, entries: impl IntoIterator<Item = usize>) {
        let mut traffic = self.ledger.traffic.borrow_mut();
        for entries in entries {
            traffic.messages += 1;
            traffic.bytes += entries * size_of::<f64>();
        }
    }

    fn call(&self) {
        self.ledger.traffic.borrow_mut().calls += 1;
    }

    /// The other ranks.
    fn others(&self) -> impl Iterator<Item = usize> {
        (0..self.size()).filter(|rank| *rank != self.me)
    }

    /// `y ← Σ xᵣ[range]`.
    fn sum(&self, all: &[Deposit], range: Range<usize>, y: &mut [f64]) {
        fold(Op::Sum, all.len(), |rank| &all[rank][range.clone()], y);
        self.note(self.others().map(|_| range.len()));
    }

    fn send_to(&self, key: (Channel, i32), peer: usize, message: (bool, Vec<f64>)) {
        let from = self.group.members()[self.me];
        let mailbox = &self.world.mailboxes[self.group.members()[peer]];
        mailbox.put((self.id, key.0, from, key.1), message);
    }

    fn take_from(&self, key: (Channel, i32), peer: usize) -> Result<(bool, Vec<f64>), CommError> {
        let (me, from) = (self.group.members()[self.me], self.group.members()[peer]);
        let (health, timeout) = (&self.world.health, self.world.timeout);
        let key = (self.id, key.0, from, key.1);
        let message = self.world.mailboxes[me].take(key, me, health, timeout)?;
        self.note([message.1.len()]);
        Ok(message)
    }
}

impl Ledger {
    /// An empty buffer, of memory that nobody reads any more.
    fn buffer(&self) -> Vec<f64> {
        let mut left = self.buffers.borrow_mut();
        let free = left
            .iter()
            .position(|buffer| Arc::strong_count(buffer) == 1);
        let buffer = free.and_then(|free| Arc::into_inner(left.swap_remove(free)));
        let mut buffer = buffer.unwrap_or_default();
        buffer.clear();
        buffer
    }

    /// Remembers what is left for others.
    fn keep(&self, deposit: &Deposit) {
        let mut left = self.buffers.borrow_mut();
        if deposit.capacity() > 0 && left.len() < KEPT {
            left.push(Arc::clone(deposit));
        }
    }
}

/// How many buffers a rank keeps: two meetings in flight, of two lengths.
const KEPT: usize = 4;

/// Entries that stay in the nearest cache while they are summed and copied.
const IN_CACHE: usize = 2048;

/// `y ← ⊕ xᵣ`, in the order of ranks: the sum is the same whoever comes first.
fn fold<'a>(op: Op, ranks: usize, x: impl Fn(usize) -> &'a [f64], y: &mut [f64]) {
    let mut rest = 1;
    if ranks > 1 && op == Op::Sum {
        // two at once spare a pass
        let pairs = x(0).iter().zip(x(1));
        y.iter_mut().zip(pairs).for_each(|(y, (a, b))| *y = a + b);
        rest = 2;
    } else {
        y.copy_from_slice(x(0));
    }
    (rest..ranks).for_each(|rank| op.fold(y, x(rank)));
}

/// Where block `at` of `counts` begins and ends.
fn block(counts: &[usize], at: usize) -> Range<usize> {
    let begin: usize = counts[..at].iter().sum();
    begin..begin + counts[at]
}

/// `length` entries for `n` ranks, as equal as they can be.
pub(crate) fn shares(length: usize, n: usize) -> Vec<usize> {
    (0..n)
        .map(|r| (r + 1) * length / n - r * length / n)
        .collect()
}

impl Transport for Local {
    fn rank(&self) -> usize {
        self.me
    }
    fn size(&self) -> usize {
        self.group.members().len()
    }
    fn in_world(&self, rank: usize) -> usize {
        self.group.members()[rank]
    }
    fn timeout(&self) -> Duration {
        self.world.timeout
    }
    fn compares_calls(&self) -> bool {
        true
    }
    fn traffic(&self) -> Traffic {
        *self.ledger.traffic.borrow()
    }

    fn barrier(&self, call: &Call) -> Result<(), CommError> {
        self.exchange(call, &[]).map(|_| ())
    }

    /// Each rank sums one block, and takes the other blocks of the sum from those who made them. It leaves for others what they need, and
    /// nothing else: memory is what takes the time.
    fn all_reduce(&self, call: &Call, op: Op, x: &[f64], y: &mut [f64]) -> Result<(), CommError> {
        self.call();
        let counts = shares(x.len(), self.size());
        let own = block(&counts, self.me);
        let mut sum = self.ledger.buffer();
        {
            let mut blocks = self.ledger.buffer();
            blocks.extend_from_slice(&x[..own.start]);
            blocks.extend_from_slice(&x[own.end..]);
            let all = self.exchange_buffer(call, blocks)?;
            let term = |rank: usize| {
                if rank == self.me {
                    return &x[own.clone()];
                }
                let left_out = if rank < self.me { counts[rank] } else { 0 };
                &all[rank][own.start - left_out..own.end - left_out]
            };
            let y = &mut y[own.clone()];
            for (at, y) in y.chunks_mut(IN_CACHE).enumerate() {
                let range = at * IN_CACHE..at * IN_CACHE + y.len();
                fold(op, self.size(), |rank| &term(rank)[range.clone()], y);
                sum.extend_from_slice(y);
            }
        }
        self.note(self.others().map(|_| own.len()));
        let blocks = self.exchange_buffer(call, sum)?;
        for rank in self.others() {
            y[block(&counts, rank)].copy_from_slice(&blocks[rank]);
            self.note([counts[rank]]);
        }
        Ok(())
    }

    fn all_gather(
        &self,
        call: &Call,
        x: &[f64],
        counts: &[usize],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        self.call();
        let all = self.exchange(call, x)?;
        for (rank, x) in all.iter().enumerate() {
            y[block(counts, rank)].copy_from_slice(x);
        }
        self.note(self.others().map(|rank| counts[rank]));
        Ok(())
    }

    fn reduce_scatter(
        &self,
        call: &Call,
        x: &[f64],
        counts: &[usize],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        self.call();
        let all = self.exchange(call, x)?;
        self.sum(&all, block(counts, self.me), y);
        Ok(())
    }

    fn all_to_all(
        &self,
        call: &Call,
        x: &[f64],
        counts: &[usize],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        self.call();
        let n = self.size();
        let all = self.exchange(call, x)?;
        let mut begin = 0;
        for (rank, x) in all.iter().enumerate() {
            let part = &x[block(&counts[rank * n..][..n], self.me)];
            y[begin..begin + part.len()].copy_from_slice(part);
            begin += part.len();
        }
        self.note(self.others().map(|rank| counts[rank * n + self.me]));
        Ok(())
    }

    fn broadcast(&self, call: &Call, root: usize, x: &mut [f64]) -> Result<(), CommError> {
        self.call();
        let all = self.exchange(call, if self.me == root { x } else { &[] })?;
        if self.me != root {
            x.copy_from_slice(&all[root]);
            self.note([x.len()]);
        }
        Ok(())
    }

    fn reduce(&self, call: &Call, root: usize, x: &[f64], y: &mut [f64]) -> Result<(), CommError> {
        self.call();
        let all = self.exchange(call, x)?;
        if self.me == root {
            self.sum(&all, 0..x.len(), y);
        }
        Ok(())
    }

    fn gather(
        &self,
        call: &Call,
        root: usize,
        x: &[f64],
        counts: &[usize],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        self.call();
        let all = self.exchange(call, x)?;
        if self.me == root {
            for (rank, x) in all.iter().enumerate() {
                y[block(counts, rank)].copy_from_slice(x);
            }
            self.note(self.others().map(|rank| counts[rank]));
        }
        Ok(())
    }

    fn scatter(
        &self,
        call: &Call,
        root: usize,
        x: &[f64],
        counts: &[usize],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        self.call();
        let all = self.exchange(call, x)?;
        y.copy_from_slice(&all[root][block(counts, self.me)]);
        if self.me != root {
            self.note([y.len()]);
        }
        Ok(())
    }

    /// A chain: each rank adds its own to what the one before it sends.
    fn scan(
        &self,
        call: &Call,
        inclusive: bool,
        backwards: bool,
        x: &[f64],
        y: &mut [f64],
    ) -> Result<(), CommError> {
        self.call();
        self.exchange(call, &[])?;
        let key = (Channel::Primal, CHAIN);
        let (before, after) = (self.me.checked_sub(1), Some(self.me + 1));
        let after = after.filter(|after| *after < self.size());
        let (from, to) = if backwards {
            (after, before)
        } else {
            (before, after)
        };
        let prefix = from.map(|from| self.take_from(key, from)).transpose()?;
        let prefix = prefix.map_or_else(|| vec![0.0; x.len()], |(_, prefix)| prefix);
        let mut all = prefix.clone();
        Op::Sum.fold(&mut all, x);
        y.copy_from_slice(if inclusive { &all } else { &prefix });
        if let Some(to) = to {
            self.send_to(key, to, (false, all));
        }
        Ok(())
    }

    fn send(&self, route: Route, flag: bool, x: &[f64]) -> Result<(), CommError> {
        self.call();
        self.world.health.of(&[], "")?;
        self.send_to((route.channel, route.tag), route.peer, (flag, x.to_vec()));
        Ok(())
    }

    fn recv(&self, route: Route, x: &mut [f64]) -> Result<bool, CommError> {
        self.call();
        let (flag, message) = self.take_from((route.channel, route.tag), route.peer)?;
        if message.len() != x.len() {
            return Err(CommError::Lengths {
                call: "recv",
                expected: x.len(),
                found: message.len(),
            });
        }
        x.copy_from_slice(&message);
        Ok(flag)
    }

    /// Threads wait for nobody when they send.
    fn start(&self, route: Route, flag: bool, x: &[f64]) -> Result<(), CommError> {
        self.send(route, flag, x)
    }
}
