//! Memory that is lent to a function which a parameter stands for: its rules are bounds of the generated ones, and a bound names the
//! types of its arguments.

use crate::activity::{Const, DynArg, map_lanes, map_lanes_mut};
use crate::tangent::{Holds, HoldsMut};

/// Memory to be read, with shadows to be read: forward mode.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lend<U: ?Sized, P: Holds<U>, S: Holds<U>, const W: usize>(
    arg: &mut DynArg<P, S, W>,
) -> DynArg<&U, &U, W> {
    arg.lend(
        |p| Holds::<U>::get(p),
        |lanes| map_lanes(lanes, Holds::<U>::get),
    )
}

/// Memory to be read, with shadows to be added to: reverse mode.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lend_adjoint<U: ?Sized, P: Holds<U>, S: HoldsMut<U>, const W: usize>(
    arg: &mut DynArg<P, S, W>,
) -> DynArg<&U, &mut U, W> {
    arg.lend(
        |p| Holds::<U>::get(p),
        |lanes| map_lanes_mut(lanes, HoldsMut::<U>::get_mut),
    )
}

/// Memory to be written.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lend_mut<U: ?Sized, P: HoldsMut<U>, S: HoldsMut<U>, const W: usize>(
    arg: &mut DynArg<P, S, W>,
) -> DynArg<&mut U, &mut U, W> {
    arg.lend(HoldsMut::<U>::get_mut, |lanes| {
        map_lanes_mut(lanes, HoldsMut::<U>::get_mut)
    })
}

/// Memory without derivative to be read.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lend_const<U: ?Sized, S, P: Holds<U>, const W: usize>(
    arg: &mut Const<P>,
) -> DynArg<&U, S, W> {
    DynArg::constant(arg.0.get())
}
