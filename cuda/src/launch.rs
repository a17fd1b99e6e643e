//! What a machine must do for the rules: the one trait between them.

use std::fmt::Debug;
use std::rc::Rc;

use coenzyme_collective::Comm;

use crate::error::{Error, Result};
use crate::ranks::{Link, agreed};
use crate::source::Source;

/// An address in a device's memory.
pub type Address = u64;

/// A kernel that a machine has loaded.
pub type Handle = u64;

/// Blocks of a grid, or threads of a block, in each direction.
pub type Extent = [u32; 3];

/// The arguments of a kernel, in order, each as bytes in the layout of C.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    words: Vec<u64>,
    starts: Vec<usize>,
}

impl Arguments {
    /// No arguments.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an argument of these words: an address, a 64-bit integer, a structure of such. A number that is shorter stands in the
    /// first bytes of its word.
    pub fn words(mut self, words: &[u64]) -> Self {
        self.starts.push(self.words.len());
        self.words.extend_from_slice(words);
        self
    }

    /// Adds an address.
    pub fn address(self, address: Address) -> Self {
        self.words(&[address])
    }

    /// Adds a `long long`.
    pub fn int(self, value: usize) -> Self {
        self.words(&[value as u64])
    }

    /// Where each argument lies, as `cuLaunchKernel` takes them.
    pub fn pointers(&self) -> Vec<*const u64> {
        let start = |&at: &usize| self.words[at..].as_ptr();
        self.starts.iter().map(start).collect()
    }
}

/// One product `C ← A·B + beta·C` of a batch of row-major matrices: `A` is `(m, k)`, `B` `(k, n)`, `C` `(m, n)`.
#[derive(Clone, Copy, Debug)]
pub struct Gemm {
    /// The kind of number.
    pub double: bool,
    /// Rows of `C`, columns of `C`, and the length of the sums.
    pub size: [usize; 3],
    /// How many products.
    pub batch: usize,
    /// `A`, and whether it lies there transposed, as `(k, m)`.
    pub a: (Address, bool),
    /// `B`, and whether it lies there transposed, as `(n, k)`.
    pub b: (Address, bool),
    /// `C`.
    pub c: Address,
    /// How many numbers lie between the matrices of a batch, in `A`, `B` and `C`: zero for one matrix that all share.
    pub strides: [usize; 3],
    /// Whether the product is added to `C`.
    pub accumulate: bool,
}

/// A machine that runs kernels: a card, or its emulation.
///
/// Calls are enqueued in order; only [`download`](Self::download) and [`synchronize`](Self::synchronize) wait.
///
/// # Safety
/// Methods that take addresses are called with those of memory that this machine allocated and has not freed, of at least the length
/// in use; [`launch`](Self::launch) with arguments that fit the kernel.
#[allow(clippy::missing_safety_doc, unsafe_code)] // stated once, above
pub trait Launch: Debug + Send + Sync {
    /// The name that a person knows the machine by.
    fn name(&self) -> String;

    /// What a compiled kernel depends on besides its text: architecture, compiler, options. A part of the key of the cache.
    fn target(&self) -> String;

    /// How many threads a block of the library's kernels has: a power of two, at most 256.
    fn threads(&self) -> u32;

    /// The largest grid of the library's kernels, whose threads go on with the next entry.
    fn blocks(&self) -> u32;

    /// Reserves memory.
    fn allocate(&self, bytes: usize) -> Result<Address>;

    /// Returns memory, after all that was enqueued before.
    unsafe fn free(&self, at: Address, bytes: usize);

    /// Sets bytes to zero.
    unsafe fn zero(&self, at: Address, bytes: usize) -> Result<()>;

    /// Copies from the host, which may change `from` as soon as the call returns.
    unsafe fn upload(&self, from: &[u8], to: Address) -> Result<()>;

    /// Copies to the host, and waits for it.
    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<()>;

    /// Copies inside the device.
    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<()>;

    /// Compiles a text to what [`load`](Self::load) takes.
    fn compile(&self, source: &Source) -> Result<Vec<u8>>;

    /// Loads what was compiled: the kernels, in the order of their names.
    unsafe fn load(&self, image: &[u8], source: &Source) -> Result<Vec<Handle>>;

    /// Enqueues a kernel.
    unsafe fn launch(
        &self,
        kernel: Handle,
        blocks: Extent,
        threads: Extent,
        arguments: &Arguments,
    ) -> Result<()>;

    /// Multiplies matrices by the machine's library; `None` if it has none.
    unsafe fn gemm(&self, gemm: &Gemm) -> Option<Result<()>>;

    /// Waits for all that is enqueued.
    fn synchronize(&self) -> Result<()>;

    /// Makes a way to the devices of other ranks, by the machine's library. All ranks of `comm` call it, and it fails on all or on none.
    fn join(&self, comm: &Comm) -> Result<Rc<dyn Link>> {
        let what = format!(
            "NCCL: {} has none, data can go by way of the hosts",
            self.name()
        );
        agreed(comm, Err(Error::Missing { what }))
    }
}
