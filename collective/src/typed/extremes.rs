//! Reductions that are not linear, between markers.

use super::markers::{Replicated, Varying};
use super::rule::typed;
use crate::comm::Received;
use crate::per_rank::Ties;
use crate::per_rank::extremes::{extreme, product, times};
use crate::rule::{Map, Weighed};
use crate::transport::Op;
use crate::{Comm, Element};

/// A reduction by its value and the weights of its derivatives.
macro_rules! weighed {
    ($($(#[$doc:meta])* $f:ident, |$c:ident, $x:ident, $wanted:ident| $apply:expr;)*) => {$(
        typed!(@function $(#[$doc])* $f(Varying) -> Replicated);

        impl Map for $f {
            type Told<'a> = ();
            const NAME: &'static str = stringify!($f);

            fn weighed<T: Element>($c: &Comm, (): (), $x: &[T], $wanted: bool) -> Weighed<T> {
                $apply
            }
            fn tangent<T: Element>(comm: &Comm, (): (), weights: &[T], dx: &[T]) -> Received<T> {
                comm.all_reduce(Op::Sum, &times(weights, dx))
            }
            fn cotangent<T: Element>(
                _: &Comm,
                (): (),
                weights: &[T],
                dy: &[T],
                _: usize,
            ) -> Received<T> {
                Ok(times(weights, dy))
            }
        }
    )*};
}

weighed! {
    /// `max xᵣ`, entry by entry; the derivative is that of the first rank which has it. Its transpose needs no communication.
    all_reduce_max, |comm, x, wanted| extreme(comm, Op::Max, Ties::First, x, wanted);
    /// `min xᵣ`, entry by entry; the derivative is that of the first rank which has it. Its transpose needs no communication.
    all_reduce_min, |comm, x, wanted| extreme(comm, Op::Min, Ties::First, x, wanted);
    /// `Π xᵣ`, entry by entry. Its transpose needs no communication.
    all_reduce_prod, |comm, x, wanted| product(comm, x, wanted);
}
