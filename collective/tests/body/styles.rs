//! SPMD functions as people write them: early indexing, early exits, branches on the rank, calls of each other, drivers.

use coenzyme::prelude::*;
use coenzyme_collective::per_rank::*;
use coenzyme_collective::{Along, Comm, CommError, Process};

use super::{Check, Random, assert_close};

pub(crate) const CHECKS: &[Check] = &[
    ("programs of many styles", programs_of_many_styles),
    ("a loop that overwrites its state", a_loop_that_overwrites),
    ("per-rank functions along an axis", along_an_axis),
];

/// The mean of the squares, by a result that is indexed at once.
#[differentiable]
fn mean_square(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
    let own: f64 = x.iter().map(|x| x * x).sum();
    let all = all_reduce(comm, &[own, x.len() as f64])?[0];
    Ok(all * own)
}

/// The first rank decides a scale, and the last gathers.
#[differentiable]
fn leader(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
    let last = comm.size() - 1;
    let scale = broadcast(comm, 0, &x[..1])?;
    let mut scaled = x.to_vec();
    for v in scaled.iter_mut() {
        *v *= scale[0];
    }
    let all = gather(comm, last, &scaled)?;
    let mut sum = 0.0;
    if comm.rank() == last {
        for (i, v) in all.iter().enumerate() {
            sum += v * v * (1.0 + i as f64);
        }
    }
    Ok(sum)
}

/// A distributed dot product, called twice.
#[differentiable]
fn dot_all(comm: &Comm, a: &[f64], b: &[f64]) -> Result<f64, CommError> {
    let mut own = 0.0;
    for i in 0..a.len() {
        own += a[i] * b[i];
    }
    let sum = all_reduce(comm, &[own])?;
    Ok(sum[0])
}

/// The share of a Rayleigh quotient, with early exit.
#[differentiable]
fn quotient(comm: &Comm, x: &[f64], a: &[f64]) -> Result<f64, CommError> {
    let norm = dot_all(comm, x, x)?;
    if norm < 1e-12 {
        return Ok(0.0);
    }
    let mut ax = vec![0.0; x.len()];
    for i in 0..x.len() {
        ax[i] = a[i] * x[i];
    }
    let top = dot_all(comm, x, &ax)?;
    Ok(top / norm / comm.size() as f64)
}

/// A sum that doubles its stride: a reduction by messages of the user's own.
#[differentiable]
fn by_hand(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
    let (n, me) = (comm.size(), comm.rank());
    let mut sum = x.to_vec();
    let mut stride = 1;
    while stride < n {
        if me % (2 * stride) == stride {
            send(comm, me - stride, 3, &sum)?;
        } else if me % (2 * stride) == 0 && me + stride < n {
            let mut theirs = vec![0.0; x.len()];
            recv(comm, me + stride, 3, &mut theirs)?;
            for i in 0..x.len() {
                sum[i] += theirs[i];
            }
        }
        stride *= 2;
    }
    let mut loss = 0.0;
    if me == 0 {
        for s in sum.iter() {
            loss += s * s;
        }
    }
    Ok(loss)
}

fn total(comm: &Comm, share: f64) -> f64 {
    all_reduce(comm, &[share]).expect("sent")[0]
}

/// Against differences of the sum of all losses, in each entry of each rank.
#[track_caller]
pub(crate) fn judge(
    what: &str,
    comm: &Comm,
    x: &[f64],
    gradient: &[f64],
    loss: impl Fn(&[f64]) -> Result<f64, CommError>,
) {
    let h = 1e-5;
    for rank in 0..comm.size() {
        let entries = if rank == comm.rank() { x.len() } else { 0 };
        for entry in 0..total(comm, entries as f64) as usize {
            let at = |h: f64| {
                let mut x = x.to_vec();
                if rank == comm.rank() {
                    x[entry] += h;
                }
                total(comm, loss(&x).expect("sent"))
            };
            let slope = (at(h) - at(-h)) / (2.0 * h);
            if rank == comm.rank() {
                assert_close(what, &gradient[entry..=entry], &[slope], 1e-6);
            }
        }
    }
}

