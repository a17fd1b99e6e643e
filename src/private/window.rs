//! The part of memory that a loop runs over: its bounds are checked once.

use std::ops::Range;

use crate::activity::{Lane, lanes_of};
use crate::tangent::Tangent;

/// The index of the first round, which grows by one from each round to the next; of a run without rounds it is not asked for.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn first(run: &Range<usize>, index: impl FnOnce(usize) -> usize) -> usize {
    if run.is_empty() { 0 } else { index(run.start) }
}

/// As [`first`], where the index is that of the round.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn start(run: &Range<usize>) -> usize {
    if run.is_empty() { 0 } else { run.start }
}

/// As many entries of a slice as there are rounds, which the optimizer sees.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub fn window<T>(slice: &[T], first: usize, rounds: usize) -> &[T] {
    &slice[first..][..rounds]
}

/// As [`window`], to be changed.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub fn window_mut<T>(slice: &mut [T], first: usize, rounds: usize) -> &mut [T] {
    &mut slice[first..][..rounds]
}

/// As [`window_mut`], of a parameter's shadows in all lanes. A single lane is no loop, and no closure of ours, which might not be inlined:
/// its tag would be read again in each round.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub fn shadow_windows<'a, M: ?Sized, T, const W: usize>(
    shadows: &'a mut [Lane<'_, M>; W],
    place: impl Fn(&mut M) -> &mut [T],
    first: usize,
    rounds: usize,
) -> [Lane<'a, [T]>; W] {
    let mut windows = [const { Lane::Inactive }; W];
    match W {
        1 => windows[0] = shadow_window(&mut shadows[0], place, first, rounds),
        _ => {
            for (window, shadow) in windows.iter_mut().zip(shadows) {
                *window = shadow_window(shadow, &place, first, rounds);
            }
        }
    }
    windows
}

/// As [`window_mut`], of a parameter's shadow in one lane.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
fn shadow_window<'a, M: ?Sized, T>(
    shadow: &'a mut Lane<'_, M>,
    place: impl Fn(&mut M) -> &mut [T],
    first: usize,
    rounds: usize,
) -> Lane<'a, [T]> {
    match shadow {
        Lane::Active(memory) => Lane::Active(window_mut(place(memory), first, rounds)),
        Lane::Inactive => Lane::Inactive,
        Lane::Promised => Lane::Promised,
    }
}

/// As [`shadow_windows`], of a local's shadows.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub fn own_shadow_windows<M, T, const W: usize>(
    shadows: &mut [M; W],
    place: impl Fn(&mut M) -> &mut [T],
    first: usize,
    rounds: usize,
) -> [Lane<'_, [T]>; W] {
    let mut windows = [const { Lane::Inactive }; W];
    match W {
        1 => windows[0] = Lane::Active(window_mut(place(&mut shadows[0]), first, rounds)),
        _ => {
            for (window, memory) in windows.iter_mut().zip(shadows) {
                *window = Lane::Active(window_mut(place(memory), first, rounds));
            }
        }
    }
    windows
}

/// The rounds of a block: as many sums side by side as the longest vectors have entries.
pub const BLOCK: usize = 8;

/// How many blocks a loop has whose rounds add to `sums`. Only numbers fit into vectors, and few rounds are not worth it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn blocks<T, const W: usize>(_: &[T; W], rounds: usize) -> usize {
    let is_number = size_of::<T>() <= size_of::<f64>() && !std::mem::needs_drop::<T>();
    match W == 1 && is_number && rounds >= 2 * BLOCK {
        true => rounds / BLOCK,
        false => 0,
    }
}

/// Whether memory has a shadow.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn has_shadow<M: ?Sized, const W: usize>(shadows: &[Lane<'_, M>; W]) -> bool {
    matches!(shadows.first(), Some(Lane::Active(_)))
}

/// The sums of each round of a block.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn block_sums<T: Tangent<Owned = T>, const W: usize>(sums: &[T; W]) -> [[T; W]; BLOCK] {
    std::array::from_fn(|_| sums.each_ref().map(T::empty_sum))
}

/// Adds the sums of all rounds.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn block_total<T: Tangent, const W: usize>(sums: &mut [T; W], blocks: &[[T; W]; BLOCK]) {
    for block in blocks {
        for (sum, part) in sums.iter_mut().zip(block) {
            Tangent::accumulate(sum, part);
        }
    }
}

/// The sums of a value in each round of a block.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn value_sums<T: Tangent<Owned = T>>(value: &T) -> [T; BLOCK] {
    std::array::from_fn(|_| Tangent::empty_sum(value))
}

/// Adds the sums of all rounds to the value.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn value_total<T: Tangent>(value: &mut T, sums: &[T; BLOCK]) {
    for sum in sums {
        Tangent::accumulate(value, sum);
    }
}

