//! What is inside a plate, from one picture of its temperatures: the conductivity of each cell is found by the gradient of a 2-D heat
//! equation, on a plate that is cut in slabs among ranks. In each step the slabs exchange their edges; in the reverse pass the
//! cotangents of the edges go the other way.
//!
//! On one rank, on two and on four the digits are the same. `collective/mpi/examples/slabs_mpi.rs` is the same program under `mpirun`.
//!
//! `cargo run -p coenzyme-collective --example slabs`

mod model;

use coenzyme_collective::{CommError, LocalMesh};

fn main() -> Result<(), CommError> {
    let on = |ranks| {
        let mut found = LocalMesh::of(ranks).run(model::calibrate)?;
        Ok::<_, CommError>(found.swap_remove(0))
    };
    let serial = on(1)?;
    model::report(&serial);
    assert!(serial.misfits.last().expect("some") < &(1e-2 * serial.misfits[0]));
    for ranks in [2, 4] {
        let found = on(ranks)?;
        let close = |a: &[f64], b: &[f64]| {
            a.iter()
                .zip(b)
                .all(|(a, b)| (a - b).abs() < 1e-10 * (1.0 + b.abs()))
        };
        assert!(close(&found.misfits, &serial.misfits) && close(&found.log_k, &serial.log_k));
        println!("the same on {ranks} ranks");
    }
    Ok(())
}
