//! A device: a machine with its compiled kernels, its counters, and its first failure.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use coenzyme_collective::Comm;
use ndarray::{Array, Dimension};

use crate::array::DeviceArray;
use crate::cache::Cache;
use crate::driver::Cuda;
use crate::element::Element;
use crate::emulated::Emulated;
use crate::error::{Error, Result};
use crate::launch::{Address, Arguments, Extent, Gemm, Handle, Launch};
use crate::library;
use crate::ranks::{Link, agreed};
use crate::source::Source;

/// Where arrays lie and kernels run. Clones are the same device.
///
/// ```
/// use coenzyme_cuda::Device;
/// use ndarray::array;
///
/// # if Device::emulated().is_err() { println!("skipped: no C++ compiler"); return Ok(()) }
/// // a card if there is one, else its emulation
/// let device = Device::cuda(0).or_else(|_| Device::emulated())?;
/// let x = device.array(&array![1.0, 2.0])?;
/// assert_eq!(x.to_host()?, array![1.0, 2.0]);
/// # Ok::<(), coenzyme_cuda::Error>(())
/// ```
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    machine: Box<dyn Launch>,
    target: String,
    cache: Cache,
    /// By the names of their texts.
    modules: Mutex<HashMap<String, Vec<Loaded>>>,
    /// Texts that are made of types, by those: they are printed once.
    printed: Mutex<HashMap<(TypeId, usize), Arc<Module>>>,
    counts: Counters,
    lost: OnceLock<String>,
}

/// A text, and its kernels.
type Loaded = (Source, Arc<Module>);

#[derive(Default)]
struct Counters {
    launches: AtomicUsize,
    synchronizations: AtomicUsize,
    uploads: AtomicUsize,
    compilations: AtomicUsize,
    allocated: AtomicUsize,
}

/// What a device has done since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Kernels launched, products of matrices included.
    pub launches: usize,
    /// How often the host has waited, each copy to the host included.
    pub synchronizations: usize,
    /// Copies from the host.
    pub uploads: usize,
    /// Texts compiled, which were in no cache.
    pub compilations: usize,
    /// Bytes in use now.
    pub allocated: usize,
}

/// Kernels that a device has loaded.
#[derive(Debug)]
pub struct Module {
    name: String,
    kernels: HashMap<String, Handle>,
}

impl Module {
    /// **Panics** if the text has no kernel of this name.
    fn kernel(&self, name: &str) -> Handle {
        match self.kernels.get(name) {
            Some(handle) => *handle,
            None => panic!("no kernel `{name}` in `{}`", self.name),
        }
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.name())
    }
}

/// The same device, not two alike.
impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Device {
    /// The card of this number, with a stream of its own: calls on one device run in order, those on two devices of one card at the same time. An array
    /// goes from one to the other by [`to_device`](DeviceArray::to_device), which waits for the first.
    ///
    /// # Errors
    /// [`Error::Missing`] without a driver, [`Error::NoDevice`] if it knows no such card.
    pub fn cuda(ordinal: usize) -> Result<Self> {
        Ok(Self::new(Cuda::new(ordinal)?))
    }

    /// The emulation of a card, which needs a C++ compiler. It is not fast: it is for tests, and for people without a GPU.
    ///
    /// # Errors
    /// [`Error::Missing`] if there is no C++ compiler.
    pub fn emulated() -> Result<Self> {
        Ok(Self::new(Emulated::new()?))
    }

    /// A machine of yours, or one with options. Compiled kernels are kept in the user's cache folder, or where
    /// `COENZYME_KERNEL_CACHE` says.
    pub fn new(machine: impl Launch + 'static) -> Self {
        Self::with_cache(machine, Cache::of_user())
    }

    /// The same with compiled kernels in this folder.
    pub fn new_with_cache(machine: impl Launch + 'static, folder: &Path) -> Self {
        Self::with_cache(machine, Cache::at(folder))
    }

    fn with_cache(machine: impl Launch + 'static, cache: Cache) -> Self {
        Self(Arc::new(Inner {
            target: machine.target(),
            machine: Box::new(machine),
            cache,
            modules: Mutex::default(),
            printed: Mutex::default(),
            counts: Counters::default(),
            lost: OnceLock::new(),
        }))
    }

    /// The name that a person knows it by.
    pub fn name(&self) -> String {
        self.0.machine.name()
    }

    /// What the device has done so far.
    pub fn counts(&self) -> Counts {
        let counts = &self.0.counts;
        Counts {
            launches: counts.launches.load(Ordering::Relaxed),
            synchronizations: counts.synchronizations.load(Ordering::Relaxed),
            uploads: counts.uploads.load(Ordering::Relaxed),
            compilations: counts.compilations.load(Ordering::Relaxed),
            allocated: counts.allocated.load(Ordering::Relaxed),
        }
    }

    /// Copies an array to the device.
    ///
    /// # Errors
    /// If the device has no memory left, or is lost.
    pub fn array<T: Element, D: Dimension>(&self, host: &Array<T, D>) -> Result<DeviceArray<T, D>> {
        let values: Vec<T> = host.iter().copied().collect();
        DeviceArray::from_values(self, host.raw_dim(), &values)
    }

    /// An array of zeros.
    ///
    /// # Errors
    /// If the device has no memory left, or is lost.
    pub fn zeros<T: Element, D: Dimension>(&self, shape: D) -> Result<DeviceArray<T, D>> {
        DeviceArray::zeros(self, shape)
    }

    /// Waits for all that was enqueued.
    ///
    /// # Errors
    /// If the device is lost: also by a kernel that failed since the last time.
    pub fn synchronize(&self) -> Result<()> {
        self.0
            .counts
            .synchronizations
            .fetch_add(1, Ordering::Relaxed);
        self.usable()?;
        self.watch(self.0.machine.synchronize())
    }

    /// An error if the device is lost.
    pub(crate) fn usable(&self) -> Result<()> {
        match self.0.lost.get() {
            None => Ok(()),
            Some(reason) => Err(Error::Lost {
                reason: reason.clone(),
            }),
        }
    }

    /// Notes the failure after which nothing can be used any more.
    pub(crate) fn watch<T>(&self, result: Result<T>) -> Result<T> {
        if let Err(Error::Lost { reason }) = &result {
            let _ = self.0.lost.set(reason.clone());
        }
        result
    }

    /// For a reverse pass, which cannot fail: what fails there makes the device lost, and the next call that can fail says so.
    pub(crate) fn must(&self, result: Result<()>) {
        if let Err(error) = result {
            let _ = self.0.lost.set(format!("in a reverse pass: {error}"));
        }
    }
}

