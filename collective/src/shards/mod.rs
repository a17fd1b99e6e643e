//! Arrays cut into shards on a mesh of ranks: where a value lies, what must be moved, and what that costs, all told by shapes before
//! anything is computed; and the calls themselves.
//!
//! | | |
//! |---|---|
//! | [`Layout`] | which axis of a [`Mesh`](crate::Mesh) each dimension is cut along |
//! | [`Factors`] | which dimensions of operands and value are the same, as in `m k, k n -> m n` |
//! | [`Shards`] | a call: the shapes on each rank, the layout of the value, the [`Plan`] |
//! | [`Plan`] | the steps that move shards, with their costs; runs them, and their transposes |
//! | [`Collective`], [`Link`], [`Cluster`] | what communication costs; a cluster that is simulated |
//!
//! Nothing is moved that the plan does not say.

mod cluster;
mod cost;
mod factors;
mod layout;
mod placement;
mod plan;

pub use cluster::Cluster;
pub use cost::{Collective, Link};
pub use factors::{Factors, ParseFactorsError, Placed};
pub use layout::{Layout, Misplaced};
pub use placement::{Sharded, Shards};
pub use plan::{Plan, Step};
