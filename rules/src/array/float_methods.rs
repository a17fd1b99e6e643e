//! The methods of floats, entry by entry. Values come from the number, partials from the rows of [`coenzyme::ops`], and
//! each row here says what its partial reads.

use coenzyme::{ops, primitive};
use ndarray::{Array, ArrayRef, Dimension};
use num_traits::Float;

use crate::class::{Classified, Each, Elementwise1, Reads, Scalar, Unary};
use crate::unary_rule;

/// One row: `name reads what`, with the value `Float::name(x)` unless another is given.
macro_rules! float_methods {
    ($($(#[$doc:meta])* $name:ident reads $($reads:ident)+ $(, value $x:ident => $value:expr)?;)+) => {$(
        impl<T: Scalar> Elementwise1<T> for ops::$name {
            const READS: Reads = Reads::NOTHING$(.and(Reads::$reads))+;

            float_methods!(@value $name $($x => $value)?);
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn partial(x: T, y: T) -> T {
                ops::$name::partial(x, y)
            }
        }

        $(#[$doc])*
        ///
        /// Of each entry. For values at the edges see [`coenzyme::ops`].
        #[primitive]
        pub fn $name<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> Array<T, D> {
            Each::<ops::$name>::value(x, ())
        }

        unary_rule!($name[T: Scalar, D: Dimension](x: ArrayRef<T, D>) = Each<ops::$name>);

        impl Classified for $name {
            type Class = Each<ops::$name>;
        }
    )+};
    (@value $name:ident) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn value(x: T) -> T {
            Float::$name(x)
        }
    };
    (@value $name:ident $x:ident => $value:expr) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn value($x: T) -> T {
            $value
        }
    };
}

float_methods! {
    /// `−x`.
    neg reads NOTHING, value x => -x;
    /// `1/x`.
    recip reads OUT;
    /// The square root.
    sqrt reads OUT;
    /// The cube root.
    cbrt reads OUT;
    /// `eˣ`.
    exp reads OUT;
    /// `2ˣ`.
    exp2 reads OUT;
    /// `eˣ − 1`.
    exp_m1 reads OUT;
    /// The natural logarithm.
    ln reads X;
    /// `ln(1 + x)`.
    ln_1p reads X;
    /// The logarithm to base 2.
    log2 reads X;
    /// The logarithm to base 10.
    log10 reads X;
    /// The sine.
    sin reads X;
    /// The cosine.
    cos reads X;
    /// The tangent.
    tan reads OUT;
    /// The arc sine.
    asin reads X;
    /// The arc cosine.
    acos reads X;
    /// The arc tangent.
    atan reads X;
    /// The hyperbolic sine.
    sinh reads X;
    /// The hyperbolic cosine.
    cosh reads X;
    /// The hyperbolic tangent.
    tanh reads OUT;
    /// The inverse hyperbolic sine.
    asinh reads X;
    /// The inverse hyperbolic cosine.
    acosh reads X;
    /// The inverse hyperbolic tangent.
    atanh reads X;
    /// The absolute value.
    abs reads X;
    /// Degrees to radians.
    to_radians reads NOTHING;
    /// Radians to degrees.
    to_degrees reads NOTHING;
    /// The part after the point.
    fract reads NOTHING;
    /// The sign, ±1.
    signum reads NOTHING;
    /// Rounds down.
    floor reads NOTHING;
    /// Rounds up.
    ceil reads NOTHING;
    /// Rounds to nearest.
    round reads NOTHING;
    /// Rounds towards 0.
    trunc reads NOTHING;
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn n20_tanh_matches_the_table() {
        let x = array![-1.0, 0.0, 0.5, 2.0];
        let y = tanh(&x);
        let partials: Vec<f64> = x
            .iter()
            .zip(&y)
            .map(|(&x, &y)| ops::tanh::partial(x, y))
            .collect();
        let table = [0.419974341614, 1.0, 0.786447732966, 0.070650824853];
        for (a, b) in partials.iter().zip(table) {
            assert!((a - b).abs() < 1e-12);
        }
    }
}
