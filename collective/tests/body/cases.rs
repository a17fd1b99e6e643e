//! Every collective that takes a vector and returns one, with what it is told.

#![allow(clippy::type_complexity)] // closures, each of another shape

use coenzyme::prelude::differentiable;
use coenzyme::{
    AsDuplicated, BatchDuplicated, Const, Duplicated, ForwardWithPrimal, Thunk, autodiff,
};
use coenzyme_collective::per_rank::*;
use coenzyme_collective::{Comm, CommError};

type Received = Result<Vec<f64>, CommError>;

/// A function with its rules, behind closures.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The entries of `x` on this rank.
    pub(crate) length: fn(&Comm) -> usize,
    pub(crate) primal: Box<dyn Fn(&Comm, &[f64]) -> Received>,
    /// `y` and `ẏ`.
    pub(crate) forward: Box<dyn Fn(&Comm, &[f64], &[f64]) -> (Vec<f64>, Vec<f64>)>,
    /// `ẏ` for three directions at once.
    pub(crate) forward3: Box<dyn Fn(&Comm, &[f64], [&[f64]; 3]) -> [Vec<f64>; 3]>,
    /// `x̄`, and the calls of the reverse pass.
    pub(crate) reverse: Box<dyn Fn(&Comm, &[f64], &[f64]) -> (Vec<f64>, usize)>,
    /// `x̄` for three cotangents at once.
    pub(crate) reverse3: Box<dyn Fn(&Comm, &[f64], [&[f64]; 3]) -> [Vec<f64>; 3]>,
    /// The calls of a reverse pass where `x`, or the result, is `Const`, and of a forward pass where `x` is.
    pub(crate) silent: Box<dyn Fn(&Comm, &[f64], &[f64]) -> [usize; 3]>,
}

macro_rules! case {
    ($f:ident, $length:expr $(, |$comm:ident| $told:expr)*) => {
        Case {
            name: stringify!($f),
            length: $length,
            primal: Box::new(|comm, x| $f(comm, $({ let $comm = comm; $told },)* x)),
            forward: Box::new(|comm, x, dx| {
                let args = (Const(comm), $(Const({ let $comm = comm; $told }),)* Duplicated(x, dx));
                let (dy, y) = autodiff(ForwardWithPrimal, &$f {}, AsDuplicated, args).expect("sent");
                (y, dy)
            }),
            forward3: Box::new(|comm, x, dx| {
                let args = (Const(comm), $(Const({ let $comm = comm; $told }),)* BatchDuplicated(x, dx));
                autodiff(ForwardWithPrimal, &$f {}, AsDuplicated, args).expect("sent").0
            }),
            reverse: Box::new(|comm, x, dy| {
                let mut dx = vec![0.5; x.len()];
                let mut args =
                    (Const(comm), $(Const({ let $comm = comm; $told }),)* Duplicated(x, &mut dx[..]));
                let thunk = Thunk::<_, Duplicated<Received>>::new($f {}).modified(1).modified(2);
                let augmented = thunk.augmented(&mut args).expect("sent");
                let before = comm.traffic().calls;
                thunk.reverse([dy.to_vec()], augmented.tape, &mut args);
                // the shadow is added to
                dx.iter_mut().for_each(|dx| *dx -= 0.5);
                (dx, comm.traffic().calls - before)
            }),
            reverse3: Box::new(|comm, x, dy| {
                let mut dx = [(); 3].map(|()| vec![0.0; x.len()]);
                let [a, b, c] = &mut dx;
                let shadows = [&mut a[..], &mut b[..], &mut c[..]];
                let mut args =
                    (Const(comm), $(Const({ let $comm = comm; $told }),)* BatchDuplicated(x, shadows));
                let thunk = Thunk::<_, BatchDuplicated<Received, Received, 3>, 3>::new($f {});
                let augmented = thunk.augmented(&mut args).expect("sent");
                thunk.reverse(dy.map(<[f64]>::to_vec), augmented.tape, &mut args);
                dx
            }),
            silent: Box::new(|comm, x, dy| {
                let calls = || comm.traffic().calls;
                let mut args = (Const(comm), $(Const({ let $comm = comm; $told }),)* Const(x));
                let thunk = Thunk::<_, Duplicated<Received>>::new($f {});
                let augmented = thunk.augmented(&mut args).expect("sent");
                let begun = calls();
                thunk.reverse([dy.to_vec()], augmented.tape, &mut args);
                let of_constant = calls() - begun;

                let mut dx = vec![0.0; x.len()];
                let mut args =
                    (Const(comm), $(Const({ let $comm = comm; $told }),)* Duplicated(x, &mut dx[..]));
                let thunk = Thunk::<_, Const<Received>>::new($f {});
                let augmented = thunk.augmented(&mut args).expect("sent");
                let begun = calls();
                thunk.reverse((), augmented.tape, &mut args);
                let of_unwanted = calls() - begun;
                assert_eq!(dx, vec![0.0; x.len()]);

                let begun = calls();
                $f(comm, $({ let $comm = comm; $told },)* x).expect("sent");
                let of_primal = calls() - begun;
                let args = (Const(comm), $(Const({ let $comm = comm; $told }),)* Const(x));
                let (dy, y) = autodiff(ForwardWithPrimal, &$f {}, AsDuplicated, args).expect("sent");
                assert_eq!(dy, vec![0.0; y.len()]);
                [of_constant, of_unwanted, calls() - begun - 2 * of_primal]
            }),
        }
    };
}

