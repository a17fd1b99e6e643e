//! Shadows as generated code sees them.

/// The shadow of an argument in one lane, to be changed, if it has one.
///
/// As `Option<&mut T>`, with a tag of its own: where the activity is known the tag is a constant, and the optimizer need not find
/// out that a pointer which was computed from the shadow is not null.
#[doc(hidden)]
#[derive(Debug)]
#[repr(u8)]
pub enum Lane<'a, T: ?Sized> {
    /// There is no shadow.
    Inactive,
    /// There will be a shadow in the reverse half: what an augmented pass is told, which touches none.
    Promised,
    /// The shadow.
    Active(&'a mut T),
}

impl<'a, T: ?Sized> Lane<'a, T> {
    /// Whether there is a shadow, or will be.
    #[inline]
    pub fn is_active(&self) -> bool {
        !matches!(self, Lane::Inactive)
    }

    /// The shadow, to be read.
    #[inline]
    pub fn as_deref(&self) -> Option<&T> {
        match self {
            Lane::Active(shadow) => Some(shadow),
            Lane::Inactive | Lane::Promised => None,
        }
    }

    /// The shadow, to be changed.
    #[inline]
    pub fn as_deref_mut(&mut self) -> Option<&mut T> {
        match self {
            Lane::Active(shadow) => Some(shadow),
            Lane::Inactive | Lane::Promised => None,
        }
    }

    /// A part of the shadow.
    #[inline]
    pub fn into_part<U: ?Sized>(self, part: impl FnOnce(&'a mut T) -> &'a mut U) -> Lane<'a, U> {
        match self {
            Lane::Active(shadow) => Lane::Active(part(shadow)),
            Lane::Inactive => Lane::Inactive,
            Lane::Promised => Lane::Promised,
        }
    }
}

/// Lanes that are made from something else, lane by lane.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn lanes_of<'a, S, T: ?Sized, const W: usize>(
    from: &'a mut [S; W],
    mut one: impl FnMut(&'a mut S) -> Lane<'a, T>,
) -> [Lane<'a, T>; W] {
    if cfg!(debug_assertions) {
        return map_lanes_mut(from, one);
    }
    let mut lanes = [const { Lane::Inactive }; W];
    match W {
        1 => {
            if let ([lane], [from]) = (&mut lanes[..], &mut from[..]) {
                *lane = one(from);
            }
        }
        _ => {
            for (lane, from) in lanes.iter_mut().zip(from) {
                *lane = one(from);
            }
        }
    }
    lanes
}

/// The array of what `one` gives for each lane.
///
/// A debug build has `from_fn` once for each type of lanes, and not once for each closure: that, and what `map` of an array is made of, were a quarter
/// of the code of small functions.
#[doc(hidden)]
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn lane_array<T, const W: usize>(one: impl FnMut(usize) -> T) -> [T; W] {
    std::array::from_fn(one)
}

/// The array of what `one` gives for each lane.
#[doc(hidden)]
#[cfg(debug_assertions)]
pub fn lane_array<T, const W: usize>(mut one: impl FnMut(usize) -> T) -> [T; W] {
    lanes_by(&mut one)
}

#[cfg(debug_assertions)]
fn lanes_by<T, const W: usize>(one: &mut dyn FnMut(usize) -> T) -> [T; W] {
    std::array::from_fn(one)
}

/// The array of what `one` makes of each lane.
#[doc(hidden)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn map_lanes<'a, S, T, const W: usize>(
    lanes: &'a [S; W],
    mut one: impl FnMut(&'a S) -> T,
) -> [T; W] {
    lane_array(|lane| one(&lanes[lane]))
}

/// As [`map_lanes`], of lanes that may be changed.
#[doc(hidden)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn map_lanes_mut<'a, S, T, const W: usize>(
    lanes: &'a mut [S; W],
    mut one: impl FnMut(&'a mut S) -> T,
) -> [T; W] {
    if !cfg!(debug_assertions) {
        return lanes.each_mut().map(one);
    }
    let mut lanes = lanes.iter_mut();
    lane_array(|_| one(lanes.next().expect("each lane is asked for once")))
}

/// Gives the number of each lane to `one`. A single lane is no loop: the optimizer sees what is in it before it looks at the
/// loops around.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn each_lane<const W: usize>(mut one: impl FnMut(usize)) {
    if cfg!(debug_assertions) {
        return each_below(W, &mut one);
    }
    match W {
        1 => one(0),
        _ => (0..W).for_each(one),
    }
}

/// As [`each_lane`], once for all closures: see [`lane_array`].
fn each_below(lanes: usize, one: &mut dyn FnMut(usize)) {
    (0..lanes).for_each(one);
}