/// What arrays and rules do with a device.
#[allow(unsafe_code)] // addresses are those of `Memory`, which is alive and long enough
impl Device {
    pub(crate) fn allocate(&self, bytes: usize) -> Result<Address> {
        self.usable()?;
        let at = self.watch(self.0.machine.allocate(bytes))?;
        self.0.counts.allocated.fetch_add(bytes, Ordering::Relaxed);
        Ok(at)
    }

    /// The memory is not used again.
    pub(crate) fn free(&self, at: Address, bytes: usize) {
        self.0.counts.allocated.fetch_sub(bytes, Ordering::Relaxed);
        // SAFETY: `Memory` frees what it allocated, once
        unsafe { self.0.machine.free(at, bytes) }
    }

    pub(crate) fn zero(&self, at: Address, bytes: usize) -> Result<()> {
        self.usable()?;
        // SAFETY: a part of memory that is alive
        self.watch(unsafe { self.0.machine.zero(at, bytes) })
    }

    pub(crate) fn upload(&self, from: &[u8], to: Address) -> Result<()> {
        self.usable()?;
        self.0.counts.uploads.fetch_add(1, Ordering::Relaxed);
        // SAFETY: a part of memory that is alive
        self.watch(unsafe { self.0.machine.upload(from, to) })
    }

    pub(crate) fn download(&self, from: Address, to: &mut [u8]) -> Result<()> {
        self.usable()?;
        let synchronizations = &self.0.counts.synchronizations;
        synchronizations.fetch_add(1, Ordering::Relaxed);
        // SAFETY: a part of memory that is alive
        self.watch(unsafe { self.0.machine.download(from, to) })
    }

    pub(crate) fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<()> {
        self.usable()?;
        // SAFETY: parts of memory that is alive
        self.watch(unsafe { self.0.machine.copy(from, to, bytes) })
    }

    /// Compiles and loads, unless that has been done before: a known text is found by its name and compared, and not hashed.
    pub(crate) fn module(&self, source: &Source) -> Result<Arc<Module>> {
        self.usable()?;
        let inner = &*self.0;
        let mut modules = inner.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = modules.get(&source.name).into_iter().flatten();
        if let Some((_, module)) = known.find(|(known, _)| known == source) {
            return Ok(Arc::clone(module));
        }
        // SAFETY: compiled from this source for this machine
        let load = |image: &[u8]| unsafe { inner.machine.load(image, source) };
        let cached = inner.cache.read(source, &inner.target);
        // what does not load is a damaged file
        let loaded = match cached.map(|image| load(&image)) {
            Some(Ok(handles)) => Ok(handles),
            Some(Err(lost @ Error::Lost { .. })) => Err(lost),
            _ => {
                let image = inner.machine.compile(source)?;
                inner.counts.compilations.fetch_add(1, Ordering::Relaxed);
                inner.cache.write(source, &inner.target, &image);
                load(&image)
            }
        };
        let handles = self.watch(loaded)?;
        let module = Arc::new(Module {
            name: source.name.clone(),
            kernels: source.kernels.iter().cloned().zip(handles).collect(),
        });
        let known = modules.entry(source.name.clone()).or_default();
        known.push((source.clone(), Arc::clone(&module)));
        Ok(module)
    }

