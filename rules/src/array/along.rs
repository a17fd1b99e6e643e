//! Functions along an axis, row by row.

use coenzyme::primitive;
use ndarray::{Array, ArrayRef, ArrayView1, ArrayViewMut1, Dimension, Zip};

use crate::class::{Classified, Lanes, Lanewise, Reads, Scalar, Unary};
use crate::unary_rule;

/// The function of a [`Lanewise`], which is implemented for its marker.
macro_rules! along {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        ///
        /// Along one axis. **Panics** if there is no such axis.
        #[primitive]
        #[track_caller]
        pub fn $name<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, axis: usize) -> Array<T, D> {
            Lanes::<$name>::value(x, (&axis,))
        }

        unary_rule!($name[T: Scalar, D: Dimension](x: ArrayRef<T, D>; axis: usize) = Lanes<$name>);

        impl Classified for $name {
            type Class = Lanes<$name>;
        }
    )+};
}

along! {
    /// `eˣ/Σeˣ`, without overflow.
    ///
    /// Forward `ẏ = y∘(ẋ − ⟨y, ẋ⟩)`, reverse `x̄ += y∘(ȳ − ⟨y, ȳ⟩)`. NaN for a row that holds ∞, or only −∞.
    softmax;
    /// `x − ln Σeˣ`, without overflow.
    ///
    /// Forward `ẏ = ẋ − ⟨eʸ, ẋ⟩`, reverse `x̄ += ȳ − eʸ·Σȳ`.
    log_softmax;
    /// `yᵢ = x₀ + … + xᵢ`.
    ///
    /// Forward: of the tangent. Reverse: `x̄ᵢ += ȳᵢ + ȳᵢ₊₁ + …`.
    cumsum;
    /// `yᵢ = x₀·…·xᵢ`.
    ///
    /// Forward `ẏᵢ = ẏᵢ₋₁·xᵢ + yᵢ₋₁·ẋᵢ`. Reverse without division: `gᵢ = ȳᵢ + gᵢ₊₁·xᵢ₊₁`, `x̄ᵢ += gᵢ·yᵢ₋₁`.
    cumprod;
    /// The entries in increasing order; equal ones, and NaN, keep theirs, NaN at the end.
    ///
    /// Forward and reverse: by the same permutation, which is found again from `x`.
    sort;
}

/// `⟨x, y⟩`
fn inner<T: Scalar>(x: ArrayView1<'_, T>, y: ArrayView1<'_, T>) -> T {
    x.dot(&y)
}

/// The largest entry, −∞ for none.
fn largest<T: Scalar>(x: ArrayView1<'_, T>) -> T {
    x.iter().fold(T::neg_infinity(), |a, &b| a.max(b))
}

impl softmax {
    /// `z += y∘(d − ⟨y, d⟩)`: the derivative is symmetric.
    fn derivative<T: Scalar>(y: ArrayView1<'_, T>, d: ArrayView1<'_, T>, z: ArrayViewMut1<'_, T>) {
        let mean = inner(y, d);
        Zip::from(z)
            .and(y)
            .and(d)
            .for_each(|z, &y, &d| *z += y * (d - mean));
    }
}

impl<T: Scalar> Lanewise<T> for softmax {
    const READS: Reads = Reads::OUT;

    fn value(x: ArrayView1<'_, T>, mut y: ArrayViewMut1<'_, T>) {
        let top = largest(x);
        let mut sum = T::zero();
        Zip::from(&mut y).and(x).for_each(|y, &x| {
            *y = (x - top).exp();
            sum += *y;
        });
        y.mapv_inplace(|y| y / sum);
    }
    fn pushforward(
        _: ArrayView1<'_, T>,
        y: ArrayView1<'_, T>,
        dx: ArrayView1<'_, T>,
        dy: ArrayViewMut1<'_, T>,
    ) {
        Self::derivative(y, dx, dy);
    }
    fn pullback(
        _: ArrayView1<'_, T>,
        y: ArrayView1<'_, T>,
        dy: ArrayView1<'_, T>,
        dx: ArrayViewMut1<'_, T>,
    ) {
        Self::derivative(y, dy, dx);
    }
}

impl<T: Scalar> Lanewise<T> for log_softmax {
    const READS: Reads = Reads::OUT;

    fn value(x: ArrayView1<'_, T>, y: ArrayViewMut1<'_, T>) {
        let top = largest(x);
        let total = top + x.iter().map(|&x| (x - top).exp()).sum::<T>().ln();
        Zip::from(y).and(x).for_each(|y, &x| *y = x - total);
    }
    fn pushforward(
        _: ArrayView1<'_, T>,
        y: ArrayView1<'_, T>,
        dx: ArrayView1<'_, T>,
        dy: ArrayViewMut1<'_, T>,
    ) {
        let mean: T = y.iter().zip(dx).map(|(&y, &dx)| y.exp() * dx).sum();
        Zip::from(dy).and(dx).for_each(|dy, &dx| *dy = dx - mean);
    }
    fn pullback(
        _: ArrayView1<'_, T>,
        y: ArrayView1<'_, T>,
        dy: ArrayView1<'_, T>,
        dx: ArrayViewMut1<'_, T>,
    ) {
        let sum = dy.sum();
        Zip::from(dx)
            .and(y)
            .and(dy)
            .for_each(|dx, &y, &dy| *dx += dy - y.exp() * sum);
    }
}

