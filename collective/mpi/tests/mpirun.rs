//! The checks of `collective/tests/body` under `mpirun`, on several numbers of ranks, and failures. Skips aloud without `mpirun`.

#[path = "../../tests/body/mod.rs"]
mod body;

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use coenzyme_collective::per_rank::all_reduce;
use coenzyme_collective::{CommError, Mesh};
use coenzyme_collective_mpi::MpiMesh;

/// What a rank is told to do, in the environment of the processes that this program starts.
const TASK: &str = "COENZYME_MPI_TASK";

fn main() {
    match std::env::var(TASK) {
        Ok(task) => rank(&task),
        Err(_) if !mpirun_is_there() => println!("skipped: no mpirun"),
        Err(_) => {
            // many checks, each on every number of ranks, as few processes as `MPI_RANKS` says
            let ranks = std::env::var("MPI_RANKS").unwrap_or("1 2 3 4 7".into());
            for n in ranks.split_whitespace() {
                checks_hold(n);
            }
            failures_are_named();
        }
    }
}

fn mpirun_is_there() -> bool {
    Command::new("mpirun").arg("--version").output().is_ok()
}

/// This program on `n` ranks. Open MPI refuses root, and more ranks than cores, if it is not told.
fn mpirun(n: &str, task: &str) -> Output {
    let own = std::env::current_exe().expect("this program has a path");
    Command::new("mpirun")
        .args(["--allow-run-as-root", "--oversubscribe", "-n", n])
        .arg(own)
        .env(TASK, task)
        .output()
        .expect("mpirun was there")
}

fn checks_hold(n: &str) {
    let begun = Instant::now();
    let output = mpirun(n, "checks");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "on {n} ranks:\n{said}");
    println!(
        "{} checks hold on {n} ranks, {:.1?}",
        body::checks().len(),
        begun.elapsed()
    );
}

/// A rank that fails ends all, within the time-out, and says which it is.
fn failures_are_named() {
    for (task, says) in [
        ("error", "rank 1 failed: tag -3 is negative"),
        ("panic", "rank 1 failed: panicked"),
        (
            "length",
            "rank 0 calls all_reduce(length 1), rank 1 calls all_reduce(length 2)",
        ),
        ("early", "waited 2s in all_reduce(length 1)"),
        (
            "message",
            "rank 0 waited 2s in recv(from 1, tag 0) for ranks [1]",
        ),
    ] {
        let begun = Instant::now();
        let output = mpirun("3", task);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{task}");
        assert!(
            said.contains(says),
            "{task}: should say {says:?}, says\n{said}"
        );
        assert!(begun.elapsed() < Duration::from_secs(20), "{task}");
        println!("{task}: {says}");
    }
}

/// The life of one rank.
fn rank(task: &str) {
    let mpi = MpiMesh::initialize().expect("MPI is initialized once");
    // short where waiting is what is tested
    let seconds = if ["early", "message"].contains(&task) {
        2
    } else {
        60
    };
    let mpi = mpi
        .timeout(Duration::from_secs(seconds))
        .comparing_calls(task != "early");
    let mesh = Mesh::new([("ranks", mpi.size())]);
    let failed = mpi.run(mesh, |process| {
        let (comm, first) = (process.world(), process.rank() == 1);
        match task {
            "checks" => body::checks().iter().for_each(|(_, check)| check(process)),
            "error" if first => return Err(CommError::Tag(-3)),
            "panic" if first => panic!("on purpose"),
            "length" if first => drop(all_reduce(comm, &[1.0, 2.0])?),
            "early" if first => std::thread::sleep(Duration::from_secs(10)),
            "message" => {
                if process.rank() == 0 {
                    coenzyme_collective::per_rank::recv(comm, 1, 0, &mut [0.0])?;
                }
                std::thread::sleep(Duration::from_secs(10));
            }
            _ => drop(all_reduce(comm, &[1.0])?),
        }
        Ok(())
    });
    failed.expect("a rank that fails does not come here");
}
