//! A card, through the CUDA driver.
//!
//! All libraries are loaded when they are first asked for, and looked for before that: a machine without them gets an error. Work goes to
//! one stream. Memory comes from a pool, where the card can have one.
#![allow(unsafe_code)] // the driver's functions

mod blas;
mod compiler;
#[cfg(feature = "nccl")]
mod nccl;
mod pool;

use std::ffi::{CString, c_void};
use std::fmt;
use std::sync::Arc;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{CUfunction, CUmodule, CUresult};
use cudarc::driver::{CudaContext, CudaStream};

use crate::error::{Error, Result};
use crate::launch::{Address, Arguments, Extent, Gemm, Handle, Launch};
use crate::source::Source;
use blas::Blas;
pub use compiler::compile_ptx;
use pool::Pool;

/// A card, and a stream of work on it.
pub struct Cuda {
    /// Nothing where the card cannot have one.
    pool: Option<Pool>,
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    name: String,
    architecture: String,
    blas: Blas,
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cuda({}, {})", self.name, self.architecture)
    }
}

impl Cuda {
    /// The card of this number, with a stream of its own.
    ///
    /// # Errors
    /// [`Error::Missing`] without a driver, [`Error::NoDevice`] if it knows no such card.
    pub fn new(ordinal: usize) -> Result<Self> {
        // SAFETY: loads the library and drops it again
        if !unsafe { cudarc::driver::sys::is_culib_present() } {
            return Err(Error::Missing {
                what: "the CUDA driver (libcuda)".into(),
            });
        }
        let count = CudaContext::device_count().map_err(|e| failed("cuDeviceGetCount", e, 0))?;
        let count = usize::try_from(count).unwrap_or(0);
        if ordinal >= count {
            return Err(Error::NoDevice { ordinal, count });
        }
        let start = |e| failed("starting the device", e, 0);
        let context = CudaContext::new(ordinal).map_err(start)?;
        let stream = context.new_stream().map_err(start)?;
        let (major, minor) = context.compute_capability().map_err(start)?;
        let pooled = context.has_async_alloc();
        let pool = pooled.then(|| Pool::new(ordinal)).transpose();
        let pool = pool.map_err(|e| failed("cuMemPoolCreate", e, 0))?;
        let name = context.name().map_err(start)?;
        Ok(Self {
            blas: Blas::default(),
            architecture: format!("sm_{major}{minor}"),
            context,
            stream,
            pool,
            name,
        })
    }

    /// The driver's calls are about the context that is current on the thread.
    fn bind(&self) -> Result<()> {
        self.context
            .bind_to_thread()
            .map_err(|e| failed("cuCtxSetCurrent", e, 0))
    }
}

/// What a failed call means: some errors leave the context unusable.
fn failed(call: &'static str, DriverError(code): DriverError, bytes: usize) -> Error {
    use CUresult::*;
    let message = || format!("{code:?}");
    match code {
        CUDA_ERROR_OUT_OF_MEMORY => Error::OutOfMemory { bytes },
        CUDA_ERROR_ILLEGAL_ADDRESS
        | CUDA_ERROR_LAUNCH_FAILED
        | CUDA_ERROR_LAUNCH_TIMEOUT
        | CUDA_ERROR_HARDWARE_STACK_ERROR
        | CUDA_ERROR_ILLEGAL_INSTRUCTION
        | CUDA_ERROR_MISALIGNED_ADDRESS
        | CUDA_ERROR_INVALID_ADDRESS_SPACE
        | CUDA_ERROR_INVALID_PC
        | CUDA_ERROR_ASSERT
        | CUDA_ERROR_ECC_UNCORRECTABLE
        | CUDA_ERROR_CONTEXT_IS_DESTROYED => Error::Lost {
            reason: format!("{call}: {}", message()),
        },
        _ => Error::Driver {
            call,
            message: message(),
        },
    }
}

impl Launch for Cuda {
    fn name(&self) -> String {
        format!("{} ({})", self.name, self.architecture)
    }

    fn target(&self) -> String {
        compiler::target(&self.architecture)
    }

    fn threads(&self) -> u32 {
        256
    }

    fn blocks(&self) -> u32 {
        1 << 16
    }

    fn allocate(&self, bytes: usize) -> Result<Address> {
        self.bind()?;
        // the driver refuses to allocate nothing
        let size = bytes.max(1);
        // SAFETY: the context is current, and the stream is its own
        let at = unsafe {
            match &self.pool {
                Some(pool) => pool.allocate(size, &self.stream),
                None => result::malloc_sync(size),
            }
        };
        at.map_err(|e| failed("cuMemAlloc", e, bytes))
    }