impl<T: Scalar> Lanewise<T> for cumsum {
    const READS: Reads = Reads::NOTHING;

    fn value(x: ArrayView1<'_, T>, y: ArrayViewMut1<'_, T>) {
        let mut sum = T::zero();
        Zip::from(y).and(x).for_each(|y, &x| {
            sum += x;
            *y = sum;
        });
    }
    fn pushforward(
        _: ArrayView1<'_, T>,
        _: ArrayView1<'_, T>,
        dx: ArrayView1<'_, T>,
        dy: ArrayViewMut1<'_, T>,
    ) {
        Self::value(dx, dy);
    }
    fn pullback(
        _: ArrayView1<'_, T>,
        _: ArrayView1<'_, T>,
        dy: ArrayView1<'_, T>,
        dx: ArrayViewMut1<'_, T>,
    ) {
        let mut sum = T::zero();
        for (dx, &dy) in dx.into_iter().zip(dy).rev() {
            sum += dy;
            *dx += sum;
        }
    }
}

impl<T: Scalar> Lanewise<T> for cumprod {
    const READS: Reads = Reads::X.and(Reads::OUT);

    fn value(x: ArrayView1<'_, T>, y: ArrayViewMut1<'_, T>) {
        let mut product = T::one();
        for (y, &x) in y.into_iter().zip(x) {
            product *= x;
            *y = product;
        }
    }
    fn pushforward(
        x: ArrayView1<'_, T>,
        y: ArrayView1<'_, T>,
        dx: ArrayView1<'_, T>,
        dy: ArrayViewMut1<'_, T>,
    ) {
        let (mut before, mut tangent) = (T::one(), T::zero());
        for (((dy, &y), &x), &dx) in dy.into_iter().zip(y).zip(x).zip(dx) {
            tangent = tangent * x + before * dx;
            before = y;
            *dy = tangent;
        }
    }
    fn pullback(
        x: ArrayView1<'_, T>,
        y: ArrayView1<'_, T>,
        dy: ArrayView1<'_, T>,
        mut dx: ArrayViewMut1<'_, T>,
    ) {
        let mut g = T::zero();
        for i in (0..x.len()).rev() {
            let after = if i + 1 < x.len() {
                g * x[i + 1]
            } else {
                T::zero()
            };
            g = dy[i] + after;
            let before = if i > 0 { y[i - 1] } else { T::one() };
            dx[i] += g * before;
        }
    }
}

/// The order that sorts a row.
fn order<T: Scalar>(x: ArrayView1<'_, T>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&i, &j| {
        let nan = |i: usize| x[i].is_nan();
        x[i].partial_cmp(&x[j])
            .unwrap_or_else(|| nan(i).cmp(&nan(j)))
    });
    order
}

impl<T: Scalar> Lanewise<T> for sort {
    const READS: Reads = Reads::X;

    fn value(x: ArrayView1<'_, T>, y: ArrayViewMut1<'_, T>) {
        for (y, i) in y.into_iter().zip(order(x)) {
            *y = x[i];
        }
    }
    fn pushforward(
        x: ArrayView1<'_, T>,
        _: ArrayView1<'_, T>,
        dx: ArrayView1<'_, T>,
        dy: ArrayViewMut1<'_, T>,
    ) {
        for (dy, i) in dy.into_iter().zip(order(x)) {
            *dy = dx[i];
        }
    }
    fn pullback(
        x: ArrayView1<'_, T>,
        _: ArrayView1<'_, T>,
        dy: ArrayView1<'_, T>,
        mut dx: ArrayViewMut1<'_, T>,
    ) {
        for (&dy, i) in dy.iter().zip(order(x)) {
            dx[i] += dy;
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn softmax_does_not_overflow() {
        assert_eq!(softmax(&array![1000.0, 1000.0], 0), array![0.5, 0.5]);
        assert_eq!(log_softmax(&array![1000.0, 0.0], 0), array![0.0, -1000.0]);
    }

    #[test]
    fn sort_puts_nan_last_and_keeps_ties_in_order() {
        let y = sort(&array![2.0, f64::NAN, 1.0], 0);
        assert_eq!((y[0], y[1]), (1.0, 2.0));
        assert!(y[2].is_nan());
        assert_eq!(order(array![1.0, 0.0, 1.0].view()), [1, 0, 2]);
    }

    #[test]
    #[should_panic(expected = "axis 2 is out of bounds for shape [1, 2]")]
    fn an_axis_that_does_not_exist_is_named() {
        let _ = softmax(&array![[1.0, 2.0]], 2);
    }
}
