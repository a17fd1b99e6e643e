//! The collectives and their rules: linear maps, whose transposes are collectives too.

use std::marker::PhantomData;

use coenzyme::primitive;
use coenzyme_collective::{CommError, Element};
use ndarray::{Dimension, RemoveAxis};

use super::{Collective, DeviceComm};
use crate::array::DeviceArray;
use crate::element::Float;
use crate::error::Result;
use crate::kernels::axpy_at;
use crate::rules::class::{Unary, unary_rule};

/// A collective as a linear map of one array.
pub trait Exchange<D: Dimension> {
    /// The communicator, and what else comes before the array.
    type Attrs: Clone;

    /// The communicator.
    fn comm(attrs: &Self::Attrs) -> &DeviceComm;

    /// Which collective it is.
    fn collective(attrs: &Self::Attrs) -> Collective;

    /// The shape of the result.
    ///
    /// # Errors
    /// If the argument's shape does not fit, or there is no such root.
    fn shape(attrs: &Self::Attrs, x: D) -> Result<D>;
}

/// The class of the collectives.
pub struct Exchanged<E, T, D>(PhantomData<(E, T, D)>);

impl<E, T, D> Exchanged<E, T, D>
where
    E: Exchange<D>,
    T: Float + Element,
    D: Dimension,
{
    fn apply(x: &DeviceArray<T, D>, attrs: &E::Attrs) -> Result<DeviceArray<T, D>> {
        let y = DeviceArray::unset(x.device(), E::shape(attrs, x.raw_dim())?)?;
        E::comm(attrs).run(E::collective(attrs), x, &y)?;
        Ok(y)
    }
}

impl<E, T, D> Unary for Exchanged<E, T, D>
where
    E: Exchange<D>,
    T: Float + Element,
    D: Dimension + 'static,
{
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = E::Attrs;
    /// Where what the other ranks send back arrives, before it is added.
    type Residual = DeviceArray<T, D>;

    const READS_X: bool = false;

    fn value(x: &Self::X, attrs: &E::Attrs) -> Result<(Self::Out, Self::Residual)> {
        let arrives = DeviceArray::unset(x.device(), x.raw_dim())?;
        Ok((Self::apply(x, attrs)?, arrives))
    }
    fn pushforward(
        _: &Self::X,
        _: &Self::Residual,
        dx: &Self::X,
        attrs: &E::Attrs,
    ) -> Result<Self::Out> {
        Self::apply(dx, attrs)
    }
    fn pullback(
        _: Option<&Self::X>,
        arrives: &Self::Residual,
        dy: &Self::Out,
        dx: &mut Self::X,
        attrs: &E::Attrs,
    ) -> Result<()> {
        let (comm, back) = (E::comm(attrs), E::collective(attrs).transposed());
        // a root sends its cotangent to ranks without one: theirs is not read, and as long
        let sent = match back {
            Collective::Broadcast(root) if comm.rank() != root => arrives,
            _ => dy,
        };
        comm.run(back, sent, arrives)?;
        match back {
            Collective::Reduce(root) if comm.rank() != root => Ok(()),
            _ => {
                let (n, to) = (dx.len(), dx.shadow());
                axpy_at(dx.device(), n, T::narrow(1.0), arrives.address(), to)
            }
        }
    }
}

/// A function, its class and its rules.
macro_rules! collective {
    (
        $(#[$doc:meta])*
        fn $name:ident[$D:ident: $Bound:path]($comm:ident $(, $root:ident)?) -> $Name:ident, $collective:expr;
        |$x:ident| $shape:expr
    ) => {
        $(#[$doc])*
        #[primitive]
        pub fn $name<T: Float + Element, $D: $Bound + 'static>(
            $comm: &DeviceComm,
            $($root: usize,)?
            x: &DeviceArray<T, $D>,
        ) -> Result<DeviceArray<T, $D>> {
            Exchanged::<$Name, T, $D>::apply(x, &($comm.clone(), $($root,)?))
        }

        #[doc = concat!("The collective of [`", stringify!($name), "()`].")]
        pub struct $Name;

        impl<$D: $Bound + 'static> Exchange<$D> for $Name {
            type Attrs = (DeviceComm, $(collective!(@usize $root),)?);

            fn comm(attrs: &Self::Attrs) -> &DeviceComm {
                &attrs.0
            }
            fn collective((_, $($root,)?): &Self::Attrs) -> Collective {
                $collective
            }
            #[allow(unused_mut)]
            fn shape(($comm, $($root,)?): &Self::Attrs, mut $x: $D) -> Result<$D> {
                $($comm.exists(*$root)?;)?
                $shape
            }
        }

        unary_rule!($name[T: Float + Element, $D: $Bound + 'static]({$comm: DeviceComm $(, $root: usize)?} x: DeviceArray<T, $D>) = Exchanged<$Name, T, $D>);
    };
    (@usize $root:ident) => { usize };
}

collective! {
    /// `Σ xᵣ` on each rank; the cotangent is the same sum. Over NCCL ranks are added in an order that the library chooses, and by way of the hosts in
    /// that of `comm`.
    ///
    /// # Errors
    /// If the array lies on another device than the communicator's; what the ranks or NCCL say, a lost device.
    fn all_reduce[D: Dimension](_comm) -> AllReduce, Collective::AllReduce;
    |x| Ok(x)
}

collective! {
    /// `[x₀, x₁, …]` on each rank, one after the other along the first axis: `(d, …) → (n·d, …)`. The cotangent is a [`reduce_scatter()`].
    ///
    /// # Errors
    /// As [`all_reduce()`].
    fn all_gather[D: RemoveAxis](comm) -> AllGather, Collective::AllGather;
    |x| {
        x[0] *= comm.size();
        Ok(x)
    }
}

collective! {
    /// Block `rank` of `Σ xᵣ`, cut along the first axis: `(n·d, …) → (d, …)`. The cotangent is an [`all_gather()`].
    ///
    /// # Errors
    /// As [`all_reduce()`]; if the first axis is no multiple of the number of ranks.
    fn reduce_scatter[D: RemoveAxis](comm) -> ReduceScatter, Collective::ReduceScatter;
    |x| {
        let (length, ranks) = (x[0], comm.size());
        if length % ranks != 0 {
            return Err(CommError::NotDivisible { length, ranks }.into());
        }
        x[0] /= ranks;
        Ok(x)
    }
}

collective! {
    /// The root's `x` on each rank. Other ranks give an `x` of the same shape, which is not read. The cotangent is a [`reduce()`]: on the root
    /// `x̄ += Σ ȳᵣ`, elsewhere nothing.
    ///
    /// # Errors
    /// As [`all_reduce()`]; if there is no such root.
    fn broadcast[D: RemoveAxis](comm, root) -> Broadcast, Collective::Broadcast(*root);
    |x| Ok(x)
}

collective! {
    /// `Σ xᵣ` on the root, `(0, …)` elsewhere. The cotangent is a [`broadcast()`] of the root's.
    ///
    /// # Errors
    /// As [`all_reduce()`]; if there is no such root.
    fn reduce[D: RemoveAxis](comm, root) -> Reduce, Collective::Reduce(*root);
    |x| {
        x[0] = if comm.rank() == *root { x[0] } else { 0 };
        Ok(x)
    }
}
