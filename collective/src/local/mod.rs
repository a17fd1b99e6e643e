//! Ranks as threads of one process.

mod collectives;
mod group;
mod health;
mod ledger;
mod mail;
mod reduction;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use collectives::Local;
pub(crate) use collectives::shares;
use group::Group;
use health::Health;
use ledger::Ledger;
use mail::Mailbox;

use crate::process::{Process, Splits};
use crate::transport::Transport;
use crate::{CommError, Mesh};

/// Ranks that are threads of this process: nothing to install, and the same results for every schedule.
///
/// Sums are added in the order of ranks. A rank that returns an error or panics fails all: each gets an error that names it.
///
/// ```
/// use coenzyme_collective::{CommError, LocalMesh, per_rank::all_reduce};
///
/// let sums = LocalMesh::of(4).run(|process| {
///     let r = process.rank() as f64;
///     all_reduce(process.world(), &[r + 1.0, 10.0 * (r + 1.0)])
/// })?;
/// assert_eq!(sums, vec![[10.0, 100.0]; 4]);
///
/// let failed = LocalMesh::of(3).run(|process| match process.rank() {
///     1 => Err(CommError::Tag(-7)),
///     _ => all_reduce(process.world(), &[1.0]),
/// });
/// assert_eq!(failed.unwrap_err().to_string(), "tag -7 is negative");
/// # Ok::<(), CommError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LocalMesh {
    mesh: Mesh,
    timeout: Duration,
}

/// A communicator's number, and where its ranks meet.
type Numbered = (usize, Arc<Group>);

/// Enough for a message that is being written.
const PATIENCE: usize = 20;

/// What all ranks share.
struct World {
    health: Health,
    timeout: Duration,
    /// How often a rank looks for a message before it goes to sleep: not at all if it has no core of its own.
    patience: usize,
    mailboxes: Vec<Mailbox>,
    groups: Mutex<BTreeMap<Vec<usize>, Numbered>>,
}

impl LocalMesh {
    /// A rank for each place of a mesh.
    #[must_use]
    pub fn new(mesh: Mesh) -> Self {
        let timeout = Duration::from_secs(60);
        Self { mesh, timeout }
    }

    /// `n` ranks along one axis, `ranks`. **Panics** for 0.
    #[must_use]
    #[track_caller]
    pub fn of(n: usize) -> Self {
        Self::new(Mesh::new([("ranks", n)]))
    }

    /// How long a rank waits for others before it says which are missing; a minute if nothing is said.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Runs `program` on each rank, and returns what each has returned.
    ///
    /// # Errors
    /// That of the rank which failed first; a panic is [`CommError::Failed`].
    pub fn run<T, E>(&self, program: impl Fn(&Process) -> Result<T, E> + Sync) -> Result<Vec<T>, E>
    where
        T: Send,
        E: From<CommError> + Display + Send,
    {
        let (results, first) = self.launch(program);
        let mut results: Vec<_> = results.into_iter().map(Some).collect();
        if let Some(first) = first
            && let Some(Err(why)) = results[first].take()
        {
            return Err(why);
        }
        results.into_iter().flatten().collect()
    }

    /// Runs `program` on each rank, and returns what each has returned or failed with.
    pub fn run_each<T, E>(
        &self,
        program: impl Fn(&Process) -> Result<T, E> + Sync,
    ) -> Vec<Result<T, E>>
    where
        T: Send,
        E: From<CommError> + Display + Send,
    {
        self.launch(program).0
    }

    /// A rank that needs nobody: its world has one rank, which is this thread.
    ///
    /// ```
    /// use coenzyme_collective::{LocalMesh, per_rank::all_reduce};
    ///
    /// let process = LocalMesh::alone();
    /// assert_eq!(all_reduce(process.world(), &[1.0, 2.0])?, [1.0, 2.0]);
    /// # Ok::<(), coenzyme_collective::CommError>(())
    /// ```
    #[must_use]
    pub fn alone() -> Process {
        let mesh = Self::of(1);
        mesh.started().process(0, mesh.mesh.clone())
    }

