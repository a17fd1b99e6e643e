//! Programs that differentiate themselves, with messages of several kinds: the reverse pass makes their transposes in reversed order.

use coenzyme::prelude::*;
use coenzyme_collective::per_rank::*;
use coenzyme_collective::{Comm, CommError, Process};

use super::{Check, Random, assert_close, dot};

pub(crate) const CHECKS: &[Check] = &[
    ("a program of many messages", a_program_of_many_messages),
    ("a loop of halo exchanges", a_loop_of_halo_exchanges),
    ("data parallel", data_parallel),
];

/// Three collectives, a ring, and requests around work.
#[differentiable]
fn busy(comm: &Comm, x: &[f64], w: f64) -> Result<f64, CommError> {
    let (n, me) = (comm.size(), comm.rank());
    let (next, before) = ((me + 1) % n, (me + n - 1) % n);
    let theirs = irecv(comm, before, 5, x.len())?;
    let mine = isend(comm, next, 5, x)?;
    let sums = all_reduce(comm, x)?;
    let shifted = wait(comm, &theirs)?;
    wait(comm, &mine)?;
    let mut scaled = vec![0.0; x.len()];
    for i in 0..x.len() {
        scaled[i] = w * shifted[i] * sums[i];
    }
    let mut ring = vec![0.0; x.len()];
    if me == 0 {
        send(comm, next, 1, &scaled)?;
        recv(comm, before, 1, &mut ring)?;
    } else {
        recv(comm, before, 1, &mut ring)?;
        send(comm, next, 1, &scaled)?;
    }
    let prefix = scan(comm, &ring)?;
    let mut loss = 0.0;
    for i in 0..x.len() {
        loss += prefix[i] * prefix[i] * x[i];
    }
    Ok(loss)
}

fn total(comm: &Comm, share: f64) -> f64 {
    all_reduce(comm, &[share]).expect("sent")[0]
}

/// Against differences of the sum of all losses, in each entry of each rank.
fn a_program_of_many_messages(process: &Process) {
    let comm = process.world();
    let mut random = Random::new(5, comm.rank());
    let (x, w) = (random.vector(2), random.next());
    let mut dx = vec![0.0; 2];
    let (((), (), dw),) = autodiff!(
        Reverse,
        busy,
        Const(comm),
        Duplicated(&x, &mut dx),
        Active(w)
    )
    .expect("sent");
    let mut gradient = dx.clone();
    gradient.push(dw);
    let h = 1e-5;
    for rank in 0..comm.size() {
        for entry in 0..3 {
            let loss = |h: f64| {
                let (mut x, mut w) = (x.clone(), w);
                if rank == comm.rank() {
                    *x.get_mut(entry).unwrap_or(&mut w) += h;
                }
                total(comm, busy(comm, &x, w).expect("sent"))
            };
            let slope = (loss(h) - loss(-h)) / (2.0 * h);
            if rank == comm.rank() {
                assert_close("busy", &gradient[entry..=entry], &[slope], 1e-7);
            }
        }
    }
    // and forward mode, along the direction of all gradients
    let (dv,) = autodiff!(
        Forward,
        busy,
        Const(comm),
        Duplicated(&x, &dx),
        Duplicated(w, dw)
    )
    .expect("sent");
    let (along, square) = (total(comm, dv), total(comm, dot(&gradient, &gradient)));
    assert_close("busy, forward", &[along], &[square], 1e-12);
}

/// Diffusion on a line that is cut among the ranks.
#[differentiable]
fn diffused(comm: &Comm, u: &[f64], k: f64, steps: usize) -> Result<f64, CommError> {
    let m = u.len();
    let mut u = u.to_vec();
    for _ in 0..steps {
        let from_left = shift(comm, 1, &u[m - 1..])?;
        let from_right = shift(comm, -1, &u[..1])?;
        let mut new = vec![0.0; m];
        for i in 0..m {
            let below = if i > 0 { u[i - 1] } else { from_left[0] };
            let above = if i + 1 < m { u[i + 1] } else { from_right[0] };
            new[i] = u[i] + k * (below - 2.0 * u[i] + above);
        }
        u = new;
    }
    let mut energy = 0.0;
    for i in 0..m {
        energy += u[i] * u[i];
    }
    Ok(energy)
}

/// Against the same line on one rank.
fn a_loop_of_halo_exchanges(process: &Process) {
    let (comm, alone) = (process.world(), process.along(&[]).expect("a rank alone"));
    let n = comm.size();
    let whole = Random::new(3, 0).vector(3 * n);
    let part = &whole[3 * comm.rank()..][..3];
    let mut expected = vec![0.0; 3 * n];
    let (((), (), dk, ()),) = autodiff!(
        Reverse,
        diffused,
        Const(&alone),
        Duplicated(&whole, &mut expected),
        Active(0.3),
        Const(5)
    )
    .expect("sent");
    let mut found = vec![0.0; 3];
    let (((), (), share, ()),) = autodiff!(
        Reverse,
        diffused,
        Const(comm),
        Duplicated(part, &mut found),
        Active(0.3),
        Const(5)
    )
    .expect("sent");
    assert_close("diffused", &found, &expected[3 * comm.rank()..][..3], 1e-14);
    assert_close("diffused: k", &[total(comm, share)], &[dk], 1e-14);
}

/// The mean over the local samples, of `(w·x − t)²`.
#[differentiable]
fn local_loss(w: &[f64], x: &[f64], t: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..t.len() {
        let e = w[0] * x[2 * i] + w[1] * x[2 * i + 1] - t[i];
        sum += e * e;
    }
    sum / t.len() as f64
}

/// The mean of the gradients of the ranks is the gradient of the mean.
fn data_parallel(process: &Process) {
    let comm = process.world();
    if comm.size() != 4 {
        return;
    }
    let rank = comm.rank();
    let x: Vec<f64> = (1..9)
        .flat_map(|i| [f64::from(i), if i % 2 == 1 { 1.0 } else { -1.0 }])
        .collect();
    let t = [1.0, 2.0, 2.0, 3.0, 5.0, 5.0, 6.0, 9.0];
    let (x, t) = (&x[4 * rank..][..4], &t[2 * rank..][..2]);
    let w = [0.5, -0.25];
    let mut dw = [0.0; 2];
    let (_, loss) = autodiff!(
        ReverseWithPrimal,
        local_loss,
        Duplicated(&w, &mut dw),
        Const(x),
        Const(t)
    );
    let local = [[-2.25, 0.0], [-5.25, 0.0], [-24.25, -1.0], [-57.25, 2.0]];
    assert_eq!(dw, local[rank]);
    let mean = all_reduce_mean(comm, &[loss, dw[0], dw[1]]).expect("sent");
    assert_eq!(mean, [5.375, -22.25, 0.25]);
}
