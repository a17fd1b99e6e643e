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
    fn exchange(&self, call: &Call, x: &[f64]) -> Result<Arc<Vec<Deposit>>, CommError> {
        let deposit = self.ledger.copy(x);
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

    /// `y ← ⊕ xᵣ[range]`, in the order of ranks: the sum is the same whoever comes first.
    fn fold(&self, op: Op, all: &[Deposit], range: Range<usize>, y: &mut [f64]) {
        match all {
            [only] => y.copy_from_slice(&only[range.clone()]),
            // two at once spare a pass over memory
            [a, b, rest @ ..] if op == Op::Sum => {
                let pairs = a[range.clone()].iter().zip(&b[range.clone()]);
                y.iter_mut().zip(pairs).for_each(|(y, (a, b))| *y = a + b);
                rest.iter().for_each(|x| op.fold(y, &x[range.clone()]));
            }
            [first, rest @ ..] => {
                y.copy_from_slice(&first[range.clone()]);
                rest.iter().for_each(|x| op.fold(y, &x[range.clone()]));
            }
            [] => unreachable!("a communicator has a rank"),
        }
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
    /// A copy of `x` to be left for others, in memory that nobody reads any more.
    fn copy(&self, x: &[f64]) -> Deposit {
        if x.is_empty() {
            return Deposit::default();
        }
        let mut buffers = self.buffers.borrow_mut();
        let free = buffers.iter_mut().find(|b| Arc::strong_count(b) == 1);
        if let Some(buffer) = free
            && let Some(entries) = Arc::get_mut(buffer)
        {
            entries.clear();
            entries.extend_from_slice(x);
            return Arc::clone(buffer);
        }
        let buffer = Arc::new(x.to_vec());
        if buffers.len() < KEPT {
            buffers.push(Arc::clone(&buffer));
        }
        buffer
    }
}

/// How many buffers a rank keeps: two meetings in flight, of two lengths.
const KEPT: usize = 4;

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

    /// Each rank sums one block, and takes the other blocks of the sum from those who made them.
    fn all_reduce(&self, call: &Call, op: Op, x: &[f64], y: &mut [f64]) -> Result<(), CommError> {
        self.call();
        let counts = shares(x.len(), self.size());
        let own = block(&counts, self.me);
        {
            let all = self.exchange(call, x)?;
            self.fold(op, &all, own.clone(), &mut y[own.clone()]);
        }
        let blocks = self.exchange(call, &y[own])?;
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
        self.fold(Op::Sum, &all, block(counts, self.me), y);
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
            self.fold(Op::Sum, &all, 0..x.len(), y);
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