    /// What all ranks share, before they run.
    fn started(&self) -> Arc<World> {
        let size = self.mesh.size();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Arc::new(World {
            health: Health::default(),
            timeout: self.timeout,
            patience: if size <= cores { PATIENCE } else { 0 },
            mailboxes: (0..size).map(|_| Mailbox::default()).collect(),
            groups: Mutex::default(),
        })
    }

    /// The results of all ranks, and which failed first.
    fn launch<T, E>(
        &self,
        program: impl Fn(&Process) -> Result<T, E> + Sync,
    ) -> (Vec<Result<T, E>>, Option<usize>)
    where
        T: Send,
        E: From<CommError> + Display + Send,
    {
        let (size, world) = (self.mesh.size(), self.started());
        let first = Mutex::new(None);
        let (program, first_failed) = (&program, &first);
        let results = thread::scope(|scope| {
            let ranks: Vec<_> = (0..size)
                .map(|rank| {
                    let (world, mesh) = (Arc::clone(&world), self.mesh.clone());
                    let named = thread::Builder::new().name(format!("rank {rank}"));
                    let body = move || world.rank(rank, mesh, program, first_failed);
                    named
                        .spawn_scoped(scope, body)
                        .expect("a thread for each rank")
                })
                .collect();
            let results = ranks.into_iter().map(|rank| rank.join());
            results
                .map(|r| r.expect("panics are caught inside"))
                .collect()
        });
        let first = *first
            .lock()
            .expect("nothing panics while it holds the lock");
        (results, first)
    }
}

impl World {
    /// A rank's view of the mesh.
    fn process(self: &Arc<Self>, rank: usize, mesh: Mesh) -> Process {
        let splits = Threads {
            world: Arc::clone(self),
            rank,
            ledger: Rc::new(Ledger::default()),
        };
        Process::new(mesh, Rc::new(splits))
    }

    /// The life of one rank.
    fn rank<T, E: From<CommError> + Display>(
        self: Arc<Self>,
        rank: usize,
        mesh: Mesh,
        program: &impl Fn(&Process) -> Result<T, E>,
        first: &Mutex<Option<usize>>,
    ) -> Result<T, E> {
        let process = self.process(rank, mesh);
        let result = catch_unwind(AssertUnwindSafe(|| program(&process)));
        let result = match result {
            Ok(result) => result.map_err(|why| (why.to_string(), why)),
            Err(panic) => {
                let why = said(&*panic);
                // who panicked because another failed says who that was
                let error = self.health.fault().unwrap_or(CommError::Failed {
                    rank,
                    why: why.clone(),
                });
                Err((why, E::from(error)))
            }
        };
        match &result {
            Ok(_) => self.health.leave(rank),
            Err((why, _)) => {
                let mut first = first
                    .lock()
                    .expect("nothing panics while it holds the lock");
                first.get_or_insert(rank);
                let why = why.clone();
                self.health.fail(CommError::Failed { rank, why });
            }
        }
        self.wake();
        result.map_err(|(_, why)| why)
    }

    fn group(&self, members: &[usize]) -> Numbered {
        let mut groups = self
            .groups
            .lock()
            .expect("nothing panics while it holds the lock");
        let id = groups.len();
        let group = groups.entry(members.to_vec());
        let (id, group) = group.or_insert_with(|| (id, Arc::new(Group::new(members.to_vec()))));
        (*id, Arc::clone(group))
    }

    fn wake(&self) {
        let groups = self
            .groups
            .lock()
            .expect("nothing panics while it holds the lock");
        groups.values().for_each(|(_, group)| group.wake());
        self.mailboxes.iter().for_each(Mailbox::wake);
    }
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.map_or("panicked".into(), |text| format!("panicked: {text}"))
}

/// One rank's way to its communicators.
struct Threads {
    world: Arc<World>,
    rank: usize,
    ledger: Rc<Ledger>,
}

impl Splits for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn communicator(&self, members: &[usize]) -> Result<Rc<dyn Transport>, CommError> {
        let (id, group) = self.world.group(members);
        let me = members.iter().position(|rank| *rank == self.rank);
        Ok(Rc::new(Local {
            world: Arc::clone(&self.world),
            group,
            id,
            me: me.expect("a rank is in each of its communicators"),
            ledger: Rc::clone(&self.ledger),
        }))
    }
}
