//! Memory of a card that is kept when it is freed.
//!
//! The driver's own pool returns what is free to the system whenever the host waits, and has it mapped again by the next allocation: 2.4 ms for a
//! GiB of an H200, which a kernel fills in 0.3. Ours returns it when the device is dropped, or when there is no other left.

use cudarc::driver::CudaStream;
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{
    CUmemAllocationHandleType, CUmemAllocationType, CUmemLocation, CUmemLocationType,
    CUmemPool_attribute, CUmemPoolProps, CUmemoryPool, CUresult, cuMemAllocFromPoolAsync,
};

use crate::launch::Address;

/// A pool of one stream, whose calls reuse in order what they free.
#[derive(Debug)]
pub(super) struct Pool(CUmemoryPool);

// SAFETY: the driver's functions on a pool may be called from any thread
unsafe impl Send for Pool {}
// SAFETY: likewise
unsafe impl Sync for Pool {}

impl Pool {
    /// A pool on the card of this number, which has such pools.
    pub(super) fn new(ordinal: usize) -> Result<Self, DriverError> {
        let properties = CUmemPoolProps {
            allocType: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
            handleTypes: CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
            location: CUmemLocation {
                type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: i32::try_from(ordinal).unwrap_or(i32::MAX),
            },
            win32SecurityAttributes: std::ptr::null_mut(),
            maxSize: 0,
            usage: 0,
            reserved: [0; 54],
        };
        // SAFETY: the properties are those of a card that exists
        let pool = Self(unsafe { result::mem_pool::create(&properties) }?);
        let mut all = u64::MAX;
        let threshold = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        // SAFETY: the attribute is a 64-bit number
        unsafe { result::mem_pool::set_attribute(pool.0, threshold, (&raw mut all).cast()) }?;
        Ok(pool)
    }

    /// Reserves memory for what the stream does from here on.
    ///
    /// # Safety
    /// The stream's context is current.
    pub(super) unsafe fn allocate(
        &self,
        bytes: usize,
        stream: &CudaStream,
    ) -> Result<Address, DriverError> {
        // SAFETY: by the contract
        let once = || unsafe { self.once(bytes, stream) };
        once().or_else(|error| match error.0 {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                // what is free here may be what others lack, and in pieces
                // SAFETY: by the contract
                unsafe {
                    result::stream::synchronize(stream.cu_stream())?;
                    result::mem_pool::trim_to(self.0, 0)?;
                }
                once()
            }
            _ => Err(error),
        })
    }

    unsafe fn once(&self, bytes: usize, stream: &CudaStream) -> Result<Address, DriverError> {
        let mut at = 0;
        // SAFETY: by the contract of `allocate`
        unsafe { cuMemAllocFromPoolAsync(&mut at, bytes, self.0, stream.cu_stream()) }.result()?;
        Ok(at)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // SAFETY: made by `create`, destroyed once; the driver waits for what is not free yet
        let _ = unsafe { result::mem_pool::destroy(self.0) };
    }
}
