//! Messages between two ranks, in both modes and every mix of activities.

use coenzyme::{
    AsConst, AsDuplicated, BatchDuplicated, Const, Duplicated, Forward, Reverse, Thunk, autodiff,
};
use coenzyme_collective::per_rank::*;
use coenzyme_collective::{Comm, CommError, Process};

use super::Check;

pub(crate) const CHECKS: &[Check] = &[
    (
        "a message carries tangents and cotangents",
        tangents_and_cotangents,
    ),
    ("a constant sender gets nothing back", a_constant_sender),
    ("a constant receiver sends zeros back", a_constant_receiver),
    ("wrong ends are errors", wrong_ends),
];

/// Rank 0 sends to the last. Nothing for one rank.
fn ends(comm: &Comm) -> Option<(bool, bool, usize)> {
    let last = comm.size() - 1;
    (last > 0).then_some((comm.rank() == 0, comm.rank() == last, last))
}

fn tangents_and_cotangents(process: &Process) {
    let comm = process.world();
    let Some((first, is_last, last)) = ends(comm) else {
        return;
    };
    let x = [1.0, 2.0];
    if first {
        let dx = [[3.0, 4.0], [5.0, 6.0]];
        let lanes = [&dx[0][..], &dx[1][..]];
        let args = (
            Const(comm),
            Const(last),
            Const(7),
            BatchDuplicated(&x[..], lanes),
        );
        autodiff(Forward, &send {}, AsConst, args).expect("sent");
        let mut dx = [10.0, 10.0];
        let mut args = (
            Const(comm),
            Const(last),
            Const(7),
            Duplicated(&x[..], &mut dx[..]),
        );
        let thunk = Thunk::<_, Const<Result<(), CommError>>>::new(send {});
        let _ = thunk.augmented(&mut args).expect("sent");
        thunk.reverse((), (), &mut args);
        assert_eq!(dx, [10.5, 9.5]);
    }
    if is_last {
        let (mut y, mut dy) = ([0.0; 2], [[9.0; 2]; 2]);
        let [a, b] = &mut dy;
        let arg = BatchDuplicated(&mut y[..], [&mut a[..], &mut b[..]]);
        let args = (Const(comm), Const(0), Const(7), arg);
        autodiff(Forward, &recv {}, AsConst, args).expect("received");
        assert_eq!((y, dy), ([1.0, 2.0], [[3.0, 4.0], [5.0, 6.0]]));
        let mut dy = [0.5, -0.5];
        let mut args = (
            Const(comm),
            Const(0),
            Const(7),
            Duplicated(&mut y[..], &mut dy[..]),
        );
        let thunk = Thunk::<_, Const<Result<(), CommError>>>::new(recv {});
        let augmented = thunk.augmented(&mut args).expect("received");
        thunk.reverse((), augmented.tape, &mut args);
        assert_eq!((y, dy), ([1.0, 2.0], [0.0, 0.0]));
    }
}

fn a_constant_sender(process: &Process) {
    let comm = process.world();
    let Some((first, is_last, last)) = ends(comm) else {
        return;
    };
    if first {
        send(comm, last, 0, &[1.0]).expect("sent");
        let _ = isend(comm, last, 1, &[2.0]).expect("sent");
        send(comm, last, 0, &[3.0]).expect("sent");
    }
    if is_last {
        let (mut y, mut dy) = ([0.0], [4.0]);
        let before = comm.traffic().calls;
        let arg = Duplicated(&mut y[..], &mut dy[..]);
        autodiff(
            Reverse,
            &recv {},
            AsConst,
            (Const(comm), Const(0), Const(0), arg),
        )
        .expect("received");
        // the buffer was written: its cotangent ends here
        assert_eq!((y, dy), ([1.0], [0.0]));
        let request = irecv(comm, 0, 1, 1).expect("there is such a rank");
        let args = (Const(comm), Const(&request));
        let (dy,) = autodiff(Forward, &wait {}, AsDuplicated, args).expect("received");
        assert_eq!(dy, [0.0]);
        let mut dy = [4.0];
        let arg = Duplicated(&mut y[..], &mut dy[..]);
        autodiff(
            Forward,
            &recv {},
            AsConst,
            (Const(comm), Const(0), Const(0), arg),
        )
        .expect("received");
        assert_eq!((y, dy), ([3.0], [0.0]));
        assert_eq!(comm.traffic().calls - before, 3);
    }
}

