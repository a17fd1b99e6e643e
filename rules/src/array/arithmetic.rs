//! Arithmetic of arrays that are broadcast against each other. Partials come from the rows of [`coenzyme::ops`].
//!
//! | | shape |
//! |---|---|
//! | `x`, `y` | aligned at the last axis; an axis of length 1, or a missing one, is repeated |
//! | `z = f(x, y)` | the longer length of each axis |
//! | forward | `ż = ∂f/∂x·ẋ + ∂f/∂y·ẏ` |
//! | reverse | `x̄ += Σ ∂f/∂x·z̄`, `ȳ += Σ ∂f/∂y·z̄`, the sums over what was repeated |

use coenzyme::{ops, primitive};
use ndarray::{Array, ArrayRef, DimMax, Dimension, Zip};
use num_traits::Float;

use crate::binary_rule;
use crate::class::{Bilinear, Binary, Broadcast, Classified, Elementwise2, Product, Reads, Scalar};

/// One row: `name = op(x, y) value, reads (for the partial in x; in y)`.
macro_rules! arithmetic {
    ($(
        $(#[$doc:meta])*
        $name:ident = $op:ident($x:ident, $y:ident) $value:expr, reads ($($rx:ident)+; $($ry:ident)+);
    )+) => {$(
        impl<T: Scalar> Elementwise2<T> for ops::$op {
            const READS: [Reads; 2] = [
                Reads::NOTHING$(.and(Reads::$rx))+,
                Reads::NOTHING$(.and(Reads::$ry))+,
            ];

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn value($x: T, $y: T) -> T {
                $value
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn partials(x: T, y: T, z: T) -> (T, T) {
                ops::$op::partials(x, y, z)
            }
        }

        $(#[$doc])*
        ///
        /// Of each pair of entries, broadcast. **Panics** if the shapes cannot be broadcast. For values at the edges see
        /// [`coenzyme::ops`].
        #[primitive]
        #[track_caller]
        pub fn $name<T: Scalar, D: Dimension + DimMax<E>, E: Dimension>(
            x: &ArrayRef<T, D>,
            y: &ArrayRef<T, E>,
        ) -> Array<T, <D as DimMax<E>>::Output> {
            Broadcast::<ops::$op>::value(x, y, ())
        }

        binary_rule!(
            $name[T: Scalar, D: Dimension + DimMax<E>, E: Dimension](
                x: ArrayRef<T, D>, y: ArrayRef<T, E>
            ) = Broadcast<ops::$op>
        );

        impl Classified for $name {
            type Class = Broadcast<ops::$op>;
        }
    )+};
}

arithmetic! {
    /// `x + y`.
    add = add(x, y) x + y, reads (NOTHING; NOTHING);
    /// `x − y`.
    sub = sub(x, y) x - y, reads (NOTHING; NOTHING);
    /// `x·y`.
    mul = mul(x, y) x * y, reads (Y; X);
    /// `x/y`.
    div = div(x, y) x / y, reads (Y; X Y);
    /// The remainder of `x/y`, with the sign of `x`.
    rem = rem(x, y) x % y, reads (NOTHING; X Y);
    /// `xʸ`.
    powf = powf(x, y) x.powf(y), reads (X Y; X Y OUT);
    /// `√(x² + y²)`.
    hypot = hypot(x, y) x.hypot(y), reads (X OUT; Y OUT);
    /// The angle of the point `(y, x)`.
    atan2 = atan2(x, y) Float::atan2(x, y), reads (X Y; X Y);
    /// The larger of both; at a tie the derivative belongs to `x`.
    maximum = max(x, y) Float::max(x, y), reads (X Y; X Y);
    /// The smaller of both; at a tie the derivative belongs to `x`.
    minimum = min(x, y) Float::min(x, y), reads (X Y; X Y);
    /// `|x|` with the sign of `y`.
    copysign = copysign(x, y) x.copysign(y), reads (X Y; X Y);
    /// The logarithm of `x` to base `y`.
    log = log(x, y) Float::log(x, y), reads (X Y; Y OUT);
}

/// `c·x` for a number `c`.
///
/// ```
/// # use ndarray::array;
/// assert_eq!(coenzyme_rules::array::scale(&array![1.0, 2.0, 3.0], 2.0), array![2.0, 4.0, 6.0]);
/// ```
#[primitive]
pub fn scale<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, c: T) -> Array<T, D> {
    x.mapv(|x| x * c)
}

impl<T: Scalar, D: Dimension> Bilinear<ArrayRef<T, D>, T> for scale {
    type Out = Array<T, D>;
    type Attrs<'a> = ();

    fn product(x: &ArrayRef<T, D>, c: &T, (): ()) -> Array<T, D> {
        scale(x, *c)
    }
    fn transpose_x(dz: &Array<T, D>, c: &T, dx: &mut ArrayRef<T, D>, (): ()) {
        dx.scaled_add(*c, dz);
    }
    fn transpose_y(dz: &Array<T, D>, x: &ArrayRef<T, D>, dc: &mut T, (): ()) {
        *dc += Zip::from(x)
            .and(dz)
            .fold(T::zero(), |sum, &x, &dz| sum + x * dz);
    }
}

binary_rule!(scale[T: Scalar, D: Dimension](x: ArrayRef<T, D>, c: T) = Product<scale>);

#[cfg(test)]
mod tests {
    use coenzyme::{Const, Duplicated, Forward, ReverseConfig, Thunk, autodiff};
    use ndarray::{Array1, Array2, Ix1, Ix2, array};

    use super::*;

    #[test]
    #[should_panic(expected = "cannot broadcast [2, 3] with [4]")]
    fn n22_shapes_that_do_not_fit_are_named() {
        let _ = add(&Array2::<f64>::zeros((2, 3)), &array![1.0, 2.0, 3.0, 4.0]);
    }

    type Dup<'a, D> = Duplicated<&'a ArrayRef<f64, D>, &'a mut ArrayRef<f64, D>>;

    #[test]
    fn e14_broadcast_product_matches_the_table() {
        let (a, b) = (array![[1., 2., 3.], [4., 5., 6.]], array![10., 20., 30.]);
        let (mut da, mut db) = (Array2::zeros((2, 3)), Array1::zeros(3));
        let config = ReverseConfig::new(true);
        let mut args: (Dup<'_, Ix2>, Dup<'_, Ix1>) =
            (Duplicated(&*a, &mut *da), Duplicated(&*b, &mut *db));
        type R = Duplicated<Array2<f64>>;
        let thunk = Thunk::<_, R>::new(mul {}).with_config(config);
        let augmented = thunk.augmented(&mut args);
        let y = augmented.primal.expect("asked for");
        assert_eq!(y, array![[10., 40., 90.], [40., 100., 180.]]);
        assert_eq!(y.sum(), 460.0);
        thunk.reverse([Array2::ones((2, 3))], augmented.tape, &mut args);
        assert_eq!(da, array![[10., 20., 30.], [10., 20., 30.]]);
        assert_eq!(db, array![5., 7., 9.]);
    }

    #[test]
    fn e15_forward_product_matches_the_table() {
        let (a, b) = (array![1., 2., 3.], array![4., 5., 6.]);
        let (da, db) = (array![1., 0., -1.], array![0.5, 0.5, 0.5]);
        let (tangent,) = autodiff!(Forward, mul, Duplicated(&*a, &*da), Duplicated(&*b, &*db));
        assert_eq!(tangent, array![4.5, 1.0, -4.5]);
    }

    #[test]
    fn m15_power_matches_the_table() {
        let (a, b) = (array![[2., 3.], [4., 5.]], array![[2., 2.], [3., 2.]]);
        assert_eq!(powf(&a, &b), array![[4., 9.], [64., 25.]]);
        let want = [
            (4., 2.772588722240),
            (6., 9.887510598013),
            (48., 88.722839111673),
            (10., 40.235947810853),
        ];
        for ((a, b), (da, db)) in a.iter().zip(&b).zip(want) {
            let (pa, pb) = ops::powf::partials(*a, *b, a.powf(*b));
            assert!((pa - da).abs() < 1e-12 && (pb - db).abs() < 1e-11);
        }
    }

    #[test]
    fn a_zero_seed_is_strong_where_the_mode_asks_for_it() {
        let (x, y) = (array![1.0, 1.0], array![0.0, 2.0]);
        for strong in [false, true] {
            let mut dx = array![0.0, 0.0];
            let config = ReverseConfig::new(false).with_strong_zero(strong);
            let mut args: (Dup<'_, Ix1>, Const<&ArrayRef<f64, Ix1>>) =
                (Duplicated(&*x, &mut *dx), Const(&*y));
            type R = Duplicated<Array1<f64>>;
            let thunk = Thunk::<_, R>::new(div {}).with_config(config);
            let augmented = thunk.augmented(&mut args);
            thunk.reverse([array![0.0, 1.0]], augmented.tape, &mut args);
            assert_eq!(dx[0].is_nan(), !strong);
            assert_eq!(dx[1], 0.5);
        }
    }
}
