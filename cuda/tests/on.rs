//! The device under test: the emulation, or card 0 with `COENZYME_DEVICE=cuda`.

use std::path::Path;
use std::sync::OnceLock;

use coenzyme_cuda::{Device, DeviceArray, Element};
use ndarray::{Array, Dimension};

/// The device under test; nothing, aloud, where there is none.
pub(crate) fn device() -> Option<&'static Device> {
    static DEVICE: OnceLock<Option<Device>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| {
        let found = match std::env::var("COENZYME_DEVICE").as_deref() {
            Ok("cuda") => Device::cuda(0),
            _ => emulated(),
        };
        found.map_err(|e| println!("skipped: {e}")).ok()
    });
    device.as_ref()
}

/// A new emulation, with the cache of all tests.
pub(crate) fn emulated() -> coenzyme_cuda::Result<Device> {
    let machine = coenzyme_cuda::emulated::Emulated::new()?;
    Ok(Device::new_with_cache(machine, folder()))
}

pub(crate) fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/kernels"))
}

/// The array on the device under test.
pub(crate) fn up<T: Element, D: Dimension>(host: &Array<T, D>) -> DeviceArray<T, D> {
    let device = device().expect("asked for before");
    device.array(host).expect("room for an array of a test")
}
