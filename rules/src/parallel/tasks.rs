//! Tasks: what runs at once, and in which order its results are summed.

use std::ops::Range;

use coenzyme::{Holds, HoldsMut, Tangent};

/// The greatest number of tasks of one call. It does not depend on the number of threads, and so neither do the results.
pub const TASKS: usize = 64;

/// The entries that each task of a call over `n` entries takes: equal lengths but for the last.
pub(super) fn ranges(n: usize) -> impl Iterator<Item = Range<usize>> {
    let length = n.div_ceil(TASKS).max(1);
    (0..n)
        .step_by(length)
        .map(move |start| start..n.min(start + length))
}

/// `f` of each item, in the order of the items.
#[cfg(feature = "rayon")]
pub(super) fn each<I: Send, R: Send>(items: Vec<I>, f: impl Fn(I) -> R + Send + Sync) -> Vec<R> {
    use rayon::prelude::*;
    items.into_par_iter().map(f).collect()
}
#[cfg(not(feature = "rayon"))]
pub(super) fn each<I, R>(items: Vec<I>, f: impl Fn(I) -> R) -> Vec<R> {
    items.into_iter().map(f).collect()
}

/// Both results.
#[cfg(feature = "rayon")]
pub(super) fn both<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    rayon::join(a, b)
}
#[cfg(not(feature = "rayon"))]
pub(super) fn both<A, B>(a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
    (a(), b())
}

/// The shadows of a shared argument in one task: of each lane, none if it is inactive.
pub(super) type Shadows<P, const W: usize> = Option<[<P as Tangent>::Owned; W]>;

/// Zero shadows for one task.
pub(super) fn shadows<P: Tangent + ?Sized, const W: usize>(
    shared: &P,
    active: bool,
) -> Shadows<P, W> {
    active.then(|| std::array::from_fn(|_| Tangent::zero_like(shared)))
}

/// The sum of the shadows of all tasks: of neighbours, then of neighbouring pairs, and so on.
pub(super) fn total<P, const W: usize>(mut tasks: Vec<Shadows<P, W>>) -> Shadows<P, W>
where
    P: Tangent<Owned: HoldsMut<P> + Send> + ?Sized,
{
    while tasks.len() > 1 {
        let mut rest = tasks.into_iter();
        let mut pairs = Vec::new();
        while let Some(first) = rest.next() {
            pairs.push((first, rest.next().flatten()));
        }
        tasks = each(pairs, |(mut first, second)| {
            for (a, b) in first.iter_mut().flatten().zip(second.iter().flatten()) {
                Tangent::accumulate(a.get_mut(), b.get());
            }
            first
        });
    }
    tasks.pop().flatten()
}

/// Each lane's part of slices, range by range; nothing in each range if there are no lanes.
pub(super) fn parts<T>(
    mut lanes: Vec<&mut [T]>,
    ranges: impl Iterator<Item = Range<usize>>,
) -> Vec<Vec<&mut [T]>> {
    ranges
        .map(|range| {
            lanes
                .iter_mut()
                .map(|lane| {
                    let (head, tail) = std::mem::take(lane).split_at_mut(range.len());
                    *lane = tail;
                    head
                })
                .collect()
        })
        .collect()
}

/// Entry `i` of each lane, for an argument of a body; none if there are no lanes.
pub(super) fn entry<'a, T, const W: usize>(
    lanes: &'a mut [&mut [T]],
    i: usize,
) -> Option<[&'a mut T; W]> {
    let entries: Vec<&mut T> = lanes.iter_mut().map(|lane| &mut lane[i]).collect();
    entries.try_into().ok()
}

/// What is inside the outcome of a body.
pub(super) fn inside<U: crate::class::Plain, V>(of: U::Of<V>) -> V {
    let mut slot = None;
    U::map_of(of, |inside| slot = Some(inside));
    slot.expect("a plain value is there")
}
