//! Convolutions and Fourier transforms.

use std::sync::Arc;

use coenzyme_rules::signal::{conv_transpose2d, conv1d, conv2d_with, fft, ifft, irfft, rfft};
use ndarray::{Array3, Array4};
use num_complex::Complex;
use smallvec::smallvec;

use super::outlines::{read, shaped};
use crate::call::{Attrs, Operation, Outline, Signature};
use crate::erase::{Cube, Geometry, Images};
use crate::error::OpError;
use crate::operation;
use crate::value::{DType, Shape, Spec};

/// The places along one axis.
fn places(n: usize, taps: usize, stride: usize, padding: usize, dilation: usize) -> Option<usize> {
    if stride == 0 || dilation == 0 {
        return None;
    }
    let extent = taps.checked_sub(1)? * dilation + 1;
    Some((n + 2 * padding).checked_sub(extent)? / stride + 1)
}

fn convolved(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let how = read::<Geometry>(s, x, a, "how")?;
    let (image, w) = (&x[0].shape, &x[1].shape);
    let divides = how.groups > 0
        && w[1].saturating_mul(how.groups) == image[1]
        && w[0].is_multiple_of(how.groups);
    let along = |i: usize| {
        places(
            image[i + 2],
            w[i + 2],
            how.stride[i],
            how.padding[i],
            how.dilation[i],
        )
    };
    let shape = along(0)
        .zip(along(1))
        .filter(|_| divides)
        .map(|(h, v)| Shape::from_slice(&[image[0], w[0], h, v]));
    let outline = shaped(s, x, a, shape)?;
    let taps = (w[1] * w[2] * w[3]) as f64;
    let out = outline.outputs[0].entries() as f64;
    Ok(outline.costing(2.0 * out * taps))
}

fn transposed(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let how = read::<Geometry>(s, x, a, "how")?;
    let (y, w) = (&x[0].shape, &x[1].shape);
    let channels = w[1].saturating_mul(how.groups);
    let divides = how.groups > 0 && w[0].is_multiple_of(how.groups) && y[1] == w[0];
    let along = |i: usize| {
        if how.stride[i] == 0 || how.dilation[i] == 0 {
            return None;
        }
        let extent = w[i + 2].checked_sub(1)? * how.dilation[i] + 1;
        let padded = y[i + 2].checked_sub(1)? * how.stride[i] + extent;
        padded.checked_sub(2 * how.padding[i]).filter(|n| *n > 0)
    };
    let shape = along(0)
        .zip(along(1))
        .filter(|_| divides)
        .map(|(h, v)| Shape::from_slice(&[y[0], channels, h, v]));
    shaped(s, x, a, shape)
}

fn along_one_axis(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let (stride, padding) = (
        read::<usize>(s, x, a, "stride")?,
        read::<usize>(s, x, a, "padding")?,
    );
    let (rows, w) = (&x[0].shape, &x[1].shape);
    let n = places(rows[2], w[2], stride, padding, 1).filter(|_| rows[1] == w[1]);
    shaped(s, x, a, n.map(|n| smallvec![rows[0], w[0], n]))
}

/// `5·n·log₂ n` operations, and an output of another type.
fn transform(x: &[Spec], dtype: DType, n: usize, length: usize) -> Outline {
    let size = length.max(2) as f64;
    let output = Spec::new(dtype, &[n]);
    super::outlines::one(x, output)
        .costing(5.0 * size * size.log2())
        .linear()
}

pub(super) fn all() -> Vec<Arc<dyn Operation>> {
    vec![
        operation!("core::conv2d" = conv2d_with[x: Images<T>, w: Images<T>; how: Geometry] -> Array4<T>, for [f64 f32 second],
            convolved),
        operation!("core::conv_transpose2d" = conv_transpose2d[y: Images<T>, w: Images<T>; how: Geometry] -> Array4<T>,
            for [f64 f32 second], transposed),
        operation!("core::conv1d" = conv1d[x: Cube<T>, w: Cube<T>; stride: usize = 1_usize, padding: usize = 0_usize] -> Array3<T>,
            for [f64 f32 second], along_one_axis),
        operation!("core::fft" = fft[x: [Complex<T>]] -> Vec<Complex<T>>, for [f64 linear],
            |_, x, _| Ok(transform(x, DType::Complex, x[0].shape[0], x[0].shape[0]))),
        operation!("core::ifft" = ifft[y: [Complex<T>]] -> Vec<Complex<T>>, for [f64 linear],
            |_, x, _| Ok(transform(x, DType::Complex, x[0].shape[0], x[0].shape[0]))),
        operation!("core::rfft" = rfft[x: [T]] -> Vec<Complex<T>>, for [f64 linear],
        |_, x, _| {
            let n = x[0].shape[0];
            Ok(transform(x, DType::Complex, if n == 0 { 0 } else { n / 2 + 1 }, n))
        }),
        operation!("core::irfft" = irfft[y: [Complex<T>]; n: usize] -> Vec<T>, for [f64 linear], |s, x, a| {
            let n = read::<usize>(s, x, a, "n")?;
            let fits = x[0].shape[0] == if n == 0 { 0 } else { n / 2 + 1 };
            shaped(s, x, a, fits.then(|| smallvec![n])).map(|_| transform(x, DType::F64, n, n))
        }),
    ]
}
