//! Collectives of device arrays, each rank with a device of its own.
//!
//! Ranks are those of [`coenzyme_collective`]: threads, or processes of MPI. Its conventions hold: the loss of the program is the sum of the losses of
//! its ranks, communicators are inactive, a cotangent is sent for what is active alone, and all ranks differentiate a call or none does.
//!
//! | | shape of `x` | shape of `y` | cotangent |
//! |---|---|---|---|
//! | [`all_reduce()`] | `(…)` | `(…)` | itself |
//! | [`all_gather()`] | `(d, …)` | `(n·d, …)` | [`reduce_scatter()`] |
//! | [`reduce_scatter()`] | `(n·d, …)` | `(d, …)` | [`all_gather()`] |
//! | [`broadcast()`] | `(d, …)` | `(d, …)` | [`reduce()`] |
//! | [`reduce()`] | `(d, …)` | `(d, …)` on the root, `(0, …)` elsewhere | [`broadcast()`] |
//!
//! `n` is the number of ranks; shapes are the same on all ranks. Data goes by way of the hosts, with [`DeviceComm::by_hosts`], where each call waits for its
//! device; or over NCCL, with the feature `nccl` and [`DeviceComm::nccl`], where none does.
//!
//! ```
//! use coenzyme::prelude::*;
//! use coenzyme_collective::LocalMesh;
//! use coenzyme_cuda::ranks::{DeviceComm, all_reduce};
//! use coenzyme_cuda::{Device, DeviceArray, Error, rules::sum};
//! use ndarray::array;
//!
//! /// The share of a rank in `n·Σ x`.
//! #[differentiable]
//! fn share(comm: &DeviceComm, x: &DeviceArray<f64>) -> coenzyme_cuda::Result<f64> {
//!     let total = all_reduce(comm, x)?;
//!     let share = sum(&total)?;
//!     Ok(share)
//! }
//!
//! # if Device::emulated().is_err() { println!("skipped: no C++ compiler"); return Ok(()) }
//! let gradients = LocalMesh::of(2).run(|process| {
//!     let device = Device::emulated()?;
//!     let comm = DeviceComm::by_hosts(process.world(), &device);
//!     let x = device.array(&array![1.0, 2.0])?;
//!     let (_, dx) = gradient!(share, Const(&comm), &x)?;
//!     Ok::<_, Error>(dx.to_host()?)
//! })?;
//! assert_eq!(gradients, [array![2.0, 2.0], array![2.0, 2.0]]);
//! # Ok::<(), coenzyme_cuda::Error>(())
//! ```

mod link;
mod rules;

pub(crate) use link::agreed;

use std::fmt;
use std::rc::Rc;

use coenzyme::{Inactive, Tangent};
use coenzyme_collective::{Comm, Element};
use ndarray::Dimension;

use crate::array::DeviceArray;
use crate::device::Device;
use crate::element::Float;
use crate::error::{Error, Result};

pub use link::{Collective, Link};
pub use rules::{
    AllGather, AllReduce, Broadcast, Exchange, Exchanged, Reduce, ReduceScatter, all_gather,
    all_reduce, broadcast, reduce, reduce_scatter,
};

/// Ranks that exchange arrays, each on its device. As an argument of a differentiated function it is inactive.
#[derive(Clone, Debug, Tangent)]
pub struct DeviceComm(Inactive<Joined>);

#[derive(Clone)]
struct Joined {
    comm: Comm,
    device: Device,
    link: Option<Rc<dyn Link>>,
}

impl fmt::Debug for Joined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} on {:?}", self.comm, self.device)
    }
}

impl DeviceComm {
    /// Ranks that send each other data by way of their hosts: over whatever carries `comm`, from any device, emulated or not.
    #[must_use]
    pub fn by_hosts(comm: &Comm, device: &Device) -> Self {
        Self::joined(comm, device, None)
    }

    /// Ranks that send each other data over NCCL, each with a card of its own; needs the feature `nccl`. All ranks of `comm` call it, and
    /// it fails on all or on none: over `comm` they agree, and nothing else.
    ///
    /// # Errors
    /// [`Error::Missing`] if a rank has no card, or no NCCL (libnccl); [`Error::Driver`] if NCCL refuses, as it does where two ranks
    /// have one card; [`Error::Ranks`].
    pub fn nccl(comm: &Comm, device: &Device) -> Result<Self> {
        let link = device.join(comm)?;
        Ok(Self::joined(comm, device, Some(link)))
    }

    fn joined(comm: &Comm, device: &Device, link: Option<Rc<dyn Link>>) -> Self {
        Self(Inactive(Joined {
            comm: comm.clone(),
            device: device.clone(),
            link,
        }))
    }

    /// This rank.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.0.0.comm.rank()
    }

    /// The number of ranks.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.0.comm.size()
    }

    /// This rank's device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.0.0.device
    }

    /// The root exists.
    fn exists(&self, root: usize) -> Result<()> {
        let (rank, size) = (root, self.size());
        match root < size {
            true => Ok(()),
            false => Err(coenzyme_collective::CommError::NoRank { rank, size }.into()),
        }
    }

    /// Writes `y`, which has the length of the collective's result.
    #[allow(unsafe_code)]
    fn run<T: Float + Element, D: Dimension>(
        &self,
        collective: Collective,
        x: &DeviceArray<T, D>,
        y: &DeviceArray<T, D>,
    ) -> Result<()> {
        let Joined { comm, device, link } = &self.0.0;
        collective.fits(comm, x.len(), y.len())?;
        if x.device() != device {
            let (first, other) = (device.name(), x.device().name());
            return Err(Error::MixedDevices { first, other });
        }
        match link {
            None => {
                let values = collective.by_hosts(comm, &x.values()?)?;
                device.upload(&T::bytes(&values), y.address())
            }
            Some(link) => {
                device.usable()?;
                let len = match collective {
                    Collective::ReduceScatter => y.len(),
                    _ => x.len(),
                };
                let double = size_of::<T>() == size_of::<f64>();
                // SAFETY: arrays of this device, of the lengths that the collective's shapes have
                let sent = unsafe { link.run(collective, double, x.address(), y.address(), len) };
                device.watch(sent)
            }
        }
    }
}