/// The entries of a loop's window in blocks, and those behind the blocks. Nothing is checked where there are no blocks.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn in_blocks<T>(window: &[T], blocks: usize) -> (&[[T; BLOCK]], &[T]) {
    match blocks {
        0 => (&[], window),
        _ => window.as_chunks(),
    }
}

/// The rounds behind the blocks.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn left(rounds: usize, blocks: usize) -> usize {
    match blocks {
        0 => rounds,
        _ => rounds % BLOCK,
    }
}

/// A window's shadows in blocks, and those behind the blocks.
type InBlocks<'a, T, const W: usize> = ([Lane<'a, [[T; BLOCK]]>; W], [Lane<'a, [T]>; W]);

/// As [`in_blocks`], of shadows. A single lane is no loop here either.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn shadows_in_blocks<'a, T, const W: usize>(
    shadows: &'a mut [Lane<'_, [T]>; W],
    blocks: usize,
) -> InBlocks<'a, T, W> {
    let mut in_blocks = [const { Lane::Inactive }; W];
    let mut left = [const { Lane::Inactive }; W];
    match W {
        1 => (in_blocks[0], left[0]) = shadow_in_blocks(&mut shadows[0], blocks),
        _ => {
            for ((shadow, blocked), left) in shadows.iter_mut().zip(&mut in_blocks).zip(&mut left) {
                (*blocked, *left) = shadow_in_blocks(shadow, blocks);
            }
        }
    }
    (in_blocks, left)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn shadow_in_blocks<'a, T>(
    shadow: &'a mut Lane<'_, [T]>,
    blocks: usize,
) -> (Lane<'a, [[T; BLOCK]]>, Lane<'a, [T]>) {
    match shadow {
        Lane::Active(window) => {
            let (in_blocks, left) = match blocks {
                0 => (&mut [][..], &mut window[..]),
                _ => window.as_chunks_mut(),
            };
            (Lane::Active(in_blocks), Lane::Active(left))
        }
        Lane::Inactive => (Lane::Inactive, Lane::Inactive),
        Lane::Promised => (Lane::Promised, Lane::Promised),
    }
}

/// The shadows of a block.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub fn block_of<'a, T, const W: usize>(
    shadows: &'a mut [Lane<'_, [[T; BLOCK]]>; W],
    block: usize,
) -> [Lane<'a, [T]>; W] {
    lanes_of(shadows, |lane| match lane {
        Lane::Active(memory) => Lane::Active(&mut memory[block][..]),
        Lane::Inactive => Lane::Inactive,
        Lane::Promised => Lane::Promised,
    })
}

/// What a block adds to shadows: one entry for each of its rounds. Written out, since `array::map` may stay a call, for which every sum would leave its
/// register.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub fn block_room<T: Tangent<Owned = T>, const W: usize>(
    shadows: &[Lane<'_, [[T; BLOCK]]>; W],
    block: usize,
) -> [Option<[T; BLOCK]>; W] {
    let mut room = [const { None }; W];
    match W {
        1 => room[0] = lane_room(&shadows[0], block),
        _ => {
            for (room, lane) in room.iter_mut().zip(shadows) {
                *room = lane_room(lane, block);
            }
        }
    }
    room
}

#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
fn lane_room<T: Tangent<Owned = T>>(
    lane: &Lane<'_, [[T; BLOCK]]>,
    block: usize,
) -> Option<[T; BLOCK]> {
    let Lane::Active(memory) = lane else {
        return None;
    };
    let [a, b, c, d, e, f, g, h] = &memory[block];
    Some([
        Tangent::empty_sum(a),
        Tangent::empty_sum(b),
        Tangent::empty_sum(c),
        Tangent::empty_sum(d),
        Tangent::empty_sum(e),
        Tangent::empty_sum(f),
        Tangent::empty_sum(g),
        Tangent::empty_sum(h),
    ])
}

/// Shadows that are such room.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn block_lanes<T, const W: usize>(room: &mut [Option<[T; BLOCK]>; W]) -> [Lane<'_, [T]>; W] {
    lanes_of(room, |lane| match lane {
        Some(memory) => Lane::Active(&mut memory[..]),
        None => Lane::Inactive,
    })
}

/// Adds what a block has added.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub fn block_add<T: Tangent, const W: usize>(
    shadows: &mut [Lane<'_, [[T; BLOCK]]>; W],
    block: usize,
    room: &[Option<[T; BLOCK]>; W],
) {
    for (lane, room) in shadows.iter_mut().zip(room) {
        if let (Lane::Active(memory), Some(room)) = (lane, room) {
            for (entry, added) in memory[block].iter_mut().zip(room) {
                Tangent::accumulate(entry, added);
            }
        }
    }
}
