//! Sums that are begun at one place and ended at another: values, both modes, lanes, and what they cost.

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsDuplicated, BatchDuplicated, Dual, autodiff};
use coenzyme_collective::per_rank::{all_reduce, iall_reduce, wait};
use coenzyme_collective::shards::Collective;
use coenzyme_collective::{Comm, CommError, Element, Process, Traffic};

use super::{Check, Random, assert_close, dot};

pub(crate) const CHECKS: &[Check] = &[
    ("a sum that is begun is the sum", values),
    ("two sums on their way have derivatives", derivatives),
    ("a sum that is begun costs a ring", costs),
];

fn sum<T: Element>(comm: &Comm, x: &[T]) -> Result<Vec<T>, CommError> {
    wait(comm, &iall_reduce(comm, x)?)
}

fn values(process: &Process) {
    let comm = process.world();
    let mut random = Random::new(71, process.rank());
    // fewer than ranks, none, and more than are cut in equal parts
    for length in [0, 1, 2, 5, 23] {
        let x = random.vector(length);
        let (found, whole) = (sum(comm, &x), all_reduce(comm, &x));
        assert_close("f64", &found.expect("sent"), &whole.expect("sent"), 1e-14);
        let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        let (found, whole) = (sum(comm, &single), all_reduce(comm, &single));
        let wide = |x: Vec<f32>| x.into_iter().map(f64::from).collect::<Vec<_>>();
        assert_close(
            "f32",
            &wide(found.expect("sent")),
            &wide(whole.expect("sent")),
            1e-6,
        );
    }
    let dual = [Dual::new(2.0, process.rank() as f64)];
    let (found, n) = (sum(comm, &dual).expect("sent")[0], comm.size() as f64);
    assert_eq!((found.value, found.tangent), (2.0 * n, n * (n - 1.0) / 2.0));
}

/// Two sums overlap, and are waited for in the other order.
#[differentiable]
fn overlapped(comm: &Comm, x: &[f64], w: f64) -> Result<f64, CommError> {
    let squares = [x[0] * x[0], x[1] * w];
    let first = iall_reduce(comm, &squares)?;
    let second = iall_reduce(comm, &[w, w * x[0], x[1]])?;
    let between = (x[0] * w).sin();
    let b = wait(comm, &second)?;
    let a = wait(comm, &first)?;
    Ok(between * a[0] + a[1] * b[1] * x[1] + b[0] * b[2])
}

/// The same, with sums that ranks wait for at once.
#[differentiable]
fn at_once(comm: &Comm, x: &[f64], w: f64) -> Result<f64, CommError> {
    let squares = [x[0] * x[0], x[1] * w];
    let a = all_reduce(comm, &squares)?;
    let b = all_reduce(comm, &[w, w * x[0], x[1]])?;
    let between = (x[0] * w).sin();
    Ok(between * a[0] + a[1] * b[1] * x[1] + b[0] * b[2])
}

fn derivatives(process: &Process) {
    let comm = process.world();
    let mut random = Random::new(72, process.rank());
    let (x, w) = (random.vector(2), random.next());
    let (mut dx, mut ex) = ([0.0; 2], [0.0; 2]);
    let ((_, _, dw), y) = autodiff!(
        ReverseWithPrimal,
        overlapped,
        Const(comm),
        Duplicated(&x, &mut dx),
        Active(w)
    )
    .expect("sent");
    let ((_, _, ew), z) = autodiff!(
        ReverseWithPrimal,
        at_once,
        Const(comm),
        Duplicated(&x, &mut ex),
        Active(w)
    )
    .expect("sent");
    assert_close("value", &[y], &[z], 1e-13);
    assert_close("gradient", &dx, &ex, 1e-13);
    assert_close("gradient of w", &[dw], &[ew], 1e-13);

    let lanes = [random.vector(2), random.vector(2)];
    let (tx, tw) = (
        [&lanes[0][..], &lanes[1][..]],
        [random.next(), random.next()],
    );
    let args = (
        Const(comm),
        BatchDuplicated(&x[..], tx),
        BatchDuplicated(w, tw),
    );
    let (dy,) = autodiff(Forward, &overlapped {}, AsDuplicated, args).expect("sent");
    for lane in 0..2 {
        let shares = [dy[lane], dot(&dx, tx[lane]) + dw * tw[lane]];
        let both = all_reduce(comm, &shares).expect("sent");
        assert_close("dot product", &both[..1], &both[1..], 1e-12);
    }
}

/// The messages and bytes that all ranks receive in a program.
fn traffic(comm: &Comm, program: impl FnOnce()) -> [f64; 2] {
    let before = comm.traffic();
    program();
    let Traffic {
        messages, bytes, ..
    } = comm.traffic() - before;
    let own = [messages as f64, bytes as f64];
    let all = all_reduce(comm, &own).expect("sent");
    [all[0], all[1]]
}

fn costs(process: &Process) {
    let comm = process.world();
    let n = comm.size();
    let ring = Collective::AllReduce;
    let model = [ring.messages(n) as f64, ring.bytes(8 * 3 * n, n) as f64];
    let (x, mut dx) = (vec![1.0; 3 * n], vec![0.0; 3 * n]);
    let once = traffic(comm, || drop(sum(comm, &x).expect("sent")));
    assert_eq!(once, model);
    // there and back
    let twice = traffic(comm, || {
        let args = (Const(comm), Duplicated(&x[..], &mut dx[..]));
        autodiff(Reverse, &first_of_sum {}, AsActive, args).expect("sent");
    });
    assert_eq!(twice, model.map(|count| 2.0 * count));
    assert_eq!((dx[0], dx[1]), (n as f64, 0.0));
    // nothing comes back to a constant
    let constant = traffic(comm, || {
        let args = (Const(comm), Const(&x[..]));
        autodiff(Reverse, &first_of_sum {}, AsActive, args).expect("sent");
    });
    assert_eq!(constant, model);
}

#[differentiable]
fn first_of_sum(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
    let begun = iall_reduce(comm, x)?;
    let y = wait(comm, &begun)?;
    Ok(y[0])
}
