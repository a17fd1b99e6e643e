//! Device arrays and rules on CUDA.
pub mod array;
mod cache;
pub mod device;
pub mod driver;
pub mod element;
pub mod emulated;
pub mod error;
pub mod function;
mod kernels;
pub mod launch;
pub mod library;
pub mod map;
mod memory;
pub mod source;
mod tangent;

pub use array::DeviceArray;
pub use device::{Counts, Device};
pub use element::{Element, Float};
pub use error::{Error, Result};
pub use function::{Constant, Definition, DeviceFunction, ScalarFunction};
pub use map::{map1, map2, map3, map4, map5, map6, map7, map8};

#[doc(hidden)]
pub use coenzyme::Inactive as __Inactive;

// the macros write `::coenzyme_cuda::…`, also when they are used here
extern crate self as coenzyme_cuda;
pub mod rules;
