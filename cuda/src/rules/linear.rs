//! Linear maps whose transpose is a kernel too: prefix sums, transposition, slices, concatenation, casts, columns of images.

use std::marker::PhantomData;
use std::ops::Range;

use coenzyme::primitive;
use ndarray::{Dimension, Ix3, Ix4};

use super::class::{Binary, Unary, binary_rule, refuse, unary_rule};
use crate::array::DeviceArray;
use crate::device::Device;
use crate::element::{Element, Float};
use crate::error::{Error, Result};
use crate::kernels::Rows;
use crate::launch::{Address, Arguments};

/// A linear map of one array: a value, and a transpose that adds.
pub trait Linear {
    /// The array.
    type X: super::class::Operand;
    /// What the map returns.
    type Out: super::class::Value;
    /// Axes, lengths, indices.
    type Attrs: Clone;

    /// The map.
    ///
    /// # Errors
    /// Shapes, memory, a lost device.
    fn apply(x: &Self::X, attrs: &Self::Attrs) -> Result<Self::Out>;

    /// Adds the transpose of the map, applied to `dy`, to `dx`.
    ///
    /// # Errors
    /// A lost device.
    fn transposed(dy: &Self::Out, dx: &mut Self::X, attrs: &Self::Attrs) -> Result<()>;
}

/// The class of linear maps: the tangent is the map.
pub struct Transposed<L>(PhantomData<L>);

impl<L: Linear> Unary for Transposed<L> {
    type X = L::X;
    type Out = L::Out;
    type Attrs = L::Attrs;
    type Residual = ();

    const READS_X: bool = false;

    fn value(x: &L::X, attrs: &L::Attrs) -> Result<(L::Out, ())> {
        Ok((L::apply(x, attrs)?, ()))
    }
    fn pushforward(_: &L::X, (): &(), dx: &L::X, attrs: &L::Attrs) -> Result<L::Out> {
        L::apply(dx, attrs)
    }
    fn pullback(
        _: Option<&L::X>,
        (): &(),
        dy: &L::Out,
        dx: &mut L::X,
        attrs: &L::Attrs,
    ) -> Result<()> {
        L::transposed(dy, dx, attrs)
    }
}

/// `yⱼ = x₀ + … + xⱼ` along one axis. The cotangent is the sum from the end. A block sums a row whose entries lie side by side.
///
/// # Errors
/// If there is no such axis, the device has no memory left, or is lost.
#[primitive]
pub fn prefix_sum<T: Float, D: Dimension + 'static>(
    x: &DeviceArray<T, D>,
    axis: usize,
) -> Result<DeviceArray<T, D>> {
    PrefixSum::apply(x, &(axis,))
}

/// The class of [`prefix_sum()`].
pub struct PrefixSum<T, D>(PhantomData<(T, D)>);

fn prefix<T: Float>(
    device: &Device,
    rows: &Rows,
    x: Address,
    y: Address,
    reversed: bool,
) -> Result<()> {
    let arguments = rows.arguments().address(x).address(y);
    let flag = usize::from(reversed);
    rows.run::<T>(device, "prefix_sum", arguments.int(flag).int(flag))
}

impl<T: Float, D: Dimension + 'static> Linear for PrefixSum<T, D> {
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = (usize,);

    fn apply(x: &Self::X, &(axis,): &(usize,)) -> Result<Self::Out> {
        let rows = Rows::along("prefix_sum", x.shape(), axis)?;
        let y = DeviceArray::unset(x.device(), x.raw_dim())?;
        prefix::<T>(x.device(), &rows, x.address(), y.address(), false)?;
        Ok(y)
    }
    fn transposed(dy: &Self::Out, dx: &mut Self::X, &(axis,): &(usize,)) -> Result<()> {
        let rows = Rows::of(dy.shape(), axis..axis + 1);
        let to = dx.shadow();
        prefix::<T>(dy.device(), &rows, dy.address(), to, true)
    }
}

