//! Softmax and standardization along an axis: maps whose Jacobian is symmetric, so that one kernel is tangent and cotangent.

use std::marker::PhantomData;

use coenzyme::{Inactive, differentiable, primitive};
use ndarray::Dimension;

use super::class::{Unary, unary_rule};
use crate::array::DeviceArray;
use crate::element::Float;
use crate::error::Result;
use crate::kernels::Rows;
use crate::map::map3;

/// `exp x / Σ exp x` along one axis, without overflow.
///
/// # Errors
/// If there is no such axis, the device has no memory left, or is lost.
#[primitive]
pub fn softmax<T: Float, D: Dimension + 'static>(
    x: &DeviceArray<T, D>,
    axis: usize,
) -> Result<DeviceArray<T, D>> {
    Ok(Softmax::value(x, &(axis,))?.0)
}

/// The class of [`softmax()`].
pub struct Softmax<T, D>(PhantomData<(T, D)>);

impl<T: Float, D: Dimension + 'static> Softmax<T, D> {
    /// `v (+)= y∘(u − Σ y∘u)`.
    fn apply(
        y: &DeviceArray<T, D>,
        u: &DeviceArray<T, D>,
        v: &mut DeviceArray<T, D>,
        axis: usize,
        add: bool,
    ) -> Result<()> {
        let rows = Rows::of(y.shape(), axis..axis + 1);
        let arguments = rows.arguments().address(y.address()).address(u.address());
        let arguments = arguments.address(v.shadow()).int(usize::from(add));
        rows.run::<T>(y.device(), "softmax_map", arguments)
    }
}

impl<T: Float, D: Dimension + 'static> Unary for Softmax<T, D> {
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = (usize,);
    /// The value.
    type Residual = DeviceArray<T, D>;

    const READS_X: bool = false;

    fn value(x: &Self::X, &(axis,): &(usize,)) -> Result<(Self::Out, Self::Residual)> {
        let rows = Rows::along("softmax", x.shape(), axis)?;
        let y = DeviceArray::unset(x.device(), x.raw_dim())?;
        let arguments = rows.arguments().address(x.address()).address(y.address());
        rows.run::<T>(x.device(), "softmax", arguments)?;
        Ok((y.clone(), y))
    }
    fn pushforward(
        x: &Self::X,
        y: &Self::Residual,
        dx: &Self::X,
        &(axis,): &(usize,),
    ) -> Result<Self::Out> {
        let mut dy = DeviceArray::unset(x.device(), x.raw_dim())?;
        Self::apply(y, dx, &mut dy, axis, false)?;
        Ok(dy)
    }
    fn pullback(
        _: Option<&Self::X>,
        y: &Self::Residual,
        dy: &Self::Out,
        dx: &mut Self::X,
        &(axis,): &(usize,),
    ) -> Result<()> {
        Self::apply(y, dy, dx, axis, true)
    }
}

unary_rule!(softmax[T: Float, D: Dimension + 'static](x: DeviceArray<T, D>, axis: usize) = Softmax<T, D>);

/// `(x − μ)/√(σ² + ε)` along one axis, with the mean `μ` and the variance `σ² = mean (x − μ)²` of each row.
///
/// # Errors
/// If there is no such axis, the device has no memory left, or is lost.
#[primitive]
pub fn standardize<T: Float, D: Dimension + 'static>(
    x: &DeviceArray<T, D>,
    axis: usize,
    epsilon: f64,
) -> Result<DeviceArray<T, D>> {
    Ok(Standardize::value(x, &(axis, epsilon))?.0)
}

/// The class of [`standardize()`].
pub struct Standardize<T, D>(PhantomData<(T, D)>);

impl<T: Float, D: Dimension + 'static> Standardize<T, D> {
    /// `v (+)= (u − mean u − y·mean(y∘u))/σ`.
    fn apply(
        (y, scale): &(DeviceArray<T, D>, DeviceArray<T>),
        u: &DeviceArray<T, D>,
        v: &mut DeviceArray<T, D>,
        axis: usize,
        add: bool,
    ) -> Result<()> {
        let rows = Rows::of(y.shape(), axis..axis + 1);
        let arguments = rows
            .arguments()
            .address(y.address())
            .address(scale.address());
        let arguments = arguments.address(u.address()).address(v.shadow());
        rows.run::<T>(
            y.device(),
            "standardize_map",
            arguments.int(usize::from(add)),
        )
    }
}

impl<T: Float, D: Dimension + 'static> Unary for Standardize<T, D> {
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = (usize, f64);
    /// The value, and 1/σ of each row.
    type Residual = (DeviceArray<T, D>, DeviceArray<T>);

    const READS_X: bool = false;

    fn value(x: &Self::X, &(axis, epsilon): &Self::Attrs) -> Result<(Self::Out, Self::Residual)> {
        let rows = Rows::along("standardize", x.shape(), axis)?;
        let y = DeviceArray::unset(x.device(), x.raw_dim())?;
        let scale = DeviceArray::unset(x.device(), rows.count())?;
        let arguments = rows.arguments().words(&[T::narrow(epsilon).word()]);
        let arguments = arguments.address(x.address()).address(y.address());
        rows.run::<T>(
            x.device(),
            "standardize",
            arguments.address(scale.address()),
        )?;
        Ok((y.clone(), (y, scale)))
    }
    fn pushforward(
        x: &Self::X,
        residual: &Self::Residual,
        dx: &Self::X,
        &(axis, _): &Self::Attrs,
    ) -> Result<Self::Out> {
        let mut dy = DeviceArray::unset(x.device(), x.raw_dim())?;
        Self::apply(residual, dx, &mut dy, axis, false)?;
        Ok(dy)
    }
    fn pullback(
        _: Option<&Self::X>,
        residual: &Self::Residual,
        dy: &Self::Out,
        dx: &mut Self::X,
        &(axis, _): &Self::Attrs,
    ) -> Result<()> {
        Self::apply(residual, dy, dx, axis, true)
    }
}

unary_rule!(standardize[T: Float, D: Dimension + 'static](x: DeviceArray<T, D>, axis: usize, epsilon: f64) = Standardize<T, D>);

/// `x·γ + β`.
#[differentiable(device)]
pub fn affine(x: f64, gain: f64, bias: f64) -> f64 {
    x * gain + bias
}

/// `standardize(x)·γ + β` along the last axis: `x` is `(m, n)`, `gain` `γ` and `bias` `β` are `(n)` (Ba, Kiros, Hinton 2016,
/// arXiv:1607.06450).
///
/// # Errors
/// If the lengths differ, the device has no memory left, or is lost.
#[differentiable]
pub fn layer_norm(
    x: &DeviceArray<f64, ndarray::Ix2>,
    gain: &DeviceArray<f64>,
    bias: &DeviceArray<f64>,
    epsilon: f64,
) -> Result<DeviceArray<f64, ndarray::Ix2>> {
    let standard = standardize(x, 1, epsilon)?;
    let y = map3(&standard, gain, bias, Inactive(affine {}))?;
    Ok(y)
}
