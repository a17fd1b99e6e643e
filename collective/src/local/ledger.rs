//! What the communicators of one rank share: a count of what was received, and memory that is used again.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::group::Deposit;
use crate::transport::{Traffic, Wire};

/// How many buffers a rank keeps: those of two meetings in flight, and the chunks of a long sum.
const KEPT: usize = 8;

#[derive(Default)]
pub(super) struct Ledger {
    traffic: RefCell<Traffic>,
    /// Buffers that were left for others, to be used again when those have read them.
    buffers: RefCell<Vec<Deposit>>,
    /// Sums that were begun on each communicator.
    sums: RefCell<HashMap<usize, i32>>,
}

impl Ledger {
    pub(super) fn traffic(&self) -> Traffic {
        *self.traffic.borrow()
    }

    /// The number of a sum that begins on a communicator.
    pub(super) fn next_sum(&self, communicator: usize) -> i32 {
        let mut sums = self.sums.borrow_mut();
        let begun = sums.entry(communicator).or_default();
        std::mem::replace(begun, (*begun + 1) & i32::MAX)
    }

    /// Notes a call.
    pub(super) fn call(&self) {
        self.traffic.borrow_mut().calls += 1;
    }

    /// Notes messages of so many numbers each.
    pub(super) fn received<E>(&self, messages: impl IntoIterator<Item = usize>) {
        let mut traffic = self.traffic.borrow_mut();
        for entries in messages {
            traffic.messages += 1;
            traffic.bytes += entries * size_of::<E>();
        }
    }

    /// An empty buffer, of memory that nobody reads any more.
    pub(super) fn buffer<E: Wire>(&self) -> Vec<E> {
        let mut left = self.buffers.borrow_mut();
        let unread = |buffer: &Deposit| Arc::strong_count(buffer) == 1 && buffer.is::<Vec<E>>();
        let free = left.iter().position(unread);
        let buffer = free.and_then(|free| left.swap_remove(free).downcast::<Vec<E>>().ok());
        let mut buffer = buffer.and_then(Arc::into_inner).unwrap_or_default();
        buffer.clear();
        buffer
    }

    /// Leaves a buffer for others, and remembers its memory.
    pub(super) fn deposit<E: Wire>(&self, buffer: Vec<E>) -> Deposit {
        let kept = buffer.capacity() > 0;
        let deposit: Deposit = Arc::new(buffer);
        let mut left = self.buffers.borrow_mut();
        if kept && left.len() < KEPT {
            left.push(Arc::clone(&deposit));
        }
        deposit
    }
}
