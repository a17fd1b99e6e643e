//! Shadows of arguments of one call that are in one memory: its parts, and shadows of their own where the parts overlap.

use crate::activity::{Lane, lane_array, map_lanes_mut};
use crate::tangent::{HoldsMut, Tangent};

/// Shadows of their own for an argument whose memory another argument of the call shares.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn apart<U: Tangent + ?Sized, const W: usize>(
    value: &U,
    active: bool,
) -> Option<[U::Owned; W]> {
    active.then(|| lane_array(|_| Tangent::empty_sum(value)))
}

/// As [`apart`], lent to the call.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lend_apart<'a, U, const W: usize>(
    _: &U,
    lanes: &'a mut Option<[U::Owned; W]>,
) -> Option<[&'a mut U; W]>
where
    U: Tangent<Owned: HoldsMut<U>> + ?Sized,
{
    let lanes = lanes.as_mut()?;
    Some(map_lanes_mut(lanes, |lane| lane.get_mut()))
}

/// Whether one of these parts of a slice has an entry that another has.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn overlap<const N: usize>(ranges: &[(usize, usize); N]) -> bool {
    (0..N).any(|i| {
        (0..i).any(|j| {
            let ((from, to), (other_from, other_to)) = (ranges[i], ranges[j]);
            from < other_to && other_from < to
        })
    })
}

/// The shadows of one argument, if it has any in place.
type InPlace<'a, T, const W: usize> = Option<[&'a mut [T]; W]>;

/// The parts of a parameter's shadows for the arguments of one call; if they overlap, that of the first alone.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn split_shadows<'a, M: ?Sized, T, const N: usize, const W: usize>(
    shadows: &'a mut [Lane<'_, M>; W],
    place: impl Fn(&mut M) -> &mut [T],
    ranges: &[(usize, usize); N],
    overlap: bool,
) -> [InPlace<'a, T, W>; N] {
    if !shadows[0].is_active() {
        return [const { None }; N];
    }
    let lanes = map_lanes_mut(shadows, |lane| {
        place(
            lane.as_deref_mut()
                .expect("all lanes have a shadow or none"),
        )
    });
    split(lanes, ranges, overlap)
}

/// As [`split_shadows`], of a local's shadows.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn split_own_shadows<'a, M, T, const N: usize, const W: usize>(
    shadows: &'a mut [M; W],
    place: impl Fn(&mut M) -> &mut [T],
    ranges: &[(usize, usize); N],
    overlap: bool,
) -> [InPlace<'a, T, W>; N] {
    split(map_lanes_mut(shadows, place), ranges, overlap)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn split<'a, T, const N: usize, const W: usize>(
    lanes: [&'a mut [T]; W],
    ranges: &[(usize, usize); N],
    overlap: bool,
) -> [InPlace<'a, T, W>; N] {
    if overlap {
        let (from, to) = ranges[0];
        let mut first = Some(lanes.map(|lane| &mut lane[from..to]));
        return std::array::from_fn(|_| first.take());
    }
    let mut parts = lanes.map(|lane| {
        let parts = lane.get_disjoint_mut(ranges.map(|(from, to)| from..to));
        parts.expect("the parts do not overlap").map(Some)
    });
    std::array::from_fn(|argument| {
        Some(
            parts
                .each_mut()
                .map(|lane| lane[argument].take().expect("taken once")),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_overlap_if_they_share_an_entry() {
        assert!(!overlap(&[(0, 3), (3, 5), (5, 5)]));
        assert!(overlap(&[(0, 3), (4, 6), (2, 4)]));
        assert!(!overlap(&[(2, 2), (0, 2)]));
    }

    #[test]
    fn parts_that_overlap_leave_the_first_in_place() {
        let mut shadow = [1.0, 2.0, 3.0, 4.0];
        let mut split = |ranges: &[(usize, usize); 2]| {
            let mut lanes = [Lane::Active(&mut shadow[..])];
            let parts = split_shadows(&mut lanes, |m| m, ranges, overlap(ranges));
            parts.map(|part| part.map(|[lane]| lane.to_vec()))
        };
        assert_eq!(
            split(&[(2, 4), (0, 2)]),
            [Some(vec![3.0, 4.0]), Some(vec![1.0, 2.0])]
        );
        assert_eq!(split(&[(0, 3), (2, 4)]), [Some(vec![1.0, 2.0, 3.0]), None]);
    }

    #[test]
    fn shadows_apart_are_sums_of_nothing() {
        let [sum] = apart::<_, 1>(&[0.5_f64, 0.7], true).unwrap();
        // to which an addition costs nothing
        assert!(sum.iter().all(|x| *x == 0.0 && x.is_sign_negative()));
        assert!(apart::<f64, 1>(&0.5, false).is_none());
    }
}
