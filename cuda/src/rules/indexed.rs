//! Rows by index: gather and scatter-add, each the transpose of the other.
//!
//! An [`Index`] is checked and turned around once, on the host. After that nothing can be out of bounds, and each row of a scatter is the sum
//! of its own list, always in the same order: no atomic additions.

use std::marker::PhantomData;

use coenzyme::{Tangent, primitive};
use ndarray::RemoveAxis;

use super::class::unary_rule;
use super::linear::{Linear, Transposed};
use crate::array::DeviceArray;
use crate::device::Device;
use crate::element::Float;
use crate::error::{Error, Result};
use crate::launch::{Address, Arguments};

/// Indices of the rows of an array, and for each row the places where it occurs. Clones share memory.
#[derive(Clone, Debug, Tangent)]
pub struct Index {
    indices: DeviceArray<i32>,
    starts: DeviceArray<i32>,
    order: DeviceArray<i32>,
    rows: usize,
}

impl Index {
    /// Indices below `rows`, on a device.
    ///
    /// # Errors
    /// If one is out of bounds, or there are 2³¹ or more; if the device has no memory left, or is lost.
    pub fn new(device: &Device, indices: &[usize], rows: usize) -> Result<Self> {
        let int = |i: usize| {
            i32::try_from(i).map_err(|_| Error::Index {
                index: i as i64,
                len: i32::MAX as usize,
            })
        };
        let mut starts = vec![0_i32; rows + 1];
        int(indices.len().max(rows))?;
        for &index in indices {
            let out = Error::Index {
                index: index as i64,
                len: rows,
            };
            *starts.get_mut(index + 1).ok_or(out)? += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut order = vec![0; indices.len()];
        for (place, &index) in indices.iter().enumerate() {
            order[next[index] as usize] = int(place)?;
            next[index] += 1;
        }
        let indices = indices
            .iter()
            .map(|i| int(*i))
            .collect::<Result<Vec<_>>>()?;
        let up =
            |values: &[i32]| DeviceArray::from_values(device, ndarray::Dim(values.len()), values);
        Ok(Self {
            indices: up(&indices)?,
            starts: up(&starts)?,
            order: up(&order)?,
            rows,
        })
    }

    /// Indices that are on a device. Waits for it: they are checked on the host.
    ///
    /// # Errors
    /// If one is negative or not below `rows`; if the device has no memory left, or is lost.
    pub fn from_array(indices: &DeviceArray<i32>, rows: usize) -> Result<Self> {
        let of = |i: i32| {
            usize::try_from(i).map_err(|_| Error::Index {
                index: i64::from(i),
                len: rows,
            })
        };
        let host = indices.values()?.into_iter().map(of);
        Self::new(indices.device(), &host.collect::<Result<Vec<_>>>()?, rows)
    }

    /// How many indices there are.
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// `y[i] (+)= x[index[i]]`.
    fn gather<T: Float>(&self, row: usize, x: Address, y: Address, add: bool) -> Result<()> {
        let device = self.indices.device();
        let arguments = Arguments::new().int(self.len()).int(row);
        let arguments = arguments.address(self.indices.address()).address(x);
        let arguments = arguments.address(y).int(usize::from(add));
        device.each(
            &*device.library::<T>()?,
            "gather",
            self.len() * row,
            arguments,
        )
    }

    /// `y[k] (+)= Σ x[i]` over the `i` with `index[i] = k`.
    fn scatter<T: Float>(&self, row: usize, x: Address, y: Address, add: bool) -> Result<()> {
        let device = self.indices.device();
        let arguments = Arguments::new().int(self.rows).int(row);
        let arguments = arguments.address(self.starts.address());
        let arguments = arguments.address(self.order.address()).address(x);
        let arguments = arguments.address(y).int(usize::from(add));
        device.each(
            &*device.library::<T>()?,
            "scatter",
            self.rows * row,
            arguments,
        )
    }
}

/// `y[i] = x[index[i]]`: rows of `x`, `(m, …) → (n, …)`.
///
/// # Errors
/// If the index was made for another number of rows, or lies on another device; if the device has no memory left, or is lost.
#[primitive]
pub fn gather<T: Float, D: RemoveAxis + 'static>(
    x: &DeviceArray<T, D>,
    index: &Index,
) -> Result<DeviceArray<T, D>> {
    Gather::apply(x, &(index.clone(),))
}

