//! Arrays on a device.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use ndarray::{Array, Dimension, IntoDimension, Ix1, RemoveAxis};

use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::launch::Address;
use crate::memory::Memory;

/// A row-major array of `T` on a device.
///
/// Clones and views share memory until one of them is written to; then the one that is written gets memory of its own. So a rule keeps
/// what its reverse pass reads again without a copy, and whoever overwrites it pays for one.
///
/// ```
/// # use coenzyme_cuda::Device;
/// # use ndarray::array;
/// # let Ok(device) = Device::emulated() else { println!("skipped: no C++ compiler"); return Ok(()) };
/// let x = device.array(&array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])?;
/// assert_eq!(x.row(1)?.to_host()?, array![3.0, 4.0]);
/// assert_eq!(x.rows(1..3)?.to_host()?, array![[3.0, 4.0], [5.0, 6.0]]);
/// # Ok::<(), coenzyme_cuda::Error>(())
/// ```
pub struct DeviceArray<T, D: Dimension = Ix1> {
    memory: Arc<Memory>,
    /// The first entry, counted in entries.
    start: usize,
    shape: D,
    of: PhantomData<T>,
}

impl<T, D: Dimension> Clone for DeviceArray<T, D> {
    fn clone(&self) -> Self {
        Self {
            memory: Arc::clone(&self.memory),
            start: self.start,
            shape: self.shape.clone(),
            of: PhantomData,
        }
    }
}

impl<T: Element, D: Dimension> fmt::Debug for DeviceArray<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shape, device) = (self.shape(), self.device());
        write!(f, "DeviceArray<{}>({shape:?} on {device:?})", T::NAME)
    }
}

impl<T: Element, D: Dimension> DeviceArray<T, D> {
    /// An array whose entries are unspecified.
    pub(crate) fn unset(device: &Device, shape: impl IntoDimension<Dim = D>) -> Result<Self> {
        let shape = shape.into_dimension();
        let len = shape.size_checked();
        let bytes = len.and_then(|len| len.checked_mul(size_of::<T>()));
        let bytes = bytes.ok_or(Error::OutOfMemory { bytes: usize::MAX })?;
        Ok(Self {
            memory: Memory::new(device, bytes)?,
            start: 0,
            shape,
            of: PhantomData,
        })
    }

    pub(crate) fn from_values(device: &Device, shape: D, values: &[T]) -> Result<Self> {
        let array = Self::unset(device, shape)?;
        device.upload(&T::bytes(values), array.address())?;
        Ok(array)
    }

    pub(crate) fn zeros(device: &Device, shape: D) -> Result<Self> {
        let array = Self::unset(device, shape)?;
        device.zero(array.address(), array.bytes())?;
        Ok(array)
    }

    /// The device that the array lies on.
    pub fn device(&self) -> &Device {
        self.memory.device()
    }

    /// The length of each axis.
    pub fn shape(&self) -> &[usize] {
        self.shape.slice()
    }

    /// The shape as its type.
    pub fn raw_dim(&self) -> D {
        self.shape.clone()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.shape.size()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of all entries.
    pub(crate) fn bytes(&self) -> usize {
        self.len() * size_of::<T>()
    }

    pub(crate) fn memory(&self) -> Arc<Memory> {
        Arc::clone(&self.memory)
    }

    /// Where the first entry lies, to be read.
    pub(crate) fn address(&self) -> Address {
        self.memory.at() + (self.start * size_of::<T>()) as Address
    }

    /// Where the first entry lies, to be written: in memory that nobody else sees.
    ///
    /// # Errors
    /// If the memory is shared and the device has none left for a copy, or is lost.
    pub(crate) fn exclusive(&mut self) -> Result<Address> {
        if Arc::get_mut(&mut self.memory).is_none() {
            let own = Self::unset(self.device(), self.shape.clone())?;
            let device = self.device();
            device.copy(self.address(), own.address(), self.bytes())?;
            *self = own;
        }
        Ok(self.address())
    }

    /// The same, for a shadow, in a pass that cannot fail.
    ///
    /// # Panics
    /// If the memory is shared and the device has none left: a shadow that nobody else sees is never copied.
    #[track_caller]
    pub(crate) fn shadow(&mut self) -> Address {
        match self.exclusive() {
            Ok(address) => address,
            Err(error @ Error::Lost { .. }) => {
                // nothing will run there
                self.device().must(Err(error));
                self.address()
            }
            Err(error) => panic!("a shadow that shares its memory with another array: {error}"),
        }
    }

    /// Copies the array to the host. Waits for the device.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn to_host(&self) -> Result<Array<T, D>> {
        let values = self.values()?;
        let array = Array::from_shape_vec(self.shape.clone(), values);
        Ok(array.expect("as many values as the shape has"))
    }

