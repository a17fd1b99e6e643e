//! Order statistics, and how columns vary together.

use coenzyme::{Inactive, primitive};
use ndarray::{Array2, ArrayRef2, ArrayView1, Axis};

use super::parametric::{Parametric, quantile};
use super::ranking::ascending;
use super::reductions::median;
use crate::class::{At, Reads, Reduction, Scalar, Unary};
use crate::unary_rule;

/// The two entries between which the quantile `q` of a row lies, by their positions, and the weight of the second. `None` for no entries, or
/// if one is NaN.
#[track_caller]
fn between<T: Scalar>(x: ArrayView1<'_, T>, q: f64) -> Option<([usize; 2], f64)> {
    assert!(
        (0.0..=1.0).contains(&q),
        "quantile: {q} is not between 0 and 1"
    );
    let last = x.len().checked_sub(1)?;
    let order = ascending(x);
    if x[order[last]].is_nan() {
        return None;
    }
    let at = q * last as f64;
    let below = (at.floor() as usize).min(last);
    let above = (below + 1).min(last);
    Some(([order[below], order[above]], at - below as f64))
}

/// The value between two entries.
fn value_between<T: Scalar>(x: ArrayView1<'_, T>, q: f64) -> T {
    between(x, q).map_or(T::nan(), |([below, above], weight)| {
        // an infinite entry with no weight does not count
        if weight == 0.0 {
            x[below]
        } else {
            T::lit(1.0 - weight) * x[below] + T::lit(weight) * x[above]
        }
    })
}

/// The weights of all entries; NaN where the value is.
fn weights_between<T: Scalar>(x: ArrayView1<'_, T>, q: f64) -> Vec<T> {
    let Some(([below, above], weight)) = between(x, q) else {
        return vec![T::nan(); x.len()];
    };
    let mut weights = vec![T::zero(); x.len()];
    weights[below] += T::lit(1.0 - weight);
    weights[above] += T::lit(weight);
    weights
}

impl<T: Scalar> Parametric<T> for quantile {
    type Parameter = Inactive<f64>;

    #[track_caller]
    fn value(x: ArrayView1<'_, T>, &Inactive(q): &Inactive<f64>) -> T {
        value_between(x, q)
    }
    fn partials(x: ArrayView1<'_, T>, _: T, &Inactive(q): &Inactive<f64>) -> Vec<T> {
        weights_between(x, q)
    }
}

impl<T: Scalar> Reduction<T> for median {
    const READS: Reads = Reads::X;

    fn value(x: ArrayView1<'_, T>) -> T {
        value_between(x, 0.5)
    }
    fn partials(x: ArrayView1<'_, T>, _: T) -> impl Iterator<Item = T> {
        weights_between(x, 0.5).into_iter()
    }
}

/// `x` without the mean of each column.
fn centred<T: Scalar>(x: &ArrayRef2<T>) -> Array2<T> {
    let rows = T::lit(x.nrows() as f64);
    let means = x.sum_axis(Axis(0)).mapv(|sum| sum / rows);
    &x.view() - &means
}

/// `1/(n − 1)`; NaN unless there are two rows.
fn per_row<T: Scalar>(x: &ArrayRef2<T>) -> T {
    match x.nrows() {
        0 | 1 => T::nan(),
        n => T::lit((n - 1) as f64).recip(),
    }
}

/// The covariance matrix `(k, k)` of the columns of a sample `(n, k)`: `C = ZᵀZ/(n − 1)`, where `Z` is `x` without the means of its columns. NaN unless
/// `n > 1`.
///
/// Forward `Ċ = (ŻᵀZ + ZᵀŻ)/(n − 1)`, reverse `x̄ += Z(C̄ + C̄ᵀ)/(n − 1)`.
///
/// ```
/// # use ndarray::array;
/// let c = coenzyme_rules::array::covariance(&array![[1.0, 2.0], [2.0, 2.0], [3.0, 5.0]]);
/// assert_eq!(c, array![[1.0, 1.5], [1.5, 3.0]]);
/// ```
#[primitive]
pub fn covariance<T: Scalar>(x: &ArrayRef2<T>) -> Array2<T> {
    <covariance as Unary<ArrayRef2<T>>>::value(x, ())
}

unary_rule!(covariance[T: Scalar](x: ArrayRef2<T>) = covariance);

