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
//! The README of the folder says what to install. A rank that fails ends all, and says which it was and why: that is what MPI
//! does. Collectives are MPI's own; how they sum is theirs, and the last bits may differ from a
//! [`LocalMesh`](coenzyme_collective::LocalMesh).

mod agreement;
mod pending;
mod transport;
mod watchdog;

use std::cell::RefCell;
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

use crate::transport::{Ledger, Mpi};
use crate::watchdog::Watchdog;

/// The processes that `mpirun` has started.
pub struct MpiMesh {
    universe: Universe,
    timeout: Duration,
    compares_calls: bool,
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

    /// How long a rank waits for others before it ends the program and says in which call; ten minutes if nothing is said.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Whether ranks compare each call before they make it: one small message more. They do in debug builds.
    #[must_use]
    pub fn comparing_calls(self, compares_calls: bool) -> Self {
        Self {
            compares_calls,
            ..self
        }
    }

    /// Runs `program` on this rank, as all others do on theirs, and returns what it returns.
    ///
    /// If it fails or panics the processes of all ranks end, after this one has said so.
    ///
    /// # Errors
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
            watchdog: Watchdog::new(self.rank(), self.timeout),
            timeout: self.timeout,
            compares_calls: self.compares_calls,
            traffic: RefCell::default(),
        });
        let splits = Processes {
            world: self.universe.world(),
            ledger,
            communicators: RefCell::default(),
        };
        let process = Process::new(mesh, Rc::new(splits));
        match catch_unwind(AssertUnwindSafe(|| program(&process))) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(why)) => self.abort(&why.to_string()),
            // the panic has printed what it says
            Err(_) => self.abort("panicked"),
        }
    }

    fn abort(&self, why: &str) -> ! {
        eprintln!("rank {} failed: {why}", self.rank());
        self.universe.world().abort(1)
    }
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
