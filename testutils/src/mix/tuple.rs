//! Mixes: tuples of activities.

use coenzyme::Args;

use super::activity::{Activity, Marker};
use super::argument::{ForwardActivity, ReverseActivity};
use crate::argument::{Passing, Passings};

/// A tuple of activities for arguments taken as `Ps`, in forward mode of width `W`.
pub trait ForwardMix<Ps: Passings, const W: usize>: Copy + Default + 'static {
    /// The annotated arguments.
    type Args<'a>: Args<W>;

    /// The activities.
    const ACTIVITIES: &'static [Activity];

    /// Builds the handles.
    fn args(slots: &mut Ps::Slots) -> Self::Args<'_>;
}

/// A tuple of activities for arguments taken as `Ps`, in reverse mode of width `W`.
pub trait ReverseMix<Ps: Passings, const W: usize>: Copy + Default + 'static {
    /// The annotated arguments.
    type Args<'a>: Args<W>;

    /// The activities.
    const ACTIVITIES: &'static [Activity];

    /// Builds the handles.
    fn args(slots: &mut Ps::Slots) -> Self::Args<'_>;

    /// The floats of what the rule returns for each argument.
    fn gradients(gradients: <Self::Args<'_> as Args<W>>::Gradients) -> Vec<Option<Vec<Vec<f64>>>>;
}

/// A tuple of activities, whatever the arguments.
pub trait Markers: Copy + Default + 'static {
    /// The same activities in forward mode.
    type Forward: Copy + Default + 'static;
}

macro_rules! tuples {
    ($(($($m:ident $p:ident $i:tt),*))*) => {$(
        impl<$($m: Marker),*> Markers for ($($m,)*) {
            type Forward = ($($m::Forward,)*);
        }

        impl<$($p: Passing, $m: ForwardActivity<$p, W>,)* const W: usize> ForwardMix<($($p,)*), W> for ($($m,)*) {
            type Args<'a> = ($($m::Handle<'a>,)*);

            const ACTIVITIES: &'static [Activity] = &[$(<$m as Marker>::ACTIVITY),*];

            #[allow(clippy::unused_unit)]
            fn args(_slots: &mut <($($p,)*) as Passings>::Slots) -> Self::Args<'_> {
                ($($m::handle(&mut _slots.$i),)*)
            }
        }

        impl<$($p: Passing, $m: ReverseActivity<$p, W>,)* const W: usize> ReverseMix<($($p,)*), W> for ($($m,)*) {
            type Args<'a> = ($($m::Handle<'a>,)*);

            const ACTIVITIES: &'static [Activity] = &[$(<$m as Marker>::ACTIVITY),*];

            #[allow(clippy::unused_unit)]
            fn args(_slots: &mut <($($p,)*) as Passings>::Slots) -> Self::Args<'_> {
                ($($m::handle(&mut _slots.$i),)*)
            }
            fn gradients(_gradients: <Self::Args<'_> as Args<W>>::Gradients) -> Vec<Option<Vec<Vec<f64>>>> {
                vec![$($m::gradient(_gradients.$i)),*]
            }
        }
    )*};
}

tuples! {
    ()
    (M0 P0 0)
    (M0 P0 0, M1 P1 1)
    (M0 P0 0, M1 P1 1, M2 P2 2)
    (M0 P0 0, M1 P1 1, M2 P2 2, M3 P3 3)
    (M0 P0 0, M1 P1 1, M2 P2 2, M3 P3 3, M4 P4 4)
    (M0 P0 0, M1 P1 1, M2 P2 2, M3 P3 3, M4 P4 4, M5 P5 5)
    (M0 P0 0, M1 P1 1, M2 P2 2, M3 P3 3, M4 P4 4, M5 P5 5, M6 P6 6)
    (M0 P0 0, M1 P1 1, M2 P2 2, M3 P3 3, M4 P4 4, M5 P5 5, M6 P6 6, M7 P7 7)
}
