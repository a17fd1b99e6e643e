//! The kernels that more than one rule uses.

use std::ops::Range;

use ndarray::Dimension;

use crate::array::DeviceArray;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::launch::{Address, Arguments};

/// How many blocks at most sum the entries of one long array: as many numbers are summed after that.
const SUMMANDS: usize = 1 << 12;

/// How many partial sums a reverse pass of a map makes at most, which are summed without memory of their own.
pub(crate) const PARTIAL_SUMS: usize = 1 << 17;

/// Rows of so few entries are the work of one thread each.
const SHORT: usize = 32;

/// So few rows leave a card idle unless their blocks are large.
const FEW: usize = 1 << 10;

/// Rows of so many entries have blocks that keep more of them in registers.
const LONG: usize = 1 << 12;

/// So many rows keep a card busy with one thread each.
const MANY: usize = 1 << 17;

/// How many rows share a block if their entries lie apart: the lanes of `_columns`.
const LANES: usize = 16;

/// `y ← y + a·x`, in a pass that cannot fail. The shapes are equal.
pub(crate) fn axpy<T: Element, D: Dimension>(
    a: T,
    x: &DeviceArray<T, D>,
    y: &mut DeviceArray<T, D>,
) {
    let to = y.shadow();
    y.device()
        .must(axpy_at(y.device(), y.len(), a, x.address(), to));
}

/// `y ← y + a·x` for `n` entries.
pub(crate) fn axpy_at<T: Element>(
    device: &Device,
    n: usize,
    a: T,
    x: Address,
    y: Address,
) -> Result<()> {
    let arguments = Arguments::new().int(n).words(&[a.word()]);
    let arguments = arguments.address(x).address(y);
    device.each(&*device.library::<T>()?, "axpy", n, arguments)
}

/// `y ← a·y`, in a pass that cannot fail.
pub(crate) fn scale<T: Element, D: Dimension>(a: T, y: &mut DeviceArray<T, D>) {
    let (at, n, device) = (y.shadow(), y.len(), y.device());
    let arguments = Arguments::new().int(n).words(&[a.word()]);
    let arguments = arguments.address(at).address(at);
    let module = device.library::<T>();
    device.must(module.and_then(|m| device.each(&m, "scaled", n, arguments)));
}

/// `Σ x·y` on the host. Waits for the device.
pub(crate) fn dot<T: Element, D: Dimension>(
    x: &DeviceArray<T, D>,
    y: &DeviceArray<T, D>,
) -> Result<T> {
    x.same_device(y)?;
    number(&total(x, Some(y))?)
}

/// The number that an array of one entry holds. Waits for the device.
pub(crate) fn number<T: Element, D: Dimension>(x: &DeviceArray<T, D>) -> Result<T> {
    Ok(x.values()?[0])
}

/// `Σ x`, or `Σ x·y`, on the device: always in the same order.
pub(crate) fn total<T: Element, D: Dimension>(
    x: &DeviceArray<T, D>,
    y: Option<&DeviceArray<T, D>>,
) -> Result<DeviceArray<T, ndarray::Ix0>> {
    fold("partial_sums", x, y)
}

/// Whether all entries are zero. Waits for the device; `false` if it cannot say.
pub(crate) fn vanishes<T: Element, D: Dimension>(x: &DeviceArray<T, D>) -> bool {
    let count = fold("partial_counts", x, None).and_then(|count| number(&count));
    count.is_ok_and(|count| count == T::default())
}

/// The sum of what a kernel finds in the entries of each block.
fn fold<T: Element, D: Dimension>(
    kernel: &str,
    x: &DeviceArray<T, D>,
    y: Option<&DeviceArray<T, D>>,
) -> Result<DeviceArray<T, ndarray::Ix0>> {
    let (device, n) = (x.device(), x.len());
    let module = device.library::<T>()?;
    let blocks = n.div_ceil(1 << 12).clamp(1, SUMMANDS);
    let partials = DeviceArray::<T>::unset(device, blocks)?;
    let out = DeviceArray::unset(device, ())?;
    let arguments = Arguments::new().int(n).int(blocks).address(x.address());
    let arguments = arguments.address(y.map_or(0, DeviceArray::address));
    let arguments = arguments.address(partials.address());
    device.rows(&module, kernel, blocks, usize::MAX, arguments)?;
    let rows = Rows::of(&[blocks], 0..1);
    let one = T::narrow(1.0);
    rows.sum(device, one, partials.address(), out.address(), false)?;
    Ok(out)
}

