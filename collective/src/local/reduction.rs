//! Reductions among threads. Each rank reduces one block, and takes the other blocks from those who made them. The order of terms is that of
//! ranks, so that no schedule changes a bit.
//!
//! Memory is what takes the time of a long one. Short arrays are left whole for others to read. Long ones go in chunks that stay in
//! the cache from the copy to the sum, and the memory of a chunk goes back with the sum of it:
//!
//! ```text
//! rank 0   x[block 1, chunk k]  ->  rank 1: y[block 1, chunk k] = Σ  ->  rank 0: y[block 1, chunk k]
//! ```

use std::ops::Range;

use super::collectives::{Local, block, fold, numbers, shares};
use crate::CommError;
use crate::transport::{Call, Channel, Op, Transport, Wire};

/// Numbers of a chunk: several of them stay in a second-level cache.
const CHUNK: usize = 16384;
/// How many chunks a rank is ahead of what it waits for.
const AHEAD: usize = 2;
/// Tags that no user's message can have.
const TERMS: i32 = -2;
const SUMS: i32 = -3;

/// `y = ⊕ xᵣ` on each rank.
pub(super) fn all_reduce<E: Wire>(
    local: &Local,
    call: &Call,
    op: Op,
    x: &[E],
    y: &mut [E],
) -> Result<(), CommError> {
    let counts = shares(x.len(), local.size());
    let own = counts[local.rank()];
    (local.ledger).received::<E>(local.others().map(|_| own));
    (local.ledger).received::<E>(local.others().map(|rank| counts[rank]));
    match local.size() > 1 && counts[0] >= CHUNK {
        true => in_chunks(local, call, op, &counts, x, y),
        false => at_once(local, call, op, &counts, x, y),
    }
}

/// Two meetings: one for the terms, and one for the sums.
fn at_once<E: Wire>(
    local: &Local,
    call: &Call,
    op: Op,
    counts: &[usize],
    x: &[E],
    y: &mut [E],
) -> Result<(), CommError> {
    let own = block(counts, local.rank());
    let mut terms = local.ledger.buffer();
    terms.extend_from_slice(x);
    {
        let all = local.exchange_buffer(call, terms)?;
        let term = |rank: usize| &numbers(&all[rank])[own.clone()];
        fold(op, local.size(), term, &mut y[own.clone()]);
    }
    let mut sum = local.ledger.buffer();
    sum.extend_from_slice(&y[own]);
    let sums = local.exchange_buffer(call, sum)?;
    for rank in local.others() {
        y[block(counts, rank)].copy_from_slice(numbers(&sums[rank]));
    }
    Ok(())
}

/// One meeting to compare calls, and a message for each chunk of each block, there and back.
fn in_chunks<E: Wire>(
    local: &Local,
    call: &Call,
    op: Op,
    counts: &[usize],
    x: &[E],
    y: &mut [E],
) -> Result<(), CommError> {
    local.exchange_buffer::<E>(call, Vec::new())?;
    let me = local.rank();
    let rounds = counts
        .iter()
        .map(|count| count.div_ceil(CHUNK))
        .max()
        .unwrap_or(0);
    let chunk = |rank: usize, round: usize| -> Range<usize> {
        let whole = block(counts, rank);
        let at = |round: usize| whole.start + (CHUNK * round).min(whole.len());
        at(round)..at(round + 1)
    };
    let mut free: Vec<Vec<E>> = Vec::new();
    for round in 0..rounds + 2 * AHEAD {
        if round < rounds {
            for rank in local.others() {
                let mut terms = free.pop().unwrap_or_else(|| local.ledger.buffer());
                terms.clear();
                terms.extend_from_slice(&x[chunk(rank, round)]);
                local.send_to((Channel::Primal, TERMS), rank, false, terms);
            }
        }
        if let Some(round) = round.checked_sub(AHEAD).filter(|round| *round < rounds) {
            let own = chunk(me, round);
            let mut terms = Vec::with_capacity(local.size());
            for rank in 0..local.size() {
                terms.push(match rank == me {
                    true => Vec::new(),
                    false => local.take_from((Channel::Primal, TERMS), rank)?.1,
                });
            }
            let term = |rank: usize| match rank == me {
                true => &x[own.clone()],
                false => &terms[rank][..],
            };
            fold(op, local.size(), term, &mut y[own.clone()]);
            for rank in local.others() {
                let mut sum = std::mem::take(&mut terms[rank]);
                sum.copy_from_slice(&y[own.clone()]);
                local.send_to((Channel::Primal, SUMS), rank, false, sum);
            }
        }
        if let Some(round) = round.checked_sub(2 * AHEAD) {
            for rank in local.others() {
                let (_, sum) = local.take_from((Channel::Primal, SUMS), rank)?;
                y[chunk(rank, round)].copy_from_slice(&sum);
                free.push(sum);
            }
        }
    }
    for buffer in free {
        local.ledger.deposit(buffer);
    }
    Ok(())
}
