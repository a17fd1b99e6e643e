//! Arrays from attributes: they depend on nothing that has a derivative.
//!
//! Each is [`inactive`]: no tangent flows out of it and no cotangent into it, it keeps no tape, and within a function whose
//! derivative is generated what it returns is constant.

use coenzyme::{Inactive, inactive};
use ndarray::{Array, Array1, Array2, Dim, Dimension};

use crate::class::Scalar;

/// Zeros of a shape.
///
/// ```
/// # use ndarray::array;
/// assert_eq!(coenzyme_rules::array::zeros([1, 2]), array![[0.0, 0.0]]);
/// ```
#[inactive]
pub fn zeros<const N: usize>(shape: [usize; N]) -> Array<f64, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    full(shape, Inactive(0.0))
}

/// Ones of a shape.
#[inactive]
pub fn ones<const N: usize>(shape: [usize; N]) -> Array<f64, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    full(shape, Inactive(1.0))
}

/// One number in every entry of a shape. A number that has a derivative is repeated by
/// [`broadcast_to()`](super::broadcast_to()).
///
/// ```
/// # use ndarray::array;
/// use coenzyme::Inactive;
/// assert_eq!(coenzyme_rules::array::full([2], Inactive(3.0)), array![3.0, 3.0]);
/// ```
#[inactive]
pub fn full<T: Scalar, const N: usize>(
    shape: [usize; N],
    entry: Inactive<T>,
) -> Array<T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    Array::from_elem(ndarray::IxDyn(&shape), entry.0)
        .into_dimensionality()
        .expect("as many axes as the type of dimension has")
}

/// The identity of order `n`.
#[inactive]
pub fn identity(n: usize) -> Array2<f64> {
    Array2::eye(n)
}

/// `n` numbers from `start` to `end`, at equal distances: the first is `start`, the last, if there are two, `end`.
///
/// ```
/// # use ndarray::array;
/// use coenzyme::Inactive;
/// use coenzyme_rules::array::linspace;
/// assert_eq!(linspace(Inactive(0.0), Inactive(1.0), 3), array![0.0, 0.5, 1.0]);
/// ```
#[inactive]
pub fn linspace<T: Scalar>(start: Inactive<T>, end: Inactive<T>, n: usize) -> Array1<T> {
    let step = (end.0 - start.0) / T::lit(n.saturating_sub(1).max(1) as f64);
    let entry = |i: usize| match i {
        0 => start.0,
        i if i + 1 == n => end.0,
        i => start.0 + step * T::lit(i as f64),
    };
    (0..n).map(entry).collect()
}

/// Numbers from a uniform distribution over `0..1`, by counting: entry `i` depends on `seed`, `stream` and `i` alone. So a part of the program (a
/// shard, a thread) draws its own numbers from a stream of its own, or the same ones from the same stream.
///
/// Source: Steele, Lea & Flood 2014, *Fast splittable pseudorandom number generators*, doi:10.1145/2660193.2660195
/// (the finalizer of SplitMix).
///
/// ```
/// use coenzyme_rules::array::uniform;
///
/// let (a, b) = (uniform([4], 7, 0), uniform([4], 7, 1));
/// assert_eq!(a, uniform([4], 7, 0));
/// assert_ne!(a, b);
/// ```
#[inactive]
pub fn uniform<const N: usize>(
    shape: [usize; N],
    seed: u64,
    stream: u64,
) -> Array<f64, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    let key = mixed(seed ^ mixed(stream));
    let mut i = 0_u64;
    Array::from_shape_simple_fn(ndarray::IxDyn(&shape), || {
        i += 1;
        let bits = mixed(key.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    })
    .into_dimensionality()
    .expect("as many axes as the type of dimension has")
}

/// Each bit of the result depends on all bits.
fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use coenzyme::Thunk;
    use coenzyme::prelude::*;
    use ndarray::Array1;

    use super::*;
    use crate::array::{mul, sum};

    /// `Σ x∘u`, with numbers that are drawn on the way.
    #[differentiable]
    fn weighted(x: &Array1<f64>) -> f64 {
        let u = uniform([3], 7, 0);
        let y = mul(x, &u);
        sum(&y)
    }

    #[test]
    fn n32_what_is_created_is_constant() {
        let (x, mut dx) = (Array1::from(vec![1.0, 2.0, 3.0]), Array1::zeros(3));
        autodiff!(Reverse, weighted, Active, Duplicated(&x, &mut dx));
        assert_eq!(dx, uniform([3], 7, 0));

        let thunk = Thunk::<_, Const<Array2<f64>>>::new(zeros {});
        let augmented = thunk.augmented(&mut (Const([2, 3]),));
        assert_eq!(augmented.primal, Some(Array2::zeros((2, 3))));
        assert_eq!(
            size_of_val(&augmented.tape) + size_of_val(&augmented.shadow),
            0
        );
    }

    #[test]
    fn uniform_numbers_are_spread_over_the_interval() {
        let x = uniform([10_000], 3, 5);
        assert!(x.iter().all(|x| (0.0..1.0).contains(x)));
        // the mean has a standard deviation of 0.003, the variance one of 0.0008
        assert!((x.mean().expect("entries") - 0.5).abs() < 0.012);
        assert!((x.var(0.0) - 1.0 / 12.0).abs() < 0.0032);
        let next: f64 = x
            .windows(2)
            .into_iter()
            .map(|w| (w[0] - 0.5) * (w[1] - 0.5))
            .sum();
        assert!((next / 1e4).abs() < 0.0034, "neighbours are not correlated");
    }

    #[test]
    fn edges_are_as_documented() {
        assert_eq!(
            linspace(Inactive(2.0), Inactive(5.0), 1),
            Array1::from(vec![2.0])
        );
        assert_eq!(linspace(Inactive(2.0), Inactive(5.0), 0).len(), 0);
        assert_eq!(linspace(Inactive(0.1), Inactive(0.7), 8)[7], 0.7);
        assert_eq!(ones([2, 0]).dim(), (2, 0));
        assert_eq!(identity(2), ndarray::array![[1.0, 0.0], [0.0, 1.0]]);
    }
}
