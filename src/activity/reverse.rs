//! How a reverse rule sees its arguments.

use super::{
    Active, Activity, Adjoint, BatchDuplicated, BatchDuplicatedNoNeed, BatchMixedDuplicated, Const,
    DynArg, Lane, Lent, lane_array, lanes_of, map_lanes_mut,
};
use crate::tangent::{ByReference, ByValue, Holds, HoldsMut, Tangent};

/// An argument of a reverse rule that holds a `T`, under whatever activity.
///
/// A rule makes this argument's entry of its result with [`accumulate`](Self::accumulate), and cannot make it otherwise:
/// for `Active` the entry is the sum of what was added, for memory the sum goes to the shadow, and for `Const` nothing is
/// computed.
///
/// ```
/// use coenzyme::{Active, Const, MixedDuplicated, ReverseArg};
///
/// /// The entry of `x` in the reverse pass of `x²`, for the cotangent one.
/// fn of_square<X: ReverseArg<f64, 1>>(mut x: X) -> X::Gradient {
///     x.accumulate(|_lane, x, mut dx| dx += 2.0 * x)
/// }
///
/// let mut dx = 10.0;
/// assert_eq!(of_square(Active(3.0)), [6.0]);
/// assert_eq!(of_square(MixedDuplicated(3.0, &mut dx)), ());
/// assert_eq!(of_square(Const(3.0)), ());
/// assert_eq!(dx, 16.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an argument over `{T}` in reverse mode of width {W}",
    label = "wrong activity or wrong type of memory",
    note = "reverse mode takes `Active(x)` for a value, `Duplicated(&x, &mut dx)` for memory, `Const(x)` for either",
    note = "for a slice argument pass slices: `Duplicated(&x[..], &mut dx[..])`"
)]
pub trait ReverseArg<T: ?Sized, const W: usize>: Activity<W> {
    /// The primal.
    fn primal(&self) -> &T;

