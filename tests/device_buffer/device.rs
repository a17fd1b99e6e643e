//! A mock of a device: memory that is reached by transfers and kernels only, and that runs out.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use coenzyme::{Incongruent, Tangent, value_type};

/// The device has no memory left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OutOfMemory;

/// A device with room for a number of buffers.
#[derive(Debug)]
pub(crate) struct Device {
    free: AtomicUsize,
    transfers: AtomicUsize,
}

impl Device {
    pub(crate) fn with_room_for(buffers: usize) -> Arc<Self> {
        Arc::new(Self {
            free: buffers.into(),
            transfers: 0.into(),
        })
    }

    /// How many buffers can still be allocated.
    pub(crate) fn free(&self) -> usize {
        self.free.load(Relaxed)
    }

    /// How many copies there were between host and device.
    pub(crate) fn transfers(&self) -> usize {
        self.transfers.load(Relaxed)
    }

    pub(crate) fn upload(self: &Arc<Self>, host: &[f64]) -> Result<DeviceBuffer, OutOfMemory> {
        let mut buffer = DeviceBuffer::zeroed(self, host.len())?;
        buffer.cells.copy_from_slice(host);
        self.transfers.fetch_add(1, Relaxed);
        Ok(buffer)
    }
}

/// Numbers on a device. There is no slice of them.
#[derive(Debug)]
pub(crate) struct DeviceBuffer {
    device: Arc<Device>,
    cells: Vec<f64>,
}

impl DeviceBuffer {
    pub(crate) fn zeroed(device: &Arc<Device>, len: usize) -> Result<Self, OutOfMemory> {
        let take = |free: usize| free.checked_sub(1);
        device
            .free
            .fetch_update(Relaxed, Relaxed, take)
            .map_err(|_| OutOfMemory)?;
        Ok(Self {
            device: Arc::clone(device),
            cells: vec![0.0; len],
        })
    }

    /// Another buffer of this length on this device.
    pub(crate) fn alike(&self) -> Result<Self, OutOfMemory> {
        Self::zeroed(&self.device, self.len())
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(crate) fn download(&self) -> Vec<f64> {
        self.device.transfers.fetch_add(1, Relaxed);
        self.cells.clone()
    }

    /// Kernel: `self ← f(self, x)`, entry by entry.
    pub(crate) fn update(&mut self, x: &Self, f: impl Fn(f64, f64) -> f64) {
        for (y, x) in self.cells.iter_mut().zip(&x.cells) {
            *y = f(*y, *x);
        }
    }

    /// Kernel: `self ← self + a·x·y`, entry by entry.
    pub(crate) fn add_product(&mut self, a: f64, x: &Self, y: &Self) {
        for ((z, x), y) in self.cells.iter_mut().zip(&x.cells).zip(&y.cells) {
            *z += a * x * y;
        }
    }

    /// Kernel: `Σ self·x`, by way of a workspace.
    pub(crate) fn dot(&self, x: &Self, workspace: &mut Self) -> f64 {
        for ((w, y), x) in workspace.cells.iter_mut().zip(&self.cells).zip(&x.cells) {
            *w = x * y;
        }
        workspace.cells.iter().sum()
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        self.device.free.fetch_add(1, Relaxed);
    }
}

impl Tangent for DeviceBuffer {
    type Owned = Self;
    type Target = Self;

    fn target(this: &Self) -> &Self {
        this
    }
    fn zero_like(this: &Self) -> Self {
        this.alike()
            .expect("room for a shadow: a rule that can run out of memory allocates its own")
    }
    fn zero_out(this: &mut Self) {
        this.cells.fill(0.0);
    }
    fn accumulate(this: &mut Self, other: &Self) {
        assert_eq!(
            this.len(),
            other.len(),
            "accumulate: buffers of different lengths"
        );
        this.update(other, |y, x| y + x);
    }
    fn scale(this: &mut Self, by: f64) {
        this.cells.iter_mut().for_each(|y| *y *= by);
    }
    fn inner(this: &Self, other: &Self) -> f64 {
        Tangent::inner(&this.cells, &other.cells)
    }
    fn flatten_into(this: &Self, out: &mut Vec<f64>) {
        out.extend(this.download());
    }
    fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
        Tangent::unflatten_from(&mut this.cells, from);
    }
    fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent> {
        Tangent::congruent(&this.cells, &other.cells)
    }
}

value_type!(DeviceBuffer);
