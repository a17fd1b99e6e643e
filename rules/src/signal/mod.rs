//! Signals: convolution and Fourier transforms.
//!
//! | file | functions |
//! |---|---|
//! | `convolution.rs` | [`conv2d()`], [`conv2d_with()`] |
//! | `transposed_convolution.rs` | [`conv_transpose2d()`] |
//! | `signals.rs` | [`conv1d()`] |
//! | `geometry.rs`, `patches.rs` | [`Convolution`]: where kernels meet images, and what they see there |
//! | `fourier.rs` (feature `fft`, on by default) | [`fft()`], [`ifft()`], [`rfft()`], [`irfft()`] |

mod convolution;
#[cfg(feature = "fft")]
mod fourier;
mod geometry;
mod patches;
mod signals;
mod transposed_convolution;

pub use convolution::{conv2d, conv2d_with};
#[cfg(feature = "fft")]
pub use fourier::{fft, ifft, irfft, rfft};
pub use geometry::Convolution;
pub use signals::conv1d;
pub use transposed_convolution::conv_transpose2d;
