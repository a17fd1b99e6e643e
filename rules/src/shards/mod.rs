//! Arrays cut into shards on a mesh of devices: where a value lies, what is left to be summed, and what communication costs,
//! all told by shapes before anything is computed.
//!
//! | | |
//! |---|---|
//! | [`Mesh`], [`Layout`] | a grid of devices with named axes; which of them each dimension of an array is cut along |
//! | [`Factors`] | which dimensions of operands and value are the same, as in `m k, k n -> m n` |
//! | [`Shards`] | the shards of a call: shapes, the layout of the value, the axes it is partial over |
//! | [`Collective`], [`Link`] | what it costs to sum or gather shards on a ring |
//!
//! Within a process the shards are a leading axis, and [`vmap`](crate::parallel::vmap()) runs a function on each.

mod cost;
mod factors;
mod mesh;
mod placement;

pub use cost::{Collective, Link};
pub use factors::{Factors, ParseFactorsError, Placed};
pub use mesh::{Layout, Mesh, Misplaced};
pub use placement::{Sharded, Shards};
