//! A rank's view of the mesh.

use std::rc::Rc;

use crate::transport::{Traffic, Transport};
use crate::{Along, Axis, Comm, CommError, Mesh};

/// How a backend makes communicators.
pub trait Splits {
    /// This rank in the world.
    fn rank(&self) -> usize;

    /// A communicator of some ranks of the world, in ascending order, this one among them. All of them call it.
    ///
    /// # Errors
    /// If the backend cannot make one.
    fn communicator(&self, members: &[usize]) -> Result<Rc<dyn Transport>, CommError>;
}

/// One rank, and its communicators: what a program that runs on every rank is given.
///
/// ```
/// use coenzyme_collective::{CommError, LocalMesh, Mesh, per_rank::all_reduce};
///
/// let mesh = Mesh::new([("dp", 2), ("tp", 2)]);
/// let sums = LocalMesh::new(mesh).run(|process| {
///     let r = process.rank() as f64;
///     Ok::<_, CommError>([
///         all_reduce(&process.along(&["tp"])?, &[r])?[0],
///         all_reduce(&process.along(&["dp"])?, &[r])?[0],
///     ])
/// })?;
/// assert_eq!(sums, [[1.0, 2.0], [1.0, 4.0], [5.0, 2.0], [5.0, 4.0]]);
/// # Ok::<(), CommError>(())
/// ```
pub struct Process {
    mesh: Mesh,
    splits: Rc<dyn Splits>,
    world: Comm,
}

impl Process {
    /// A rank of a world that has as many ranks as the mesh.
    ///
    /// **Panics** if the world has no communicator of all its ranks.
    #[must_use]
    pub fn new(mesh: Mesh, splits: Rc<dyn Splits>) -> Self {
        let all: Vec<usize> = (0..mesh.size()).collect();
        let world = splits
            .communicator(&all)
            .expect("a communicator of all ranks");
        let world = Comm::new(world);
        Self {
            mesh,
            splits,
            world,
        }
    }

    /// This rank.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.splits.rank()
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The communicator of all ranks.
    #[must_use]
    pub fn world(&self) -> &Comm {
        &self.world
    }

    /// The communicator of the ranks that differ from this one along these axes at most.
    ///
    /// # Errors
    /// [`CommError::NoAxis`].
    pub fn along(&self, axes: &[&str]) -> Result<Comm, CommError> {
        let missing = axes.iter().find(|axis| self.mesh.length(axis).is_none());
        if let Some(axis) = missing {
            return Err(CommError::NoAxis((*axis).into()));
        }
        let members = self.mesh.group(self.rank(), axes).expect("looked at above");
        Ok(Comm::new(self.splits.communicator(&members)?))
    }

    /// The communicator along one axis that types know.
    ///
    /// # Errors
    /// [`CommError::NoAxis`].
    pub fn axis<A: Axis>(&self) -> Result<Along<A>, CommError> {
        Ok(Along::over(self.along(&[A::NAME])?))
    }

    /// What this rank has sent for.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        self.world.traffic()
    }
}
