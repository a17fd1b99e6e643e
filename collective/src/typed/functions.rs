//! Collectives between markers.

use coenzyme::{
    Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Lanes, ReverseArg,
    ReverseConfig, ReverseReturn, ReverseRule, primitive,
};

use super::markers::{Partial, Reduced, Replicated, Varying};
use crate::comm::Received;
use crate::per_rank::Ties;
use crate::per_rank::extremes::{of_the_others, times, winners};
use crate::per_rank::linear::sent_back;
use crate::transport::Op;
use crate::{Along, Comm, CommError};

/// What a function does with the values of the ranks, and with their derivatives. `p` is its root, if it has one.
trait Map {
    const NAME: &'static str;

    fn apply(comm: &Comm, p: usize, x: &[f64]) -> Received;

    /// What the derivatives read; nothing for a linear map.
    fn weights(_: &Comm, _x: &[f64], _y: &[f64]) -> Received {
        Ok(Vec::new())
    }

    fn tangent(comm: &Comm, p: usize, _weights: &[f64], dx: &[f64]) -> Received {
        Self::apply(comm, p, dx)
    }

    fn transpose(comm: &Comm, p: usize, weights: &[f64], dy: &[f64], length: usize) -> Received;
}

/// A function from one marker to another, with its rules, by what it does.
macro_rules! typed {
    (
        $(#[$doc:meta])*
        $f:ident($in:ident $(, $p:ident)?) -> $out:ident,
        $apply:expr, $transpose:expr $(, $weights:expr)?
    ) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// As [`CommError`] says.
        #[primitive]
        pub fn $f<A>(along: &Along<A>, $($p: usize,)? x: &$in<Vec<f64>, A>) -> Result<$out<Vec<f64>, A>, CommError> {
            #[allow(unused_variables)]
            let p = 0;
            $(let p = $p;)?
            Ok($out::of(<$f as Map>::apply(along, p, x.get())?))
        }

        impl Map for $f {
            const NAME: &'static str = stringify!($f);

            fn apply(comm: &Comm, p: usize, x: &[f64]) -> Received {
                $apply(comm, p, x)
            }
            fn transpose(comm: &Comm, p: usize, w: &[f64], dy: &[f64], length: usize) -> Received {
                $transpose(comm, p, w, dy, length)
            }
            $(
                fn weights(comm: &Comm, x: &[f64], y: &[f64]) -> Received {
                    $weights(comm, x, y)
                }
                fn tangent(comm: &Comm, _: usize, w: &[f64], dx: &[f64]) -> Received {
                    comm.all_reduce(Op::Sum, &times(w, dx))
                }
            )?
        }

        typed!(@rules $f $in $out [$($p P)?]);
    };
    (@rules $f:ident $in:ident $out:ident [$($p:ident $P:ident)?]) => {
        impl<R, C, $($P,)? X, A, const W: usize> ForwardRule<R, (C, $($P,)? X), W> for $f
        where
            R: ForwardReturn<W, Out = Result<$out<Vec<f64>, A>, CommError>>,
            C: ForwardArg<Along<A>, W>,
            $($P: ForwardArg<usize, W>,)?
            X: ForwardArg<$in<Vec<f64>, A>, W>,
        {
            fn forward(
                &self,
                config: &ForwardConfig,
                (c, $($p,)? x): (&mut C, $(&mut $P,)? &mut X),
            ) -> Result<R::Forward, CommError> {
                let (comm, active): (&Comm, _) = (c.primal(), R::ACTIVE && x.is_active());
                #[allow(unused_variables)]
                let p = 0;
                $(let p = *$p.primal();)?
                comm.agree(Self::NAME, active)?;
                let value = Self::apply(comm, p, x.primal().get())?;
                let mut tangents = Vec::new();
                if active {
                    let weights = Self::weights(comm, x.primal().get(), &value)?;
                    for lane in 0..W {
                        let dx = x.tangent(lane).expect("an active argument has tangents");
                        tangents.push(Self::tangent(comm, p, &weights, dx.get())?);
                    }
                } else {
                    tangents.resize(W, vec![0.0; value.len()]);
                }
                let tangent = |lane: usize| $out::of(std::mem::take(&mut tangents[lane]));
                Ok(R::forward(config, || $out::of(value), tangent))
            }
        }

        impl<R, C, $($P,)? X, A, const W: usize> ReverseRule<R, (C, $($P,)? X), W> for $f
        where
            R: ReverseReturn<W, Out = Result<$out<Vec<f64>, A>, CommError>>,
            C: ReverseArg<Along<A>, W>,
            $($P: ReverseArg<usize, W>,)?
            X: ReverseArg<$in<Vec<f64>, A>, W>,
        {
            /// What a function that is not linear reads again.
            type Tape = Vec<f64>;

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (c, $($p,)? x): (&mut C, $(&mut $P,)? &mut X),
            ) -> Result<Augmented<R, Vec<f64>, W>, CommError> {
                let (comm, active): (&Comm, _) = (c.primal(), R::ACTIVE && x.is_active());
                #[allow(unused_variables)]
                let p = 0;
                $(let p = *$p.primal();)?
                comm.agree(Self::NAME, active)?;
                let value = Self::apply(comm, p, x.primal().get())?;
                let weights = match active {
                    true => Self::weights(comm, x.primal().get(), &value)?,
                    false => Vec::new(),
                };
                Ok(R::augmented(config, $out::of(value), weights))
            }

            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                weights: Vec<f64>,
                (c, $($p,)? x): (&mut C, $(&mut $P,)? &mut X),
            ) -> (C::Gradient, $($P::Gradient,)? X::Gradient) {
                #[allow(unused_variables)]
                let p = 0;
                $(let p = *$p.primal();)?
                let dx = x.accumulate(|lane, x, mut dx| {
                    if let Some(dy) = dret.lane(lane) {
                        let length = x.get().len();
                        let back = Self::transpose(c.primal(), p, &weights, dy.get(), length);
                        dx.add(&$in::of(sent_back(back)));
                    }
                });
                (c.no_gradient(), $($p.no_gradient(),)? dx)
            }
        }
    };
}

