//! Products of matrices.
//!
//! | value | shape | forward | reverse |
//! |---|---|---|---|
//! | `A` | `(m, k)` | | `Ā += C̄·Bᵀ` |
//! | `B` | `(k, n)` | | `B̄ += Aᵀ·C̄` |
//! | `C` | `(m, n)` | `Ċ = Ȧ·B + A·Ḃ` | |
//!
//! Transposition is a flag, and cotangents are added where they lie: nothing is copied. Source: Giles 2008, *An extended collection of
//! matrix derivative results*.

use std::marker::PhantomData;

use coenzyme::primitive;
use ndarray::{Dimension, Ix2, Ix3};

use super::class::{Binary, binary_rule};
use crate::array::DeviceArray;
use crate::element::Float;
use crate::error::{Error, Result};
use crate::launch::{Address, Gemm};

/// `A·B`: `(m, k)·(k, n) → (m, n)`; zeros for `k = 0`. By cuBLAS on a card; single precision is not rounded to TF32.
///
/// ```
/// # use coenzyme_cuda::{Device, rules::matmul};
/// # use ndarray::array;
/// # let Ok(device) = Device::emulated() else { println!("skipped: no C++ compiler"); return Ok(()) };
/// let a = device.array(&array![[1.0, 2.0], [3.0, 4.0]])?;
/// let b = device.array(&array![[5.0, 6.0], [7.0, 8.0]])?;
/// assert_eq!(matmul(&a, &b)?.to_host()?, array![[19.0, 22.0], [43.0, 50.0]]);
/// # Ok::<(), coenzyme_cuda::Error>(())
/// ```
///
/// # Errors
/// If the inner lengths differ, there is no cuBLAS, the device has no memory left, or is lost.
#[primitive]
pub fn matmul<T: Float>(
    a: &DeviceArray<T, Ix2>,
    b: &DeviceArray<T, Ix2>,
) -> Result<DeviceArray<T, Ix2>> {
    Product::value(a, b, &())
}

/// `Aᵢ·Bᵢ` for each `i`: `(p, m, k)·(p, k, n) → (p, m, n)`.
///
/// # Errors
/// If the lengths do not fit, there is no cuBLAS, the device has no memory left, or is lost.
#[primitive]
pub fn batched_matmul<T: Float>(
    a: &DeviceArray<T, Ix3>,
    b: &DeviceArray<T, Ix3>,
) -> Result<DeviceArray<T, Ix3>> {
    Product::value(a, b, &())
}

/// The class of [`matmul()`] and [`batched_matmul()`].
pub struct Product<T, D>(PhantomData<(T, D)>);

/// `C (+)= op A·op B`, where `op A` is `(m, k)` and `op B` `(k, n)`, of a batch.
fn multiply<T: Float, D: Dimension>(
    like: &DeviceArray<T, D>,
    batch: usize,
    [m, n, k]: [usize; 3],
    a: (Address, bool),
    b: (Address, bool),
    c: (Address, bool),
) -> Result<()> {
    let device = like.device();
    let gemm = Gemm {
        double: size_of::<T>() == 8,
        size: [m, n, k],
        batch,
        a,
        b,
        c: c.0,
        strides: [m * k, k * n, m * n],
        accumulate: c.1,
    };
    if k == 0 && !c.1 {
        return device.zero(c.0, batch * m * n * size_of::<T>());
    }
    device.gemm(&*device.library::<T>()?, &gemm)
}

/// Batch, rows and columns.
fn sizes(shape: &[usize]) -> (usize, usize, usize) {
    let [batch @ .., rows, columns] = shape else {
        return (0, 0, 0);
    };
    (batch.iter().product(), *rows, *columns)
}

impl<T: Float, D: Dimension + 'static> Binary for Product<T, D> {
    type A = DeviceArray<T, D>;
    type B = DeviceArray<T, D>;
    type Out = DeviceArray<T, D>;
    type Attrs = ();

    const READS_OTHER: bool = true;

    fn value(a: &Self::A, b: &Self::B, (): &()) -> Result<Self::Out> {
        a.same_device(b)?;
        let ((p, m, k), (q, l, n)) = (sizes(a.shape()), sizes(b.shape()));
        if (p, k) != (q, l) {
            let mut wanted = a.shape().to_vec();
            let last = wanted.len();
            (wanted[last - 2], wanted[last - 1]) = (k, n);
            return Err(Error::shape(
                "matmul",
                format_args!("{wanted:?} to multiply {:?} with", a.shape()),
                format_args!("{:?}", b.shape()),
            ));
        }
        let mut shape = a.raw_dim();
        let last = shape.ndim() - 1;
        shape[last] = n;
        let c = DeviceArray::unset(a.device(), shape)?;
        let (at, bt) = ((a.address(), false), (b.address(), false));
        multiply(a, p, [m, n, k], at, bt, (c.address(), false))?;
        Ok(c)
    }

    fn pushforward(
        (a, da): (&Self::A, Option<&Self::A>),
        (b, db): (&Self::B, Option<&Self::B>),
        (): &(),
    ) -> Result<Self::Out> {
        let ((p, m, k), (_, _, n)) = (sizes(a.shape()), sizes(b.shape()));
        let mut shape = a.raw_dim();
        let last = shape.ndim() - 1;
        shape[last] = n;
        let dc = DeviceArray::unset(a.device(), shape)?;
        let factors = [da.map(|da| (da, b)), db.map(|db| (a, db))];
        for (i, (x, y)) in factors.into_iter().flatten().enumerate() {
            let (x, y) = ((x.address(), false), (y.address(), false));
            multiply(a, p, [m, n, k], x, y, (dc.address(), i > 0))?;
        }
        Ok(dc)
    }

    fn pullback_a(b: Option<&Self::B>, dc: &Self::Out, da: &mut Self::A, (): &()) -> Result<()> {
        let ((p, m, k), (_, _, n)) = (sizes(da.shape()), sizes(dc.shape()));
        let (b, to) = (b.map_or(0, DeviceArray::address), da.shadow());
        multiply(
            dc,
            p,
            [m, k, n],
            (dc.address(), false),
            (b, true),
            (to, true),
        )
    }

    fn pullback_b(a: Option<&Self::A>, dc: &Self::Out, db: &mut Self::B, (): &()) -> Result<()> {
        let ((p, k, n), (_, m, _)) = (sizes(db.shape()), sizes(dc.shape()));
        let (a, to) = (a.map_or(0, DeviceArray::address), db.shadow());
        multiply(
            dc,
            p,
            [k, n, m],
            (a, true),
            (dc.address(), false),
            (to, true),
        )
    }
}

binary_rule!(matmul[T: Float](a: DeviceArray<T, Ix2>, b: DeviceArray<T, Ix2>) = Product<T, Ix2>);
binary_rule!(batched_matmul[T: Float](a: DeviceArray<T, Ix3>, b: DeviceArray<T, Ix3>) = Product<T, Ix3>);
