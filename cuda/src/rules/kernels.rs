//! Kernels of a user, in CUDA C++ or PTX, with adjoints of the user.
//!
//! A [`Kernels`] says which kernel is the value, which the tangent and which the cotangent, and what is kept between the passes. They take
//!
//! ```text
//! value:     (Int n, const T* x, T* y, tape…)
//! tangent:   (Int n, const T* x, const T* y, const T* dx, T* dy, tape…)     assigns dy
//! cotangent: (Int n, const T* x, const T* y, const T* dy, T* dx, tape…)     adds to dx
//! ```
//!
//! with `n` entries of `x` and as many of `y`. `tape…` are arrays that the value's kernel writes and the other two read: intermediate results,
//! or what cannot be computed again, such as a ticket taken by an atomic addition. They are zero before. The text may use everything in
//! [`PRELUDE`](crate::source::PRELUDE), such as `EACH(i, n)` and `Dual`; names of kernels are `extern "C"`.

use std::marker::PhantomData;
use std::sync::Arc;

use coenzyme::{Inactive, primitive};
use ndarray::Dimension;

use super::class::{Unary, unary_rule};
use crate::array::DeviceArray;
use crate::device::{Device, Module};
use crate::element::Float;
use crate::error::{Error, Result};
use crate::launch::{Address, Arguments, Extent};
use crate::source::Source;

/// How many entries an array on the tape has, for an argument of `n` entries.
pub type TapeLength = fn(usize) -> usize;

/// Blocks, and threads of a block, for `n` entries.
pub type Grid = fn(usize) -> (Extent, Extent);

/// The kernels of a function of one array: see [`user()`].
#[derive(Clone, Debug)]
pub struct Kernels {
    value: Source,
    adjoints: Source,
    tangent: Option<String>,
    cotangent: Option<String>,
    tape: Vec<TapeLength>,
    grid: Option<Grid>,
}

impl Kernels {
    /// A text in CUDA C++, the name of which errors speak, and the kernel of the value.
    ///
    /// # Safety
    /// The kernels take the arguments that the module's table says, write nothing but `y`, the tape, `dy`, and by addition `dx`, and stay inside
    /// of the arrays.
    #[allow(unsafe_code)] // a contract with the author of a text that no compiler of ours checks
    pub unsafe fn new(name: &str, text: &str, value: &str) -> Self {
        Self {
            value: Source::new(name, text, &[value]),
            adjoints: Source::new(name, text, &[]),
            tangent: None,
            cotangent: None,
            tape: Vec::new(),
            grid: None,
        }
    }

    /// The kernel of the tangent. Without one, forward mode is an error.
    #[must_use]
    pub fn tangent(mut self, kernel: &str) -> Self {
        self.tangent = Some(kernel.into());
        self.adjoints.kernels.push(kernel.into());
        self
    }

    /// The kernel of the cotangent. Without one, reverse mode is an error.
    #[must_use]
    pub fn cotangent(mut self, kernel: &str) -> Self {
        self.cotangent = Some(kernel.into());
        self.adjoints.kernels.push(kernel.into());
        self
    }

    /// One more array on the tape, with as many entries as this says for `n`.
    #[must_use]
    pub fn keeps(mut self, length: TapeLength) -> Self {
        self.tape.push(length);
        self
    }

    /// Another grid than a thread for each entry, or fewer that go on with the next.
    #[must_use]
    pub fn grid(mut self, grid: Grid) -> Self {
        self.grid = Some(grid);
        self
    }

    /// The value's kernel is this PTX; the kernel of the same name in the text is its twin for the emulation.
    #[must_use]
    pub fn ptx(mut self, ptx: &str) -> Self {
        self.value.ptx = Some(ptx.into());
        self
    }

    /// The texts: that of the value, and that of the adjoints.
    pub fn sources(&self) -> [&Source; 2] {
        [&self.value, &self.adjoints]
    }

    fn run(
        &self,
        device: &Device,
        module: &Arc<Module>,
        kernel: &str,
        n: usize,
        addresses: impl Iterator<Item = Address>,
    ) -> Result<()> {
        let arguments = addresses.fold(Arguments::new().int(n), Arguments::address);
        match self.grid {
            _ if n == 0 => device.usable(),
            None => device.each(module, kernel, n, arguments),
            Some(grid) => {
                let (blocks, threads) = grid(n);
                device.grid(module, kernel, blocks, threads, &arguments)
            }
        }
    }

    fn missing(&self, what: &str) -> Error {
        Error::Missing {
            what: format!("a kernel of the {what} of `{}`", self.value.name),
        }
    }
}

