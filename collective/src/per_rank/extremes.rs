//! Reductions that are not linear: maximum, minimum, product.

use crate::comm::Received;
use crate::point::point;
use crate::rule::{Map, Weighed, rules};
use crate::transport::Op;
use crate::{Comm, Element, Ranked};

/// Whose the derivative of a maximum is, if several ranks have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// Each has an equal share: the mean of the subgradients.
    Split,
    /// The lowest of them has all, as in the rest of the library.
    #[default]
    First,
}

point!([] Ties);

/// A reduction by its value and its partial derivative in the `x` of this rank: `ẏ = Σ wᵣ·ẋᵣ`, `x̄ += w·Σ ȳᵣ`.
macro_rules! weighted {
    ($f:ident($($p:ident: &$t:ty)?), |$comm:ident, $x:ident, $wanted:ident| $apply:expr) => {
        impl Map for $f {
            type Told<'a> = ($(&'a $t,)?);
            const NAME: &'static str = stringify!($f);

            fn weighed<T: Element>(
                $comm: &Comm,
                ($($p,)?): Self::Told<'_>,
                $x: &[T],
                $wanted: bool,
            ) -> Weighed<T> {
                $apply
            }
            fn tangent<T: Element>(
                comm: &Comm,
                _: Self::Told<'_>,
                weights: &[T],
                dx: &[T],
            ) -> Received<T> {
                comm.all_reduce(Op::Sum, &times(weights, dx))
            }
            fn cotangent<T: Element>(
                comm: &Comm,
                _: Self::Told<'_>,
                weights: &[T],
                dy: &[T],
                _: usize,
            ) -> Received<T> {
                Ok(times(weights, &comm.all_reduce(Op::Sum, dy)?))
            }
        }
    };
}

/// The largest or smallest values, and 1 on the rank which has it.
///
/// Of dual numbers the rank that wins by its value gives its derivatives too: `y = v + Σ wᵣ·(xᵣ − v)`, where `v` is the value alone.
pub(crate) fn extreme<T: Element>(
    comm: &Comm,
    op: Op,
    ties: Ties,
    x: &[T],
    wanted: bool,
) -> Weighed<T> {
    let plain: Vec<_> = x.iter().map(|x| x.plain()).collect();
    let value = comm.extreme::<T>(op, &plain)?;
    let value: Vec<T> = value.into_iter().map(T::constant).collect();
    if !wanted && T::PARTS == 1 {
        return Ok((value, Vec::new()));
    }
    let weights = winners(comm, ties, x, &value)?;
    if T::PARTS == 1 {
        return Ok((value, weights));
    }
    let apart = x.iter().zip(&value).zip(&weights);
    let apart: Vec<_> = apart
        .map(|((x, v), w)| match w.is_zero() {
            true => T::zero(),
            false => *w * (*x - *v),
        })
        .collect();
    let mut y = comm.all_reduce(Op::Sum, &apart)?;
    y.iter_mut().zip(&value).for_each(|(y, v)| *y += *v);
    Ok((y, weights))
}

/// 1 on the rank whose `x` is `y`.
fn winners<T: Element>(comm: &Comm, ties: Ties, x: &[T], y: &[T]) -> Received<T> {
    let mine = |(x, y): (&T, &T)| T::lit(f64::from(u8::from(x == y)));
    let mut mine: Vec<T> = x.iter().zip(y).map(mine).collect();
    match ties {
        Ties::Split => {
            let all = comm.all_reduce(Op::Sum, &mine)?;
            let shares = mine.iter_mut().zip(all);
            shares.for_each(|(mine, all)| *mine /= all.max(T::one()));
        }
        Ties::First => {
            let before = comm.scan(false, false, &mine)?;
            let later = mine.iter_mut().zip(before);
            later
                .filter(|(_, before)| *before > T::zero())
                .for_each(|(mine, _)| *mine = T::zero());
        }
    }
    Ok(mine)
}

/// `max xᵣ` on each rank, entry by entry.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(d)`, the same on each rank | `x̄ += m·Σ ȳᵣ` |
/// | `y` | `(d)` | `ẏ = Σ mᵣ·ẋᵣ` |
///
/// where `m` is 1 where `x` is the maximum, and 0 elsewhere; [`Ties`] says what it is where several are. A NaN is no maximum.
///
/// # Errors
/// As [`CommError`](crate::CommError) says.
pub fn all_reduce_max<T: Element, K: Ranked>(comm: &K, ties: Ties, x: &[T]) -> Received<T> {
    Ok(extreme(comm.comm(), Op::Max, ties, x, false)?.0)
}

