//! An array for each lane.

/// What `one` gives for each lane.
///
/// Not generic over the closure: a debug build has the loop once for each type of result, where it had it once for each rule in each mix.
#[inline]
pub(crate) fn each_lane<T, const W: usize>(one: &mut dyn FnMut(usize) -> T) -> [T; W] {
    std::array::from_fn(one)
}
