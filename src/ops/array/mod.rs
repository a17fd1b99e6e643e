//! Operators and methods of `ndarray` arrays inside differentiated code.
//!
//! `&a + &b` and `a.dot(&b)` are calls of the rules here. A rule has no shape in its name: what it does follows from the
//! types of the memory in its arguments, by [`Pair`] for two operands and [`Linear`] for one. These traits live in this
//! crate because neither the traits of `std` nor the arrays of `ndarray` could be given derivatives anywhere else.

mod arithmetic;
mod axes;
mod linear;
mod methods;
mod parts;
mod product;
mod selection;
mod shapes;
mod update;
mod views;

pub use super::{Pair, dot};
pub use arithmetic::Arithmetic;
pub use axes::{
    diag, from_diag, index_axis, insert_axis, permuted_axes, remove_axis, select, swap_axes,
};
pub use linear::Linear;
pub use methods::{ArrayMethods, NumberMethods};
pub use parts::{column, flat, flatten, mean, mean_axis, row, shaped, slice, sum, sum_axis, t};
pub use selection::{
    All, At, Diagonal, Lane, Selection, Sliced, Then, Within, entries, inside, nth, nth_index,
    number_of_lanes, room_to_concatenate, room_to_stack, shape, shape_of,
};
pub use shapes::{broadcast, into_shape_with_order, to_shape};
pub use update::{Second, add_assign, assign, div_assign, mul_assign, rem_assign, sub_assign};
pub use views::{Parts, change_part, part, view, view_mut};

use crate::activity::Annotation;
use crate::tangent::Memory;

/// The memory that an argument stands for.
type Target<X> = <<X as Annotation>::Primal as Memory>::Target;