unary_rule!(prefix_sum[T: Float, D: Dimension + 'static](x: DeviceArray<T, D>, axis: usize) = Transposed<PrefixSum<T, D>>);

/// How many axes a [`Window`] has at most.
const AXES: usize = 6;

/// An array inside another: its shape, the steps of its axes in the other array, and where it begins there.
struct Window {
    words: [u64; 2 * AXES + 1],
    len: usize,
}

impl Window {
    fn new(function: &'static str, shape: &[usize], steps: &[usize], start: usize) -> Result<Self> {
        let n = shape.len();
        if n > AXES {
            return refuse(function, format_args!("at most {AXES} axes"), shape);
        }
        let mut words = [0; 2 * AXES + 1];
        words[..AXES].fill(1);
        for (axis, (len, step)) in shape.iter().zip(steps).enumerate() {
            words[AXES - n + axis] = *len as u64;
            words[2 * AXES - n + axis] = *step as u64;
        }
        words[2 * AXES] = start as u64;
        let len = shape.iter().product();
        Ok(Self { words, len })
    }

    /// `y (+)= window of x`, or `window of y (+)= x`.
    fn run<T: Element>(
        &self,
        device: &Device,
        kernel: &str,
        x: Address,
        y: Address,
        add: bool,
    ) -> Result<()> {
        let arguments = Arguments::new().int(self.len).words(&self.words);
        let arguments = arguments.address(x).address(y).int(usize::from(add));
        device.each(&*device.library::<T>()?, kernel, self.len, arguments)
    }
}

/// The steps between neighbours along each axis.
fn steps(shape: &[usize]) -> Vec<usize> {
    (0..shape.len())
        .map(|axis| shape[axis + 1..].iter().product())
        .collect()
}

/// The axes in reverse order, `(a, b, c) → (c, b, a)`.
///
/// # Errors
/// If there are more than six axes, the device has no memory left, or is lost.
#[primitive]
pub fn transpose<T: Float, D: Dimension + 'static>(
    x: &DeviceArray<T, D>,
) -> Result<DeviceArray<T, D>> {
    Reversed::apply(x, &())
}

/// The class of [`transpose()`].
pub struct Reversed<T, D>(PhantomData<(T, D)>);

impl<T: Float, D: Dimension + 'static> Linear for Reversed<T, D> {
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = ();

    fn apply(x: &Self::X, (): &()) -> Result<Self::Out> {
        let mut shape = x.raw_dim();
        shape.slice_mut().reverse();
        let mut steps = steps(x.shape());
        steps.reverse();
        let window = Window::new("transpose", shape.slice(), &steps, 0)?;
        let y = DeviceArray::unset(x.device(), shape)?;
        window.run::<T>(x.device(), "read_window", x.address(), y.address(), false)?;
        Ok(y)
    }
    fn transposed(dy: &Self::Out, dx: &mut Self::X, (): &()) -> Result<()> {
        let mut steps = steps(dx.shape());
        steps.reverse();
        let window = Window::new("transpose", dy.shape(), &steps, 0)?;
        let to = dx.shadow();
        window.run::<T>(dy.device(), "write_window", dy.address(), to, true)
    }
}

unary_rule!(transpose[T: Float, D: Dimension + 'static](x: DeviceArray<T, D>) = Transposed<Reversed<T, D>>);

/// The entries at these indices of one axis.
///
/// # Errors
/// If there is no such axis, the range does not lie in it, the device has no memory left, or is lost.
#[primitive]
pub fn slice_axis<T: Float, D: Dimension + 'static>(
    x: &DeviceArray<T, D>,
    axis: usize,
    start: usize,
    end: usize,
) -> Result<DeviceArray<T, D>> {
    Slice::apply(x, &(axis, start, end))
}

/// The class of [`slice_axis()`].
pub struct Slice<T, D>(PhantomData<(T, D)>);

/// A part of an axis, inside an array of this shape.
fn part(shape: &[usize], axis: usize, range: Range<usize>) -> Result<Window> {
    let steps = steps(shape);
    let mut inside = shape.to_vec();
    inside[axis] = range.len();
    Window::new("slice_axis", &inside, &steps, range.start * steps[axis])
}

impl<T: Float, D: Dimension + 'static> Linear for Slice<T, D> {
    type X = DeviceArray<T, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = (usize, usize, usize);

    fn apply(x: &Self::X, &(axis, start, end): &Self::Attrs) -> Result<Self::Out> {
        let rows = Rows::along("slice_axis", x.shape(), axis)?;
        if start > end || end > rows.n {
            let index = start.max(end) as i64;
            return Err(Error::Index { index, len: rows.n });
        }
        let window = part(x.shape(), axis, start..end)?;
        let mut shape = x.raw_dim();
        shape[axis] = end - start;
        let y = DeviceArray::unset(x.device(), shape)?;
        window.run::<T>(x.device(), "read_window", x.address(), y.address(), false)?;
        Ok(y)
    }
    fn transposed(
        dy: &Self::Out,
        dx: &mut Self::X,
        &(axis, start, end): &Self::Attrs,
    ) -> Result<()> {
        let window = part(dx.shape(), axis, start..end)?;
        let to = dx.shadow();
        window.run::<T>(dy.device(), "write_window", dy.address(), to, true)
    }
}

