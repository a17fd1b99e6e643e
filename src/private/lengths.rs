//! Shadows of vectors that get another length.

use super::shape::has_shapes;
use crate::activity::Lane;
use crate::tangent::Tangent;

/// Gives each shadow the length of its vector: what is kept keeps its cotangents, what is new has none yet. An augmented pass ends with it,
/// so that the caller finds room in the shadow for the cotangents of what was pushed; the reverse half undoes it.
pub fn lengthened<M: ?Sized, T: Tangent<Owned = T>, const W: usize>(
    shadows: &mut [Lane<'_, M>; W],
    part: impl Fn(&mut M) -> &mut Vec<T>,
    vector: &[T],
) {
    for shadow in shadows.iter_mut().filter_map(Lane::as_deref_mut) {
        length_as(part(shadow), vector);
    }
}

fn length_as<T: Tangent<Owned = T>>(shadow: &mut Vec<T>, vector: &[T]) {
    shadow.truncate(vector.len());
    let new = &vector[shadow.len()..];
    shadow.extend(new.iter().map(T::zero_like));
}

/// As [`lengthened`], of each of several vectors.
pub fn entries_lengthened<M: ?Sized, T: Tangent<Owned = T>, const W: usize>(
    shadows: &mut [Lane<'_, M>; W],
    part: impl Fn(&mut M) -> &mut [Vec<T>],
    vectors: &[Vec<T>],
) {
    for shadow in shadows.iter_mut().filter_map(Lane::as_deref_mut) {
        let shadows = part(shadow).iter_mut();
        shadows.zip(vectors).for_each(|(s, v)| length_as(s, v));
    }
}

/// As [`lengthened`], of a vector in each of several values: `nodes[i].children`.
pub fn fields_lengthened<M: ?Sized, N, T: Tangent<Owned = T>, const W: usize>(
    shadows: &mut [Lane<'_, M>; W],
    part: impl Fn(&mut M) -> &mut [N],
    field_mut: impl Fn(&mut N) -> &mut Vec<T>,
    values: &[N],
    field: impl Fn(&N) -> &Vec<T>,
) {
    for shadow in shadows.iter_mut().filter_map(Lane::as_deref_mut) {
        let shadows = part(shadow).iter_mut();
        let each = shadows.zip(values);
        each.for_each(|(shadow, value)| length_as(field_mut(shadow), field(value)));
    }
}

/// Gives each shadow of a field that was assigned the shape of its value, if it has another: an augmented pass ends with it, as with
/// [`lengthened`].
pub fn shaped_as<M: ?Sized, T: Tangent<Owned = T>, const W: usize>(
    shadows: &mut [Lane<'_, M>; W],
    part: impl Fn(&mut M) -> &mut T,
    value: &T,
) {
    if !has_shapes::<T>() {
        return;
    }
    for shadow in shadows.iter_mut().filter_map(Lane::as_deref_mut) {
        shape_as(part(shadow), value);
    }
}

/// As [`shaped_as`], of each of several values.
pub fn entries_shaped_as<M: ?Sized, T: Tangent<Owned = T>, const W: usize>(
    shadows: &mut [Lane<'_, M>; W],
    part: impl Fn(&mut M) -> &mut [T],
    values: &[T],
) {
    for shadow in shadows.iter_mut().filter_map(Lane::as_deref_mut) {
        let entries = part(shadow).iter_mut().zip(values);
        entries.for_each(|(shadow, value)| shape_as(shadow, value));
    }
}

fn shape_as<T: Tangent<Owned = T>>(shadow: &mut T, value: &T) {
    if Tangent::congruent(shadow, value).is_err() {
        *shadow = Tangent::zero_like(value);
    }
}

/// Asserts what a caller believes of a function of another crate.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub fn keeps_lengths(changes: bool) {
    assert!(
        !changes,
        "a function of another crate, or of a macro, changes the length of a vector that it is lent, which its caller cannot know: let it take the vector by value and return it"
    );
}
