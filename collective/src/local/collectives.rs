//! Collectives among threads. Each rank leaves what others read, and counts a message for each part of another rank's that it reads:
//! as many, and as long, as on a ring.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::World;
use super::group::{Deposit, Deposits, Group};
use super::ledger::Ledger;
use super::mail::Message;
use crate::CommError;
use crate::transport::{Call, Carries, Channel, Op, Route, Traffic, Transport, Wire};

/// One rank's end of a communicator.
pub(super) struct Local {
    pub(super) world: Arc<World>,
    pub(super) group: Arc<Group>,
    pub(super) id: usize,
    pub(super) me: usize,
    pub(super) ledger: Rc<Ledger>,
}

/// Tags of messages inside of collectives, which no user's message can have.
const CHAIN: i32 = -1;

impl Local {
    /// Leaves a copy of `x`, and returns what all have left.
    fn exchange<E: Wire>(&self, call: &Call, x: &[E]) -> Result<Deposits, CommError> {
        let mut copy = Vec::new();
        if !x.is_empty() {
            copy = self.ledger.buffer();
            copy.extend_from_slice(x);
        }
        self.exchange_buffer(call, copy)
    }

    pub(super) fn exchange_buffer<E: Wire>(
        &self,
        call: &Call,
        own: Vec<E>,
    ) -> Result<Deposits, CommError> {
        let deposit = self.ledger.deposit(own);
        let (health, timeout) = (&self.world.health, self.world.timeout);
        (self.group).exchange(self.me, call, deposit, health, timeout)
    }

    /// The other ranks.
    pub(super) fn others(&self) -> impl Iterator<Item = usize> {
        (0..self.size()).filter(|rank| *rank != self.me)
    }

    /// `y ← Σ xᵣ[range]`.
    fn sum<E: Wire>(&self, all: &[Deposit], range: Range<usize>, y: &mut [E]) {
        let x = |rank: usize| &numbers(&all[rank])[range.clone()];
        fold(Op::Sum, all.len(), x, y);
        self.ledger
            .received::<E>(self.others().map(|_| range.len()));
    }

    pub(super) fn send_to<E: Wire>(
        &self,
        (channel, tag): (Channel, i32),
        peer: usize,
        flag: bool,
        numbers: Vec<E>,
    ) {
        let from = self.group.members()[self.me];
        let mailbox = &self.world.mailboxes[self.group.members()[peer]];
        let (numbers, kind) = (Box::new(numbers), E::NAME);
        let message = Message {
            flag,
            numbers,
            kind,
        };
        mailbox.put((self.id, channel, from, tag), message);
    }

    pub(super) fn take_from<E: Wire>(
        &self,
        (channel, tag): (Channel, i32),
        peer: usize,
    ) -> Result<(bool, Vec<E>), CommError> {
        let (me, from) = (self.group.members()[self.me], self.group.members()[peer]);
        let (health, waits) = (
            &self.world.health,
            (self.world.patience, self.world.timeout),
        );
        let key = (self.id, channel, from, tag);
        let message = self.world.mailboxes[me].take(key, me, health, waits)?;
        match message.numbers.downcast() {
            Ok(numbers) => Ok((message.flag, *numbers)),
            Err(_) => Err(CommError::Numbers {
                expected: E::NAME,
                found: message.kind,
            }),
        }
    }
}

/// What a rank has left. Its call says that it consists of these numbers, and calls were compared.
pub(super) fn numbers<E: Wire>(deposit: &Deposit) -> &[E] {
    let numbers = deposit.downcast_ref::<Vec<E>>();
    numbers.expect("ranks that make the same call leave the same numbers")
}

/// `y ← ⊕ xᵣ`, in the order of ranks: the sum is the same whoever comes first.
pub(super) fn fold<'a, E: Wire>(op: Op, ranks: usize, x: impl Fn(usize) -> &'a [E], y: &mut [E]) {
    let mut rest = 1;
    if ranks > 1 && op == Op::Sum {
        // two at once spare a pass
        let pairs = x(0).iter().zip(x(1));
        y.iter_mut().zip(pairs).for_each(|(y, (a, b))| *y = *a + *b);
        rest = 2;
    } else {
        y.copy_from_slice(x(0));
    }
    (rest..ranks).for_each(|rank| op.fold(y, x(rank)));
}

/// Where block `at` of `counts` begins and ends.
pub(super) fn block(counts: &[usize], at: usize) -> Range<usize> {
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
        self.ledger.traffic()
    }
    fn next_sum(&self) -> i32 {
        self.ledger.next_sum(self.id)
    }

    fn barrier(&self, call: &Call) -> Result<(), CommError> {
        self.exchange::<f64>(call, &[]).map(|_| ())
    }
}