unary_rule!(slice_axis[T: Float, D: Dimension + 'static](x: DeviceArray<T, D>, axis: usize, start: usize, end: usize) = Transposed<Slice<T, D>>);

/// One array after the other along an axis.
///
/// # Errors
/// If there is no such axis, the other lengths differ, the device has no memory left, or is lost.
#[primitive]
pub fn concatenate<T: Float, D: Dimension + 'static>(
    a: &DeviceArray<T, D>,
    b: &DeviceArray<T, D>,
    axis: usize,
) -> Result<DeviceArray<T, D>> {
    Concatenate::value(a, b, &(axis,))
}

/// The class of [`concatenate()`].
pub struct Concatenate<T, D>(PhantomData<(T, D)>);

impl<T: Float, D: Dimension + 'static> Concatenate<T, D> {
    /// Writes both parts of an array; what is not there is zero.
    fn write(
        like: (&DeviceArray<T, D>, &DeviceArray<T, D>),
        a: Option<&DeviceArray<T, D>>,
        b: Option<&DeviceArray<T, D>>,
        axis: usize,
    ) -> Result<DeviceArray<T, D>> {
        let device = like.0.device();
        let split = like.0.shape()[axis];
        let mut shape = like.0.raw_dim();
        shape[axis] += like.1.shape()[axis];
        let all = shape[axis];
        let y = match (a, b) {
            (Some(_), Some(_)) => DeviceArray::unset(device, shape)?,
            _ => device.zeros(shape)?,
        };
        for (x, range) in [(a, 0..split), (b, split..all)] {
            if let Some(x) = x {
                let window = part(y.shape(), axis, range)?;
                window.run::<T>(device, "write_window", x.address(), y.address(), false)?;
            }
        }
        Ok(y)
    }
}

impl<T: Float, D: Dimension + 'static> Binary for Concatenate<T, D> {
    type A = DeviceArray<T, D>;
    type B = DeviceArray<T, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = (usize,);

    const READS_OTHER: bool = false;

    fn value(a: &Self::A, b: &Self::B, &(axis,): &(usize,)) -> Result<Self::Out> {
        a.same_device(b)?;
        Rows::along("concatenate", a.shape(), axis)?;
        let mut wanted = a.raw_dim();
        wanted[axis] = b.shape()[axis];
        if wanted.slice() != b.shape() {
            let wanted = format_args!("{:?}", wanted.slice()).to_string();
            return refuse("concatenate", wanted, b.shape());
        }
        Self::write((a, b), Some(a), Some(b), axis)
    }
    fn pushforward(
        (a, da): (&Self::A, Option<&Self::A>),
        (b, db): (&Self::B, Option<&Self::B>),
        &(axis,): &(usize,),
    ) -> Result<Self::Out> {
        Self::write((a, b), da, db, axis)
    }
    fn pullback_a(
        _: Option<&Self::B>,
        dy: &Self::Out,
        da: &mut Self::A,
        &(axis,): &(usize,),
    ) -> Result<()> {
        let window = part(dy.shape(), axis, 0..da.shape()[axis])?;
        let to = da.shadow();
        window.run::<T>(dy.device(), "read_window", dy.address(), to, true)
    }
    fn pullback_b(
        _: Option<&Self::A>,
        dy: &Self::Out,
        db: &mut Self::B,
        &(axis,): &(usize,),
    ) -> Result<()> {
        let all = dy.shape()[axis];
        let window = part(dy.shape(), axis, all - db.shape()[axis]..all)?;
        let to = db.shadow();
        window.run::<T>(dy.device(), "read_window", dy.address(), to, true)
    }
}

binary_rule!(concatenate[T: Float, D: Dimension + 'static](a: DeviceArray<T, D>, b: DeviceArray<T, D>, axis: usize) = Concatenate<T, D>);

/// The entries in double precision.
///
/// # Errors
/// If the device has no memory left, or is lost.
#[primitive]
pub fn to_f64<D: Dimension + 'static>(x: &DeviceArray<f32, D>) -> Result<DeviceArray<f64, D>> {
    convert(x)
}

/// The entries in single precision, rounded to nearest.
///
/// # Errors
/// If the device has no memory left, or is lost.
#[primitive]
pub fn to_f32<D: Dimension + 'static>(x: &DeviceArray<f64, D>) -> Result<DeviceArray<f32, D>> {
    convert(x)
}

/// Integers and flags as numbers: no derivative, and no rule.
///
/// # Errors
/// If the device has no memory left, or is lost.
pub fn to_numbers<U: Element, T: Float, D: Dimension + 'static>(
    x: &DeviceArray<U, D>,
) -> Result<DeviceArray<T, D>> {
    convert(x)
}

fn convert<U: Element, T: Element, D: Dimension>(
    x: &DeviceArray<U, D>,
) -> Result<DeviceArray<T, D>> {
    let y = DeviceArray::unset(x.device(), x.raw_dim())?;
    cast::<U, T>(x.device(), "from_", x.len(), x.address(), y.address())?;
    Ok(y)
}

