//! Numbers that were computed elsewhere, for four ranks: `xᵣ = [r + 1, 10·(r + 1)]`, `ȳᵣ = [1 + r, 2 − r]`, `ẋᵣ = [r/2, 1]`.

use coenzyme::{AsDuplicated, Const, Duplicated, Forward, Thunk, autodiff};
use coenzyme_collective::per_rank::*;
use coenzyme_collective::{Comm, CommError, Process};

use super::{Check, dot};

pub(crate) const CHECKS: &[Check] = &[("numbers of four ranks", numbers_of_four_ranks)];

type Received = Result<Vec<f64>, CommError>;

/// `y` and `x̄`.
macro_rules! both {
    ($f:ident($comm:expr $(, $told:expr)*; $x:expr, $dy:expr)) => {{
        let (comm, x, dy): (&Comm, Vec<f64>, Vec<f64>) = ($comm, $x, $dy);
        let mut dx = vec![0.0; x.len()];
        let mut args = (Const(comm), $(Const($told),)* Duplicated(&x[..], &mut dx[..]));
        let thunk = Thunk::<_, Duplicated<Received>>::new($f {});
        let augmented = thunk.augmented(&mut args).expect("sent");
        thunk.reverse([dy], augmented.tape, &mut args);
        (augmented.primal.expect("asked for"), dx)
    }};
}

/// That of this rank.
fn of<const N: usize>(rank: usize, rows: [[f64; N]; 4]) -> Vec<f64> {
    rows[rank].to_vec()
}