    pub(crate) fn values(&self) -> Result<Vec<T>> {
        let mut bytes = vec![0; self.bytes()];
        self.device().download(self.address(), &mut bytes)?;
        Ok(T::values(&bytes))
    }

    /// Replaces all entries by those of an array of the same shape.
    ///
    /// # Errors
    /// If the shapes differ, or the device is lost; or it has no memory left for the copy that a shared array needs.
    pub fn assign(&mut self, host: &Array<T, D>) -> Result<()> {
        if host.shape() != self.shape() {
            let (expected, found) = (self.shape(), host.shape());
            return Err(Error::shape(
                "assign",
                format_args!("{expected:?}"),
                format_args!("{found:?}"),
            ));
        }
        let values: Vec<T> = host.iter().copied().collect();
        self.replace(&values)
    }

    pub(crate) fn replace(&mut self, values: &[T]) -> Result<()> {
        let to = self.exclusive()?;
        self.device().upload(&T::bytes(values), to)
    }

    /// A copy on another device, by way of the host; on the same device a clone.
    ///
    /// # Errors
    /// If the other device has no memory left, or one of them is lost.
    pub fn to_device(&self, device: &Device) -> Result<Self> {
        match device == self.device() {
            true => Ok(self.clone()),
            false => Self::from_values(device, self.shape.clone(), &self.values()?),
        }
    }

    /// The same entries in the same order under another shape. Shares the memory.
    ///
    /// # Errors
    /// If the numbers of entries differ.
    pub fn reshaped<E: Dimension>(
        &self,
        shape: impl IntoDimension<Dim = E>,
    ) -> Result<DeviceArray<T, E>> {
        let shape = shape.into_dimension();
        match shape.size_checked() {
            Some(len) if len == self.len() => Ok(self.part(0, shape)),
            _ => Err(Error::shape(
                "reshaped",
                format_args!("a shape of {} entries", self.len()),
                format_args!("{:?}", shape.slice()),
            )),
        }
    }

    /// A view that begins at an entry.
    pub(crate) fn part<E: Dimension>(&self, start: usize, shape: E) -> DeviceArray<T, E> {
        DeviceArray {
            memory: Arc::clone(&self.memory),
            start: self.start + start,
            shape,
            of: PhantomData,
        }
    }

    /// The device of all arguments of a call.
    pub(crate) fn same_device<U: Element, E: Dimension>(
        &self,
        other: &DeviceArray<U, E>,
    ) -> Result<()> {
        let (first, other) = (self.device(), other.device());
        match first == other {
            true => Ok(()),
            false => Err(Error::MixedDevices {
                first: first.name(),
                other: other.name(),
            }),
        }
    }
}

/// Views of leading axes.
impl<T: Element, D: RemoveAxis> DeviceArray<T, D> {
    /// The entries at index `i` of the first axis. Shares the memory.
    ///
    /// # Errors
    /// If there is no such index.
    pub fn row(&self, i: usize) -> Result<DeviceArray<T, D::Smaller>> {
        let len = self.shape()[0];
        if i >= len {
            let index = i as i64;
            return Err(Error::Index { index, len });
        }
        let shape = self.shape.remove_axis(ndarray::Axis(0));
        Ok(self.part(i * shape.size(), shape))
    }

    /// The entries at these indices of the first axis. Shares the memory.
    ///
    /// # Errors
    /// If the range does not lie in the axis.
    pub fn rows(&self, range: Range<usize>) -> Result<Self> {
        let len = self.shape()[0];
        if range.start > range.end || range.end > len {
            let index = range.end.max(range.start) as i64;
            return Err(Error::Index { index, len });
        }
        let mut shape = self.shape.clone();
        shape[0] = 1;
        let row = shape.size();
        shape[0] = range.len();
        Ok(self.part(range.start * row, shape))
    }
}
