//! Many calls of one function at once, on the threads of rayon, in both directions of differentiation.
//!
//! | function | value | reverse |
//! |---|---|---|
//! | [`map()`] | `yᵢ = f(xᵢ, p)` | `x̄ᵢ += ∂ₓfᵢᵀ·ȳᵢ`, `p̄ += Σᵢ ∂ₚfᵢᵀ·ȳᵢ` |
//! | [`zip_map()`] | `zᵢ = f(xᵢ, yᵢ, p)` | likewise |
//! | [`vmap()`] | `yᵢ = f(xᵢ, p)`, arrays along a leading axis | likewise |
//! | [`zip_vmap()`] | `zᵢ = f(xᵢ, yᵢ, p)` of two arrays | likewise |
//! | [`zip_vmap3()`] | `rᵢ = f(xᵢ, yᵢ, zᵢ, p)` of three arrays | likewise |
//! | [`reduce()`] | `x₀∘x₁∘…∘xₙ₋₁`, `∘` associative | each combination backwards |
//! | [`join()`] | `(f(a, p), g(b, p))` | both at once, `p̄` from both |
//!
//! The body `f` is a function with rules, in [`Inactive`](coenzyme::Inactive): anything under `#[differentiable]` or `#[primitive]`. What all calls share is the
//! argument `p` (`&()` if nothing). Its cotangents are summed in shadows of each task, and these pairwise in the order of the
//! tasks; there are at most [`TASKS`] of them, whatever the number of threads. So all results are the same to the last bit on
//! any number of threads, and without the feature `rayon` (on by default), where the tasks run one after the other. `p` costs
//! [`TASKS`] copies of its shadow.
//!
//! The tape holds the tapes of all calls; `x` and `p` are copied once if they may be overwritten. If a body panics, so does the
//! call, and the shadows hold part of the sum.

mod forking;
mod mapping;
mod reducing;
mod rows;
mod stacking;
mod tasks;

pub use forking::{JoinTape, join};
pub use mapping::{MapTape, ZipMapTape, map, zip_map};
pub use reducing::{ReduceTape, reduce};
pub use rows::{VmapTape, ZipVmap3Tape, ZipVmapTape, vmap, zip_vmap, zip_vmap3};
pub use stacking::Row;
pub use tasks::TASKS;

use coenzyme::{HoldsMut, Tangent};

/// A value that a body takes and returns: a number, a tuple, an array.
pub trait Entry: Tangent<Owned = Self> + Clone + Send + Sync + 'static {}
impl<T: Tangent<Owned = T> + Clone + Send + Sync + 'static> Entry for T {}

/// Memory that bodies read: a number, a slice, an array, a struct.
pub trait Operand:
    Tangent<Owned: HoldsMut<Self> + Send> + ToOwned<Owned: Send> + Send + Sync + 'static
{
}
impl<P> Operand for P where
    P: Tangent<Owned: HoldsMut<P> + Send> + ToOwned<Owned: Send> + Send + Sync + ?Sized + 'static
{
}