    unsafe fn free(&self, at: Address, _: usize) {
        // what cannot be freed is on a device that is lost
        let _ = self.bind().map(|()| {
            // SAFETY: allocated above, by the contract of the trait
            unsafe {
                match &self.pool {
                    Some(_) => result::free_async(at, self.stream.cu_stream()),
                    None => result::free_sync(at),
                }
            }
        });
    }

    unsafe fn zero(&self, at: Address, bytes: usize) -> Result<()> {
        self.bind()?;
        // SAFETY: by the contract of the trait
        unsafe { result::memset_d8_async(at, 0, bytes, self.stream.cu_stream()) }
            .map_err(|e| failed("cuMemsetD8Async", e, 0))
    }

    unsafe fn upload(&self, from: &[u8], to: Address) -> Result<()> {
        self.bind()?;
        // SAFETY: by the contract of the trait; from pageable memory the driver has taken its copy when the call returns
        unsafe { result::memcpy_htod_async(to, from, self.stream.cu_stream()) }
            .map_err(|e| failed("cuMemcpyHtoDAsync", e, 0))
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<()> {
        self.bind()?;
        // SAFETY: by the contract of the trait; `to` is not looked at before the stream has been waited for
        unsafe { result::memcpy_dtoh_async(to, from, self.stream.cu_stream()) }
            .map_err(|e| failed("cuMemcpyDtoHAsync", e, 0))?;
        self.synchronize()
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<()> {
        self.bind()?;
        // SAFETY: by the contract of the trait
        unsafe { result::memcpy_dtod_async(to, from, bytes, self.stream.cu_stream()) }
            .map_err(|e| failed("cuMemcpyDtoDAsync", e, 0))
    }

    fn compile(&self, source: &Source) -> Result<Vec<u8>> {
        let ptx = match &source.ptx {
            Some(ptx) => ptx.clone(),
            None => compile_ptx(source, &self.architecture)?,
        };
        Ok(ptx.into_bytes())
    }

    unsafe fn load(&self, image: &[u8], source: &Source) -> Result<Vec<Handle>> {
        self.bind()?;
        let image = CString::new(image).map_err(|_| Error::Compile {
            function: source.name.clone(),
            log: "PTX with a zero byte in it".into(),
        })?;
        let refused = |e: DriverError| Error::Compile {
            function: source.name.clone(),
            log: format!("the driver does not load its PTX: {:?}", e.0),
        };
        // SAFETY: the image is a text that ends with zero
        let module =
            unsafe { result::module::load_data(image.as_ptr().cast()) }.map_err(refused)?;
        // modules stay loaded: kernels are kept by their handles until the process ends
        let kernel = |name: &String| kernel(module, name).map_err(refused);
        source.kernels.iter().map(kernel).collect()
    }

    unsafe fn launch(
        &self,
        kernel: Handle,
        [gx, gy, gz]: Extent,
        [bx, by, bz]: Extent,
        arguments: &Arguments,
    ) -> Result<()> {
        self.bind()?;
        let pointers = arguments.pointers();
        let mut pointers: Vec<*mut c_void> =
            pointers.into_iter().map(|p| p.cast_mut().cast()).collect();
        // SAFETY: the handle is one of `load`'s, and the arguments fit, by the contract of the trait; the driver copies them
        let launched = unsafe {
            result::launch_kernel(
                kernel as CUfunction,
                (gx, gy, gz),
                (bx, by, bz),
                0,
                self.stream.cu_stream(),
                &mut pointers,
            )
        };
        launched.map_err(|e| failed("cuLaunchKernel", e, 0))
    }

    unsafe fn gemm(&self, gemm: &Gemm) -> Option<Result<()>> {
        // SAFETY: by the contract of the trait
        Some(
            self.bind()
                .and_then(|()| unsafe { self.blas.gemm(gemm, &self.stream) }),
        )
    }

    fn synchronize(&self) -> Result<()> {
        self.bind()?;
        // SAFETY: the stream lives as long as `self`
        unsafe { result::stream::synchronize(self.stream.cu_stream()) }
            .map_err(|e| failed("cuStreamSynchronize", e, 0))
    }

    #[cfg(feature = "nccl")]
    fn join(
        &self,
        comm: &coenzyme_collective::Comm,
    ) -> Result<std::rc::Rc<dyn crate::ranks::Link>> {
        crate::ranks::agreed(comm, self.bind())?;
        nccl::join(&self.context, &self.stream, comm)
    }
}

fn kernel(module: CUmodule, name: &str) -> std::result::Result<Handle, DriverError> {
    let name = CString::new(name).map_err(|_| DriverError(CUresult::CUDA_ERROR_NOT_FOUND))?;
    // SAFETY: the module was loaded a moment ago
    let function = unsafe { result::module::get_function(module, name) }?;
    Ok(function as Handle)
}
