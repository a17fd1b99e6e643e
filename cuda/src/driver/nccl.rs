//! Collectives from card to card, by NCCL.

use std::ffi::c_void;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use coenzyme_collective::{Comm, per_rank};
use cudarc::driver::{CudaContext, CudaStream};
use cudarc::nccl::result::{self, NcclError};
use cudarc::nccl::sys::{ncclComm_t, ncclDataType_t, ncclRedOp_t, ncclUniqueId};

use crate::error::{Error, Result};
use crate::launch::Address;
use crate::ranks::{Collective, Link, agreed};

/// A rank among those of NCCL, whose work goes to the stream of its device.
pub(super) struct Nccl {
    ranks: ncclComm_t,
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
}

impl fmt::Debug for Nccl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Nccl on card {}", self.context.ordinal())
    }
}

impl Drop for Nccl {
    fn drop(&mut self) {
        // SAFETY: made by `comm_init_rank`, destroyed once; what cannot be is on a device that is lost
        let _ = self
            .context
            .bind_to_thread()
            .map(|()| unsafe { result::comm_destroy(self.ranks) });
    }
}

fn failed(call: &'static str) -> impl Fn(NcclError) -> Error {
    move |error| Error::Driver {
        call,
        message: format!("{:?}", error.0),
    }
}

/// Makes the ranks of `comm` ranks of NCCL. The context is current.
pub(super) fn join(
    context: &Arc<CudaContext>,
    stream: &Arc<CudaStream>,
    comm: &Comm,
) -> Result<Rc<dyn Link>> {
    // SAFETY: loads the library and drops it again
    let present = match unsafe { cudarc::nccl::sys::is_culib_present() } {
        true => Ok(()),
        false => Err(Error::Missing {
            what: "NCCL (libnccl), which carries arrays between cards".into(),
        }),
    };
    agreed(comm, present)?;
    let id = match comm.rank() {
        0 => result::get_uniqueid().map_err(failed("ncclGetUniqueId")),
        _ => Ok(ncclUniqueId { internal: [0; 128] }),
    };
    // bytes as numbers, which is what ranks send each other
    let bytes = agreed(comm, id)?.internal.map(|byte| f64::from(byte as u8));
    let bytes = per_rank::broadcast(comm, 0, &bytes)?;
    let mut id = ncclUniqueId { internal: [0; 128] };
    for (to, byte) in id.internal.iter_mut().zip(bytes) {
        *to = byte as u8 as _;
    }
    let mut ranks = std::ptr::null_mut();
    // both are counts of processes or threads, far below 2³¹
    let (size, rank) = (comm.size() as i32, comm.rank() as i32);
    // SAFETY: the context is current, and the identifier is the first rank's
    let made = unsafe { result::comm_init_rank(&mut ranks, size, id, rank) };
    agreed(comm, made.map_err(failed("ncclCommInitRank")))?;
    Ok(Rc::new(Nccl {
        ranks,
        context: Arc::clone(context),
        stream: Arc::clone(stream),
    }))
}

#[allow(unsafe_code)]
impl Link for Nccl {
    unsafe fn run(
        &self,
        collective: Collective,
        double: bool,
        x: Address,
        y: Address,
        len: usize,
    ) -> Result<()> {
        self.context
            .bind_to_thread()
            .map_err(|e| super::failed("cuCtxSetCurrent", e, 0))?;
        let kind = match double {
            true => ncclDataType_t::ncclFloat64,
            false => ncclDataType_t::ncclFloat32,
        };
        let (x, y) = (x as *const c_void, y as *mut c_void);
        let (ranks, stream) = (self.ranks, self.stream.cu_stream().cast());
        let sum = ncclRedOp_t::ncclSum;
        // SAFETY: addresses and lengths fit, by the contract of the trait; ranks and stream live as long as `self`
        let sent = unsafe {
            match collective {
                Collective::AllReduce => result::all_reduce(x, y, len, kind, sum, ranks, stream),
                Collective::AllGather => result::all_gather(x, y, len, kind, ranks, stream),
                Collective::ReduceScatter => {
                    result::reduce_scatter(x, y, len, kind, sum, ranks, stream)
                }
                Collective::Broadcast(root) => {
                    result::broadcast(x, y, len, kind, root as i32, ranks, stream)
                }
                Collective::Reduce(root) => {
                    result::reduce(x, y, len, kind, sum, root as i32, ranks, stream)
                }
            }
        };
        sent.map_err(failed("an NCCL collective")).map(drop)
    }
}
