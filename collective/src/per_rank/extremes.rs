//! Reductions that are not linear: maximum, minimum, product.

use coenzyme::{
    Annotation, Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Memory,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, primitive,
};

use super::linear::{cotangents, tangents};
use crate::comm::Received;
use crate::point::point;
use crate::transport::Op;
use crate::{Comm, CommError, Element, Ranked};

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

/// A reduction with a partial derivative in the value of each rank: `ẏ = Σ wᵣ·ẋᵣ`, `x̄ += w·Σ ȳᵣ`.
pub(crate) trait Weighted<P> {
    /// The name of the function.
    const NAME: &'static str;

    /// `y`, and its partial derivative in this rank's `x` if that is wanted.
    fn apply<T: Element>(
        comm: &Comm,
        p: P,
        x: &[T],
        wanted: bool,
    ) -> Result<(Vec<T>, Vec<T>), CommError>;
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
) -> Result<(Vec<T>, Vec<T>), CommError> {
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
/// As [`CommError`] says.
#[primitive]
pub fn all_reduce_max<T: Element, K: Ranked>(comm: &K, ties: Ties, x: &[T]) -> Received<T> {
    Ok(extreme(comm.comm(), Op::Max, ties, x, false)?.0)
}

impl Weighted<(Ties,)> for all_reduce_max {
    const NAME: &'static str = "all_reduce_max";

    fn apply<T: Element>(
        comm: &Comm,
        (ties,): (Ties,),
        x: &[T],
        wanted: bool,
    ) -> Result<(Vec<T>, Vec<T>), CommError> {
        extreme(comm, Op::Max, ties, x, wanted)
    }
}

/// `min xᵣ` on each rank, entry by entry; as [`all_reduce_max()`].
///
/// # Errors
/// As [`CommError`] says.
#[primitive]
pub fn all_reduce_min<T: Element, K: Ranked>(comm: &K, ties: Ties, x: &[T]) -> Received<T> {
    Ok(extreme(comm.comm(), Op::Min, ties, x, false)?.0)
}

impl Weighted<(Ties,)> for all_reduce_min {
    const NAME: &'static str = "all_reduce_min";

    fn apply<T: Element>(
        comm: &Comm,
        (ties,): (Ties,),
        x: &[T],
        wanted: bool,
    ) -> Result<(Vec<T>, Vec<T>), CommError> {
        extreme(comm, Op::Min, ties, x, wanted)
    }
}

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
/// As [`CommError`] says.
#[primitive]
pub fn all_reduce_prod<T: Element, K: Ranked>(comm: &K, x: &[T]) -> Received<T> {
    Ok(product(comm.comm(), x, false)?.0)
}

/// The product, and that of the other ranks' values: see [`all_reduce_prod()`]. Dual numbers are gathered, and multiplied on each rank: a
/// value of zero still moves.
pub(crate) fn product<T: Element>(
    comm: &Comm,
    x: &[T],
    wanted: bool,
) -> Result<(Vec<T>, Vec<T>), CommError> {
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

impl Weighted<()> for all_reduce_prod {
    const NAME: &'static str = "all_reduce_prod";

    fn apply<T: Element>(
        comm: &Comm,
        (): (),
        x: &[T],
        wanted: bool,
    ) -> Result<(Vec<T>, Vec<T>), CommError> {
        product(comm, x, wanted)
    }
}

/// `w·dx`, entry by entry.
pub(crate) fn times<T: Element>(w: &[T], dx: &[T]) -> Vec<T> {
    w.iter().zip(dx).map(|(w, dx)| *w * *dx).collect()
}

/// The rules of a [`Weighted`] reduction `f(comm, …, x)`.
macro_rules! weighted_rule {
    ($f:ident $(, $p:ident $P:ident $t:ty)*) => {
        impl<R, C, K, $($P,)* X, E, const W: usize> ForwardRule<R, (C, $($P,)* X), W> for $f
        where
            E: Element,
            R: ForwardReturn<W, Out = Received<E>>,
            K: Ranked,
            C: ForwardArg<K, W> + Annotation<Primal: Memory<Target = K>>,
            $($P: ForwardArg<$t, W>,)*
            X: ForwardArg<[E], W>,
        {
            fn forward(
                &self,
                config: &ForwardConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<R::Forward, CommError> {
                let (comm, active) = (c.primal().comm(), R::ACTIVE && x.is_active());
                comm.agree(Self::NAME, active)?;
                let (value, weights) = Self::apply(comm, ($(*$p.primal(),)*), x.primal(), active)?;
                let map = |dx: &[E]| comm.all_reduce(Op::Sum, &times(&weights, dx));
                let mut dy = tangents::<_, _, W>(x, R::ACTIVE, value.len(), map)?;
                Ok(R::forward(config, || value, |lane| std::mem::take(&mut dy[lane])))
            }
        }

        impl<R, C, K, $($P,)* X, E, const W: usize> ReverseRule<R, (C, $($P,)* X), W> for $f
        where
            E: Element,
            R: ReverseReturn<W, Out = Received<E>>,
            K: Ranked,
            C: ReverseArg<K, W> + Annotation<Primal: Memory<Target = K>>,
            $($P: ReverseArg<$t, W>,)*
            X: ReverseArg<[E], W>,
        {
            /// The weights, if a cotangent will come.
            type Tape = Vec<E>;

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<Augmented<R, Self::Tape, W>, CommError> {
                let (comm, active) = (c.primal().comm(), R::ACTIVE && x.is_active());
                comm.agree(Self::NAME, active)?;
                let (value, weights) = Self::apply(comm, ($(*$p.primal(),)*), x.primal(), active)?;
                Ok(R::augmented(config, value, weights))
            }

            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                weights: Self::Tape,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> (C::Gradient, $($P::Gradient,)* X::Gradient) {
                let dx = cotangents(x, &dret, |dy, _| {
                    Ok(times(&weights, &c.primal().comm().all_reduce(Op::Sum, dy)?))
                });
                (c.no_gradient(), $($p.no_gradient(),)* dx)
            }
        }
    };
}

weighted_rule!(all_reduce_max, ties T Ties);
weighted_rule!(all_reduce_min, ties T Ties);
weighted_rule!(all_reduce_prod);
