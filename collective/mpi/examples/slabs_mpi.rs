//! `collective/examples/slabs` on processes: `mpirun -n 4 target/debug/examples/slabs_mpi` prints the digits of one rank.

#[path = "../../examples/slabs/model.rs"]
mod model;

use coenzyme_collective::{CommError, Mesh};
use coenzyme_collective_mpi::MpiMesh;

fn main() -> Result<(), CommError> {
    let mpi = MpiMesh::initialize().expect("MPI is initialized once");
    let found = mpi.run(Mesh::new([("ranks", mpi.size())]), model::calibrate)?;
    if mpi.rank() == 0 {
        model::report(&found);
    }
    Ok(())
}
