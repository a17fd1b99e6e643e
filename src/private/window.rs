//! The part of memory that a loop runs over: its bounds are checked once.

use std::ops::Range;

use crate::activity::{Lane, lanes_of};

/// The index of the first round, which grows by one from each round to the next; of a run without rounds it is not asked for.
#[inline]
pub fn first(run: &Range<usize>, index: impl FnOnce(usize) -> usize) -> usize {
    if run.is_empty() { 0 } else { index(run.start) }
}

/// As many entries of a slice as there are rounds, which the optimizer sees.
#[inline]
#[track_caller]
pub fn window<T>(slice: &[T], first: usize, rounds: usize) -> &[T] {
    &slice[first..][..rounds]
}

/// As [`window`], to be changed.
#[inline]
#[track_caller]
pub fn window_mut<T>(slice: &mut [T], first: usize, rounds: usize) -> &mut [T] {
    &mut slice[first..][..rounds]
}

/// As [`window_mut`], of a parameter's shadows in all lanes.
#[inline]
#[track_caller]
pub fn shadow_windows<'a, M: ?Sized, T, const W: usize>(
    shadows: &'a mut [Lane<'_, M>; W],
    place: impl Fn(&mut M) -> &mut [T],
    first: usize,
    rounds: usize,
) -> [Lane<'a, [T]>; W] {
    lanes_of(shadows, |lane| match lane {
        Lane::Active(memory) => Lane::Active(window_mut(place(memory), first, rounds)),
        Lane::Inactive => Lane::Inactive,
        Lane::Promised => Lane::Promised,
    })
}

/// As [`shadow_windows`], of a local's shadows.
#[inline]
#[track_caller]
pub fn own_shadow_windows<M, T, const W: usize>(
    shadows: &mut [M; W],
    place: impl Fn(&mut M) -> &mut [T],
    first: usize,
    rounds: usize,
) -> [Lane<'_, [T]>; W] {
    lanes_of(shadows, |memory| {
        Lane::Active(window_mut(place(memory), first, rounds))
    })
}