fn programs_of_many_styles(process: &Process) {
    let comm = process.world();
    let mut random = Random::new(81, comm.rank());
    let (x, a) = (random.vector(2), random.vector(2));

    let mut dx = [0.0; 2];
    autodiff!(Reverse, mean_square, Const(comm), Duplicated(&x, &mut dx)).expect("sent");
    judge("mean_square", comm, &x, &dx, |x| mean_square(comm, x));

    let mut dx = [0.0; 2];
    autodiff!(Reverse, leader, Const(comm), Duplicated(&x, &mut dx)).expect("sent");
    judge("leader", comm, &x, &dx, |x| leader(comm, x));

    let mut dx = [0.0; 2];
    autodiff!(
        Reverse,
        quotient,
        Const(comm),
        Duplicated(&x, &mut dx),
        Const(&a)
    )
    .expect("sent");
    judge("quotient", comm, &x, &dx, |x| quotient(comm, x, &a));

    let mut dx = [0.0; 2];
    autodiff!(Reverse, by_hand, Const(comm), Duplicated(&x, &mut dx)).expect("sent");
    judge("by_hand", comm, &x, &dx, |x| by_hand(comm, x));

    // the driver that annotates for you
    let (_, dx) = gradient!(by_hand, comm, &x).expect("sent");
    judge("gradient!", comm, &x, &dx, |x| by_hand(comm, x));
}

/// Waves on a ring that is cut among ranks.
#[differentiable]
fn waves(comm: &Comm, u: &[f64], steps: usize) -> Result<f64, CommError> {
    let mut u = u.to_vec();
    let m = u.len();
    for _ in 0..steps {
        let before = shift(comm, 1, &u[m - 1..])?;
        for i in 0..m {
            let left = if i > 0 { u[i - 1] } else { before[0] };
            u[i] = u[i] + 0.2 * (left - u[i]).sin();
        }
    }
    let mut sum = 0.0;
    for i in 0..m {
        sum += u[i] * u[i];
    }
    Ok(sum)
}

/// Ranks along an axis that the type knows, as the functions of each family take them.
#[differentiable]
fn along_axis(along: &Along, x: &[f64]) -> Result<f64, CommError> {
    let (n, me) = (along.size(), along.rank());
    let begun = iall_reduce(along, x)?;
    let halo = shift(along, 1, x)?;
    let theirs = irecv_like(along, (me + n - 1) % n, 3, x)?;
    let mine = isend(along, (me + 1) % n, 3, x)?;
    let top = all_reduce_max(along, Ties::First, x)?;
    let first = broadcast(along, 0, x)?;
    let below = scan(along, x)?;
    let from_before = wait(along, &theirs)?;
    wait(along, &mine)?;
    let total = wait(along, &begun)?;
    let count = along.count(x.len())?;
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += total[i] * halo[i] + top[i] * first[i] * x[i] + below[i] * from_before[i];
    }
    along.barrier()?;
    Ok(sum / count as f64)
}

fn along_an_axis(process: &Process) {
    let along: Along = process.axis().expect("the mesh has one axis");
    let x = Random::new(84, along.rank()).vector(2);
    let mut dx = [0.0; 2];
    autodiff!(Reverse, along_axis, Const(&along), Duplicated(&x, &mut dx)).expect("sent");
    judge("along an axis", &along, &x, &dx, |x| along_axis(&along, x));
}

fn a_loop_that_overwrites(process: &Process) {
    let comm = process.world();
    let u = Random::new(83, comm.rank()).vector(3);
    let mut du = [0.0; 3];
    autodiff!(
        Reverse,
        waves,
        Const(comm),
        Duplicated(&u, &mut du),
        Const(6)
    )
    .expect("sent");
    judge("waves", comm, &u, &du, |u| waves(comm, u, 6));
}