    /// Gives `f` each lane's primal and the adjoint to add to. Not called if the argument is inactive.
    fn accumulate(&mut self, f: impl FnMut(usize, &T, Adjoint<'_, T>)) -> Self::Gradient;

    /// The primal, and the shadows of all lanes as generated code adds to them: for a value they are in its entry of the result,
    /// which begins as [`no_gradient`](Self::no_gradient).
    #[doc(hidden)]
    fn split<'a>(&'a mut self, entry: &'a mut Self::Gradient) -> (&'a T, [Lane<'a, T>; W]);

    /// As [`split`](Self::split). In the reverse half an active argument has its shadows.
    #[doc(hidden)]
    #[inline]
    fn split_in<'a, const REVERSE: bool>(
        &'a mut self,
        entry: &'a mut Self::Gradient,
    ) -> (&'a T, [Lane<'a, T>; W]) {
        self.split(entry)
    }

    /// The entry of an argument whose cotangent generated code has summed up. Inside other generated code a sum of nothing is −0, which
    /// disappears in the next sum; outside it is 0.
    #[doc(hidden)]
    #[inline]
    fn hand_over(&mut self, sums: &[T; W], _inside: bool) -> Self::Gradient
    where
        T: Tangent<Owned = T> + Sized,
    {
        self.accumulate(|lane, _, mut adjoint| adjoint.add(&sums[lane]))
    }

    /// Adds what a call gave for the argument to the argument's own entry.
    #[doc(hidden)]
    fn gather(entry: &mut Self::Gradient, more: Self::Gradient);

    /// Gives `f` the primal together with the adjoints of all lanes, of none if the argument is inactive. Calls `f` once.
    ///
    /// For rules whose work is shared by all lanes, and may borrow from the primal; [`accumulate`](Self::accumulate) is simpler.
    fn lanes<U>(&mut self, f: impl FnOnce(&T, &mut [Adjoint<'_, T>]) -> U) -> (Self::Gradient, U);

    /// The entry of an argument that the result does not depend on.
    #[inline]
    fn no_gradient(&mut self) -> Self::Gradient {
        self.accumulate(|_, _, _| {})
    }
}

/// An argument of a reverse rule that the function may write.
///
/// Its shadow holds the cotangent of what the function wrote. A rule reads it with [`cotangent`](Self::cotangent) and ends
/// with [`consume`](Self::consume) if the function overwrote the memory, with [`transform`](Self::transform) if it read
/// what was there before, with [`no_gradient`](ReverseArg::no_gradient) if it only added to that.
///
/// ```
/// use coenzyme::{Duplicated, ReverseArgMut};
///
/// let (mut y, mut dy) = ([9.0], [0.5]);
/// let mut arg = Duplicated(&mut y[..], &mut dy[..]);
/// let dy_: Option<&[f64]> = ReverseArgMut::<[f64], 1>::cotangent(&arg, 0);
/// assert_eq!(dy_, Some(&[0.5][..]));
/// ReverseArgMut::<[f64], 1>::consume(&mut arg);
/// assert_eq!(dy, [0.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a writable argument over `{T}` in reverse mode of width {W}",
    label = "wrong activity, not writable, or wrong type of memory",
    note = "an output takes `Duplicated(&mut y, &mut dy)` or `Const(&mut y)`"
)]
pub trait ReverseArgMut<T: ?Sized, const W: usize>: ReverseArg<T, W> {
    /// The primal, to be written by the augmented pass.
    fn primal_mut(&mut self) -> &mut T;

    /// The cotangent in one lane; `None` if the argument is inactive.
    fn cotangent(&self, lane: usize) -> Option<&T>;

    /// The cotangent in one lane, to be changed; `None` if the argument is inactive.
    fn cotangent_mut(&mut self, lane: usize) -> Option<&mut T>;

    /// The primal, writable, and the shadows of all lanes.
    #[doc(hidden)]
    fn split_mut(&mut self) -> (&mut T, [Lane<'_, T>; W]);

    /// As [`split_mut`](Self::split_mut). In the reverse half an active argument has its shadows.
    #[doc(hidden)]
    #[inline]
    fn split_mut_in<const REVERSE: bool>(&mut self) -> (&mut T, [Lane<'_, T>; W]) {
        self.split_mut()
    }

    /// Gives `f` each lane's primal and shadow: the cotangent of what was written, to be replaced by that of what was there.
    fn transform(&mut self, f: impl FnMut(usize, &T, &mut T)) -> Self::Gradient;

    /// Zeroes the shadow, in the same memory: the cotangent of what was written has been used, and what was there before
    /// is not read.
    #[inline]
    fn consume(&mut self) -> Self::Gradient
    where
        T: Tangent,
    {
        self.transform(|_, _, shadow| Tangent::zero_out(shadow))
    }
}

impl<T: ?Sized, P: Holds<T>, const W: usize> ReverseArg<T, W> for Const<P> {
    #[inline]
    fn primal(&self) -> &T {
        self.0.get()
    }
    #[inline]
    fn accumulate(&mut self, _: impl FnMut(usize, &T, Adjoint<'_, T>)) {}
    #[inline]
    fn lanes<U>(&mut self, f: impl FnOnce(&T, &mut [Adjoint<'_, T>]) -> U) -> ((), U) {
        ((), f(self.0.get(), &mut []))
    }
    #[inline]
    fn split<'a>(&'a mut self, (): &'a mut ()) -> (&'a T, [Lane<'a, T>; W]) {
        (self.0.get(), [const { Lane::Inactive }; W])
    }
    #[inline]
    fn gather((): &mut (), (): ()) {}
}

impl<T: ?Sized, P: HoldsMut<T>, const W: usize> ReverseArgMut<T, W> for Const<P> {
    #[inline]
    fn primal_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }
    #[inline]
    fn cotangent(&self, _: usize) -> Option<&T> {
        None
    }
    #[inline]
    fn cotangent_mut(&mut self, _: usize) -> Option<&mut T> {
        None
    }
    #[inline]
    fn transform(&mut self, _: impl FnMut(usize, &T, &mut T)) {}
    #[inline]
    fn split_mut(&mut self) -> (&mut T, [Lane<'_, T>; W]) {
        (self.0.get_mut(), [const { Lane::Inactive }; W])
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized, P, const W: usize> ReverseArg<T, W> for Active<P>
where
    P: ByValue + HoldsMut<T> + Tangent<Owned = P>,
{
    #[inline]
    fn primal(&self) -> &T {
        self.0.get()
    }
    #[inline]
    fn accumulate(&mut self, mut f: impl FnMut(usize, &T, Adjoint<'_, T>)) -> [P; W] {
        lane_array(|lane| {
            let mut gradient = Tangent::zero_like(&self.0);
            f(lane, self.0.get(), Adjoint::new(gradient.get_mut()));
            gradient
        })
    }
    #[inline]
    fn hand_over(&mut self, sums: &[T; W], inside: bool) -> [P; W]
    where
        T: Tangent<Owned = T> + Sized,
    {
        lane_array(|lane| {
            let mut gradient = match inside {
                true => Tangent::empty_sum(&self.0),
                false => Tangent::zero_like(&self.0),
            };
            Tangent::accumulate(gradient.get_mut(), &sums[lane]);
            gradient
        })
    }
    #[inline]
    fn lanes<U>(&mut self, f: impl FnOnce(&T, &mut [Adjoint<'_, T>]) -> U) -> ([P; W], U) {
        let mut gradients = lane_array(|_| Tangent::zero_like(&self.0));
        let mut adjoints = map_lanes_mut(&mut gradients, |g: &mut P| Adjoint::new(g.get_mut()));
        let result = f(self.0.get(), &mut adjoints);
        (gradients, result)
    }
    #[inline]
    fn split<'a>(&'a mut self, entry: &'a mut [P; W]) -> (&'a T, [Lane<'a, T>; W]) {
        let lanes = lanes_of(entry, |e| Lane::Active(e.get_mut()));
        (self.0.get(), lanes)
    }
    #[inline]
    fn gather(entry: &mut [P; W], more: [P; W]) {
        let lanes = entry.iter_mut().zip(&more);
        lanes.for_each(|(entry, more)| Tangent::accumulate(entry, more));
    }
}

macro_rules! duplicated {
    ($($t:ident: $kind:ident),*) => {$(
        impl<T: ?Sized, P: Holds<T> + $kind, S: HoldsMut<T>, const W: usize> ReverseArg<T, W> for $t<P, S, W> {
            #[inline]
            fn primal(&self) -> &T {
                self.primal.get()
            }
            #[inline]
            fn accumulate(&mut self, mut f: impl FnMut(usize, &T, Adjoint<'_, T>)) {
                for (lane, shadow) in self.shadows.iter_mut().enumerate() {
                    f(lane, self.primal.get(), Adjoint::new(shadow.get_mut()));
                }
            }
            #[inline]
            fn lanes<U>(&mut self, f: impl FnOnce(&T, &mut [Adjoint<'_, T>]) -> U) -> ((), U) {
                let mut adjoints = map_lanes_mut(&mut self.shadows, |s| Adjoint::new(s.get_mut()));
                ((), f(self.primal.get(), &mut adjoints))
            }
            #[inline]
            fn split<'a>(&'a mut self, (): &'a mut ()) -> (&'a T, [Lane<'a, T>; W]) {
                (self.primal.get(), lanes_of(&mut self.shadows, |s| Lane::Active(s.get_mut())))
            }
            #[inline]
            fn gather((): &mut (), (): ()) {}
        }

        impl<T: ?Sized, P: HoldsMut<T> + $kind, S: HoldsMut<T>, const W: usize> ReverseArgMut<T, W> for $t<P, S, W> {
            #[inline]
            fn primal_mut(&mut self) -> &mut T {
                self.primal.get_mut()
            }
            #[inline]
            fn cotangent(&self, lane: usize) -> Option<&T> {
                Some(self.shadows[lane].get())
            }
            #[inline]
            fn cotangent_mut(&mut self, lane: usize) -> Option<&mut T> {
                Some(self.shadows[lane].get_mut())
            }
            #[inline]
            fn transform(&mut self, mut f: impl FnMut(usize, &T, &mut T)) {
                for (lane, shadow) in self.shadows.iter_mut().enumerate() {
                    f(lane, self.primal.get(), shadow.get_mut());
                }
            }
            #[inline]
            fn split_mut(&mut self) -> (&mut T, [Lane<'_, T>; W]) {
                (self.primal.get_mut(), lanes_of(&mut self.shadows, |s| Lane::Active(s.get_mut())))
            }
        }
    )*};
}

duplicated!(BatchDuplicated: ByReference, BatchDuplicatedNoNeed: ByReference, BatchMixedDuplicated: ByValue);

macro_rules! with_shadows_or_without {
    ($($t:ident),*) => {$(
        impl<T: ?Sized, P: Holds<T>, S: HoldsMut<T>, const W: usize> ReverseArg<T, W> for $t<P, S, W> {
            #[inline]
            fn primal(&self) -> &T {
                self.primal.get()
            }
            #[inline]
            fn accumulate(&mut self, mut f: impl FnMut(usize, &T, Adjoint<'_, T>)) {
                // no `flatten`: of its loop something would be left where nothing is added
                if let Some(shadows) = &mut self.shadows {
                    for (lane, shadow) in shadows.iter_mut().enumerate() {
                        f(lane, self.primal.get(), Adjoint::new(shadow.get_mut()));
                    }
                }
            }
            #[inline]
            fn lanes<U>(&mut self, f: impl FnOnce(&T, &mut [Adjoint<'_, T>]) -> U) -> ((), U) {
                let primal = self.primal.get();
                match &mut self.shadows {
                    None => ((), f(primal, &mut [])),
                    Some(shadows) => {
                        let mut adjoints = map_lanes_mut(shadows, |s| Adjoint::new(s.get_mut()));
                        ((), f(primal, &mut adjoints))
                    }
                }
            }
            #[inline]
            fn split<'a>(&'a mut self, (): &'a mut ()) -> (&'a T, [Lane<'a, T>; W]) {
                let active = Activity::<W>::is_active(self);
                (self.primal.get(), lanes(&mut self.shadows, active))
            }
            #[inline]
            fn split_in<'a, const REVERSE: bool>(&'a mut self, (): &'a mut ()) -> (&'a T, [Lane<'a, T>; W]) {
                let active = Activity::<W>::is_active(self);
                (self.primal.get(), lanes_in::<REVERSE, _, _, W>(&mut self.shadows, active))
            }
            #[inline]
            fn gather((): &mut (), (): ()) {}
        }

        impl<T: ?Sized, P: HoldsMut<T>, S: HoldsMut<T>, const W: usize> ReverseArgMut<T, W> for $t<P, S, W>
        {
            #[inline]
            fn primal_mut(&mut self) -> &mut T {
                self.primal.get_mut()
            }
            #[inline]
            fn cotangent(&self, lane: usize) -> Option<&T> {
                self.shadows.as_ref().map(|s| s[lane].get())
            }
            #[inline]
            fn cotangent_mut(&mut self, lane: usize) -> Option<&mut T> {
                self.shadows.as_mut().map(|s| s[lane].get_mut())
            }
            #[inline]
            fn transform(&mut self, mut f: impl FnMut(usize, &T, &mut T)) {
                if let Some(shadows) = &mut self.shadows {
                    for (lane, shadow) in shadows.iter_mut().enumerate() {
                        f(lane, self.primal.get(), shadow.get_mut());
                    }
                }
            }
            #[inline]
            fn split_mut(&mut self) -> (&mut T, [Lane<'_, T>; W]) {
                let active = Activity::<W>::is_active(self);
                (self.primal.get_mut(), lanes(&mut self.shadows, active))
            }
            #[inline]
            fn split_mut_in<const REVERSE: bool>(&mut self) -> (&mut T, [Lane<'_, T>; W]) {
                let active = Activity::<W>::is_active(self);
                (self.primal.get_mut(), lanes_in::<REVERSE, _, _, W>(&mut self.shadows, active))
            }
        }
    )*};
}

with_shadows_or_without!(DynArg, Lent);

/// The shadows of such an argument.
#[cfg_attr(not(debug_assertions), inline(always))]
fn lanes<T: ?Sized, S: HoldsMut<T>, const W: usize>(
    shadows: &mut Option<[S; W]>,
    active: bool,
) -> [Lane<'_, T>; W] {
    match shadows {
        Some(shadows) => lanes_of(shadows, |s| Lane::Active(s.get_mut())),
        None if active => [const { Lane::Promised }; W],
        None => [const { Lane::Inactive }; W],
    }
}

/// As [`lanes`]: each half has but one way of being active.
#[cfg_attr(not(debug_assertions), inline(always))]
fn lanes_in<const REVERSE: bool, T: ?Sized, S: HoldsMut<T>, const W: usize>(
    shadows: &mut Option<[S; W]>,
    active: bool,
) -> [Lane<'_, T>; W] {
    match (REVERSE, active) {
        (_, false) => [const { Lane::Inactive }; W],
        (true, true) => {
            let shadows = shadows.as_mut().expect("an active argument has shadows");
            lanes_of(shadows, |s| Lane::Active(s.get_mut()))
        }
        (false, true) => lanes(shadows, active),
    }
}
