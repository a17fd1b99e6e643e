//! Linear maps of what all ranks hold: the tangent is the same map, the cotangent its transpose.

use crate::comm::Received;
use crate::rule::{Map, Weighed};
use crate::{Comm, Element};

/// A linear map from the values of all ranks to values of all ranks, with what it is told.
pub(crate) trait Linear {
    /// What stands between `comm` and `x`: a root, lengths.
    type Told<'a>: Copy;

    /// The name of the function.
    const NAME: &'static str;

    /// What this rank gets.
    fn apply<T: Element>(comm: &Comm, told: Self::Told<'_>, x: &[T]) -> Received<T>;

    /// What this rank gets of the transposed map, for an `x` of so many entries.
    fn transpose<T: Element>(
        comm: &Comm,
        told: Self::Told<'_>,
        dy: &[T],
        length: usize,
    ) -> Received<T>;
}

impl<F: Linear> Map for F {
    type Told<'a> = F::Told<'a>;
    const NAME: &'static str = F::NAME;

    fn weighed<T: Element>(comm: &Comm, told: F::Told<'_>, x: &[T], _: bool) -> Weighed<T> {
        Ok((F::apply(comm, told, x)?, Vec::new()))
    }
    fn tangent<T: Element>(comm: &Comm, told: F::Told<'_>, _: &[T], dx: &[T]) -> Received<T> {
        F::apply(comm, told, dx)
    }
    fn cotangent<T: Element>(
        comm: &Comm,
        told: F::Told<'_>,
        _: &[T],
        dy: &[T],
        length: usize,
    ) -> Received<T> {
        F::transpose(comm, told, dy, length)
    }
}
