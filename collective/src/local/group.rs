//! Where the ranks of one communicator meet.

use std::any::Any;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::health::Health;
use crate::CommError;
use crate::transport::Call;

/// What a rank brings, a `Vec` of numbers of some kind: shared, and never written again while another may read it.
pub(super) type Deposit = Arc<dyn Any + Send + Sync>;
/// What all ranks have brought, in their order.
pub(super) type Deposits = Arc<Vec<Deposit>>;

/// A place where each rank leaves something, and takes what all have left.
pub(super) struct Group {
    members: Vec<usize>,
    round: Mutex<Round>,
    changed: Condvar,
}

/// One meeting: ranks arrive, the last opens it, ranks leave, the last closes it.
#[derive(Default)]
struct Round {
    brought: Vec<Option<(Call, Deposit)>>,
    arrived: usize,
    open: Option<Result<Deposits, CommError>>,
    inside: usize,
}

impl Group {
    /// Of ranks of the world, in ascending order.
    pub(super) fn new(members: Vec<usize>) -> Self {
        Self {
            members,
            round: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// The ranks of the world.
    pub(super) fn members(&self) -> &[usize] {
        &self.members
    }

    /// Leaves `deposit`, and returns what all ranks have left for the same call.
    ///
    /// A call that differs between ranks is an error for each of them.
    pub(super) fn exchange(
        &self,
        me: usize,
        call: &Call,
        deposit: Deposit,
        health: &Health,
        timeout: Duration,
    ) -> Result<Deposits, CommError> {
        let deadline = Instant::now() + timeout;
        let wait = |round, missing: &[usize]| {
            self.wait(round, missing, (me, call), health, (deadline, timeout))
        };
        let mut round = self.lock();
        // those who were at the last meeting have not all left
        while round.open.is_some() {
            round = wait(round, &[])?;
        }
        health.of(&[], "")?;
        round.brought.resize(self.members.len(), None);
        round.brought[me] = Some((call.clone(), deposit));
        round.arrived += 1;
        if round.arrived == self.members.len() {
            round.open(&self.members);
            self.changed.notify_all();
        }
        while round.open.is_none() {
            let missing = round.missing(&self.members);
            round = wait(round, &missing)?;
        }
        let all = round.open.clone().expect("the loop above ended");
        round.inside -= 1;
        if round.inside == 0 {
            *round = Round::default();
            self.changed.notify_all();
        }
        all
    }

    /// Wakes those who wait, to look at the health of the world.
    pub(super) fn wake(&self) {
        let _round = self.lock();
        self.changed.notify_all();
    }

    fn wait<'a>(
        &self,
        round: MutexGuard<'a, Round>,
        missing: &[usize],
        (me, call): (usize, &Call),
        health: &Health,
        (deadline, timeout): (Instant, Duration),
    ) -> Result<MutexGuard<'a, Round>, CommError> {
        health.of(missing, &call.to_string())?;
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(CommError::TimedOut {
                rank: self.members[me],
                call: call.to_string(),
                missing: missing.to_vec(),
                after: timeout,
            });
        }
        let (round, _) = (self.changed.wait_timeout(round, left))
            .expect("nothing panics while it holds the lock");
        Ok(round)
    }

    fn lock(&self) -> MutexGuard<'_, Round> {
        self.round
            .lock()
            .expect("nothing panics while it holds the lock")
    }
}

impl Round {
    /// The ranks that have not arrived.
    fn missing(&self, members: &[usize]) -> Vec<usize> {
        let pairs = members.iter().zip(&self.brought);
        let missing = pairs.filter(|(_, brought)| brought.is_none());
        missing.map(|(rank, _)| *rank).collect()
    }

    /// All have arrived: compares their calls.
    fn open(&mut self, members: &[usize]) {
        let brought = self.brought.drain(..);
        let (calls, all): (Vec<_>, Vec<_>) = brought.map(|b| b.expect("all have arrived")).unzip();
        let odd = calls.iter().position(|call| *call != calls[0]);
        self.inside = members.len();
        self.open = Some(match odd {
            None => Ok(Arc::new(all)),
            Some(at) => Err(CommError::Mismatch {
                ranks: [members[0], members[at]],
                calls: [calls[0].to_string(), calls[at].to_string()],
            }),
        });
    }
}
