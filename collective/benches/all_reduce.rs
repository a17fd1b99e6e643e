//! The sum of a million numbers over two threads, beside the sum of two arrays that each thread makes by itself: a pass over memory that
//! nobody can do without. Both are timed from the start of the first to the end of the last, for two threads may have one core.
//! Ratios of medians, interleaved. `--quick` asserts, and times nothing.
//!
//! `cargo bench -p coenzyme-collective --bench all_reduce`

use std::hint::black_box;
use std::time::{Duration, Instant};

use coenzyme_collective::transport::Op;
use coenzyme_collective::{Comm, CommError, LocalMesh};

const ENTRIES: usize = 1_000_000;
const ROUNDS: usize = 61;

fn main() -> Result<(), CommError> {
    let quick = std::env::args().any(|arg| arg == "--quick" || arg == "--test");
    let rounds = if quick { 1 } else { ROUNDS };
    let ratios = LocalMesh::of(2).run(|process| ratio(process.world(), rounds))?;
    if !quick {
        println!(
            "all_reduce of {ENTRIES} doubles on 2 threads: {:.2} of a memory-bound sum",
            ratios[0]
        );
    }
    Ok(())
}

/// What the collective takes, over what the sum takes.
fn ratio(comm: &Comm, rounds: usize) -> Result<f64, CommError> {
    let x: Vec<f64> = (0..ENTRIES)
        .map(|i| (i * (comm.rank() + 1)) as f64)
        .collect();
    let other = x.clone();
    let (mut y, mut z) = (vec![0.0; ENTRIES], vec![0.0; ENTRIES]);
    let (mut collective, mut memory) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        comm.barrier()?;
        let begun = Instant::now();
        comm.all_reduce_into(Op::Sum, black_box(&x), black_box(&mut y))?;
        comm.barrier()?;
        collective.push(begun.elapsed());
        comm.barrier()?;
        let begun = Instant::now();
        let pairs = black_box(&x).iter().zip(black_box(&other));
        black_box(&mut z)
            .iter_mut()
            .zip(pairs)
            .for_each(|(z, (x, y))| *z = x + y);
        comm.barrier()?;
        memory.push(begun.elapsed());
    }
    assert!(y.iter().enumerate().all(|(i, y)| *y == (3 * i) as f64));
    assert!(z.iter().zip(&x).all(|(z, x)| *z == 2.0 * x));
    Ok(median(collective).as_secs_f64() / median(memory).as_secs_f64())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
