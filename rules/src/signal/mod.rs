//! Signals: convolution and Fourier transforms.
//!
//! | file | functions |
//! |---|---|
//! | `convolution.rs` | [`conv2d()`], [`conv1d()`] |
//! | `fourier.rs` (feature `fft`, on by default) | [`fft()`], [`ifft()`], [`rfft()`], [`irfft()`] |

mod convolution;
#[cfg(feature = "fft")]
mod fourier;

pub use convolution::{conv1d, conv2d};
#[cfg(feature = "fft")]
pub use fourier::{fft, ifft, irfft, rfft};