fn same(_: &Comm, _: usize, x: &[f64]) -> Received {
    Ok(x.to_vec())
}
fn same_back(_: &Comm, _: usize, _: &[f64], dy: &[f64], _: usize) -> Received {
    Ok(dy.to_vec())
}
fn summed(comm: &Comm, _: usize, x: &[f64]) -> Received {
    comm.all_reduce(Op::Sum, x)
}
fn summed_back(comm: &Comm, _: usize, _: &[f64], dy: &[f64], _: usize) -> Received {
    comm.all_reduce(Op::Sum, dy)
}
fn gathered(comm: &Comm, _: usize, x: &[f64]) -> Received {
    comm.all_gather(&vec![x.len(); comm.size()], x)
}
fn weighed_back(_: &Comm, _: usize, w: &[f64], dy: &[f64], _: usize) -> Received {
    Ok(times(w, dy))
}

typed! {
    /// `Σ xᵣ`, which all ranks have then. The transpose is [`vary()`]: no communication.
    all_reduce(Varying) -> Replicated, summed, same_back
}

typed! {
    /// `1/n·Σ xᵣ`. The transpose takes `ȳ/n`, without communication.
    all_reduce_mean(Varying) -> Replicated,
    |comm: &Comm, p, x: &[f64]| {
        let n = comm.size() as f64;
        Ok(summed(comm, p, x)?.into_iter().map(|y| y / n).collect())
    },
    |comm: &Comm, _, _: &[f64], dy: &[f64], _| {
        let n = comm.size() as f64;
        Ok(dy.iter().map(|dy| dy / n).collect())
    }
}

typed! {
    /// The value whose parts the ranks have. The transpose sends nothing: all have the cotangent, which is
    /// [`Reduced`].
    total(Partial) -> Replicated, summed, same_back
}

typed! {
    /// A replicated value for use with data of the rank's own. The transpose sums over all ranks.
    vary(Replicated) -> Varying, same, summed_back
}

typed! {
    /// A replicated value whose uses count rank by rank; its cotangent is summed here, once.
    as_reduced(Replicated) -> Reduced, same, summed_back
}

typed! {
    /// Values of ranks as parts of their sum.
    as_partial(Varying) -> Partial, same, same_back
}

typed! {
    /// A reduced value for use with data of the rank's own: its cotangent stays in parts.
    as_varying(Reduced) -> Varying, same, same_back
}

typed! {
    /// `[x₀, x₁, …]`, which all ranks have then. The transpose takes the rank's own block, without communication.
    all_gather(Varying) -> Replicated, gathered,
    |comm: &Comm, _, _: &[f64], dy: &[f64], length| {
        Ok(dy[comm.rank() * length..][..length].to_vec())
    }
}

typed! {
    /// `[x₀, x₁, …]`, whose uses count rank by rank, as shards of weights that are gathered for a layer. The transpose is
    /// [`reduce_scatter()`].
    all_gather_reduced(Varying) -> Reduced, gathered,
    |comm: &Comm, _, _: &[f64], dy: &[f64], _| {
        comm.reduce_scatter(&comm.equal_parts(dy.len())?, dy)
    }
}

typed! {
    /// Block `rank` of the value whose parts the ranks have. The transpose is [`all_gather_reduced()`].
    reduce_scatter(Partial) -> Varying,
    |comm: &Comm, _, x: &[f64]| comm.reduce_scatter(&comm.equal_parts(x.len())?, x),
    |comm: &Comm, p, _: &[f64], dy: &[f64], _| gathered(comm, p, dy)
}

typed! {
    /// The root's value, which all ranks have then. The transpose gives `ȳ` to the root, without communication.
    broadcast(Varying, root) -> Replicated,
    |comm: &Comm, root, x: &[f64]| comm.broadcast(root, x),
    |comm: &Comm, root, _: &[f64], dy: &[f64], _| match comm.rank() == root {
        true => Ok(dy.to_vec()),
        false => Ok(vec![0.0; dy.len()]),
    }
}

typed! {
    /// `max xᵣ`, entry by entry; the derivative is that of the first rank which has it. Its transpose needs no communication.
    all_reduce_max(Varying) -> Replicated,
    |comm: &Comm, _, x: &[f64]| comm.all_reduce(Op::Max, x), weighed_back,
    |comm: &Comm, x: &[f64], y: &[f64]| winners(comm, Ties::First, x, y)
}

typed! {
    /// `min xᵣ`, entry by entry; the derivative is that of the first rank which has it. Its transpose needs no communication.
    all_reduce_min(Varying) -> Replicated,
    |comm: &Comm, _, x: &[f64]| comm.all_reduce(Op::Min, x), weighed_back,
    |comm: &Comm, x: &[f64], y: &[f64]| winners(comm, Ties::First, x, y)
}

typed! {
    /// `Π xᵣ`, entry by entry. Its transpose needs no communication.
    all_reduce_prod(Varying) -> Replicated,
    |comm: &Comm, _, x: &[f64]| comm.all_reduce(Op::Prod, x), weighed_back,
    |comm: &Comm, x: &[f64], _: &[f64]| of_the_others(comm, x)
}
