//! The checks of `collective/tests/body` under `mpirun`, on several numbers of ranks, and failures. Skips aloud without `mpirun`.

#[path = "../../tests/body/mod.rs"]
mod body;

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use coenzyme::{Const, Duplicated, Thunk};
use coenzyme_collective::per_rank::{all_reduce, recv, send};
use coenzyme_collective::{CommError, Mesh, Process};
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
            failures_are_errors_on_all_ranks();
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

/// What rank 1 does in a program of three ranks, and what ranks are told, each of them, within the time-out.
const FAILURES: [(&str, &str); 8] = [
    ("error", "tag -3 is negative"),
    ("panic", "rank 1 failed: panicked: on purpose"),
    ("reverse", "tag -4 is negative"),
    (
        "length",
        "rank 0 calls all_reduce(length 1), rank 1 calls all_reduce(length 2)",
    ),
    ("late", "waited 2s in all_reduce(length 1) for ranks [1]"),
    ("returns", "waited 2s in all_reduce(length 1) for ranks [1]"),
    (
        "silent",
        "rank 0 waited 2s in recv(from 1, tag 0) for ranks [1]",
    ),
    (
        "deaf",
        "rank 0 waited 2s in send(to 1, tag 0) for ranks [1]",
    ),
];

fn failures_are_errors_on_all_ranks() {
    for (task, says) in FAILURES {
        let begun = Instant::now();
        let output = mpirun("3", task);
        let (said, errors) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert!(!output.status.success(), "{task}");
        for rank in 0..3 {
            let told = format!("rank {rank} is told: ");
            let told = said.lines().find_map(|line| line.strip_prefix(&told));
            let told =
                told.unwrap_or_else(|| panic!("{task}: rank {rank} is not told\n{said}\n{errors}"));
            assert!(
                told.contains(says),
                "{task}: rank {rank} should be told {says:?}, is told {told:?}"
            );
            // who is not to blame is told who is
            let named = ["error", "reverse"].contains(&task) && rank != 1;
            assert!(
                !named || told.starts_with("rank 1 failed: "),
                "{task}: {told}"
            );
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{task}");
        println!(
            "{task}: all ranks are told {says:?}, {:.1?}",
            begun.elapsed()
        );
    }
}

/// The life of one rank.
fn rank(task: &str) {
    let mpi = MpiMesh::initialize().expect("MPI is initialized once");
    // short where waiting is what is tested
    let waits = ["late", "returns", "silent", "deaf"].contains(&task);
    let mpi = mpi
        .timeout(Duration::from_secs(if waits { 2 } else { 60 }))
        .comparing_calls(!waits);
    let mesh = Mesh::new([("ranks", mpi.size())]);
    let failed = mpi.run(mesh, |process| match task {
        "checks" => {
            body::checks().iter().for_each(|(_, check)| check(process));
            Ok(())
        }
        _ => fail(task, process),
    });
    if let Err(why) = failed {
        println!("rank {} is told: {why}", mpi.rank());
        drop(mpi);
        std::process::exit(1);
    }
}

fn fail(task: &str, process: &Process) -> Result<(), CommError> {
    let (comm, first, second) = (process.world(), process.rank() == 0, process.rank() == 1);
    let nap = || std::thread::sleep(Duration::from_secs(3));
    match task {
        "error" if second => return Err(CommError::Tag(-3)),
        "panic" if second => panic!("on purpose"),
        "length" if second => drop(all_reduce(comm, &[1.0, 2.0])?),
        "returns" if second => return Ok(()),
        "late" if second => {
            nap();
            all_reduce(comm, &[1.0])?;
        }
        "reverse" => {
            let (x, mut dx) = ([1.0], [0.0]);
            let mut args = (Const(comm), Duplicated(&x[..], &mut dx[..]));
            let thunk = Thunk::<_, Duplicated<Result<Vec<f64>, CommError>>>::new(all_reduce {});
            let _ = thunk.augmented(&mut args)?;
            if second {
                return Err(CommError::Tag(-4));
            }
            thunk.reverse([vec![1.0]], (), &mut args);
        }
        "silent" if first => recv(comm, 1, 0, &mut [0.0])?,
        // longer than what MPI sends before it is received
        "deaf" if first => send(comm, 1, 0, &vec![1.0; 1_000_000])?,
        "silent" | "deaf" => {}
        _ => drop(all_reduce(comm, &[1.0])?),
    }
    Ok(())
}
