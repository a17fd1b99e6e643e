//! Parts of memory in the shadows of every lane: what generated code does with `place`, where the primal has `x[i]`.

use std::ops::{Index, IndexMut};

use crate::activity::{Lane, each_lane, lane_array};
use crate::tangent::{Holds, Tangent};

/// The shadows of some memory in all lanes, to be read: those of a parameter, which may be inactive, or [`Own`].
pub trait Shadows<const W: usize> {
    /// The memory.
    type Memory: ?Sized;

    /// One lane; `None` if the memory is inactive.
    fn lane(&self, lane: usize) -> Option<&Self::Memory>;
}

/// [`Shadows`] that can be changed.
pub trait ShadowsMut<const W: usize> {
    /// The memory.
    type Memory: ?Sized;

    /// Gives one lane to `change`, unless the memory is inactive.
    fn lane_mut(&mut self, lane: usize, change: impl FnOnce(&mut Self::Memory));
}

/// The shadows of a local.
#[derive(Debug)]
pub struct Own<S>(pub S);

impl<M, const W: usize> Shadows<W> for Own<&[M; W]> {
    type Memory = M;

    #[inline]
    fn lane(&self, lane: usize) -> Option<&M> {
        Some(&self.0[lane])
    }
}

impl<M, const W: usize> ShadowsMut<W> for Own<&mut [M; W]> {
    type Memory = M;

    #[inline]
    fn lane_mut(&mut self, lane: usize, change: impl FnOnce(&mut M)) {
        change(&mut self.0[lane]);
    }
}

impl<M: ?Sized, const W: usize> Shadows<W> for &[Option<&M>; W] {
    type Memory = M;

    #[inline]
    fn lane(&self, lane: usize) -> Option<&M> {
        self[lane]
    }
}

impl<M: ?Sized, const W: usize> Shadows<W> for &[Lane<'_, M>; W] {
    type Memory = M;

    #[inline]
    fn lane(&self, lane: usize) -> Option<&M> {
        self[lane].as_deref()
    }
}

impl<M: ?Sized, const W: usize> ShadowsMut<W> for &mut [Lane<'_, M>; W] {
    type Memory = M;

    #[inline]
    fn lane_mut(&mut self, lane: usize, change: impl FnOnce(&mut M)) {
        if let Lane::Active(shadow) = &mut self[lane] {
            change(shadow);
        }
    }
}

/// The way to an entry. It is one type for all entries, and what takes it is compiled once, where a closure would be compiled for each place.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn entry<M: ?Sized + Index<I>, I: Clone>(index: I) -> impl Fn(&M) -> &M::Output {
    move |memory| &memory[index.clone()]
}

/// As [`entry`], to be changed.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn entry_mut<M: ?Sized + IndexMut<I>, I: Clone>(index: I) -> impl Fn(&mut M) -> &mut M::Output {
    move |memory| &mut memory[index.clone()]
}

/// The tangents of `value`, which was read at `place`.
#[inline]
pub fn tangents_at<S: Shadows<W>, T: Tangent<Owned = T> + Clone, const W: usize>(
    value: &T,
    shadows: S,
    place: impl Fn(&S::Memory) -> &T,
) -> [T; W] {
    lane_array(|lane| match shadows.lane(lane) {
        Some(memory) => place(memory).clone(),
        None => Tangent::zero_like(value),
    })
}

/// `place = value`.
#[inline]
pub fn set_at<S: ShadowsMut<W>, T: Clone, const W: usize>(
    mut shadows: S,
    value: &[T; W],
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    each_lane::<W>(|lane| shadows.lane_mut(lane, |memory| *place(memory) = value[lane].clone()));
}

/// `place += value`.
#[inline]
pub fn add_at<S: ShadowsMut<W>, T: Tangent, const W: usize>(
    mut shadows: S,
    value: &[T; W],
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    each_lane::<W>(|lane| {
        shadows.lane_mut(lane, |memory| {
            Tangent::accumulate(place(memory), &value[lane])
        })
    });
}

/// As [`add_at`], where the two may be different containers of the same memory.
#[inline]
pub fn add_copy_at<S: ShadowsMut<W>, T: Tangent + ?Sized, C: Holds<T>, const W: usize>(
    mut shadows: S,
    copy: &[C; W],
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    each_lane::<W>(|lane| {
        shadows.lane_mut(lane, |memory| {
            Tangent::accumulate(place(memory), copy[lane].get())
        })
    });
}

