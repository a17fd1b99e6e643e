//! How generated code finds the rule of `a.norm()` where `a` is of `nalgebra`.

use ::nalgebra::{Isometry, Matrix, OPoint, Quaternion, Rotation, Translation, Unit};

use super::solve::Factored;
use super::{parts, products, rotation, solve};
use crate::ops;

macro_rules! methods {
    ($($finder:ident$(<$(const $n:ident),+>)? => $rule:path;)*) => {
        /// The rules of methods, by the name of the method: `x.rule_of_norm()` where differentiated code has `x.norm()`. What a
        /// rule does follows from the types of its arguments; for what it does not know, the program does not compile.
        ///
        /// Any crate can give rules to the methods of types that are not its own in this way: with a trait that is in scope where
        /// the function is marked. The [prelude](crate::prelude) has this one.
        pub trait Methods {
            $(
                #[doc(hidden)]
                #[inline]
                fn $finder$(<$(const $n: usize),+>)?(&self) -> $rule {
                    $rule {}
                }
            )*
        }
    };
}

methods! {
    rule_of_angle => rotation::angle;
    rule_of_cholesky => solve::cholesky;
    rule_of_clone_owned => parts::same;
    rule_of_column => parts::column;
    rule_of_columns => parts::columns;
    rule_of_component_div => products::component_div;
    rule_of_component_mul => products::component_mul;
    rule_of_conjugate => rotation::inverse;
    rule_of_cross => products::cross;
    rule_of_determinant => solve::determinant;
    rule_of_diagonal => parts::diagonal;
    rule_of_dot => ops::dot;
    rule_of_fixed_columns<const N> => parts::fixed_columns<N>;
    rule_of_fixed_rows<const N> => parts::fixed_rows<N>;
    rule_of_fixed_view<const M, const N> => parts::fixed_view<M, N>;
    rule_of_into_inner => rotation::into_inner;
    rule_of_into_owned => parts::same;
    rule_of_inverse => rotation::inverse;
    rule_of_inverse_transform_point => rotation::inverse_transform;
    rule_of_inverse_transform_vector => rotation::inverse_transform;
    rule_of_l => solve::l;
    rule_of_ln_determinant => solve::ln_determinant;
    rule_of_lu => solve::lu;
    rule_of_magnitude => parts::norm;
    rule_of_magnitude_squared => parts::norm_squared;
    rule_of_mean => parts::mean;
    rule_of_norm => parts::norm;
    rule_of_norm_squared => parts::norm_squared;
    rule_of_normalize => parts::normalize;
    rule_of_perp => products::perp;
    rule_of_row => parts::row;
    rule_of_rows => parts::rows;
    rule_of_scale => ops::mul;
    rule_of_scaled_axis => rotation::scaled_axis;
    rule_of_solve => solve::solve;
    rule_of_sum => parts::sum;
    rule_of_to_rotation_matrix => rotation::to_rotation_matrix;
    rule_of_tr_mul => products::tr_mul;
    rule_of_trace => parts::trace;
    rule_of_transform_point => ops::mul;
    rule_of_transform_vector => rotation::transform_vector;
    rule_of_transpose => parts::transpose;
    rule_of_try_inverse => solve::try_inverse;
    rule_of_unpack => solve::l;
    rule_of_unscale => ops::div;
    rule_of_view => parts::view;
    rule_of_xy => parts::xy;
    rule_of_xyz => parts::xyz;
}

macro_rules! found {
    ($([$($g:tt)*] $t:ty;)*) => {$(
        impl<$($g)*> Methods for $t {}
    )*};
}

found! {
    [T, R, C, S] Matrix<T, R, C, S>;
    [T] Quaternion<T>;
    [Q] Unit<Q>;
    [T, const D: usize] Rotation<T, D>;
    [T, const D: usize] Translation<T, D>;
    [T, Q, const D: usize] Isometry<T, Q, D>;
    [M, F] Factored<M, F>;
}

impl<T: ::nalgebra::Scalar, D: ::nalgebra::DimName> Methods for OPoint<T, D> where
    ::nalgebra::DefaultAllocator: ::nalgebra::allocator::Allocator<D>
{
}
