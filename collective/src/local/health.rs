//! Which ranks are still there.

use std::sync::Mutex;

use crate::CommError;

/// What has become of the ranks of a world.
#[derive(Default)]
pub(super) struct Health(Mutex<State>);

#[derive(Default)]
struct State {
    fault: Option<CommError>,
    gone: Vec<usize>,
}

impl Health {
    /// Notes that a rank has failed. The first failure stands, and is what all others are told.
    pub(super) fn fail(&self, fault: CommError) {
        let mut state = self.lock();
        state.fault.get_or_insert(fault);
    }

    /// Notes that a rank has returned.
    pub(super) fn leave(&self, rank: usize) {
        self.lock().gone.push(rank);
    }

    /// The first failure.
    pub(super) fn fault(&self) -> Option<CommError> {
        self.lock().fault.clone()
    }

    /// The first failure, or that one of the `missing` ranks has returned.
    pub(super) fn of(&self, missing: &[usize], call: &str) -> Result<(), CommError> {
        let state = self.lock();
        if let Some(fault) = &state.fault {
            return Err(fault.clone());
        }
        match missing.iter().find(|rank| state.gone.contains(rank)) {
            Some(&rank) => Err(CommError::Left {
                rank,
                call: call.into(),
            }),
            None => Ok(()),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.0
            .lock()
            .expect("nothing panics while it holds the lock")
    }
}
