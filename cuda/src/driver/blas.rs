//! Products of matrices by cuBLAS.

use std::sync::{Mutex, PoisonError};

use cudarc::cublas::result::{self, CublasError};
use cudarc::cublas::sys::{cublasHandle_t, cublasOperation_t};
use cudarc::driver::CudaStream;

use crate::error::{Error, Result};
use crate::launch::Gemm;

/// A handle of cuBLAS, made when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Blas(Mutex<Option<Library>>);

#[derive(Debug)]
struct Library(cublasHandle_t);

// SAFETY: a handle may move between threads; the lock keeps two from using it at once
unsafe impl Send for Library {}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: made by `create_handle`, destroyed once
        let _ = unsafe { result::destroy_handle(self.0) };
    }
}

fn failed(call: &'static str) -> impl Fn(CublasError) -> Error {
    move |error| Error::Driver {
        call,
        message: format!("{:?}", error.0),
    }
}

impl Library {
    fn new(stream: &CudaStream) -> Result<Self> {
        // SAFETY: loads the library and drops it again
        if !unsafe { cudarc::cublas::sys::is_culib_present() } {
            return Err(Error::Missing {
                what: "cuBLAS (libcublas), which multiplies matrices".into(),
            });
        }
        let library = Self(result::create_handle().map_err(failed("cublasCreate"))?);
        // SAFETY: handle and stream are of the current context
        unsafe { result::set_stream(library.0, stream.cu_stream().cast()) }
            .map_err(failed("cublasSetStream"))?;
        Ok(library)
    }
}

impl Blas {
    /// Makes the handle, so that what comes later cannot fail for want of it.
    ///
    /// # Safety
    /// The stream's context is current.
    pub(super) unsafe fn gemm(&self, gemm: &Gemm, stream: &CudaStream) -> Result<()> {
        let mut library = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let library = match &mut *library {
            Some(library) => library,
            none => none.insert(Library::new(stream)?),
        };
        if gemm.size.contains(&0) || gemm.batch == 0 {
            return Ok(());
        }
        // SAFETY: by the contract of `Launch`
        unsafe { multiply(library.0, gemm) }.map_err(failed("cublasGemmStridedBatched"))
    }
}

/// cuBLAS has matrices by columns: to it a row-major `C = A·B` is `Cᵀ = Bᵀ·Aᵀ`.
unsafe fn multiply(handle: cublasHandle_t, gemm: &Gemm) -> std::result::Result<(), CublasError> {
    let int = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let [m, n, k] = gemm.size.map(int);
    let operation = |transposed| match transposed {
        true => cublasOperation_t::CUBLAS_OP_T,
        false => cublasOperation_t::CUBLAS_OP_N,
    };
    let leading = |transposed, rows, columns| if transposed { rows } else { columns };
    let (a, b) = (gemm.a, gemm.b);
    let (lda, ldb) = (leading(a.1, m, k), leading(b.1, k, n));
    let [sa, sb, sc] = gemm.strides.map(|s| s as i64);
    let beta = f64::from(u8::from(gemm.accumulate));
    let batch = int(gemm.batch);
    let (ta, tb) = (operation(a.1), operation(b.1));
    // SAFETY: addresses, lengths and strides are those of the matrices, by the contract of `Launch`; the factors are on the host
    unsafe {
        if gemm.double {
            let (a, b, c) = (a.0 as *const f64, b.0 as *const f64, gemm.c as *mut f64);
            result::dgemm_strided_batched(
                handle, tb, ta, n, m, k, &1.0, b, ldb, sb, a, lda, sa, &beta, c, n, sc, batch,
            )
        } else {
            let (a, b, c) = (a.0 as *const f32, b.0 as *const f32, gemm.c as *mut f32);
            let beta = beta as f32;
            result::sgemm_strided_batched(
                handle, tb, ta, n, m, k, &1.0, b, ldb, sb, a, lda, sa, &beta, c, n, sc, batch,
            )
        }
    }
}
