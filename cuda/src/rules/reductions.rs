//! Sums, means, maxima and `ln Σ exp`, over all entries or along an axis.
//!
//! Every sum is made in an order that depends on lengths and on the number of threads of a block alone: a device gives the same bits each
//! time, and there are no atomic additions.

use std::marker::PhantomData;

use coenzyme::primitive;
use ndarray::{Axis, Dimension, RemoveAxis};

use super::class::{Unary, unary_rule};
use crate::array::DeviceArray;
use crate::element::{Element, Float};
use crate::error::Result;
use crate::kernels::{Rows, number, total};
use crate::launch::{Address, Arguments};

/// `Σ x`, on the host; 0 for no entries. The value waits for the device, its cotangent does not.
///
/// ```
/// # use coenzyme_cuda::{Device, rules::sum};
/// # use ndarray::array;
/// # let Ok(device) = Device::emulated() else { println!("skipped: no C++ compiler"); return Ok(()) };
/// assert_eq!(sum(&device.array(&array![[1.0, 2.0], [3.0, 4.0]])?)?, 10.0);
/// # Ok::<(), coenzyme_cuda::Error>(())
/// ```
///
/// # Errors
/// If the device is lost, or has no memory for the sum of each thread.
#[primitive]
pub fn sum<T: Float, D: Dimension + 'static>(x: &DeviceArray<T, D>) -> Result<T> {
    number(&total(x, None)?)
}

/// The class of [`sum()`].
pub struct Sum<T, D>(PhantomData<(T, D)>);

impl<T: Float, D: Dimension + 'static> Unary for Sum<T, D> {
    type X = DeviceArray<T, D>;
    type Out = T;
    type Attrs = ();
    type Residual = ();

    const READS_X: bool = false;

    fn value(x: &Self::X, (): &()) -> Result<(T, ())> {
        Ok((sum(x)?, ()))
    }
    fn pushforward(_: &Self::X, (): &(), dx: &Self::X, (): &()) -> Result<T> {
        sum(dx)
    }
    fn pullback(_: Option<&Self::X>, (): &(), dy: &T, dx: &mut Self::X, (): &()) -> Result<()> {
        let arguments = Arguments::new().int(dx.len()).words(&[dy.word()]);
        let arguments = arguments.address(dx.shadow());
        let device = dx.device();
        device.each(
            &*device.library::<T>()?,
            "add_constant",
            dx.len(),
            arguments,
        )
    }
}

