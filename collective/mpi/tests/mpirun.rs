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
                checks_hold(n, "checks");
            }
            checks_hold("4", "checks, aborting");
            failures_are_errors_on_all_ranks();
            a_failure_aborts_where_it_is_told_to();
        }
    }
}

fn mpirun_is_there() -> bool {
    Command::new("mpirun").arg("--version").output().is_ok()
}

/// What no task takes, on the slowest machine.
const DEADLOCK: Duration = Duration::from_secs(300);

/// This program on `n` ranks, under a watchdog. Open MPI refuses root, and more ranks than cores, if it is not told; it ends its ranks
/// after the seconds that it is given, as others do.
fn mpirun(n: &str, task: &str) -> Output {
    let own = std::env::current_exe().expect("this program has a path");
    let begun = Instant::now();
    let output = Command::new("mpirun")
        .args(["--allow-run-as-root", "--oversubscribe", "-n", n])
        .arg(own)
        .env(TASK, task)
        .env("MPIEXEC_TIMEOUT", DEADLOCK.as_secs().to_string())
        .output()
        .expect("mpirun was there");
    assert!(
        begun.elapsed() < DEADLOCK,
        "{task} on {n} ranks has not ended"
    );
    output
}

fn checks_hold(n: &str, task: &str) {
    let begun = Instant::now();
    let output = mpirun(n, task);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{task} on {n} ranks:\n{said}");
    println!(
        "{} {task} hold on {n} ranks, {:.1?}",
        body::checks().len(),
        begun.elapsed()
    );
}

/// What rank 1 does in a program of three ranks, and what ranks are told, each of them, within the time-out.
const FAILURES: [(&str, &str); 9] = [
    ("error", "tag -3 is negative"),
    ("panic", "rank 1 failed: panicked: on purpose"),
    ("reverse", "tag -4 is negative"),
    (
        "length",
        "rank 0 calls all_reduce(length 1), rank 1 calls all_reduce(length 2)",
    ),
    ("late", "waited 2s in all_reduce(length 1) for ranks [1]"),
    (
        "asleep",
        "rank 0 waited 2s in recv(from 1, tag 0) for ranks [1]",
    ),
    (
        "returns",
        "rank 1 has returned, and others wait for it in all_reduce(length 1)",
    ),
    (
        "silent",
        "rank 1 has returned, and others wait for it in recv(from 1, tag 0)",
    ),
    (
        "deaf",
        "rank 1 has returned, and others wait for it in send(to 1, tag 0)",
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

/// With `aborting` the others are not told, but ended.
fn a_failure_aborts_where_it_is_told_to() {
    let begun = Instant::now();
    let output = mpirun("3", "aborts");
    let (said, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        !output.status.success() && !said.contains("is told"),
        "{said}"
    );
    assert!(
        errors.contains("rank 1 failed: tag -3 is negative"),
        "{errors}"
    );
    assert!(begun.elapsed() < Duration::from_secs(20));
    println!("aborts: all ranks are ended, {:.1?}", begun.elapsed());
}

/// The life of one rank.
fn rank(task: &str) {
    let mpi = MpiMesh::initialize().expect("MPI is initialized once");
    // short where waiting is what is tested
    let waits = ["late", "asleep", "returns", "silent", "deaf"].contains(&task);
    let mpi = mpi
        .timeout(Duration::from_secs(if waits { 2 } else { 60 }))
        .aborting(task.contains("abort"))
        .comparing_calls(!waits && !task.contains("abort"));
    let mesh = Mesh::new([("ranks", mpi.size())]);
    let failed = mpi.run(mesh, |process| match task {
        "checks" | "checks, aborting" => {
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
        "error" | "aborts" if second => return Err(CommError::Tag(-3)),
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
            let augmented = thunk.augmented(&mut args)?;
            if second {
                return Err(CommError::Tag(-4));
            }
            thunk.reverse([vec![1.0]], augmented.tape, &mut args);
        }
        "silent" | "asleep" if first => recv(comm, 1, 0, &mut [0.0])?,
        "asleep" if second => nap(),
        // longer than what MPI sends before it is received
        "deaf" if first => send(comm, 1, 0, &vec![1.0; 1_000_000])?,
        "silent" | "asleep" | "deaf" => {}
        _ => drop(all_reduce(comm, &[1.0])?),
    }
    Ok(())
}