/// Rank `r` has `r + 1` entries, but rank 1 has none.
fn uneven(comm: &Comm) -> &'static [usize] {
    const COUNTS: [usize; 64] = {
        let mut counts = [0; 64];
        let mut r = 0;
        while r < 64 {
            counts[r] = if r == 1 { 0 } else { r + 1 };
            r += 1;
        }
        counts
    };
    &COUNTS[..comm.size()]
}

/// Rank `s` has `(2·s + d) mod 3` entries for rank `d`.
fn pairs(comm: &Comm) -> &'static [usize] {
    let n = comm.size();
    let counts: Vec<usize> = (0..n * n).map(|i| (2 * (i / n) + i % n) % 3).collect();
    Vec::leak(counts)
}

fn ring(comm: &Comm) -> &'static [(usize, usize)] {
    let n = comm.size();
    Vec::leak((0..n).map(|r| (r, (r + 1) % n)).collect())
}

/// From the first to the last, from the second to the first.
fn partial(comm: &Comm) -> &'static [(usize, usize)] {
    let n = comm.size();
    match n {
        1 => &[],
        _ => Vec::leak(vec![(0, n - 1), (1, 0)]),
    }
}

fn last(comm: &Comm) -> usize {
    comm.size() - 1
}

fn before(comm: &Comm) -> usize {
    (comm.rank() + comm.size() - 1) % comm.size()
}

fn after(comm: &Comm) -> usize {
    (comm.rank() + 1) % comm.size()
}

/// A sum in two halves.
#[differentiable]
fn begun_and_ended(comm: &Comm, x: &[f64]) -> Result<Vec<f64>, CommError> {
    let begun = iall_reduce(comm, x)?;
    wait(comm, &begun)
}

/// The linear ones.
pub(crate) fn linear() -> Vec<Case> {
    vec![
        case!(all_reduce, |_| 3),
        case!(all_reduce, |_| 0),
        case!(all_reduce_mean, |_| 3),
        case!(all_gather, |_| 3),
        case!(all_gather_v, |c| uneven(c)[c.rank()], |c| uneven(c)),
        case!(reduce_scatter, |c| 2 * c.size()),
        case!(reduce_scatter_v, |c| uneven(c).iter().sum(), |c| uneven(c)),
        case!(all_to_all, |c| 2 * c.size()),
        case!(
            all_to_all_v,
            |c| pairs(c)[c.rank() * c.size()..][..c.size()].iter().sum(),
            |c| pairs(c)
        ),
        case!(permute, |_| 2, |c| ring(c)),
        case!(permute, |_| 2, |c| partial(c)),
        case!(broadcast, |_| 3, |c| last(c)),
        case!(reduce, |_| 3, |c| last(c)),
        case!(gather, |_| 2, |c| last(c)),
        case!(gather_v, |c| uneven(c)[c.rank()], |c| last(c), |c| uneven(
            c
        )),
        case!(
            scatter,
            |c| if c.rank() == last(c) { 2 * c.size() } else { 0 },
            |c| last(c),
            |_c| 2
        ),
        case!(scatter_v, |c| uneven(c).iter().sum(), |c| last(c), |c| {
            uneven(c)
        }),
        case!(scan, |_| 3),
        case!(exscan, |_| 3),
        case!(send_recv, |_| 2, |c| after(c), |c| before(c)),
        case!(shift, |_| 2, |_c| 1),
        case!(shift, |_| 2, |_c| -2),
        case!(begun_and_ended, |_| 5),
    ]
}

/// The others, at points without ties.
pub(crate) fn nonlinear() -> Vec<Case> {
    vec![
        case!(all_reduce_max, |_| 3, |_c| Ties::Split),
        case!(all_reduce_max, |_| 3, |_c| Ties::First),
        case!(all_reduce_min, |_| 3, |_c| Ties::First),
        case!(all_reduce_prod, |_| 3),
    ]
}
