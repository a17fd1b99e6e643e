//! Collectives on threads.

#[path = "../body/mod.rs"]
mod body;
mod costs;
mod faults;
mod order;
mod shards;

use std::time::Duration;

use coenzyme_collective::{CommError, LocalMesh};

/// Every check on every number of ranks, each under a watchdog: a deadlock is a failure.
#[test]
fn checks_hold_on_threads() {
    for n in [1, 2, 3, 4, 7] {
        let mesh = LocalMesh::of(n).timeout(Duration::from_secs(10));
        for (name, check) in body::checks() {
            let done = mesh.run(|process| {
                check(process);
                Ok::<_, CommError>(())
            });
            if let Err(why) = done {
                panic!("{name}, on {n} ranks: {why}");
            }
        }
    }
}
