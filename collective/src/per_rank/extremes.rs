//! Reductions that are not linear: maximum, minimum, product.

use coenzyme::{
    Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, ReverseArg, ReverseConfig,
    ReverseReturn, ReverseRule, primitive,
};

use super::linear::{cotangents, tangents};
use crate::comm::Received;
use crate::point::point;
use crate::transport::Op;
use crate::{Comm, CommError};

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
    /// What it does.
    const OP: Op;

    /// The partial derivative of `y` in this rank's `x`.
    fn weights(comm: &Comm, p: P, x: &[f64], y: &[f64]) -> Received;
}

/// 1 on the rank whose `x` is `y`.
pub(crate) fn winners(comm: &Comm, ties: Ties, x: &[f64], y: &[f64]) -> Received {
    let mine = |(x, y): (&f64, &f64)| f64::from(u8::from(x == y));
    let mut mine: Vec<f64> = x.iter().zip(y).map(mine).collect();
    match ties {
        Ties::Split => {
            let all = comm.all_reduce(Op::Sum, &mine)?;
            let shares = mine.iter_mut().zip(all);
            shares.for_each(|(mine, all)| *mine /= all.max(1.0));
        }
        Ties::First => {
            let before = comm.scan(false, false, &mine)?;
            let later = mine.iter_mut().zip(before);
            later
                .filter(|(_, before)| *before > 0.0)
                .for_each(|(mine, _)| *mine = 0.0);
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
pub fn all_reduce_max(comm: &Comm, ties: Ties, x: &[f64]) -> Received {
    let _ = ties;
    comm.all_reduce(Op::Max, x)
}

impl Weighted<(Ties,)> for all_reduce_max {
    const NAME: &'static str = "all_reduce_max";
    const OP: Op = Op::Max;

    fn weights(comm: &Comm, (ties,): (Ties,), x: &[f64], y: &[f64]) -> Received {
        winners(comm, ties, x, y)
    }
}

/// `min xᵣ` on each rank, entry by entry; as [`all_reduce_max()`].
///
/// # Errors
/// As [`CommError`] says.
#[primitive]
pub fn all_reduce_min(comm: &Comm, ties: Ties, x: &[f64]) -> Received {
    let _ = ties;
    comm.all_reduce(Op::Min, x)
}

impl Weighted<(Ties,)> for all_reduce_min {
    const NAME: &'static str = "all_reduce_min";
    const OP: Op = Op::Min;

    fn weights(comm: &Comm, (ties,): (Ties,), x: &[f64], y: &[f64]) -> Received {
        winners(comm, ties, x, y)
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
pub fn all_reduce_prod(comm: &Comm, x: &[f64]) -> Received {
    comm.all_reduce(Op::Prod, x)
}

/// The product of the other ranks' values: see [`all_reduce_prod()`].
pub(crate) fn of_the_others(comm: &Comm, x: &[f64]) -> Received {
    let zeros = x.iter().map(|x| f64::from(u8::from(*x == 0.0)));
    let zeros = comm.all_reduce(Op::Sum, &zeros.collect::<Vec<_>>())?;
    let others = x.iter().map(|x| if *x == 0.0 { 1.0 } else { *x });
    let others = comm.all_reduce(Op::Prod, &others.collect::<Vec<_>>())?;
    let weight = |(x, (zeros, others)): (&f64, (f64, f64))| match (zeros, *x == 0.0) {
        (0.0, _) => others / x,
        (1.0, true) => others,
        _ => 0.0,
    };
    Ok(x.iter()
        .zip(zeros.into_iter().zip(others))
        .map(weight)
        .collect())
}

impl Weighted<()> for all_reduce_prod {
    const NAME: &'static str = "all_reduce_prod";
    const OP: Op = Op::Prod;

    fn weights(comm: &Comm, (): (), x: &[f64], _: &[f64]) -> Received {
        of_the_others(comm, x)
    }
}

/// `w·dx`, entry by entry.
pub(crate) fn times(w: &[f64], dx: &[f64]) -> Vec<f64> {
    w.iter().zip(dx).map(|(w, dx)| w * dx).collect()
}

/// The rules of a [`Weighted`] reduction `f(comm, …, x)`.
macro_rules! weighted_rule {
    ($f:ident $(, $p:ident $P:ident $t:ty)*) => {
        impl<R, C, $($P,)* X, const W: usize> ForwardRule<R, (C, $($P,)* X), W> for $f
        where
            R: ForwardReturn<W, Out = Received>,
            C: ForwardArg<Comm, W>,
            $($P: ForwardArg<$t, W>,)*
            X: ForwardArg<[f64], W>,
        {
            fn forward(
                &self,
                config: &ForwardConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<R::Forward, CommError> {
                let (comm, active) = (c.primal(), R::ACTIVE && x.is_active());
                comm.agree(Self::NAME, active)?;
                let value = comm.all_reduce(Self::OP, x.primal())?;
                let weights = if active {
                    Self::weights(comm, ($(*$p.primal(),)*), x.primal(), &value)?
                } else {
                    Vec::new()
                };
                let map = |dx: &[f64]| comm.all_reduce(Op::Sum, &times(&weights, dx));
                let mut dy = tangents::<_, W>(x, R::ACTIVE, value.len(), map)?;
                Ok(R::forward(config, || value, |lane| std::mem::take(&mut dy[lane])))
            }
        }

        impl<R, C, $($P,)* X, const W: usize> ReverseRule<R, (C, $($P,)* X), W> for $f
        where
            R: ReverseReturn<W, Out = Received>,
            C: ReverseArg<Comm, W>,
            $($P: ReverseArg<$t, W>,)*
            X: ReverseArg<[f64], W>,
        {
            /// The weights, if a cotangent will come.
            type Tape = Vec<f64>;

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<Augmented<R, Self::Tape, W>, CommError> {
                let (comm, active) = (c.primal(), R::ACTIVE && x.is_active());
                comm.agree(Self::NAME, active)?;
                let value = comm.all_reduce(Self::OP, x.primal())?;
                let weights = if active {
                    Self::weights(comm, ($(*$p.primal(),)*), x.primal(), &value)?
                } else {
                    Vec::new()
                };
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
                    Ok(times(&weights, &c.primal().all_reduce(Op::Sum, dy)?))
                });
                (c.no_gradient(), $($p.no_gradient(),)* dx)
            }
        }
    };
}

weighted_rule!(all_reduce_max, ties T Ties);
weighted_rule!(all_reduce_min, ties T Ties);
weighted_rule!(all_reduce_prod);
