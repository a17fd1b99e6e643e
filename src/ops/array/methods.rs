//! How generated code finds the rule of `x.dot(…)` where `x` is an array.

use ndarray::{ArrayRef, Dimension};

use crate::ops;
use crate::real::Real;

use super::{
    assign, broadcast, column, diag, dot, flat, index_axis, insert_axis, into_shape_with_order,
    mean, mean_axis, permuted_axes, remove_axis, row, select, slice, sum, sum_axis, swap_axes, t,
    to_shape,
};

macro_rules! methods {
    ($($finder:ident => $rule:ident;)*) => {
        /// The rules of an array's methods, by the name of the method. For types of the user's the macros write an inherent
        /// method of such a name.
        pub trait ArrayMethods {
            $(
                #[doc(hidden)]
                #[inline]
                fn $finder(&self) -> $rule {
                    $rule {}
                }
            )*
        }
    };
}

methods! {
    rule_of_assign => assign;
    rule_of_broadcast => broadcast;
    rule_of_column => column;
    rule_of_diag => diag;
    rule_of_dot => dot;
    rule_of_flatten => flat;
    rule_of_into_flat => flat;
    rule_of_index_axis => index_axis;
    rule_of_index_axis_move => index_axis;
    rule_of_insert_axis => insert_axis;
    rule_of_into_shape_with_order => into_shape_with_order;
    rule_of_mean => mean;
    rule_of_mean_axis => mean_axis;
    rule_of_permuted_axes => permuted_axes;
    rule_of_remove_axis => remove_axis;
    rule_of_reversed_axes => t;
    rule_of_row => row;
    rule_of_select => select;
    rule_of_slice => slice;
    rule_of_slice_move => slice;
    rule_of_sum => sum;
    rule_of_sum_axis => sum_axis;
    rule_of_swap_axes => swap_axes;
    rule_of_t => t;
    rule_of_to_shape => to_shape;
}

impl<T, D: Dimension> ArrayMethods for ArrayRef<T, D> {}

/// The rules of an operator's method, `a.add(b)` for `a + b`, on numbers; types of the user's have their own.
pub trait NumberMethods {
    #[doc(hidden)]
    #[inline]
    fn rule_of_add(&self) -> ops::add {
        ops::add {}
    }
    #[doc(hidden)]
    #[inline]
    fn rule_of_sub(&self) -> ops::sub {
        ops::sub {}
    }
    #[doc(hidden)]
    #[inline]
    fn rule_of_mul(&self) -> ops::mul {
        ops::mul {}
    }
    #[doc(hidden)]
    #[inline]
    fn rule_of_div(&self) -> ops::div {
        ops::div {}
    }
}

impl<T: Real> NumberMethods for T {}
