//! Collective communication with exact adjoints: a program that runs on every rank has a derivative that runs on every rank.
//!
//! ```
//! use coenzyme::prelude::*;
//! use coenzyme_collective::{Comm, CommError, LocalMesh, per_rank::all_reduce};
//!
//! /// `½‖x‖²·Σ w` of a vector that is cut among ranks, this rank's share.
//! #[differentiable]
//! fn share(comm: &Comm, x: &[f64], w: f64) -> Result<f64, CommError> {
//!     let weight = all_reduce(comm, &[w])?;
//!     let mut sum = 0.0;
//!     for i in 0..x.len() {
//!         sum += 0.5 * weight[0] * x[i] * x[i];
//!     }
//!     Ok(sum)
//! }
//!
//! let gradients = LocalMesh::of(2).run(|process| {
//!     let x = [1.0 + process.rank() as f64, 2.0];
//!     let mut dx = [0.0; 2];
//!     let ((_, _, dw),) =
//!         autodiff!(Reverse, share, Const(process.world()), Duplicated(&x, &mut dx), Active(10.0))?;
//!     Ok::<_, CommError>((dx, dw))
//! })?;
//! // Σ w = 20, and each w takes part in the shares of both ranks
//! assert_eq!(gradients, [([20.0, 40.0], 6.5), ([40.0, 40.0], 6.5)]);
//! # Ok::<(), CommError>(())
//! ```
//!
//! | | |
//! |---|---|
//! | [`LocalMesh`] | ranks as threads: nothing to install, deterministic |
//! | `coenzyme-collective-mpi` | ranks as processes of MPI, in a package of its own |
//! | [`Process`], [`Comm`], [`Along`] | a rank, and its communicators along the axes of a [`Mesh`] |
//! | [`mod@per_rank`] | collectives and messages as MPI has them: the loss is the sum of the losses of all ranks |
//! | [`typed`] | collectives between values that say what they are on all ranks together: a factor `n` is a compile error |
//! | [`shards`] | arrays cut on a mesh: layouts, plans, costs |
//! | [`Element`] | the numbers that are sent: `f64`, `f32`, and dual numbers for second derivatives |
//! | [`transport`] | what a backend implements |
//!
//! # Conventions
//!
//! A communicator is an inactive argument. Cotangents are sent in exactly the reversed order of the program, and only for what is active.
//! A call fails on all ranks or on none; a reverse pass that loses a rank panics, which [`LocalMesh::run`] returns as an error.

mod comm;
mod element;
mod error;
mod given;
mod local;
mod mesh;
pub mod per_rank;
mod point;
mod process;
mod rule;
pub mod shards;
pub mod transport;
pub mod typed;

pub use comm::{Along, Axis, Comm, OnAxis, Ranked, Ranks};
pub use element::Element;
pub use error::CommError;
pub use local::LocalMesh;
pub use mesh::Mesh;
pub use process::{Process, Splits};
pub use transport::Traffic;
