//! Collectives on threads.

#[path = "../body/mod.rs"]
mod body;
mod costs;
mod faults;
mod order;
mod shards;

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use coenzyme_collective::{CommError, LocalMesh, Mesh, Process};

/// What no program here takes: ranks of a mesh give up after a third of it by themselves.
const DEADLOCK: Duration = Duration::from_secs(60);

/// Runs a program under a watchdog which ends the tests if it does not end.
fn watched<T>(what: &str, program: impl FnOnce() -> T) -> T {
    let (done, waits) = mpsc::channel::<()>();
    let what = what.to_owned();
    thread::spawn(move || {
        if waits.recv_timeout(DEADLOCK) == Err(mpsc::RecvTimeoutError::Timeout) {
            eprintln!("watchdog: {what} has not ended after {DEADLOCK:?}");
            std::process::abort();
        }
    });
    let value = program();
    drop(done);
    value
}

/// Runs a program on each rank of a mesh, watched.
fn on<T: Send>(
    mesh: Mesh,
    what: &str,
    program: impl Fn(&Process) -> Result<T, CommError> + Sync,
) -> Result<Vec<T>, CommError> {
    let mesh = LocalMesh::new(mesh).timeout(DEADLOCK / 3);
    watched(what, || mesh.run(program))
}

fn checks_hold(n: usize, checks: &[body::Check]) {
    for (name, check) in checks {
        let done = on(Mesh::new([("ranks", n)]), name, |process| {
            check(process);
            Ok(())
        });
        if let Err(why) = done {
            panic!("{name}, on {n} ranks: {why}");
        }
    }
}

/// Every check on every number of ranks.
#[test]
fn checks_hold_on_threads() {
    for n in [1, 2, 3, 4, 7] {
        checks_hold(n, &body::checks());
    }
}

/// On many more ranks than cores: the laws that each rank tells by a few collectives.
#[test]
fn laws_hold_on_sixty_four_ranks() {
    let mut laws = body::checks();
    laws.retain(|(name, _)| LAWS.contains(name));
    assert_eq!(laws.len(), LAWS.len());
    checks_hold(64, &laws);
}

const LAWS: [&str; 6] = [
    "n36 dot products agree",
    "the tangent of a linear map is the map",
    "nothing is sent for a constant",
    "the transpose of the transpose is the map",
    "transposes in the pairings of their types",
    "two sums on their way have derivatives",
];
