//! Memory on a device, with its owner.

use std::sync::Arc;

use crate::device::Device;
use crate::error::Result;
use crate::launch::Address;

/// A block of a device's memory, freed with its last user.
#[derive(Debug)]
pub(crate) struct Memory {
    device: Device,
    at: Address,
    bytes: usize,
}

impl Memory {
    /// Reserves memory, whose content is unspecified.
    pub(crate) fn new(device: &Device, bytes: usize) -> Result<Arc<Self>> {
        Ok(Arc::new(Self {
            at: device.allocate(bytes)?,
            device: device.clone(),
            bytes,
        }))
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn at(&self) -> Address {
        self.at
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.device.free(self.at, self.bytes);
    }
}
