//! Ranks of [`coenzyme_collective`] as processes of MPI: the same programs, with the same derivatives, on a cluster.
//!
//! ```no_run
//! use coenzyme_collective::{CommError, Mesh, per_rank::all_reduce};
//! use coenzyme_collective_mpi::MpiMesh;
//!
//! fn main() -> Result<(), CommError> {
//!     let mpi = MpiMesh::initialize().expect("MPI is initialized once");
//!     let mesh = Mesh::new([("ranks", mpi.size())]);
//!     let sum = mpi.run(mesh, |process| all_reduce(process.world(), &[process.rank() as f64]))?;
//!     println!("{sum:?}");
//!     Ok(())
//! }
//! ```
//!
//! The README of the folder says what to install. A rank that returns an error or panics is an error on all, which names it and says why;
//! so is a rank that returns while others wait for it, or does not come within the time-out. Collectives are MPI's own; how they sum is
//! theirs, and the last bits may differ from a [`LocalMesh`](coenzyme_collective::LocalMesh).

mod agreement;
mod health;
mod pending;
mod transport;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

use coenzyme_collective::transport::Transport;
use coenzyme_collective::{CommError, Mesh, Process, Splits};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Group};

use crate::health::Health;
use crate::transport::{Ledger, Mpi};

/// The processes that `mpirun` has started.
pub struct MpiMesh {
    universe: Universe,
    timeout: Duration,
    compares_calls: bool,
    aborts: bool,
    failed: Cell<bool>,
}

impl MpiMesh {
    /// Initializes MPI; `None` if that was done before. MPI is finalized when this is dropped.
    #[must_use]
    pub fn initialize() -> Option<Self> {
        let timeout = Duration::from_secs(600);
        Some(Self {
            universe: mpi::initialize()?,
            timeout,
            compares_calls: cfg!(debug_assertions),
            aborts: false,
            failed: Cell::new(false),
        })
    }

    /// How many ranks there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.universe.world().size() as usize
    }

    /// This rank.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.universe.world().rank() as usize
    }

    /// How long a rank waits for others before it says which are missing; ten minutes if nothing is said.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Whether ranks compare each call before they make it: one small message more. They do in debug builds.
    #[must_use]
    pub fn comparing_calls(mut self, compares_calls: bool) -> Self {
        self.compares_calls = compares_calls;
        self
    }

    /// Whether a rank that fails ends the processes of all ranks by `MPI_Abort`. Collectives then spare the barrier before each, by which
    /// the others hear of it: for programs of many small sums. There are no time-outs in collectives then.
    #[must_use]
    pub fn aborting(mut self, aborts: bool) -> Self {
        self.aborts = aborts;
        self
    }

    /// Runs `program` on this rank, as all others do on theirs, and returns what it returns when all are done.
    ///
    /// # Errors
    /// That of the program; [`CommError::Failed`] on all other ranks if it fails or panics on one, and on this one if it panics;
    /// [`CommError::WorldSize`] if the mesh has another number of ranks.
    pub fn run<T, E: From<CommError> + Display>(
        &self,
        mesh: Mesh,
        program: impl FnOnce(&Process) -> Result<T, E>,
    ) -> Result<T, E> {
        let (mesh_size, world) = (mesh.size(), self.size());
        if mesh_size != world {
            return Err(CommError::WorldSize {
                mesh: mesh_size,
                world,
            }
            .into());
        }
        let ledger = Rc::new(Ledger {
            health: Health::new(&self.universe.world(), self.timeout),
            meets: !self.aborts,
            compares_calls: self.compares_calls,
            traffic: RefCell::default(),
        });
        let splits = Processes {
            world: self.universe.world().duplicate(),
            ledger: Rc::clone(&ledger),
            communicators: RefCell::default(),
        };
        let process = Process::new(mesh, Rc::new(splits));
        let result = catch_unwind(AssertUnwindSafe(|| program(&process)));
        let result = match result {
            Ok(result) => result.map_err(|why| (why.to_string(), why)),
            Err(panic) => {
                let why = said(&*panic);
                // who panicked because another failed says who that was
                let error = ledger.health.fault().unwrap_or(CommError::Failed {
                    rank: self.rank(),
                    why: why.clone(),
                });
                Err((why, E::from(error)))
            }
        };
        // who is done first waits here, where it hears of those who fail later
        let result = result.and_then(|value| {
            let met = ledger.health.end();
            met.map(|()| value)
                .map_err(|why| (why.to_string(), E::from(why)))
        });
        result.map_err(|(text, why)| {
            if self.aborts {
                eprintln!("rank {} failed: {text}", self.rank());
                self.universe.world().abort(1);
            }
            ledger.health.fail(&text);
            self.failed.set(true);
            why
        })
    }
}

/// After a failure a rank may never come to finalize MPI: the others do not wait for it for longer than the time-out.
impl Drop for MpiMesh {
    fn drop(&mut self) {
        if self.failed.get() {
            let timeout = self.timeout;
            std::thread::spawn(move || {
                std::thread::sleep(timeout);
                std::process::exit(1);
            });
        }
    }
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.map_or("panicked".into(), |text| format!("panicked: {text}"))
}

/// One rank's way to its communicators. Each is made once.
struct Processes {
    world: SimpleCommunicator,
    ledger: Rc<Ledger>,
    communicators: RefCell<HashMap<Vec<usize>, Rc<Mpi>>>,
}

impl Splits for Processes {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn communicator(&self, members: &[usize]) -> Result<Rc<dyn Transport>, CommError> {
        if let Some(made) = self.communicators.borrow().get(members) {
            return Ok(made.clone());
        }
        if self.ledger.meets {
            // MPI makes a communicator of some ranks only with all others
            let all: Vec<usize> = (0..self.world.size() as usize).collect();
            let call = "a communicator of some ranks";
            self.ledger.health.meet(&self.world, &all, call)?;
        }
        let ranks: Vec<i32> = members.iter().map(|rank| *rank as i32).collect();
        let group = self.world.group().include(&ranks);
        let comm = self.world.split_by_subgroup(&group);
        let comm = comm.expect("a rank is in each of its communicators");
        let made = Rc::new(Mpi::new(comm, members.to_vec(), Rc::clone(&self.ledger)));
        self.communicators
            .borrow_mut()
            .insert(members.to_vec(), made.clone());
        Ok(made)
    }
}