fn a_constant_receiver(process: &Process) {
    let comm = process.world();
    let Some((first, is_last, last)) = ends(comm) else {
        return;
    };
    if first {
        let (x, mut dx) = ([1.0], [0.25]);
        let arg = Duplicated(&x[..], &mut dx[..]);
        autodiff(
            Reverse,
            &send {},
            AsConst,
            (Const(comm), Const(last), Const(3), arg),
        )
        .expect("sent");
        assert_eq!(dx, [0.25]);
        let arg = Duplicated(&x[..], &[5.0][..]);
        autodiff(
            Forward,
            &send {},
            AsConst,
            (Const(comm), Const(last), Const(3), arg),
        )
        .expect("sent");
        send(comm, last, 3, &[6.0]).expect("sent");
    }
    if is_last {
        let mut y = [0.0];
        autodiff(
            Reverse,
            &recv {},
            AsConst,
            (Const(comm), Const(0), Const(3), Const(&mut y[..])),
        )
        .expect("received");
        // the tangent is taken too, and forgotten: the next message is the next message
        autodiff(
            Forward,
            &recv {},
            AsConst,
            (Const(comm), Const(0), Const(3), Const(&mut y[..])),
        )
        .expect("received");
        recv(comm, 0, 3, &mut y).expect("received");
        assert_eq!(y, [6.0]);
    }
}

fn wrong_ends(process: &Process) {
    let comm = process.world();
    let n = comm.size();
    let before = comm.traffic();
    let no_rank = CommError::NoRank { rank: n, size: n };
    assert_eq!(send(comm, n, 0, &[1.0]), Err(no_rank.clone()));
    assert_eq!(recv(comm, n, 0, &mut [1.0]), Err(no_rank.clone()));
    assert_eq!(irecv(comm, n, 0, 1), Err(no_rank.clone()));
    assert_eq!(send_recv(comm, n, 0, &[1.0]), Err(no_rank.clone()));
    assert_eq!(send(comm, 0, -1, &[1.0]), Err(CommError::Tag(-1)));
    assert_eq!(recv(comm, 0, -2, &mut [1.0]), Err(CommError::Tag(-2)));
    assert_eq!(broadcast(comm, n, &[1.0]), Err(no_rank.clone()));
    assert_eq!(scatter(comm, n, 1, &[1.0]), Err(no_rank.clone()));
    assert_eq!(permute(comm, &[(0, n)], &[1.0]), Err(no_rank));
    assert_eq!(
        permute(comm, &[(0, 0), (0, 0)], &[1.0]),
        Err(CommError::NotAPermutation(0))
    );
    let odd = vec![1.0; n + 1];
    if n > 1 {
        let not = CommError::NotDivisible {
            length: n + 1,
            ranks: n,
        };
        assert_eq!(reduce_scatter(comm, &odd), Err(not.clone()));
        assert_eq!(all_to_all(comm, &odd), Err(not));
    }
    let lengths = |call, expected, found| {
        Err(CommError::Lengths {
            call,
            expected,
            found,
        })
    };
    assert_eq!(
        all_gather_v(comm, &vec![1; n + 1], &[1.0]),
        lengths("all_gather_v", n, n + 1)
    );
    assert_eq!(
        all_gather_v(comm, &vec![2; n], &[1.0]),
        lengths("all_gather", 2, 1)
    );
    assert_eq!(comm.traffic(), before, "nothing is sent before");
}
