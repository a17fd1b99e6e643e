//! Ends a rank that waits for too long inside of MPI, which has no time-outs.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// What a rank does at the moment.
enum State {
    Waits(String),
    Works,
}

/// A thread that watches one rank.
pub(crate) struct Watchdog(Sender<State>);

impl Watchdog {
    pub(crate) fn new(rank: usize, timeout: Duration) -> Self {
        let (sender, states) = channel();
        let watch = move || {
            // until the rank has done with communicating
            while let Ok(state) = states.recv() {
                let State::Waits(call) = state else { continue };
                if let Err(RecvTimeoutError::Timeout) = states.recv_timeout(timeout) {
                    eprintln!("rank {rank} failed: waited {timeout:?} in {call}");
                    // mpirun ends the other ranks
                    std::process::exit(1);
                }
            }
        };
        thread::spawn(watch);
        Self(sender)
    }

    /// Does what may wait for other ranks.
    pub(crate) fn watch<T>(&self, call: &impl ToString, wait: impl FnOnce() -> T) -> T {
        // a watchdog that is gone watches nobody
        let _ = self.0.send(State::Waits(call.to_string()));
        let result = wait();
        let _ = self.0.send(State::Works);
        result
    }
}