    /// The kernels of this crate for one kind of number.
    pub(crate) fn library<T: Element>(&self) -> Result<Arc<Module>> {
        self.printed::<T>(0, library::source::<T>)
    }

    /// The kernels whose text depends on a type and a number, and on nothing else.
    pub(crate) fn printed<T: 'static>(
        &self,
        arity: usize,
        print: impl FnOnce() -> Source,
    ) -> Result<Arc<Module>> {
        self.usable()?;
        let printed = &self.0.printed;
        let known = || printed.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (TypeId::of::<T>(), arity);
        if let Some(module) = known().get(&key) {
            return Ok(Arc::clone(module));
        }
        let module = self.module(&print())?;
        known().insert(key, Arc::clone(&module));
        Ok(module)
    }

    /// Makes a way to the devices of other ranks.
    pub(crate) fn join(&self, comm: &Comm) -> Result<Rc<dyn Link>> {
        agreed(comm, self.usable())?;
        self.watch(self.0.machine.join(comm))
    }

    /// Runs a kernel with a thread for each of `n` entries, or fewer that go on with the next.
    pub(crate) fn each(
        &self,
        module: &Module,
        kernel: &str,
        n: usize,
        arguments: Arguments,
    ) -> Result<()> {
        let threads = self.0.machine.threads() as usize;
        self.rows(module, kernel, n.div_ceil(threads), threads, arguments)
    }

    /// Runs a kernel with a block for each of `n` rows, or fewer that go on with the next; a block has at least `wanted` threads, if the
    /// machine has as many, and a power of two of them.
    pub(crate) fn rows(
        &self,
        module: &Module,
        kernel: &str,
        n: usize,
        wanted: usize,
        arguments: Arguments,
    ) -> Result<()> {
        let blocks = n.min(self.0.machine.blocks() as usize);
        let most = self.0.machine.threads();
        let threads = match u32::try_from(wanted) {
            Ok(wanted) if wanted < most => wanted.next_power_of_two().max(32),
            _ => most,
        };
        match blocks {
            0 => self.usable(),
            _ => self.grid(
                module,
                kernel,
                [blocks as u32, 1, 1],
                [threads, 1, 1],
                &arguments,
            ),
        }
    }

    /// Runs a kernel on this grid.
    pub(crate) fn grid(
        &self,
        module: &Module,
        kernel: &str,
        blocks: Extent,
        threads: Extent,
        arguments: &Arguments,
    ) -> Result<()> {
        self.usable()?;
        self.0.counts.launches.fetch_add(1, Ordering::Relaxed);
        let handle = module.kernel(kernel);
        // SAFETY: every caller passes what the kernel's text takes
        self.watch(unsafe { self.0.machine.launch(handle, blocks, threads, arguments) })
    }

    /// Multiplies by the machine's library, or else by the kernel of this crate.
    pub(crate) fn gemm(&self, module: &Module, gemm: &Gemm) -> Result<()> {
        self.usable()?;
        // SAFETY: every caller passes matrices that are alive
        if let Some(result) = unsafe { self.0.machine.gemm(gemm) } {
            self.0.counts.launches.fetch_add(1, Ordering::Relaxed);
            return self.watch(result);
        }
        let [m, n, k] = gemm.size;
        let steps = |transposed, rows, columns| match transposed {
            true => [1, rows],
            false => [columns, 1],
        };
        let (a, b) = (steps(gemm.a.1, m, k), steps(gemm.b.1, k, n));
        let mut arguments = Arguments::new();
        for value in [gemm.batch, m, n, k] {
            arguments = arguments.int(value);
        }
        for (at, [row, column], stride) in [
            (gemm.a.0, a, gemm.strides[0]),
            (gemm.b.0, b, gemm.strides[1]),
        ] {
            arguments = arguments.address(at).int(row).int(column).int(stride);
        }
        arguments = arguments.address(gemm.c).int(gemm.strides[2]);
        let arguments = arguments.int(usize::from(gemm.accumulate));
        self.each(module, "gemm", gemm.batch * m * n, arguments)
    }
}
