//! Reductions that take a number: degrees of freedom, the exponent of a norm.

use std::marker::PhantomData;

use coenzyme::{Inactive, primitive, scaled};
use ndarray::{Array, ArrayRef, ArrayView1, Axis, Dimension, RemoveAxis, Zip};

use super::reductions::{norm, norm_l1, norm_max, std_dev, var};
use crate::class::{At, Reads, Reduction, Scalar, Unary, check_axis};
use crate::unary_rule;

/// A [`Reduction`] of a row with a parameter that has no derivative.
pub trait Parametric<T> {
    /// What the parameter is.
    type Parameter;

    /// The value.
    fn value(x: ArrayView1<'_, T>, parameter: &Self::Parameter) -> T;

    /// The partial in each entry, in order, where the value is `y`.
    fn partials(x: ArrayView1<'_, T>, y: T, parameter: &Self::Parameter) -> Vec<T>;
}

/// A [`Parametric`] over all entries.
#[derive(Debug)]
pub struct Whole<F>(PhantomData<F>);

/// A [`Parametric`] along one axis, which is removed.
#[derive(Debug)]
pub struct Along<F>(PhantomData<F>);

impl<T: Scalar, D: Dimension, F: Parametric<T, Parameter: 'static>> Unary<ArrayRef<T, D>>
    for Whole<F>
{
    type Out = T;
    type Attrs<'a> = (&'a F::Parameter,);
    type Residual = ();

    const READS: Reads = Reads::X.and(Reads::OUT);

    fn value(x: &ArrayRef<T, D>, (parameter,): Self::Attrs<'_>) -> T {
        F::value(x.flatten().view(), parameter)
    }
    fn pushforward(
        at: &At<'_, ArrayRef<T, D>, T, ()>,
        dx: &ArrayRef<T, D>,
        (parameter,): Self::Attrs<'_>,
    ) -> T {
        let partials = F::partials(at.x.flatten().view(), *at.out(), parameter);
        (partials.iter().zip(dx))
            .map(|(&p, &dx)| scaled(p, dx, at.strong_zero))
            .sum()
    }
    fn pullback(
        at: &At<'_, ArrayRef<T, D>, T, ()>,
        dy: &T,
        dx: &mut ArrayRef<T, D>,
        (parameter,): Self::Attrs<'_>,
    ) {
        let partials = F::partials(at.x.flatten().view(), *at.out(), parameter);
        (partials.iter().zip(dx)).for_each(|(&p, dx)| *dx += scaled(p, *dy, at.strong_zero));
    }
}

impl<T: Scalar, D: RemoveAxis, F: Parametric<T, Parameter: 'static>> Unary<ArrayRef<T, D>>
    for Along<F>
{
    type Out = Array<T, D::Smaller>;
    type Attrs<'a> = (&'a usize, &'a F::Parameter);
    type Residual = ();

    const READS: Reads = Reads::X.and(Reads::OUT);

    #[track_caller]
    fn value(x: &ArrayRef<T, D>, (&axis, parameter): Self::Attrs<'_>) -> Self::Out {
        let axis = check_axis(axis, x.shape());
        Zip::from(x.lanes(axis)).map_collect(|x| F::value(x, parameter))
    }
    fn pushforward(
        at: &At<'_, ArrayRef<T, D>, Self::Out, ()>,
        dx: &ArrayRef<T, D>,
        (&axis, parameter): Self::Attrs<'_>,
    ) -> Self::Out {
        Zip::from(at.x.lanes(Axis(axis)))
            .and(dx.lanes(Axis(axis)))
            .and(at.out())
            .map_collect(|x, dx, &y| {
                let partials = F::partials(x, y, parameter);
                (partials.iter().zip(dx))
                    .map(|(&p, &dx)| scaled(p, dx, at.strong_zero))
                    .sum()
            })
    }
    fn pullback(
        at: &At<'_, ArrayRef<T, D>, Self::Out, ()>,
        dy: &Self::Out,
        dx: &mut ArrayRef<T, D>,
        (&axis, parameter): Self::Attrs<'_>,
    ) {
        Zip::from(dx.lanes_mut(Axis(axis)))
            .and(at.x.lanes(Axis(axis)))
            .and(at.out())
            .and(dy)
            .for_each(|dx, x, &y, &dy| {
                let partials = F::partials(x, y, parameter);
                (partials.iter().zip(dx)).for_each(|(&p, dx)| *dx += scaled(p, dy, at.strong_zero));
            });
    }
}

/// The two functions of a [`Parametric`], which is implemented for the marker of the first.
macro_rules! parametric {
    ($($(#[$doc:meta])* $name:ident, $name_axis:ident($parameter:ident: $P:ty);)+) => {$(
        $(#[$doc])*
        ///
        /// Over all entries.
        #[primitive]
        #[track_caller]
        pub fn $name<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, $parameter: $P) -> T {
            Whole::<$name>::value(x, (&$parameter,))
        }

        unary_rule!($name[T: Scalar, D: Dimension](x: ArrayRef<T, D>; $parameter: $P) = Whole<$name>);

        $(#[$doc])*
        ///
        /// Along one axis, which is removed. **Panics** if there is no such axis.
        #[primitive]
        #[track_caller]
        pub fn $name_axis<T: Scalar, D: RemoveAxis>(
            x: &ArrayRef<T, D>,
            axis: usize,
            $parameter: $P,
        ) -> Array<T, D::Smaller> {
            Along::<$name>::value(x, (&axis, &$parameter))
        }

        unary_rule!(
            $name_axis[T: Scalar, D: RemoveAxis](x: ArrayRef<T, D>; axis: usize, $parameter: $P) = Along<$name>
        );
    )+};
}

parametric! {
    /// The variance `Σ(x − x̄)²/(n − ddof)`, as [`var()`] with `ddof` degrees of freedom less: 1 for a sample. Partial
    /// `2(x − x̄)/(n − ddof)`. NaN unless `n > ddof`.
    ///
    /// ```
    /// assert_eq!(coenzyme_rules::array::var_ddof(&ndarray::array![1.0, 3.0], 1), 2.0);
    /// ```
    var_ddof, var_ddof_axis(ddof: usize);
    /// The root of [`var_ddof()`]: partial `(x − x̄)/((n − ddof)·y)`, and 0 where all entries are equal. NaN unless `n > ddof`.
    std_ddof, std_ddof_axis(ddof: usize);
    /// The norm `(Σ|x|ᵖ)^(1/p)` for `p ≥ 1`, also ∞, without overflow: partial `sign(x)·(|x|/y)^(p−1)`. It is 0 at the origin,
    /// and where `p = 1` in the entries that are 0. The norm for `p = ∞` is [`norm_max()`]. 0 for no entries. **Panics** if `p < 1`
    /// or NaN.
    ///
    /// ```
    /// use coenzyme::Inactive;
    ///
    /// let y = coenzyme_rules::array::norm_p(&ndarray::array![3.0_f64, -4.0, 5.0], Inactive(3.0));
    /// assert!((y - 6.0).abs() < 1e-14);
    /// ```
    norm_p, norm_p_axis(p: Inactive<f64>);
    /// The quantile `q`, between the entry at `⌊q(n − 1)⌋` in increasing order and the next, linearly: the partials are the weights of these two, of equal
    /// entries the first ones. NaN for no entries, and if one is NaN. **Panics** unless `q` is between 0 and 1.
    ///
    /// ```
    /// use coenzyme::Inactive;
    ///
    /// assert_eq!(coenzyme_rules::array::quantile(&ndarray::array![4.0, 1.0, 2.0], Inactive(0.75)), 3.0);
    /// ```
    quantile, quantile_axis(q: Inactive<f64>);
}

/// What a mean over `n` entries is multiplied by to be one over `n − ddof`; NaN if there are none.
fn correction<T: Scalar>(n: usize, ddof: usize) -> T {
    match n.checked_sub(ddof) {
        None | Some(0) => T::nan(),
        Some(rest) => T::lit(n as f64 / rest as f64),
    }
}

impl<T: Scalar> Parametric<T> for var_ddof {
    type Parameter = usize;

    fn value(x: ArrayView1<'_, T>, &ddof: &usize) -> T {
        correction::<T>(x.len(), ddof) * var::value(x)
    }
    fn partials(x: ArrayView1<'_, T>, y: T, &ddof: &usize) -> Vec<T> {
        let factor = correction::<T>(x.len(), ddof);
        var::partials(x, y).map(|p| factor * p).collect()
    }
}

impl<T: Scalar> Parametric<T> for std_ddof {
    type Parameter = usize;

    fn value(x: ArrayView1<'_, T>, &ddof: &usize) -> T {
        correction::<T>(x.len(), ddof).sqrt() * std_dev::value(x)
    }
    fn partials(x: ArrayView1<'_, T>, y: T, &ddof: &usize) -> Vec<T> {
        let factor = correction::<T>(x.len(), ddof).sqrt();
        std_dev::partials(x, y / factor)
            .map(|p| factor * p)
            .collect()
    }
}

impl<T: Scalar> Parametric<T> for norm_p {
    type Parameter = Inactive<f64>;

    #[track_caller]
    fn value(x: ArrayView1<'_, T>, &Inactive(p): &Inactive<f64>) -> T {
        assert!(p >= 1.0, "norm_p: p is {p}, less than 1");
        let largest = norm_max::value(x);
        if p.is_infinite() || largest.is_zero() || largest.is_infinite() {
            return largest;
        }
        if p == 1.0 {
            return norm_l1::value(x);
        }
        let powers = x.iter().map(|&x| (x.abs() / largest).powf(T::lit(p)));
        largest * powers.sum::<T>().powf(T::lit(p.recip()))
    }
    fn partials(x: ArrayView1<'_, T>, y: T, &Inactive(p): &Inactive<f64>) -> Vec<T> {
        if p.is_infinite() {
            return norm_max::partials(x, y).collect();
        }
        if p == 1.0 {
            return norm_l1::partials(x, y).collect();
        }
        if p == 2.0 {
            return norm::partials(x, y).collect();
        }
        x.iter()
            .map(|&x| match (x.is_zero(), x < T::zero()) {
                (true, _) => T::zero(),
                (_, true) => -(-x / y).powf(T::lit(p - 1.0)),
                (_, false) => (x / y).powf(T::lit(p - 1.0)),
            })
            .collect()
    }
}