fn cast<U: Element, T: Element>(
    device: &Device,
    kernel: &str,
    n: usize,
    x: Address,
    y: Address,
) -> Result<()> {
    let arguments = Arguments::new().int(n).address(x).address(y);
    let kernel = format!("{kernel}{}", U::NAME);
    device.each(&*device.library::<T>()?, &kernel, n, arguments)
}

/// The class of [`to_f64()`] and [`to_f32()`].
pub struct Cast<U, T, D>(PhantomData<(U, T, D)>);

impl<U: Float, T: Float, D: Dimension + 'static> Linear for Cast<U, T, D> {
    type X = DeviceArray<U, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = ();

    fn apply(x: &Self::X, (): &()) -> Result<Self::Out> {
        // what the transpose runs is in the library of the other kind of number
        x.device().library::<U>()?;
        convert(x)
    }
    fn transposed(dy: &Self::Out, dx: &mut Self::X, (): &()) -> Result<()> {
        let to = dx.shadow();
        cast::<T, U>(dy.device(), "add_from_", dy.len(), dy.address(), to)
    }
}

unary_rule!(to_f64[D: Dimension + 'static](x: DeviceArray<f32, D>) = Transposed<Cast<f32, f64, D>>);
unary_rule!(to_f32[D: Dimension + 'static](x: DeviceArray<f64, D>) = Transposed<Cast<f64, f32, D>>);

/// The columns that turn a convolution into a product of matrices: images `(p, c, h, w)` to `(p, c·kₕ·k_w, oₕ·o_w)`, for kernels `(kₕ, k_w)`
/// that move by `stride` over the image with `padding` zeros around it; `o = (size + 2·padding − k)/stride + 1`.
///
/// # Errors
/// If the kernel is larger than the image with its padding or `stride` is 0, the device has no memory left, or is lost.
#[primitive]
pub fn image_to_columns<T: Float>(
    x: &DeviceArray<T, Ix4>,
    height: usize,
    width: usize,
    stride: usize,
    padding: usize,
) -> Result<DeviceArray<T, Ix3>> {
    Columns::apply(x, &(height, width, stride, padding))
}

/// The class of [`image_to_columns()`].
pub struct Columns<T>(PhantomData<T>);

/// The words of a `Filter`, and the lengths of the output.
fn filter(
    shape: &[usize],
    &(kh, kw, stride, padding): &(usize, usize, usize, usize),
) -> Option<([u64; 9], usize, usize)> {
    let out = |size: usize, k: usize| {
        let room = (size + 2 * padding).checked_sub(k)?;
        Some(room.checked_div(stride)? + 1)
    };
    let (oh, ow) = (out(shape[2], kh)?, out(shape[3], kw)?);
    let words = [
        shape[1], shape[2], shape[3], kh, kw, oh, ow, stride, padding,
    ];
    Some((words.map(|word| word as u64), oh, ow))
}

impl<T: Float> Linear for Columns<T> {
    type X = DeviceArray<T, Ix4>;
    type Out = DeviceArray<T, Ix3>;
    type Attrs = (usize, usize, usize, usize);

    fn apply(x: &Self::X, attrs: &Self::Attrs) -> Result<Self::Out> {
        let Some((words, oh, ow)) = filter(x.shape(), attrs) else {
            let (kh, kw, stride, padding) = attrs;
            let wanted = format!(
                "images not smaller than ({kh}, {kw}) with {padding} zeros around, and a stride, not {stride}"
            );
            return refuse("image_to_columns", wanted, x.shape());
        };
        let shape = [x.shape()[0], x.shape()[1] * attrs.0 * attrs.1, oh * ow];
        let y = DeviceArray::unset(x.device(), shape)?;
        let arguments = Arguments::new().int(y.len()).words(&words);
        let arguments = arguments.address(x.address()).address(y.address());
        let module = x.device().library::<T>()?;
        x.device()
            .each(&module, "image_to_columns", y.len(), arguments)?;
        Ok(y)
    }
    fn transposed(dy: &Self::Out, dx: &mut Self::X, attrs: &Self::Attrs) -> Result<()> {
        let (words, ..) = filter(dx.shape(), attrs).expect("the value was computed before");
        let arguments = Arguments::new().int(dx.len()).words(&words);
        let arguments = arguments.address(dy.address()).address(dx.shadow()).int(1);
        let module = dy.device().library::<T>()?;
        dy.device()
            .each(&module, "columns_to_image", dx.len(), arguments)
    }
}

unary_rule!(image_to_columns[T: Float](x: DeviceArray<T, Ix4>, height: usize, width: usize, stride: usize, padding: usize) = Transposed<Columns<T>>);