/// `into += from`, of what are slices, or arrays and vectors that coerce to them.
#[inline]
pub fn add_slice<T>(into: &mut [T], from: &[T])
where
    [T]: Tangent,
{
    Tangent::accumulate(into, from);
}

/// `place -= value`.
#[inline]
pub fn subtract_at<S: ShadowsMut<W>, T: Tangent<Owned = T>, const W: usize>(
    mut shadows: S,
    value: &[T; W],
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    each_lane::<W>(|lane| shadows.lane_mut(lane, |memory| subtract(place(memory), &value[lane])));
}

/// `place = 0`.
#[inline]
pub fn clear_at<S: ShadowsMut<W>, T: Tangent + ?Sized, const W: usize>(
    mut shadows: S,
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    each_lane::<W>(|lane| shadows.lane_mut(lane, |memory| Tangent::zero_out(place(memory))));
}

/// `place = value`, for a value without derivative.
#[inline]
pub fn renew_at<S: ShadowsMut<W>, T: Tangent<Owned = T>, const W: usize>(
    mut shadows: S,
    value: &T,
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    each_lane::<W>(|lane| {
        shadows.lane_mut(lane, |memory| *place(memory) = Tangent::zero_like(value))
    });
}

/// `into += place`.
#[inline]
pub fn add_from<S: ShadowsMut<W>, T: Tangent, const W: usize>(
    into: &mut [T; W],
    mut shadows: S,
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    each_lane::<W>(|lane| {
        shadows.lane_mut(lane, |memory| {
            Tangent::accumulate(&mut into[lane], place(memory))
        })
    });
}

/// `into -= place`.
#[inline]
pub fn subtract_from<S: ShadowsMut<W>, T: Tangent<Owned = T>, const W: usize>(
    into: &mut [T; W],
    mut shadows: S,
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    each_lane::<W>(|lane| {
        shadows.lane_mut(lane, |memory| subtract(&mut into[lane], place(memory)))
    });
}

/// `into += place; place = 0`.
#[inline]
pub fn move_from<S: ShadowsMut<W>, T: Tangent, const W: usize>(
    into: &mut [T; W],
    mut shadows: S,
    place: impl Fn(&mut S::Memory) -> &mut T,
) {
    each_lane::<W>(|lane| {
        shadows.lane_mut(lane, |memory| {
            let place = place(memory);
            Tangent::accumulate(&mut into[lane], place);
            Tangent::zero_out(place);
        });
    });
}

/// What a place of memory of one's own holds in every lane; it holds zeros then.
#[inline]
pub fn taken_at<S: ShadowsMut<W>, T: Tangent<Owned = T>, const W: usize>(
    mut shadows: S,
    place: impl Fn(&mut S::Memory) -> &mut T,
) -> [T; W] {
    lane_array(|lane| {
        let mut taken = None;
        shadows.lane_mut(lane, |memory| {
            let place = place(memory);
            let zero = Tangent::zero_like(place);
            taken = Some(std::mem::replace(place, zero));
        });
        taken.expect("memory of one's own has every lane")
    })
}

/// `into -= value`.
#[inline]
fn subtract<T: Tangent<Owned = T>>(into: &mut T, value: &T) {
    let mut negative = Tangent::zero_like(value);
    Tangent::accumulate(&mut negative, value);
    Tangent::scale(&mut negative, -1.0);
    Tangent::accumulate(into, &negative);
}

/// `into += whole.part` of a whole that is not read again, in every lane.
#[inline]
pub fn absorb_part<S, T: Tangent, const W: usize>(
    into: &mut [T; W],
    whole: &mut [S; W],
    part: impl Fn(&mut S) -> &mut T,
) {
    each_lane::<W>(|lane| Tangent::absorb(&mut into[lane], part(&mut whole[lane])));
}

/// `whole.part = value`, in every lane.
#[inline]
pub fn set_part<S, T: Clone, const W: usize>(
    whole: &mut [S; W],
    value: &[T; W],
    part: impl Fn(&mut S) -> &mut T,
) {
    each_lane::<W>(|lane| *part(&mut whole[lane]) = value[lane].clone());
}
