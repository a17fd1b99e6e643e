//! Random numbers by counter: entry `i` of stream `s` of a seed is always the same, on every device, in any order.
//!
//! They have no derivative: a rule that draws them again in its reverse pass gets the same ones, and need not keep them.

use ndarray::{Dimension, IntoDimension};

use crate::array::DeviceArray;
use crate::device::Device;
use crate::element::Float;
use crate::error::Result;
use crate::launch::Arguments;

/// Numbers evenly distributed in (0, 1), by Philox 4×32-10 (Salmon, Moraes, Dror, Shaw 2011, doi:10.1145/2063384.2063405); 2³² different ones, in
/// single precision 2²⁴.
///
/// # Errors
/// If the device has no memory left, or is lost.
pub fn uniform<T: Float, S: IntoDimension>(
    device: &Device,
    shape: S,
    seed: u64,
    stream: u64,
) -> Result<DeviceArray<T, S::Dim>> {
    draw(
        device,
        "random_uniform",
        shape.into_dimension(),
        seed,
        stream,
    )
}

/// Numbers with the standard normal distribution, from the same words, by Box and Muller 1958 (doi:10.1214/aoms/1177706645); none is beyond ±6.7.
///
/// # Errors
/// If the device has no memory left, or is lost.
pub fn normal<T: Float, S: IntoDimension>(
    device: &Device,
    shape: S,
    seed: u64,
    stream: u64,
) -> Result<DeviceArray<T, S::Dim>> {
    draw(
        device,
        "random_normal",
        shape.into_dimension(),
        seed,
        stream,
    )
}

/// The words themselves, as signed integers.
///
/// # Errors
/// If the device has no memory left, or is lost.
pub fn random_words<S: IntoDimension>(
    device: &Device,
    shape: S,
    seed: u64,
    stream: u64,
) -> Result<DeviceArray<i32, S::Dim>> {
    let y = DeviceArray::unset(device, shape.into_dimension())?;
    let arguments = Arguments::new()
        .int(y.len())
        .words(&[seed])
        .words(&[stream]);
    let module = device.library::<f64>()?;
    device.each(
        &module,
        "random_words",
        y.len(),
        arguments.address(y.address()),
    )?;
    Ok(y)
}

fn draw<T: Float, D: Dimension>(
    device: &Device,
    kernel: &str,
    shape: D,
    seed: u64,
    stream: u64,
) -> Result<DeviceArray<T, D>> {
    let y = DeviceArray::unset(device, shape)?;
    let arguments = Arguments::new()
        .int(y.len())
        .words(&[seed])
        .words(&[stream]);
    let module = device.library::<T>()?;
    device.each(&module, kernel, y.len(), arguments.address(y.address()))?;
    Ok(y)
}