/// An array around the axes that a kernel works along: `outer` times `inner` rows of `n` entries, which lie `inner` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) outer: usize,
    pub(crate) n: usize,
    pub(crate) inner: usize,
}

impl Rows {
    /// Around these axes of a shape.
    pub(crate) fn of(shape: &[usize], axes: Range<usize>) -> Self {
        Self {
            outer: shape[..axes.start].iter().product(),
            n: shape[axes.clone()].iter().product(),
            inner: shape[axes.end..].iter().product(),
        }
    }

    /// Around one axis.
    pub(crate) fn along(function: &'static str, shape: &[usize], axis: usize) -> Result<Self> {
        let none = || {
            Error::shape(
                function,
                format_args!("an axis below {}", shape.len()),
                axis,
            )
        };
        (axis < shape.len())
            .then(|| Self::of(shape, axis..axis + 1))
            .ok_or_else(none)
    }

    pub(crate) fn arguments(&self) -> Arguments {
        Arguments::new().int(self.outer).int(self.n).int(self.inner)
    }

    /// How many rows there are.
    pub(crate) fn count(&self) -> usize {
        self.outer * self.inner
    }

    /// Runs a kernel over the rows: as the library's text says, by their length and by where their entries lie.
    pub(crate) fn run<T: Element>(
        &self,
        device: &Device,
        kernel: &str,
        arguments: Arguments,
    ) -> Result<()> {
        let module = device.library::<T>()?;
        let (rows, name) = (self.count(), |of: &str| format!("{kernel}_{of}"));
        match self.inner {
            _ if self.n <= SHORT => device.each(&module, &name("short"), rows, arguments),
            1 => {
                // several blocks hide each other's barriers, if there are so many
                let most = match self.n {
                    _ if rows < FEW => usize::MAX,
                    LONG.. => 256,
                    _ => 128,
                };
                let threads = (self.n / 8).min(most);
                device.rows(&module, &name("rows"), rows, threads, arguments)
            }
            _ if rows >= MANY => device.each(&module, &name("short"), rows, arguments),
            _ => {
                let blocks = rows.div_ceil(LANES);
                device.rows(&module, &name("columns"), blocks, usize::MAX, arguments)
            }
        }
    }

    /// Runs a kernel over all entries.
    pub(crate) fn each<T: Element>(
        &self,
        device: &Device,
        kernel: &str,
        arguments: Arguments,
    ) -> Result<()> {
        let module = device.library::<T>()?;
        device.each(&module, kernel, self.count() * self.n, arguments)
    }

    /// `y[row] (+)= a·Σ x`. Reserves memory where few long rows lie entry beside entry, if there are more than [`PARTIAL_SUMS`] entries: a reverse
    /// pass, which must not, has no more.
    pub(crate) fn sum<T: Element>(
        &self,
        device: &Device,
        a: T,
        x: Address,
        y: Address,
        add: bool,
    ) -> Result<()> {
        let parts = self.parts();
        if parts > 1 {
            let partials = DeviceArray::<T>::unset(device, parts * self.count())?;
            let arguments = self.arguments().int(parts);
            let arguments = arguments.address(x).address(partials.address());
            let blocks = self.count().div_ceil(LANES) * parts;
            let module = device.library::<T>()?;
            device.rows(&module, "sum_parts", blocks, usize::MAX, arguments)?;
            let rows = Self {
                outer: 1,
                n: parts,
                inner: self.count(),
            };
            return rows.sum(device, a, partials.address(), y, add);
        }
        let arguments = self.arguments().words(&[a.word()]).address(x).address(y);
        self.run::<T>(device, "sum", arguments.int(usize::from(add)))
    }

    /// In how many parts rows are summed, of a thousand entries at least, so that all of a card is at work.
    fn parts(&self) -> usize {
        let few = SUMMANDS / self.count().div_ceil(LANES).max(1);
        match self.inner {
            1 => 1,
            _ if self.n * self.count() <= PARTIAL_SUMS => 1,
            _ => few.min(self.n / 1024).max(1),
        }
    }

    /// `x (+)= a·y[row]`.
    pub(crate) fn spread<T: Element>(
        &self,
        device: &Device,
        a: T,
        y: Address,
        x: Address,
        add: bool,
    ) -> Result<()> {
        let arguments = self.arguments().words(&[a.word()]).address(y).address(x);
        self.each::<T>(device, "spread", arguments.int(usize::from(add)))
    }
}