/// A function of one array by kernels of yours; the result has the shape of `x`. The derivatives are what your kernels say: judge them with
/// `test_rule!`, as any rule.
///
/// ```
/// use coenzyme::{Inactive, gradient, differentiable};
/// use coenzyme_cuda::rules::{Kernels, sum, user};
/// use coenzyme_cuda::{Device, DeviceArray};
/// use ndarray::array;
///
/// const SAXPY: &str = r#"
/// extern "C" __global__ void line(Int n, const double* x, double* y) { EACH(i, n) y[i] = 3 * x[i] + 1; }
/// extern "C" __global__ void line_vjp(Int n, const double*, const double*, const double* dy, double* dx) {
///     EACH(i, n) dx[i] += 3 * dy[i];
/// }"#;
///
/// #[differentiable]
/// fn total(x: &DeviceArray<f64>, line: Inactive<Kernels>) -> coenzyme_cuda::Result<f64> {
///     let y = user(x, line)?;
///     let total = sum(&y)?;
///     Ok(total)
/// }
///
/// # let Ok(device) = Device::emulated() else { println!("skipped: no C++ compiler"); return Ok(()) };
/// let x = device.array(&array![1.0, 2.0])?;
/// // SAFETY: they take what the table says, and stay below n
/// let line = unsafe { Kernels::new("line", SAXPY, "line") }.cotangent("line_vjp");
/// let (dx, ()) = gradient!(total, &x, coenzyme::Const(Inactive(line)))?;
/// assert_eq!(dx.to_host()?, array![3.0, 3.0]);
/// # Ok::<(), coenzyme_cuda::Error>(())
/// ```
///
/// # Errors
/// If the text does not compile, a kernel that is asked for is missing, the device has no memory left, or is lost.
#[primitive]
pub fn user<T: Float, D: Dimension + 'static>(
    x: &DeviceArray<T, D>,
    kernels: Inactive<Kernels>,
) -> Result<DeviceArray<T, D>> {
    Ok(User::value(x, &(kernels,))?.0)
}

/// The class of [`user()`].
pub struct User<T, D>(PhantomData<(T, D)>);

/// What the adjoints of [`user()`] read: the value, and the arrays on the tape.
pub struct UserTape<T: Float, D: Dimension> {
    y: DeviceArray<T, D>,
    tape: Vec<DeviceArray<T>>,
}

impl<T: Float, D: Dimension> UserTape<T, D> {
    fn addresses(&self) -> impl Iterator<Item = Address> {
        self.tape.iter().map(DeviceArray::address)
    }
}

impl<T: Float, D: Dimension + 'static> Unary for User<T, D> {
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = (Inactive<Kernels>,);
    type Residual = UserTape<T, D>;

    const READS_X: bool = true;

    fn prepare(x: &Self::X, (Inactive(kernels),): &Self::Attrs) -> Result<()> {
        if kernels.cotangent.is_none() {
            return Err(kernels.missing("cotangent"));
        }
        x.device().module(&kernels.adjoints).map(drop)
    }

    fn value(
        x: &Self::X,
        (Inactive(kernels),): &Self::Attrs,
    ) -> Result<(Self::Out, Self::Residual)> {
        let device = x.device();
        let module = device.module(&kernels.value)?;
        let y = DeviceArray::unset(device, x.raw_dim())?;
        let n = x.len();
        let kept = |length: &TapeLength| device.zeros(ndarray::Dim(length(n)));
        let tape = kernels.tape.iter().map(kept).collect::<Result<Vec<_>>>()?;
        let residual = UserTape { y: y.clone(), tape };
        let addresses = [x.address(), y.address()].into_iter();
        let addresses = addresses.chain(residual.addresses());
        kernels.run(device, &module, &kernels.value.kernels[0], n, addresses)?;
        Ok((y, residual))
    }

    fn pushforward(
        x: &Self::X,
        residual: &Self::Residual,
        dx: &Self::X,
        (Inactive(kernels),): &Self::Attrs,
    ) -> Result<Self::Out> {
        let tangent = kernels.tangent.as_ref();
        let tangent = tangent.ok_or_else(|| kernels.missing("tangent"))?;
        let device = x.device();
        let module = device.module(&kernels.adjoints)?;
        let dy = DeviceArray::unset(device, x.raw_dim())?;
        let addresses = [
            x.address(),
            residual.y.address(),
            dx.address(),
            dy.address(),
        ];
        let addresses = addresses.into_iter().chain(residual.addresses());
        kernels.run(device, &module, tangent, x.len(), addresses)?;
        Ok(dy)
    }

    fn pullback(
        x: Option<&Self::X>,
        residual: &Self::Residual,
        dy: &Self::Out,
        dx: &mut Self::X,
        (Inactive(kernels),): &Self::Attrs,
    ) -> Result<()> {
        let cotangent = kernels.cotangent.as_ref();
        let cotangent = cotangent.ok_or_else(|| kernels.missing("cotangent"))?;
        let device = dy.device();
        let module = device.module(&kernels.adjoints)?;
        let x = x.map_or(0, DeviceArray::address);
        let addresses = [x, residual.y.address(), dy.address(), dx.shadow()];
        let addresses = addresses.into_iter().chain(residual.addresses());
        kernels.run(device, &module, cotangent, dy.len(), addresses)
    }
}

unary_rule!(user[T: Float, D: Dimension + 'static](x: DeviceArray<T, D>, kernels: Inactive<Kernels>) = User<T, D>);