unary_rule!(sum[T: Float, D: Dimension + 'static](x: DeviceArray<T, D>) = Sum<T, D>);

/// `Σ x` over one axis, `(…, n, …) → (…, …)`; 0 for `n = 0`.
///
/// # Errors
/// If there is no such axis, the device has no memory left, or is lost.
#[primitive]
pub fn sum_axis<T: Float, D: RemoveAxis<Smaller: 'static> + 'static>(
    x: &DeviceArray<T, D>,
    axis: usize,
) -> Result<DeviceArray<T, D::Smaller>> {
    Ok(SumAxis::<T, D, false>::value(x, &(axis,))?.0)
}

/// The mean over one axis, `(…, n, …) → (…, …)`; NaN for `n = 0`.
///
/// # Errors
/// If there is no such axis, the device has no memory left, or is lost.
#[primitive]
pub fn mean_axis<T: Float, D: RemoveAxis<Smaller: 'static> + 'static>(
    x: &DeviceArray<T, D>,
    axis: usize,
) -> Result<DeviceArray<T, D::Smaller>> {
    Ok(SumAxis::<T, D, true>::value(x, &(axis,))?.0)
}

/// The class of [`sum_axis()`], and with `MEAN` of [`mean_axis()`].
pub struct SumAxis<T, D, const MEAN: bool>(PhantomData<(T, D)>);

impl<T: Float, D: RemoveAxis<Smaller: 'static> + 'static, const MEAN: bool> SumAxis<T, D, MEAN> {
    /// What each entry is multiplied with.
    fn weight(rows: &Rows) -> T {
        T::narrow(if MEAN { 1.0 / rows.n as f64 } else { 1.0 })
    }
}

/// An array for the result of a reduction over an axis.
fn without_axis<T: Element, D: RemoveAxis>(
    x: &DeviceArray<T, D>,
    axis: usize,
) -> Result<DeviceArray<T, D::Smaller>> {
    DeviceArray::unset(x.device(), x.raw_dim().remove_axis(Axis(axis)))
}

impl<T, D, const MEAN: bool> Unary for SumAxis<T, D, MEAN>
where
    T: Float,
    D: RemoveAxis<Smaller: 'static> + 'static,
{
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D::Smaller>;
    type Attrs = (usize,);
    type Residual = ();

    const READS_X: bool = false;

    fn value(x: &Self::X, &(axis,): &(usize,)) -> Result<(Self::Out, ())> {
        let name = if MEAN { "mean_axis" } else { "sum_axis" };
        let rows = Rows::along(name, x.shape(), axis)?;
        let y = without_axis(x, axis)?;
        rows.sum(
            x.device(),
            Self::weight(&rows),
            x.address(),
            y.address(),
            false,
        )?;
        Ok((y, ()))
    }
    fn pushforward(_: &Self::X, (): &(), dx: &Self::X, axis: &(usize,)) -> Result<Self::Out> {
        Ok(Self::value(dx, axis)?.0)
    }
    fn pullback(
        _: Option<&Self::X>,
        (): &(),
        dy: &Self::Out,
        dx: &mut Self::X,
        &(axis,): &(usize,),
    ) -> Result<()> {
        let rows = Rows::of(dx.shape(), axis..axis + 1);
        let to = dx.shadow();
        rows.spread(dx.device(), Self::weight(&rows), dy.address(), to, true)
    }
}

unary_rule!(sum_axis[T: Float, D: RemoveAxis<Smaller: 'static> + 'static](x: DeviceArray<T, D>, axis: usize) = SumAxis<T, D, false>);
unary_rule!(mean_axis[T: Float, D: RemoveAxis<Smaller: 'static> + 'static](x: DeviceArray<T, D>, axis: usize) = SumAxis<T, D, true>);

/// The largest entry along one axis, `(…, n, …) → (…, …)`; −∞ for `n = 0`, NaN if one is NaN. At a tie each of the largest has an
/// equal part of the derivative.
///
/// # Errors
/// If there is no such axis, the device has no memory left, or is lost.
#[primitive]
pub fn max_axis<T: Float, D: RemoveAxis<Smaller: 'static> + 'static>(
    x: &DeviceArray<T, D>,
    axis: usize,
) -> Result<DeviceArray<T, D::Smaller>> {
    Ok(MaxAxis::value(x, &(axis,))?.0)
}

/// The class of [`max_axis()`].
pub struct MaxAxis<T, D>(PhantomData<(T, D)>);

/// The arguments of a kernel over rows: the addresses of some arrays.
fn over(rows: &Rows, addresses: &[Address]) -> Arguments {
    let arguments = rows.arguments();
    addresses.iter().fold(arguments, |a, at| a.address(*at))
}

impl<T: Float, D: RemoveAxis<Smaller: 'static> + 'static> Unary for MaxAxis<T, D> {
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D::Smaller>;
    type Attrs = (usize,);
    /// The maxima, and how often each occurs.
    type Residual = (DeviceArray<T, D::Smaller>, DeviceArray<T, D::Smaller>);

    const READS_X: bool = true;

    fn value(x: &Self::X, &(axis,): &(usize,)) -> Result<(Self::Out, Self::Residual)> {
        let rows = Rows::along("max_axis", x.shape(), axis)?;
        let (y, ties) = (without_axis(x, axis)?, without_axis(x, axis)?);
        let arguments = over(&rows, &[x.address(), y.address(), ties.address()]);
        rows.run::<T>(x.device(), "maximum", arguments)?;
        Ok((y.clone(), (y, ties)))
    }
    fn pushforward(
        x: &Self::X,
        (y, ties): &Self::Residual,
        dx: &Self::X,
        &(axis,): &(usize,),
    ) -> Result<Self::Out> {
        let rows = Rows::of(x.shape(), axis..axis + 1);
        let dy = without_axis(x, axis)?;
        let addresses = [
            x.address(),
            y.address(),
            ties.address(),
            dx.address(),
            dy.address(),
        ];
        rows.run::<T>(x.device(), "maximum_tangent", over(&rows, &addresses))?;
        Ok(dy)
    }
    fn pullback(
        x: Option<&Self::X>,
        (y, ties): &Self::Residual,
        dy: &Self::Out,
        dx: &mut Self::X,
        &(axis,): &(usize,),
    ) -> Result<()> {
        let x = x.map_or(0, DeviceArray::address);
        let rows = Rows::of(dx.shape(), axis..axis + 1);
        let addresses = [x, y.address(), ties.address(), dy.address(), dx.shadow()];
        rows.each::<T>(dx.device(), "maximum_cotangent", over(&rows, &addresses))
    }
}

unary_rule!(max_axis[T: Float, D: RemoveAxis<Smaller: 'static> + 'static](x: DeviceArray<T, D>, axis: usize) = MaxAxis<T, D>);

/// `ln Σ exp x` over one axis, `(…, n, …) → (…, …)`, without overflow; −∞ for `n = 0`.
///
/// # Errors
/// If there is no such axis, the device has no memory left, or is lost.
#[primitive]
pub fn logsumexp_axis<T: Float, D: RemoveAxis<Smaller: 'static> + 'static>(
    x: &DeviceArray<T, D>,
    axis: usize,
) -> Result<DeviceArray<T, D::Smaller>> {
    Ok(LogSumExp::value(x, &(axis,))?.0)
}

/// The class of [`logsumexp_axis()`].
pub struct LogSumExp<T, D>(PhantomData<(T, D)>);

impl<T: Float, D: RemoveAxis<Smaller: 'static> + 'static> Unary for LogSumExp<T, D> {
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D::Smaller>;
    type Attrs = (usize,);
    /// The value.
    type Residual = DeviceArray<T, D::Smaller>;

    const READS_X: bool = true;

    fn value(x: &Self::X, &(axis,): &(usize,)) -> Result<(Self::Out, Self::Residual)> {
        let rows = Rows::along("logsumexp_axis", x.shape(), axis)?;
        let y = without_axis(x, axis)?;
        rows.run::<T>(
            x.device(),
            "logsumexp",
            over(&rows, &[x.address(), y.address()]),
        )?;
        Ok((y.clone(), y))
    }
    fn pushforward(
        x: &Self::X,
        y: &Self::Residual,
        dx: &Self::X,
        &(axis,): &(usize,),
    ) -> Result<Self::Out> {
        let rows = Rows::of(x.shape(), axis..axis + 1);
        let dy = without_axis(x, axis)?;
        let addresses = [x.address(), y.address(), dx.address(), dy.address()];
        rows.run::<T>(x.device(), "logsumexp_tangent", over(&rows, &addresses))?;
        Ok(dy)
    }
    fn pullback(
        x: Option<&Self::X>,
        y: &Self::Residual,
        dy: &Self::Out,
        dx: &mut Self::X,
        &(axis,): &(usize,),
    ) -> Result<()> {
        let x = x.map_or(0, DeviceArray::address);
        let rows = Rows::of(dx.shape(), axis..axis + 1);
        let addresses = [x, y.address(), dy.address(), dx.shadow()];
        rows.each::<T>(dx.device(), "logsumexp_cotangent", over(&rows, &addresses))
    }
}

unary_rule!(logsumexp_axis[T: Float, D: RemoveAxis<Smaller: 'static> + 'static](x: DeviceArray<T, D>, axis: usize) = LogSumExp<T, D>);
