//! How a forward rule sees its arguments.

use super::{
    Activity, BatchDuplicated, BatchDuplicatedNoNeed, Const, DynArg, Lane, lane_array, lanes_of,
};
use crate::tangent::{Holds, HoldsMut};

/// An argument of a forward rule that holds a `T`, under whatever activity.
///
/// ```
/// use coenzyme::{Const, Duplicated, ForwardArg};
///
/// fn slope<X: ForwardArg<[f64], 1>>(x: &X) -> Option<f64> {
///     Some(x.tangent(0)?[0] / x.primal()[0])
/// }
///
/// assert_eq!(slope(&Duplicated(&[2.0][..], &[3.0][..])), Some(1.5));
/// assert_eq!(slope(&Const(&[2.0][..])), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an argument over `{T}` in forward mode of width {W}",
    label = "wrong activity or wrong type of memory",
    note = "forward mode takes `Const(x)`, `Duplicated(x, dx)` and their batched forms; there is no `Active`",
    note = "for a slice argument pass slices: `Duplicated(&x[..], &dx[..])`"
)]
pub trait ForwardArg<T: ?Sized, const W: usize>: Activity<W> {
    /// The primal.
    fn primal(&self) -> &T;

    /// The tangent in one lane; `None` if the argument is inactive.
    fn tangent(&self, lane: usize) -> Option<&T>;

    /// The primal and the tangents of all lanes.
    #[doc(hidden)]
    #[inline]
    fn split(&self) -> (&T, [Option<&T>; W]) {
        (self.primal(), lane_array(|lane| self.tangent(lane)))
    }
}

/// An argument of a forward rule that the function may write.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a writable argument over `{T}` in forward mode of width {W}",
    label = "wrong activity, not writable, or wrong type of memory",
    note = "an output takes `Duplicated(&mut y, &mut dy)` or `Const(&mut y)`"
)]
pub trait ForwardArgMut<T: ?Sized, const W: usize>: ForwardArg<T, W> {
    /// The primal, to be written.
    fn primal_mut(&mut self) -> &mut T;

    /// The primal together with its tangent in one lane, both writable.
    fn lane_mut(&mut self, lane: usize) -> (&mut T, Option<&mut T>);

    /// The primal and the tangents of all lanes, writable.
    #[doc(hidden)]
    fn split_mut(&mut self) -> (&mut T, [Lane<'_, T>; W]);

    /// Gives `f` each lane's primal and the tangent to be assigned. Not called if inactive.
    ///
    /// What the tangent held is forgotten, unless the function reads what it overwrites (`y += …`): then it is the tangent of
    /// what was there.
    #[inline]
    fn assign(&mut self, mut f: impl FnMut(usize, &T, &mut T)) {
        for lane in 0..W {
            if let (primal, Some(tangent)) = self.lane_mut(lane) {
                f(lane, primal, tangent);
            }
        }
    }
}

impl<T: ?Sized, P: Holds<T>, const W: usize> ForwardArg<T, W> for Const<P> {
    #[inline]
    fn primal(&self) -> &T {
        self.0.get()
    }
    #[inline]
    fn tangent(&self, _: usize) -> Option<&T> {
        None
    }
}

impl<T: ?Sized, P: HoldsMut<T>, const W: usize> ForwardArgMut<T, W> for Const<P> {
    #[inline]
    fn primal_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }
    #[inline]
    fn lane_mut(&mut self, _: usize) -> (&mut T, Option<&mut T>) {
        (self.0.get_mut(), None)
    }
    #[inline]
    fn split_mut(&mut self) -> (&mut T, [Lane<'_, T>; W]) {
        (self.0.get_mut(), [const { Lane::Inactive }; W])
    }
}

macro_rules! duplicated {
    ($($t:ident),*) => {$(
        impl<T: ?Sized, P: Holds<T>, S: Holds<T>, const W: usize> ForwardArg<T, W> for $t<P, S, W> {
            #[inline]
            fn primal(&self) -> &T {
                self.primal.get()
            }
            #[inline]
            fn tangent(&self, lane: usize) -> Option<&T> {
                Some(self.shadows[lane].get())
            }
        }

        impl<T: ?Sized, P: HoldsMut<T>, S: HoldsMut<T>, const W: usize> ForwardArgMut<T, W> for $t<P, S, W> {
            #[inline]
            fn primal_mut(&mut self) -> &mut T {
                self.primal.get_mut()
            }
            #[inline]
            fn lane_mut(&mut self, lane: usize) -> (&mut T, Option<&mut T>) {
                (self.primal.get_mut(), Some(self.shadows[lane].get_mut()))
            }
            #[inline]
            fn split_mut(&mut self) -> (&mut T, [Lane<'_, T>; W]) {
                (self.primal.get_mut(), lanes_of(&mut self.shadows, |s| Lane::Active(s.get_mut())))
            }
        }
    )*};
}

duplicated!(BatchDuplicated, BatchDuplicatedNoNeed);

impl<T: ?Sized, P: Holds<T>, S: Holds<T>, const W: usize> ForwardArg<T, W> for DynArg<P, S, W> {
    #[inline]
    fn primal(&self) -> &T {
        self.primal.get()
    }
    #[inline]
    fn tangent(&self, lane: usize) -> Option<&T> {
        self.shadows.as_ref().map(|s| s[lane].get())
    }
}

impl<T: ?Sized, P: HoldsMut<T>, S: HoldsMut<T>, const W: usize> ForwardArgMut<T, W>
    for DynArg<P, S, W>
{
    #[inline]
    fn primal_mut(&mut self) -> &mut T {
        self.primal.get_mut()
    }
    #[inline]
    fn lane_mut(&mut self, lane: usize) -> (&mut T, Option<&mut T>) {
        (
            self.primal.get_mut(),
            self.shadows.as_mut().map(|s| s[lane].get_mut()),
        )
    }
    #[inline]
    fn split_mut(&mut self) -> (&mut T, [Lane<'_, T>; W]) {
        let shadows = match &mut self.shadows {
            Some(shadows) => lanes_of(shadows, |s| Lane::Active(s.get_mut())),
            None => [const { Lane::Inactive }; W],
        };
        (self.primal.get_mut(), shadows)
    }
}
