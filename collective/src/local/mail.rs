//! Messages from one rank to one other.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::health::Health;
use crate::CommError;
use crate::transport::Channel;

/// What tells messages to one rank apart: the communicator, the pass, the sender (in the world), the tag.
pub(super) type Key = (usize, Channel, usize, i32);
/// A `Vec` of numbers of some kind, and its flag.
pub(super) struct Message {
    pub(super) flag: bool,
    pub(super) numbers: Box<dyn Any + Send>,
    pub(super) kind: &'static str,
}

/// The messages to one rank that it has not received.
#[derive(Default)]
pub(super) struct Mailbox {
    messages: Mutex<HashMap<Key, VecDeque<Message>>>,
    changed: Condvar,
}

impl Mailbox {
    /// Leaves a message.
    pub(super) fn put(&self, key: Key, message: Message) {
        self.lock().entry(key).or_default().push_back(message);
        self.changed.notify_all();
    }

    /// Waits for the next message with this key, for rank `me` of the world.
    pub(super) fn take(
        &self,
        key: Key,
        me: usize,
        health: &Health,
        (patience, timeout): (usize, Duration),
    ) -> Result<Message, CommError> {
        let deadline = Instant::now() + timeout;
        let (_, _, from, tag) = key;
        let call = || format!("recv(from {from}, tag {tag})");
        // a message that is nearly there is there before a thread has gone to sleep and come back
        for _ in 0..patience {
            if let Some(message) = self.lock().get_mut(&key).and_then(VecDeque::pop_front) {
                return Ok(message);
            }
            std::thread::yield_now();
        }
        let mut messages = self.lock();
        loop {
            if let Some(message) = messages.get_mut(&key).and_then(VecDeque::pop_front) {
                return Ok(message);
            }
            health.of(&[from], &call())?;
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(CommError::TimedOut {
                    rank: me,
                    call: call(),
                    missing: vec![from],
                    after: timeout,
                });
            }
            (messages, _) = (self.changed.wait_timeout(messages, left))
                .expect("nothing panics while it holds the lock");
        }
    }

    /// Wakes who waits, to look at the health of the world.
    pub(super) fn wake(&self) {
        let _messages = self.lock();
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, VecDeque<Message>>> {
        self.messages
            .lock()
            .expect("nothing panics while it holds the lock")
    }
}