weighted! { all_reduce_max(ties: &Ties), |comm, x, wanted| extreme(comm, Op::Max, *ties, x, wanted) }
rules! { all_reduce_max([T], ties: P Ties: 1) -> [T] }

/// `min xᵣ` on each rank, entry by entry; as [`all_reduce_max()`].
///
/// # Errors
/// As [`CommError`](crate::CommError) says.
pub fn all_reduce_min<T: Element, K: Ranked>(comm: &K, ties: Ties, x: &[T]) -> Received<T> {
    Ok(extreme(comm.comm(), Op::Min, ties, x, false)?.0)
}

weighted! { all_reduce_min(ties: &Ties), |comm, x, wanted| extreme(comm, Op::Min, *ties, x, wanted) }
rules! { all_reduce_min([T], ties: P Ties: 1) -> [T] }

/// `Π xᵣ` on each rank, entry by entry.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(d)`, the same on each rank | `x̄ += w·Σ ȳᵣ` |
/// | `y` | `(d)` | `ẏ = Σ wᵣ·ẋᵣ` |
///
/// where `w` is the product over the other ranks: `y/x` without zeros; with one zero, that of the others on its rank, and 0
/// elsewhere; 0 with more.
///
/// Source: Sagebaum, Blühdorn & Gauger, MeDiPack.
///
/// # Errors
/// As [`CommError`](crate::CommError) says.
pub fn all_reduce_prod<T: Element, K: Ranked>(comm: &K, x: &[T]) -> Received<T> {
    Ok(product(comm.comm(), x, false)?.0)
}

/// The product, and that of the other ranks' values: see [`all_reduce_prod()`]. Dual numbers are gathered, and multiplied on each rank: a
/// value of zero still moves.
pub(crate) fn product<T: Element>(comm: &Comm, x: &[T], wanted: bool) -> Weighed<T> {
    if T::PARTS == 1 {
        let y = comm.all_reduce(Op::Prod, x)?;
        let others = match wanted {
            true => of_the_others(comm, x)?,
            false => Vec::new(),
        };
        return Ok((y, others));
    }
    let (n, me, d) = (comm.size(), comm.rank(), x.len());
    comm.same_call::<T>(all_reduce_prod::NAME, d, &[])?;
    let all = comm.all_gather(&vec![d; n], x)?;
    let times = |ranks: &mut dyn Iterator<Item = usize>, i: usize| {
        ranks.fold(T::one(), |product, rank| product * all[rank * d + i])
    };
    let others = (0..d).map(|i| times(&mut (0..n).filter(|rank| *rank != me), i));
    Ok((
        (0..d).map(|i| times(&mut (0..n), i)).collect(),
        others.collect(),
    ))
}

/// The product of the other ranks' values, by division where there is no zero.
fn of_the_others<T: Element>(comm: &Comm, x: &[T]) -> Received<T> {
    let zeros = x.iter().map(|x| T::lit(f64::from(u8::from(x.is_zero()))));
    let zeros = comm.all_reduce(Op::Sum, &zeros.collect::<Vec<_>>())?;
    let others = x.iter().map(|x| if x.is_zero() { T::one() } else { *x });
    let others = comm.all_reduce(Op::Prod, &others.collect::<Vec<_>>())?;
    let weight = |(x, (zeros, others)): (&T, (T, T))| match (zeros, x.is_zero()) {
        (zeros, _) if zeros.is_zero() => others / *x,
        (zeros, true) if zeros == T::one() => others,
        _ => T::zero(),
    };
    Ok(x.iter()
        .zip(zeros.into_iter().zip(others))
        .map(weight)
        .collect())
}

weighted! { all_reduce_prod(), |comm, x, wanted| product(comm, x, wanted) }
rules! { all_reduce_prod([T]) -> [T] }

/// `w·dx`, entry by entry.
pub(crate) fn times<T: Element>(w: &[T], dx: &[T]) -> Vec<T> {
    w.iter().zip(dx).map(|(w, dx)| *w * *dx).collect()
}
