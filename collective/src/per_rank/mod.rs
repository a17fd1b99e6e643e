//! Collectives as MPI has them: the values of ranks are independent, and the loss of the program is the sum of the losses of its ranks.
//!
//! | | tangent | transpose |
//! |---|---|---|
//! | [`all_reduce()`], [`all_reduce_mean()`] | itself | itself |
//! | [`all_gather()`], [`all_gather_v()`] | itself | [`reduce_scatter()`], [`reduce_scatter_v()`] |
//! | [`all_to_all()`], [`all_to_all_v()`] | itself | itself, lengths turned round |
//! | [`all_gather_axis()`], [`reduce_scatter_axis()`], [`all_to_all_axis()`] | itself | as above, along dimensions of arrays |
//! | [`permute()`] | itself | pairs turned round |
//! | [`broadcast()`] | itself | [`reduce()`] |
//! | [`gather()`], [`gather_v()`] | itself | [`scatter()`], [`scatter_v()`] |
//! | [`scan()`], [`exscan()`] | itself | from the last rank to the first |
//! | [`all_reduce_max()`], [`all_reduce_min()`], [`all_reduce_prod()`] | weighted sum | weights times [`all_reduce()`] |
//! | [`send()`], [`recv()`], [`send_recv()`], [`shift()`] | a second message | the other way, in reversed order |
//! | [`isend()`], [`irecv()`], [`wait()`] | a second message | the other way, begun where the program waits |
//! | [`iall_reduce()`], [`wait()`] | itself | itself, begun where the program waits |
//!
//! A tangent or a cotangent is sent only for what is active: nothing for a `Const`. Each returns a new `Vec`, of the numbers that it is
//! given: any [`Element`](crate::Element).

mod axes;
mod begun;
mod everywhere;
mod exchange;
pub(crate) mod extremes;
pub(crate) mod linear;
mod ordered;
mod point_to_point;
mod requests;
mod rooted;

pub use axes::{all_gather_axis, all_to_all_axis, reduce_scatter_axis};
pub use begun::iall_reduce;
pub use everywhere::{
    all_gather, all_gather_v, all_reduce, all_reduce_mean, all_to_all, all_to_all_v,
    reduce_scatter, reduce_scatter_v,
};
pub use exchange::{send_recv, shift};
pub use extremes::{Ties, all_reduce_max, all_reduce_min, all_reduce_prod};
pub use ordered::{exscan, permute, scan};
pub use point_to_point::{recv, send};
pub use requests::{Request, irecv, irecv_like, isend, wait};
pub use rooted::{broadcast, gather, gather_v, reduce, scatter, scatter_v};