fn numbers_of_four_ranks(process: &Process) {
    if process.mesh().size() != 4 {
        return;
    }
    let (comm, r) = (process.world(), process.rank() as f64);
    let rank = process.rank();
    let x = vec![r + 1.0, 10.0 * (r + 1.0)];
    let dy = vec![1.0 + r, 2.0 - r];
    let dx = [0.5 * r, 1.0];

    let (y, xbar) = both!(all_reduce(comm; x.clone(), dy.clone()));
    assert_eq!((&y, &xbar), (&vec![10.0, 100.0], &vec![10.0, 2.0]));
    let args = (Const(comm), Duplicated(&x[..], &dx[..]));
    let (ydot,) = autodiff(Forward, &all_reduce {}, AsDuplicated, args).expect("sent");
    assert_eq!(ydot, [3.0, 4.0]);
    let sums = [dot(&ydot, &dy), dot(&xbar, &dx)];
    assert_eq!(all_reduce(comm, &sums).expect("sent"), [38.0, 38.0]);

    let mean = both!(all_reduce_mean(comm; x.clone(), dy.clone()));
    assert_eq!(mean, (vec![2.5, 25.0], vec![2.5, 0.5]));

    let all = both!(broadcast(comm, 1; x.clone(), dy.clone()));
    let nothing = [0.0, 0.0];
    let back = of(rank, [nothing, [10.0, 2.0], nothing, nothing]);
    assert_eq!(all, (vec![2.0, 20.0], back));

    let of_two = if rank == 2 { dy.clone() } else { Vec::new() };
    let (y, xbar) = both!(reduce(comm, 2; x.clone(), of_two));
    assert_eq!(y, if rank == 2 { vec![10.0, 100.0] } else { vec![] });
    assert_eq!(xbar, [3.0, 0.0]);

    let many: Vec<f64> = (0..8).map(|i| f64::from(i) + 10.0 * r).collect();
    let (y, xbar) = both!(all_gather(comm; x.clone(), many.clone()));
    assert_eq!(y, [1.0, 10.0, 2.0, 20.0, 3.0, 30.0, 4.0, 40.0]);
    assert_eq!(
        xbar,
        of(
            rank,
            [[60.0, 64.0], [68.0, 72.0], [76.0, 80.0], [84.0, 88.0]]
        )
    );
    let args = (Const(comm), Duplicated(&x[..], &dx[..]));
    let (ydot,) = autodiff(Forward, &all_gather {}, AsDuplicated, args).expect("sent");
    let sums = [dot(&ydot, &many), dot(&xbar, &dx)];
    assert_eq!(all_reduce(comm, &sums).expect("sent"), [540.0, 540.0]);

    let x8 = (0..8).map(|i| f64::from(i) * (r + 1.0)).collect();
    let (y, xbar) = both!(reduce_scatter(comm; x8, dy.clone()));
    assert_eq!(
        y,
        of(
            rank,
            [[0.0, 10.0], [20.0, 30.0], [40.0, 50.0], [60.0, 70.0]]
        )
    );
    assert_eq!(xbar, [1.0, 2.0, 2.0, 1.0, 3.0, 0.0, 4.0, -1.0]);

    let row: Vec<f64> = (0..4).map(|i| 10.0 * r + f64::from(i)).collect();
    let column = vec![r, 10.0 + r, 20.0 + r, 30.0 + r];
    assert_eq!(
        both!(all_to_all(comm; row.clone(), row)),
        (column.clone(), column)
    );

    let ring = [(0, 1), (1, 2), (2, 3), (3, 0)];
    let (y, xbar) = both!(permute(comm, &ring[..]; x.clone(), dy.clone()));
    assert_eq!(
        y,
        of(rank, [[4.0, 40.0], [1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    );
    assert_eq!(
        xbar,
        of(rank, [[2.0, 1.0], [3.0, 0.0], [4.0, -1.0], [1.0, 2.0]])
    );
    let (y, xbar) = both!(permute(comm, &[(0, 2), (1, 0)][..]; x.clone(), dy.clone()));
    assert_eq!(y, of(rank, [[2.0, 20.0], nothing, [1.0, 10.0], nothing]));
    assert_eq!(xbar, of(rank, [[3.0, 0.0], [1.0, 2.0], nothing, nothing]));

    let (y, xbar) = both!(scan(comm; x.clone(), dy.clone()));
    assert_eq!(
        y,
        of(rank, [[1.0, 10.0], [3.0, 30.0], [6.0, 60.0], [10.0, 100.0]])
    );
    assert_eq!(
        xbar,
        of(rank, [[10.0, 2.0], [9.0, 0.0], [7.0, -1.0], [4.0, -1.0]])
    );
    let (y, xbar) = both!(exscan(comm; x, dy));
    assert_eq!(
        y,
        of(rank, [[0.0, 0.0], [1.0, 10.0], [3.0, 30.0], [6.0, 60.0]])
    );
    assert_eq!(
        xbar,
        of(rank, [[9.0, 0.0], [7.0, -1.0], [4.0, -1.0], [0.0, 0.0]])
    );

    extremes(comm);
}

fn extremes(comm: &Comm) {
    let rank = comm.rank();
    // the loss is that of one rank: its cotangent is 3, that of the others 0
    let dy = vec![if rank == 3 { 3.0 } else { 0.0 }];
    let x = vec![[1.0, 4.0, 4.0, 2.0][rank]];
    let (y, xbar) = both!(all_reduce_max(comm, Ties::Split; x.clone(), dy.clone()));
    assert_eq!((y[0], xbar[0]), (4.0, [0.0, 1.5, 1.5, 0.0][rank]));
    let (y, xbar) = both!(all_reduce_max(comm, Ties::First; x.clone(), dy.clone()));
    assert_eq!((y[0], xbar[0]), (4.0, [0.0, 3.0, 0.0, 0.0][rank]));
    let (y, xbar) = both!(all_reduce_min(comm, Ties::First; vec![-x[0]], dy));
    assert_eq!((y[0], xbar[0]), (-4.0, [0.0, 3.0, 0.0, 0.0][rank]));

    let dy = vec![if rank == 0 { 1.0 } else { 0.0 }];
    let (y, xbar) = both!(all_reduce_prod(comm; vec![[2.0, -1.0, 3.0, 5.0][rank]], dy.clone()));
    assert_eq!((y[0], xbar[0]), (-30.0, [-15.0, 30.0, -10.0, -6.0][rank]));
    let (y, xbar) = both!(all_reduce_prod(comm; vec![[2.0, 0.0, 3.0, 5.0][rank]], dy.clone()));
    assert_eq!((y[0], xbar[0]), (0.0, [0.0, 30.0, 0.0, 0.0][rank]));
    let (y, xbar) = both!(all_reduce_prod(comm; vec![[2.0, 0.0, 0.0, 5.0][rank]], dy));
    assert_eq!((y[0], xbar[0]), (0.0, 0.0));
}