/// `y[index[i]] += x[i]` into zeros, `(n, …) → (m, …)`: equal indices add up, in the order of `i`.
///
/// # Errors
/// If there is not an index for each row, or they lie on another device; if the device has no memory left, or is lost.
#[primitive]
pub fn scatter_add<T: Float, D: RemoveAxis + 'static>(
    x: &DeviceArray<T, D>,
    index: &Index,
) -> Result<DeviceArray<T, D>> {
    Scatter::apply(x, &(index.clone(),))
}

/// The class of [`gather()`].
pub struct Gather<T, D>(PhantomData<(T, D)>);

/// The class of [`scatter_add()`].
pub struct Scatter<T, D>(PhantomData<(T, D)>);

/// How many entries a row has.
fn row<T: Float, D: RemoveAxis>(x: &DeviceArray<T, D>) -> usize {
    x.shape()[1..].iter().product()
}

/// An array of as many rows as `x` has others.
fn with_rows<T: Float, D: RemoveAxis>(
    function: &'static str,
    x: &DeviceArray<T, D>,
    index: &Index,
    from: usize,
    to: usize,
) -> Result<DeviceArray<T, D>> {
    x.same_device(&index.indices)?;
    if x.shape()[0] != from {
        let found = x.shape();
        return super::class::refuse(function, format_args!("{from} rows"), found);
    }
    let mut shape = x.raw_dim();
    shape[0] = to;
    DeviceArray::unset(x.device(), shape)
}

impl<T: Float, D: RemoveAxis + 'static> Linear for Gather<T, D> {
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = (Index,);

    fn apply(x: &Self::X, (index,): &(Index,)) -> Result<Self::Out> {
        let y = with_rows("gather", x, index, index.rows, index.len())?;
        index.gather::<T>(row(x), x.address(), y.address(), false)?;
        Ok(y)
    }
    fn transposed(dy: &Self::Out, dx: &mut Self::X, (index,): &(Index,)) -> Result<()> {
        let to = dx.shadow();
        index.scatter::<T>(row(dy), dy.address(), to, true)
    }
}

impl<T: Float, D: RemoveAxis + 'static> Linear for Scatter<T, D> {
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = (Index,);

    fn apply(x: &Self::X, (index,): &(Index,)) -> Result<Self::Out> {
        let y = with_rows("scatter_add", x, index, index.len(), index.rows)?;
        index.scatter::<T>(row(x), x.address(), y.address(), false)?;
        Ok(y)
    }
    fn transposed(dy: &Self::Out, dx: &mut Self::X, (index,): &(Index,)) -> Result<()> {
        let to = dx.shadow();
        index.gather::<T>(row(dy), dy.address(), to, true)
    }
}

unary_rule!(gather[T: Float, D: RemoveAxis + 'static](x: DeviceArray<T, D>, index: Index) = Transposed<Gather<T, D>>);
unary_rule!(scatter_add[T: Float, D: RemoveAxis + 'static](x: DeviceArray<T, D>, index: Index) = Transposed<Scatter<T, D>>);

/// [`scatter_add()`] by atomic additions: kept for comparison. **The order of the sums, and so
/// the last bits, change from call to call.** It has no rules.
///
/// # Errors
/// If there is not an index for each row, or they lie on another device; if the device has no memory left, or is lost.
pub fn scatter_add_atomic<T: Float, D: RemoveAxis + 'static>(
    x: &DeviceArray<T, D>,
    index: &Index,
) -> Result<DeviceArray<T, D>> {
    let y = with_rows("scatter_add_atomic", x, index, index.len(), index.rows)?;
    let device = x.device();
    device.zero(y.address(), y.bytes())?;
    let arguments = Arguments::new().int(index.len()).int(row(x));
    let arguments = arguments.address(index.indices.address());
    let arguments = arguments.address(x.address()).address(y.address());
    device.each(
        &*device.library::<T>()?,
        "scatter_atomic",
        x.len(),
        arguments,
    )?;
    Ok(y)
}