impl<E: Wire> Carries<E> for Local {
    fn all_reduce(&self, call: &Call, op: Op, x: &[E], y: &mut [E]) -> Result<(), CommError> {
        self.ledger.call();
        super::reduction::all_reduce(self, call, op, x, y)
    }

    fn all_gather(
        &self,
        call: &Call,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError> {
        self.ledger.call();
        let all = self.exchange(call, x)?;
        for (rank, x) in all.iter().enumerate() {
            y[block(counts, rank)].copy_from_slice(numbers(x));
        }
        self.ledger
            .received::<E>(self.others().map(|rank| counts[rank]));
        Ok(())
    }

    fn reduce_scatter(
        &self,
        call: &Call,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError> {
        self.ledger.call();
        let all = self.exchange(call, x)?;
        self.sum(&all, block(counts, self.me), y);
        Ok(())
    }

    fn all_to_all(
        &self,
        call: &Call,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError> {
        self.ledger.call();
        let n = self.size();
        let all = self.exchange(call, x)?;
        let mut begin = 0;
        for (rank, x) in all.iter().enumerate() {
            let part = &numbers(x)[block(&counts[rank * n..][..n], self.me)];
            y[begin..begin + part.len()].copy_from_slice(part);
            begin += part.len();
        }
        self.ledger
            .received::<E>(self.others().map(|rank| counts[rank * n + self.me]));
        Ok(())
    }

    fn broadcast(&self, call: &Call, root: usize, x: &mut [E]) -> Result<(), CommError> {
        self.ledger.call();
        let all = self.exchange(call, if self.me == root { x } else { &[] })?;
        if self.me != root {
            x.copy_from_slice(numbers(&all[root]));
            self.ledger.received::<E>([x.len()]);
        }
        Ok(())
    }

    fn reduce(&self, call: &Call, root: usize, x: &[E], y: &mut [E]) -> Result<(), CommError> {
        self.ledger.call();
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
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError> {
        self.ledger.call();
        let all = self.exchange(call, x)?;
        if self.me == root {
            for (rank, x) in all.iter().enumerate() {
                y[block(counts, rank)].copy_from_slice(numbers(x));
            }
            self.ledger
                .received::<E>(self.others().map(|rank| counts[rank]));
        }
        Ok(())
    }

    fn scatter(
        &self,
        call: &Call,
        root: usize,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError> {
        self.ledger.call();
        let all = self.exchange(call, x)?;
        y.copy_from_slice(&numbers(&all[root])[block(counts, self.me)]);
        if self.me != root {
            self.ledger.received::<E>([y.len()]);
        }
        Ok(())
    }

    /// A chain: each rank adds its own to what the one before it sends.
    fn scan(
        &self,
        call: &Call,
        inclusive: bool,
        backwards: bool,
        x: &[E],
        y: &mut [E],
    ) -> Result<(), CommError> {
        self.ledger.call();
        self.exchange::<E>(call, &[])?;
        let key = (Channel::Primal, CHAIN);
        let (before, after) = (self.me.checked_sub(1), Some(self.me + 1));
        let after = after.filter(|after| *after < self.size());
        let (from, to) = if backwards {
            (after, before)
        } else {
            (before, after)
        };
        let prefix = from.map(|from| self.take_from(key, from)).transpose()?;
        self.ledger.received::<E>(from.map(|_| x.len()));
        let prefix = prefix.map_or_else(|| vec![E::zero(); x.len()], |(_, prefix)| prefix);
        let mut all = prefix.clone();
        Op::Sum.fold(&mut all, x);
        y.copy_from_slice(if inclusive { &all } else { &prefix });
        if let Some(to) = to {
            self.send_to(key, to, false, all);
        }
        Ok(())
    }

    fn send(&self, route: Route, flag: bool, x: &[E]) -> Result<(), CommError> {
        self.ledger.call();
        self.world.health.of(&[], "")?;
        self.send_to((route.channel, route.tag), route.peer, flag, x.to_vec());
        Ok(())
    }

    fn recv(&self, route: Route, x: &mut [E]) -> Result<bool, CommError> {
        self.ledger.call();
        let (flag, message) = self.take_from::<E>((route.channel, route.tag), route.peer)?;
        let received = (route.peer != self.me).then_some(message.len());
        self.ledger.received::<E>(received);
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
    fn start(&self, route: Route, flag: bool, x: &[E]) -> Result<(), CommError> {
        self.send(route, flag, x)
    }
}
