//! A machine without a card: the same kernel texts, built by the system's C++ compiler and run by one thread.
//!
//! For tests, and for people without a GPU. It is not fast. A kernel may use blocks and threads in three directions, shared memory of
//! fixed size, `__syncthreads`, atomics and the mathematical functions; not the instructions of a warp.
#![allow(unsafe_code)] // memory by address, and libraries that were compiled a moment ago

mod compiler;

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, ptr};

use libloading::Library;

use crate::error::{Error, Result};
use crate::launch::{Address, Arguments, Extent, Gemm, Handle, Launch};
use crate::source::Source;
use compiler::{Compiler, Scratch, world};

/// What the shim exports for each kernel.
type Entry = unsafe extern "C" fn(*const u32, *const u32, *const *const u64) -> i32;

/// The emulation of a device.
#[derive(Debug)]
pub struct Emulated {
    compiler: Compiler,
    memory: usize,
    used: AtomicUsize,
    kernels: Mutex<Vec<Entry>>,
    /// Loaded libraries; the lock is held while one of their kernels runs.
    libraries: Mutex<Vec<Library>>,
}

impl Emulated {
    /// A device with 64 GiB of memory, none of which is reserved before it is asked for.
    ///
    /// # Errors
    /// [`Error::Missing`] if there is no C++ compiler.
    pub fn new() -> Result<Self> {
        Ok(Self {
            compiler: Compiler::find()?,
            memory: 64 << 30,
            used: AtomicUsize::new(0),
            kernels: Mutex::default(),
            libraries: Mutex::default(),
        })
    }

    /// The same with as much memory: to see what a program does when there is no more.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }
}

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes.max(1), 256).expect("a length that was allocated before")
}

impl Launch for Emulated {
    fn name(&self) -> String {
        format!("emulation by {}", self.compiler.version())
    }

    fn target(&self) -> String {
        self.compiler.target()
    }

    fn threads(&self) -> u32 {
        32
    }

    fn blocks(&self) -> u32 {
        64
    }

    fn allocate(&self, bytes: usize) -> Result<Address> {
        let full = Error::OutOfMemory { bytes };
        let take = |used: usize| used.checked_add(bytes).filter(|used| *used <= self.memory);
        self.used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .map_err(|_| full.clone())?;
        // SAFETY: the layout is not empty
        let at = unsafe { alloc(layout(bytes)) };
        match at.is_null() {
            true => Err(full),
            false => Ok(at as Address),
        }
    }

    unsafe fn free(&self, at: Address, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
        // SAFETY: allocated above with this layout, by the contract of the trait
        unsafe { dealloc(at as *mut u8, layout(bytes)) }
    }

    unsafe fn zero(&self, at: Address, bytes: usize) -> Result<()> {
        // SAFETY: by the contract of the trait
        unsafe { ptr::write_bytes(at as *mut u8, 0, bytes) };
        Ok(())
    }

    unsafe fn upload(&self, from: &[u8], to: Address) -> Result<()> {
        // SAFETY: by the contract of the trait
        unsafe { ptr::copy_nonoverlapping(from.as_ptr(), to as *mut u8, from.len()) };
        Ok(())
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<()> {
        // SAFETY: by the contract of the trait
        unsafe { ptr::copy_nonoverlapping(from as *const u8, to.as_mut_ptr(), to.len()) };
        Ok(())
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<()> {
        // SAFETY: by the contract of the trait
        unsafe { ptr::copy(from as *const u8, to as *mut u8, bytes) };
        Ok(())
    }

    fn compile(&self, source: &Source) -> Result<Vec<u8>> {
        self.compiler.compile(source)
    }

    unsafe fn load(&self, image: &[u8], source: &Source) -> Result<Vec<Handle>> {
        let folder = Scratch::new()?;
        let path = folder.path("kernels.so");
        fs::write(&path, image).map_err(|e| world("writing a kernel", &e))?;
        // SAFETY: the library was made by `compile`; it has no constructors but those of the standard library
        let library = unsafe { Library::new(&path) }.map_err(|e| world("loading a kernel", &e))?;
        let mut libraries = lock(&self.libraries);
        let mut kernels = lock(&self.kernels);
        let mut entries = Vec::with_capacity(source.kernels.len());
        for name in &source.kernels {
            // SAFETY: `compile` exports this symbol with this type
            let entry = unsafe { library.get::<Entry>(format!("emulated_{name}\0").as_bytes()) }
                .map_err(|e| world("looking for a kernel", &e))?;
            entries.push(*entry);
        }
        let handles = kernels.len()..kernels.len() + entries.len();
        kernels.extend(entries);
        libraries.push(library);
        Ok(handles.map(|handle| handle as Handle).collect())
    }

    unsafe fn launch(
        &self,
        kernel: Handle,
        blocks: Extent,
        threads: Extent,
        arguments: &Arguments,
    ) -> Result<()> {
        let entry = lock(&self.kernels)[kernel as usize];
        let _one_at_a_time = lock(&self.libraries);
        let pointers = arguments.pointers();
        // SAFETY: the arguments fit the kernel, by the contract of the trait; the shim only reads the three arrays
        let trapped = unsafe { entry(blocks.as_ptr(), threads.as_ptr(), pointers.as_ptr()) };
        match trapped {
            0 => Ok(()),
            _ => Err(Error::Lost {
                reason: "a kernel called __trap()".into(),
            }),
        }
    }

    unsafe fn gemm(&self, _: &Gemm) -> Option<Result<()>> {
        None
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }
}

/// What is behind the lock; a panic elsewhere leaves nothing half written there.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The layout of `void**` is that of the pointers which a launch passes.
const _: () = assert!(size_of::<*const u64>() == size_of::<*mut c_void>());
