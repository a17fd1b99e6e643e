//! Device arrays and rules on CUDA, with one Rust function for host and device.
//!
//! ```
//! use coenzyme::prelude::*;
//! use coenzyme_cuda::rules::sum;
//! use coenzyme_cuda::{Device, DeviceArray, map2};
//! use ndarray::array;
//!
//! /// An ordinary function on the host, and a C++ template on the device.
//! #[differentiable(device)]
//! fn decay(x: f64, rate: f64) -> f64 {
//!     (-rate * x).exp()
//! }
//!
//! #[differentiable]
//! fn total(x: &DeviceArray<f64>, rate: f64) -> coenzyme_cuda::Result<f64> {
//!     let y = map2(x, rate, Inactive(decay {}))?;
//!     let total = sum(&y)?;
//!     Ok(total)
//! }
//!
//! # if Device::emulated().is_err() { println!("skipped: no C++ compiler"); return Ok(()) }
//! let device = Device::cuda(0).or_else(|_| Device::emulated())?;
//! let x = device.array(&array![0.0, 0.0])?;
//! let (dx, drate) = gradient!(total, &x, 2.0)?;
//! assert_eq!(dx.to_host()?, array![-2.0, -2.0]);
//! assert_eq!(drate, 0.0);
//! # Ok::<(), coenzyme_cuda::Error>(())
//! ```
//!
//! The crate builds and runs without CUDA. The driver, NVRTC and cuBLAS are loaded when they are first asked for, and an error says which is
//! missing; [`Device::emulated`] runs the same kernels by the system's C++ compiler.
//!
//! | module | idea |
//! |---|---|
//! | [`error`] | what can go wrong: always a `Result` |
//! | [`source`] | the text of kernels, and the key that it is cached by |
//! | [`launch`] | the one trait between rules and machine |
//! | [`emulated`], [`driver`] | the two machines |
//! | [`device`] | a machine with its compiled kernels, its counters, and its first failure |
//! | [`element`], [`array`](mod@array) | numbers and arrays on a device; their tangent space |
//! | [`function`] | Rust functions as they are printed |
//! | [`mod@map`] | a function of each entry, and its rules |
//! | [`rules`] | reductions, products, indices, kernels of yours |
//! | [`ranks`] | collectives of arrays, each rank with a device of its own |
//! | [`library`] | the kernels of the rules |

// the macros write `::coenzyme_cuda::…`, also when they are used here
extern crate self as coenzyme_cuda;

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
pub mod ranks;
pub mod rules;
pub mod source;
mod tangent;

pub use array::DeviceArray;
pub use device::{Counts, Device};
pub use element::{Element, Float};
pub use error::{Error, Result};
pub use function::{Constant, Definition, DeviceFunction, ScalarFunction};
pub use map::{map1, map2, map3, map4, map5, map6, map7, map8};

/// What macros write. Not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use coenzyme;
}