impl<T: Scalar> Unary<ArrayRef2<T>> for covariance {
    type Out = Array2<T>;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: Reads = Reads::X;

    fn value(x: &ArrayRef2<T>, (): ()) -> Array2<T> {
        let z = centred(x);
        let factor = per_row(x);
        z.t().dot(&z).mapv(|c| factor * c)
    }
    fn pushforward(
        at: &At<'_, ArrayRef2<T>, Array2<T>, ()>,
        dx: &ArrayRef2<T>,
        (): (),
    ) -> Array2<T> {
        let factor = per_row(at.x);
        let half = centred(at.x).t().dot(dx);
        (&half + &half.t()).mapv(|c| factor * c)
    }
    fn pullback(
        at: &At<'_, ArrayRef2<T>, Array2<T>, ()>,
        dy: &Array2<T>,
        dx: &mut ArrayRef2<T>,
        (): (),
    ) {
        let factor = per_row(at.x);
        let of_z = centred(at.x).dot(&(dy + &dy.t()));
        dx.zip_mut_with(&of_z, |dx, z| *dx += factor * *z);
    }
}

/// The correlation matrix `(k, k)` of the columns of a sample `(n, k)`: `Rᵢⱼ = Cᵢⱼ/√(CᵢᵢCⱼⱼ)` with their [`covariance()`] `C`. NaN unless `n > 1`, and for columns
/// that do not vary.
///
/// Forward `Ṙ = Ż′ᵀZ + ZᵀŻ′`, reverse `x̄` likewise, of columns of length 1: `Zᵢ = zᵢ/‖zᵢ‖`, `Ż′ᵢ = (żᵢ − Zᵢ(Zᵢ·żᵢ))/‖zᵢ‖`.
///
/// ```
/// # use ndarray::array;
/// let r = coenzyme_rules::array::correlation(&array![[1.0_f64, 8.0], [2.0, 6.0], [3.0, 4.0]]);
/// assert!((r[[0, 1]] + 1.0).abs() < 1e-15 && (r[[0, 0]] - 1.0).abs() < 1e-15);
/// ```
#[primitive]
pub fn correlation<T: Scalar>(x: &ArrayRef2<T>) -> Array2<T> {
    <correlation as Unary<ArrayRef2<T>>>::value(x, ())
}

unary_rule!(correlation[T: Scalar](x: ArrayRef2<T>) = correlation);

/// The columns without their means, of length 1, and the lengths that they had.
fn standardized<T: Scalar>(x: &ArrayRef2<T>) -> (Array2<T>, ndarray::Array1<T>) {
    let mut z = centred(x);
    let lengths = z.map_axis(Axis(0), |column| {
        column.iter().map(|&z| z * z).sum::<T>().sqrt()
    });
    z /= &lengths;
    (z, lengths)
}

/// `(v − Z·diag(Zᵀv))/lengths`, which is its own transpose.
fn along_spheres<T: Scalar>(
    z: &Array2<T>,
    lengths: &ndarray::Array1<T>,
    v: &ArrayRef2<T>,
) -> Array2<T> {
    let radial = (z * &v.view()).sum_axis(Axis(0));
    (&v.view() - &(z * &radial)) / lengths
}

impl<T: Scalar> Unary<ArrayRef2<T>> for correlation {
    type Out = Array2<T>;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: Reads = Reads::X;

    fn value(x: &ArrayRef2<T>, (): ()) -> Array2<T> {
        let (z, _) = standardized(x);
        z.t().dot(&z)
    }
    fn pushforward(
        at: &At<'_, ArrayRef2<T>, Array2<T>, ()>,
        dx: &ArrayRef2<T>,
        (): (),
    ) -> Array2<T> {
        let (z, lengths) = standardized(at.x);
        let half = z.t().dot(&along_spheres(&z, &lengths, &centred(dx)));
        &half + &half.t()
    }
    fn pullback(
        at: &At<'_, ArrayRef2<T>, Array2<T>, ()>,
        dy: &Array2<T>,
        dx: &mut ArrayRef2<T>,
        (): (),
    ) {
        let (z, lengths) = standardized(at.x);
        let of_z = z.dot(&(dy + &dy.t()));
        *dx += &along_spheres(&z, &lengths, &of_z);
    }
}
