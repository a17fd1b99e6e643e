//! Which ranks have failed: MPI has neither time-outs nor errors of other ranks, so ranks tell each other on a communicator of its own.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use coenzyme_collective::CommError;
use mpi::request::StaticScope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, MatchedReceiveVec, Source};

/// What a rank tells another.
mod tag {
    /// It has failed, and why.
    pub(super) const FAULT: i32 = 0;
    /// It has waited for too long: what does the other wait for?
    pub(super) const ROLL_CALL: i32 = 1;
    /// What it waits for.
    pub(super) const HERE: i32 = 2;
    /// Its program has returned.
    pub(super) const LEFT: i32 = 3;
}

/// A text that every MPI sends at once, without waiting for its receiver.
const SHORT: usize = 1000;

/// What one rank knows of the others.
pub(crate) struct Health {
    news: SimpleCommunicator,
    fault: RefCell<Option<CommError>>,
    /// The ranks whose programs have returned.
    gone: RefCell<BTreeSet<usize>>,
    /// The call that it waits in.
    call: RefCell<String>,
    timeout: Duration,
    waited: Cell<bool>,
}

impl Health {
    /// All ranks of the world make one together.
    pub(crate) fn new(world: &SimpleCommunicator, timeout: Duration) -> Self {
        Self {
            news: world.duplicate(),
            fault: RefCell::default(),
            gone: RefCell::default(),
            call: RefCell::default(),
            timeout,
            waited: Cell::new(false),
        }
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// The first failure that this rank has heard of.
    pub(crate) fn fault(&self) -> Option<CommError> {
        self.fault.borrow().clone()
    }

    /// Tells all ranks that this one has failed, unless it failed because another did.
    pub(crate) fn fail(&self, why: &str) {
        if self.look().is_err() {
            return;
        }
        let rank = self.news.rank() as usize;
        *self.fault.borrow_mut() = Some(CommError::Failed {
            rank,
            why: why.into(),
        });
        self.others()
            .for_each(|other| self.tell(other, tag::FAULT, why));
    }

    /// The other ranks of the world.
    fn others(&self) -> impl Iterator<Item = i32> {
        let rank = self.news.rank();
        (0..self.news.size()).filter(move |other| *other != rank)
    }

    /// Waits until all ranks of `comm` do: what follows waits for nobody. `members` are their numbers in the world.
    pub(crate) fn meet(
        &self,
        comm: &SimpleCommunicator,
        members: &[usize],
        call: &str,
    ) -> Result<(), CommError> {
        self.meet_until(Some(self.timeout), comm, members, call)
    }

    fn meet_until(
        &self,
        timeout: Option<Duration>,
        comm: &SimpleCommunicator,
        members: &[usize],
        call: &str,
    ) -> Result<(), CommError> {
        let mut request = Some(comm.immediate_barrier());
        let arrived = || {
            let waiting = request.take()?;
            request = waiting.test().err();
            request.is_none().then_some(())
        };
        let met = self.wait_until(timeout, members, call, arrived);
        // a barrier that some rank never comes to cannot be taken back
        std::mem::forget(request);
        met
    }

    /// Tells all ranks that the program has returned here, and waits until it has on all, for as long as that takes: who waits for this
    /// rank says so.
    pub(crate) fn end(&self) -> Result<(), CommError> {
        self.others()
            .for_each(|other| self.tell(other, tag::LEFT, ""));
        self.meet_until(None, &self.news, &[], "the end of the program")?;
        // no message is left behind
        while self.gone.borrow().len() < self.others().count() {
            self.look()?;
        }
        Ok(())
    }

    /// Waits until something is there, a rank has failed, or the time-out is over.
    pub(crate) fn wait<T>(
        &self,
        members: &[usize],
        call: &str,
        there: impl FnMut() -> Option<T>,
    ) -> Result<T, CommError> {
        self.wait_until(Some(self.timeout), members, call, there)
    }

    fn wait_until<T>(
        &self,
        timeout: Option<Duration>,
        members: &[usize],
        call: &str,
        mut there: impl FnMut() -> Option<T>,
    ) -> Result<T, CommError> {
        call.clone_into(&mut self.call.borrow_mut());
        let begun = Instant::now();
        let mut left = None;
        loop {
            if let Some(found) = there() {
                self.call.borrow_mut().clear();
                return Ok(found);
            }
            self.look()?;
            let gone = members
                .iter()
                .find(|rank| self.gone.borrow().contains(rank));
            if let Some(&rank) = gone
                && left.get_or_insert_with(Instant::now).elapsed() > self.under_way()
            {
                let call = call.into();
                return Err(CommError::Left { rank, call });
            }
            if timeout.is_some_and(|timeout| begun.elapsed() > timeout) {
                return Err(self.timed_out(members, call)?);
            }
            std::thread::yield_now();
        }
    }

    /// How long what a rank has sent before it returned may be under way after the news that it has.
    fn under_way(&self) -> Duration {
        (self.timeout / 4).min(Duration::from_secs(1))
    }

    /// Reads what others have told: an error if one has failed.
    pub(crate) fn look(&self) -> Result<(), CommError> {
        if let Some(fault) = self.fault() {
            return Err(fault);
        }
        let any = self.news.any_process();
        while let Some((message, status)) = any.immediate_matched_probe_with_tag(tag::ROLL_CALL) {
            let (_, status) = (message, status).matched_receive_vec::<u8>();
            self.tell(status.source_rank(), tag::HERE, &self.call.borrow());
        }
        while let Some((message, status)) = any.immediate_matched_probe_with_tag(tag::LEFT) {
            let (_, status) = (message, status).matched_receive_vec::<u8>();
            self.gone.borrow_mut().insert(status.source_rank() as usize);
        }
        if let Some((message, status)) = any.immediate_matched_probe_with_tag(tag::FAULT) {
            let (why, status) = (message, status).matched_receive_vec::<u8>();
            let fault = CommError::Failed {
                rank: status.source_rank() as usize,
                why: String::from_utf8_lossy(&why).into_owned(),
            };
            *self.fault.borrow_mut() = Some(fault.clone());
            return Err(fault);
        }
        Ok(())
    }

    /// Who is missing: those who do not wait in the same call, or do not answer.
    fn timed_out(&self, members: &[usize], call: &str) -> Result<CommError, CommError> {
        let rank = self.news.rank() as usize;
        let mut missing: Vec<_> = members.iter().copied().filter(|r| *r != rank).collect();
        for other in &missing {
            self.tell(*other as i32, tag::ROLL_CALL, "");
        }
        let until = Instant::now() + (self.timeout / 4).min(Duration::from_secs(2));
        while !self.waited.get() && Instant::now() < until {
            self.look()?;
            let any = self.news.any_process();
            if let Some((message, status)) = any.immediate_matched_probe_with_tag(tag::HERE) {
                let (text, status) = (message, status).matched_receive_vec::<u8>();
                let from = status.source_rank() as usize;
                missing.retain(|other| *other != from || text != short(call));
            }
            std::thread::yield_now();
        }
        self.waited.set(true);
        Ok(CommError::TimedOut {
            rank,
            call: call.into(),
            missing,
            after: self.timeout,
        })
    }

    /// Sends a short text, and waits for nobody. Its memory stays: it is little, and for ranks that fail.
    fn tell(&self, rank: i32, tag: i32, text: &str) {
        let text: &'static [u8] = Box::leak(short(text).into());
        let other = self.news.process_at_rank(rank);
        let request = other.immediate_send_with_tag(StaticScope, text, tag);
        std::mem::forget(request.test());
    }
}

fn short(text: &str) -> &[u8] {
    &text.as_bytes()[..text.len().min(SHORT)]
}
