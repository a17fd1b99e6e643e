//! Reductions that are not linear, each over a whole array, along one axis, and over several axes.

use coenzyme::primitive;
use ndarray::{Array, ArrayD, ArrayRef, ArrayView1, Dimension, RemoveAxis};

use crate::class::{Along, Classified, Over, Reads, Reduction, Scalar, Unary, Whole};
use crate::unary_rule;

/// The three functions of a [`Reduction`], which is implemented for the marker of the first.
macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident, $name_axis:ident, $name_axes:ident;)+) => {$(
        $(#[$doc])*
        ///
        /// Over all entries.
        #[primitive]
        pub fn $name<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> T {
            Whole::<$name>::value(x, ())
        }

        unary_rule!($name[T: Scalar, D: Dimension](x: ArrayRef<T, D>) = Whole<$name>);

        $(#[$doc])*
        ///
        /// Along one axis, which is removed. **Panics** if there is no such axis.
        #[primitive]
        #[track_caller]
        pub fn $name_axis<T: Scalar, D: RemoveAxis>(
            x: &ArrayRef<T, D>,
            axis: usize,
        ) -> Array<T, D::Smaller> {
            Along::<$name>::value(x, (&axis,))
        }

        unary_rule!($name_axis[T: Scalar, D: RemoveAxis](x: ArrayRef<T, D>; axis: usize) = Along<$name>);

        $(#[$doc])*
        ///
        /// Over several axes, which are removed, or kept with length 1. **Panics** if an axis does not exist or is named
        /// twice.
        #[primitive]
        #[track_caller]
        pub fn $name_axes<T: Scalar, D: Dimension>(
            x: &ArrayRef<T, D>,
            axes: &[usize],
            keepdims: bool,
        ) -> ArrayD<T> {
            Over::<$name>::value(x, (axes, &keepdims))
        }

        unary_rule!(
            $name_axes[T: Scalar, D: Dimension](x: ArrayRef<T, D>; axes: [usize], keepdims: bool) = Over<$name>
        );

        impl Classified for $name {
            type Class = Whole<$name>;
        }
        impl Classified for $name_axis {
            type Class = Along<$name>;
        }
        impl Classified for $name_axes {
            type Class = Over<$name>;
        }
    )+};
}

reductions! {
    /// The variance `Σ(x − x̄)²/n`, in two passes: partial `2(x − x̄)/n`. NaN for no entries.
    var, var_axis, var_axes;
    /// The standard deviation, the root of the variance: partial `(x − x̄)/(n·y)`, and 0 where all entries are equal.
    std_dev, std_dev_axis, std_dev_axes;
    /// The largest entry: the derivative belongs to the first of those that are largest. NaN entries are passed over; −∞ for
    /// no entries.
    max, max_axis, max_axes;
    /// The largest entry: those that are largest share the derivative equally.
    max_shared, max_shared_axis, max_shared_axes;
    /// The smallest entry: the derivative belongs to the first of those that are smallest. NaN entries are passed over; ∞ for
    /// no entries.
    min, min_axis, min_axes;
    /// The product: each partial is the product of the other entries, computed without division. 1 for no entries.
    prod, prod_axis, prod_axes;
    /// The Euclidean norm, scaled against overflow: partial `x/y`, and 0 at the origin.
    norm, norm_axis, norm_axes;
    /// The sum of absolute values: partial `sign(x)`, and 0 at 0.
    norm_l1, norm_l1_axis, norm_l1_axes;
    /// The largest absolute value: the derivative belongs to the first of those that are largest, and is 0 at the origin.
    norm_max, norm_max_axis, norm_max_axes;
    /// `ln Σ eˣ`, without overflow: partial `e^(x − y)`, and 1 for an entry equal to an infinite value. −∞ for no entries.
    logsumexp, logsumexp_axis, logsumexp_axes;
    /// The median, the mean of the two middle entries if their number is even: the partials are their weights. NaN for no entries, and if one is NaN.
    median, median_axis, median_axes;
}

fn mean<T: Scalar>(x: ArrayView1<'_, T>) -> T {
    x.sum() / T::lit(x.len() as f64)
}

impl<T: Scalar> Reduction<T> for var {
    const READS: Reads = Reads::X;

    fn value(x: ArrayView1<'_, T>) -> T {
        let m = mean(x);
        x.iter().map(|&x| (x - m) * (x - m)).sum::<T>() / T::lit(x.len() as f64)
    }
    fn partials(x: ArrayView1<'_, T>, _: T) -> impl Iterator<Item = T> {
        let (m, factor) = (mean(x), T::lit(2.0 / x.len() as f64));
        x.into_iter().map(move |&x| factor * (x - m))
    }
}

impl<T: Scalar> Reduction<T> for std_dev {
    const READS: Reads = Reads::X.and(Reads::OUT);

    fn value(x: ArrayView1<'_, T>) -> T {
        var::value(x).sqrt()
    }
    fn partials(x: ArrayView1<'_, T>, y: T) -> impl Iterator<Item = T> {
        let m = mean(x);
        let factor = if y.is_zero() {
            T::zero()
        } else {
            (T::lit(x.len() as f64) * y).recip()
        };
        x.into_iter().map(move |&x| factor * (x - m))
    }
}

/// One at the first entry for which `hit`, zero elsewhere.
fn first<'a, T: Scalar>(
    x: ArrayView1<'a, T>,
    hit: impl Fn(T) -> bool,
) -> impl Iterator<Item = bool> {
    let mut found = false;
    x.into_iter().map(move |&x| {
        let here = !found && hit(x);
        found |= here;
        here
    })
}

fn indicator<T: Scalar>(hit: bool) -> T {
    if hit { T::one() } else { T::zero() }
}

/// The largest entry, by eight maxima that do not wait for each other.
fn largest<T: Scalar>(x: &[T]) -> T {
    let mut eight = [T::neg_infinity(); 8];
    let mut chunks = x.chunks_exact(8);
    for chunk in &mut chunks {
        for (a, &b) in eight.iter_mut().zip(chunk) {
            *a = a.max(b);
        }
    }
    let rest = eight.iter().chain(chunks.remainder());
    rest.fold(T::neg_infinity(), |a, &b| a.max(b))
}

impl<T: Scalar> Reduction<T> for max {
    const READS: Reads = Reads::X.and(Reads::OUT);

    fn value(x: ArrayView1<'_, T>) -> T {
        match x.as_slice() {
            Some(x) => largest(x),
            None => x.iter().fold(T::neg_infinity(), |a, &b| a.max(b)),
        }
    }
    fn partials(x: ArrayView1<'_, T>, y: T) -> impl Iterator<Item = T> {
        first(x, move |x| x == y).map(indicator)
    }
}

impl<T: Scalar> Reduction<T> for max_shared {
    const READS: Reads = Reads::X.and(Reads::OUT);

    fn value(x: ArrayView1<'_, T>) -> T {
        max::value(x)
    }
    fn partials(x: ArrayView1<'_, T>, y: T) -> impl Iterator<Item = T> {
        let ties = x.iter().filter(|x| **x == y).count();
        x.into_iter()
            .map(move |&x| indicator::<T>(x == y) / T::lit(ties as f64))
    }
}

impl<T: Scalar> Reduction<T> for min {
    const READS: Reads = Reads::X.and(Reads::OUT);

    fn value(x: ArrayView1<'_, T>) -> T {
        x.iter().fold(T::infinity(), |a, &b| a.min(b))
    }
    fn partials(x: ArrayView1<'_, T>, y: T) -> impl Iterator<Item = T> {
        first(x, move |x| x == y).map(indicator)
    }
}

impl<T: Scalar> Reduction<T> for prod {
    const READS: Reads = Reads::X;

    fn value(x: ArrayView1<'_, T>) -> T {
        x.product()
    }
    /// The product of what comes before and of what comes after.
    fn partials(x: ArrayView1<'_, T>, _: T) -> impl Iterator<Item = T> {
        let mut after = vec![T::one(); x.len()];
        for i in (1..x.len()).rev() {
            after[i - 1] = after[i] * x[i];
        }
        let mut before = T::one();
        x.into_iter().zip(after).map(move |(&x, after)| {
            let partial = before * after;
            before *= x;
            partial
        })
    }
}

impl<T: Scalar> Reduction<T> for norm {
    const READS: Reads = Reads::X.and(Reads::OUT);

    fn value(x: ArrayView1<'_, T>) -> T {
        let squares = x.dot(&x);
        // Squares that were rounded to zero are small beside such a sum.
        if squares.is_finite() && squares > T::min_positive_value() / T::epsilon() {
            return squares.sqrt();
        }
        let largest = norm_max::value(x);
        if largest.is_zero() || largest.is_infinite() {
            return largest;
        }
        let squares = x.iter().map(|&x| (x / largest) * (x / largest));
        largest * squares.sum::<T>().sqrt()
    }
    fn partials(x: ArrayView1<'_, T>, y: T) -> impl Iterator<Item = T> {
        x.into_iter()
            .map(move |&x| if y.is_zero() { T::zero() } else { x / y })
    }
}

impl<T: Scalar> Reduction<T> for norm_l1 {
    const READS: Reads = Reads::X;

    fn value(x: ArrayView1<'_, T>) -> T {
        x.iter().map(|&x| x.abs()).sum()
    }
    fn partials(x: ArrayView1<'_, T>, _: T) -> impl Iterator<Item = T> {
        x.into_iter().map(|&x| coenzyme::ops::abs::partial(x, x))
    }
}

impl<T: Scalar> Reduction<T> for norm_max {
    const READS: Reads = Reads::X.and(Reads::OUT);

    fn value(x: ArrayView1<'_, T>) -> T {
        x.iter().fold(T::zero(), |a, &b| a.max(b.abs()))
    }
    fn partials(x: ArrayView1<'_, T>, y: T) -> impl Iterator<Item = T> {
        first(x, move |x| x.abs() == y)
            .zip(x)
            .map(|(hit, &x)| indicator::<T>(hit) * coenzyme::ops::abs::partial(x, x))
    }
}

impl<T: Scalar> Reduction<T> for logsumexp {
    const READS: Reads = Reads::X.and(Reads::OUT);

    fn value(x: ArrayView1<'_, T>) -> T {
        let largest = max::value(x);
        if largest.is_infinite() {
            return largest;
        }
        largest + x.iter().map(|&x| (x - largest).exp()).sum::<T>().ln()
    }
    fn partials(x: ArrayView1<'_, T>, y: T) -> impl Iterator<Item = T> {
        x.into_iter()
            .map(move |&x| if x == y { T::one() } else { (x - y).exp() })
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;

    fn partials<F: Reduction<f64>>(x: &[f64]) -> Vec<f64> {
        let x = ArrayView1::from(x);
        F::partials(x, F::value(x)).collect()
    }

    #[test]
    fn n28_ties_follow_the_policy() {
        assert_eq!(partials::<max>(&[1., 4., 4., 2.]), [0., 1., 0., 0.]);
        assert_eq!(
            partials::<max_shared>(&[1., 4., 4., 2.]),
            [0., 0.5, 0.5, 0.]
        );
    }

    #[test]
    fn n29_products_have_partials_beside_a_zero() {
        assert_eq!(
            prod_axis(&array![[1., 2., 3.], [4., 5., 6.]], 1),
            array![6., 120.]
        );
        assert_eq!(partials::<prod>(&[1., 2., 3.]), [6., 3., 2.]);
        assert_eq!(partials::<prod>(&[4., 5., 6.]), [30., 24., 20.]);
        assert_eq!(partials::<prod>(&[2., 0., 3., 5.]), [0., 30., 0., 0.]);
    }

    #[test]
    fn edges_are_as_documented() {
        assert_eq!(partials::<norm>(&[0., 0.]), [0., 0.]);
        assert_eq!(partials::<std_dev>(&[2., 2.]), [0., 0.]);
        assert_eq!(partials::<norm_l1>(&[0., -2.]), [0., -1.]);
        assert_eq!(partials::<norm_max>(&[0., 0.]), [0., 0.]);
        assert_eq!(partials::<logsumexp>(&[f64::INFINITY, 1.]), [1., 0.]);
        assert_eq!(partials::<max>(&[f64::NAN, 1.]), [0., 1.]);
        let empty = Array2::<f64>::zeros((0, 3));
        assert_eq!(
            (max(&empty), min(&empty)),
            (f64::NEG_INFINITY, f64::INFINITY)
        );
        assert_eq!((prod(&empty), norm(&empty)), (1.0, 0.0));
        assert_eq!(logsumexp(&empty), f64::NEG_INFINITY);
        assert!(var(&empty).is_nan());
        for size in [1e200_f64, 1e-200, 1e-154, 1e-140, 1e153] {
            let y = norm(&array![3.0 * size, 4.0 * size]);
            assert!((y / (5.0 * size) - 1.0).abs() < 1e-15, "{size}: {y}");
        }
        assert!(norm(&array![1.0, f64::NAN]).is_nan());
        assert_eq!(norm(&array![1.0, f64::NEG_INFINITY]), f64::INFINITY);
        assert_eq!(logsumexp(&array![1000.0, 1000.0]), 1000.0 + 2.0_f64.ln());
    }
}
