//! Ranges that loops run over, backwards too, and what stands behind a `*`.

use std::cmp::Ordering;

use super::Blank;

/// How often a loop over `range` runs.
#[inline]
pub fn rounds<I: Iterator>(range: &I) -> usize {
    range.size_hint().0
}

/// Number `k` of a range.
#[inline]
pub fn nth<I: Iterator>(mut range: I, k: usize) -> I::Item {
    range
        .nth(k)
        .expect("the number of an element is less than the length")
}

/// The first `rounds` elements of a range, the last of them first.
#[inline]
pub fn backwards<I: Iterator + Clone>(range: I, rounds: usize) -> impl Iterator<Item = I::Item> {
    (0..rounds).rev().map(move |k| nth(range.clone(), k))
}

/// `start..`, as far as the numbers of its type go.
#[inline]
pub fn without_end<T: num_traits::Bounded>(range: std::ops::RangeFrom<T>) -> std::ops::Range<T> {
    range.start..T::max_value()
}

/// How many pairs `zip` gives whose first iterator has a closure that changes something.
///
/// # Panics
/// If the second iterator is shorter: whether the closure then runs once more, the standard library leaves open.
#[inline]
pub fn all_of_the_first(first: usize, second: usize) -> usize {
    assert!(
        first <= second,
        "a closure that changes something stands before a `zip` of {first} elements with {second}: whether it runs once more than \
         there are pairs is not defined, so shorten the first by `take`"
    );
    first
}

/// The entries of chunk `k` of a slice.
#[inline]
pub fn chunk(k: usize, size: usize, len: usize) -> std::ops::Range<usize> {
    k * size..len.min((k + 1) * size)
}

/// The entries of chunk `k` of a slice, counted from its end.
#[inline]
pub fn chunk_from_behind(k: usize, size: usize, len: usize) -> std::ops::Range<usize> {
    len.saturating_sub((k + 1) * size)..len - k * size
}

/// The number of the element that `find` gives.
pub fn position_of<I: Iterator>(
    mut chain: I,
    mut is: impl FnMut(&I::Item) -> bool,
) -> Option<usize> {
    chain.position(|element| is(&element))
}

/// Whether a chain has an element.
pub fn has_any(chain: impl IntoIterator) -> bool {
    chain.into_iter().next().is_some()
}

/// The number of the element that `max_by` gives.
pub fn position_of_max<I: Iterator>(
    chain: I,
    mut compare: impl FnMut(&I::Item, &I::Item) -> Ordering,
) -> Option<usize> {
    chain
        .enumerate()
        .max_by(|a, b| compare(&a.1, &b.1))
        .map(|e| e.0)
}

/// The number of the element that `min_by` gives.
pub fn position_of_min<I: Iterator>(
    chain: I,
    mut compare: impl FnMut(&I::Item, &I::Item) -> Ordering,
) -> Option<usize> {
    chain
        .enumerate()
        .min_by(|a, b| compare(&a.1, &b.1))
        .map(|e| e.0)
}

/// The number of the element that `max_by_key` gives.
pub fn position_of_max_by_key<I: Iterator, K: Ord>(
    chain: I,
    mut key: impl FnMut(&I::Item) -> K,
) -> Option<usize> {
    chain.enumerate().max_by_key(|e| key(&e.1)).map(|e| e.0)
}

/// The number of the element that `min_by_key` gives.
pub fn position_of_min_by_key<I: Iterator, K: Ord>(
    chain: I,
    mut key: impl FnMut(&I::Item) -> K,
) -> Option<usize> {
    chain.enumerate().min_by_key(|e| key(&e.1)).map(|e| e.0)
}

/// The order in which `sort_by` puts the entries: the numbers of those from the first to the last.
pub fn order_of<T>(entries: &[T], mut compare: impl FnMut(&T, &T) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|a, b| compare(&entries[*a], &entries[*b]));
    order
}

/// As [`order_of`], of `sort_by_key`.
pub fn order_by_key<T, K: Ord>(entries: &[T], mut key: impl FnMut(&T) -> K) -> Vec<usize> {
    order_of(entries, |a, b| key(a).cmp(&key(b)))
}

/// As [`order_of`], of `select_nth_unstable_by`.
pub fn order_after_selection<T>(
    entries: &[T],
    nth: usize,
    mut compare: impl FnMut(&T, &T) -> Ordering,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.select_nth_unstable_by(nth, |a, b| compare(&entries[*a], &entries[*b]));
    order
}

/// A fixed array, whose entries are mapped one by one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no array, whose entries `map` would go through",
    label = "not an array",
    note = "what is in an `Option` is mapped where it is taken out: `o.map(f).unwrap_or(d)`, `if let Some(x) = o`; of a type of your own with a method `map`, bind the value to a name with its type first, `let v: V = s.v;`"
)]
pub trait FixedArray {
    /// An array of as many entries.
    type Of<U: Blank>: Blank;
}

impl<T, const N: usize> FixedArray for [T; N] {
    type Of<U: Blank> = [U; N];
}

impl<A: FixedArray + ?Sized> FixedArray for &A {
    type Of<U: Blank> = A::Of<U>;
}

impl<A: FixedArray + ?Sized> FixedArray for &mut A {
    type Of<U: Blank> = A::Of<U>;
}

/// A fixed array as long as another.
#[inline]
pub fn array_like<A: FixedArray, U: Blank>(_: &A) -> A::Of<U> {
    Blank::blank()
}

/// The length of a fixed array, which may be known from elsewhere.
#[inline]
pub fn array_len<T, const N: usize>(_: &[T; N]) -> usize {
    N
}

/// `*value`, where the value may stand without its reference: an element of an iterator in generated code.
pub trait Star {
    /// What is there.
    type Target;

    /// The value.
    fn star(self) -> Self::Target;
}

impl<T: Clone> Star for &T {
    type Target = T;

    #[inline]
    fn star(self) -> T {
        self.clone()
    }
}

macro_rules! values {
    ($($t:ty),*) => {$(
        impl Star for $t {
            type Target = $t;

            #[inline]
            fn star(self) -> $t {
                self
            }
        }
    )*};
}

values!(
    bool, char, f32, f64, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

/// Whether a function returned a value.
#[inline]
pub fn is_there<O: crate::rule::Outcome>(returned: &O) -> bool {
    crate::Outcome::value(returned).is_some()
}

/// Where `part` begins and ends in `whole`.
///
/// # Panics
/// If it is not a part of it.
#[inline]
pub fn within<T>(whole: &[T], part: &[T]) -> (usize, usize) {
    let offset = (part.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
    let from = match part.is_empty() {
        true if offset > size_of_val(whole) => 0,
        _ => offset / size_of::<T>().max(1),
    };
    assert!(from + part.len() <= whole.len(), "a part of another slice");
    (from, from + part.len())
}

/// Where `x[from..to][by..]` begins in `x`.
///
/// # Panics
/// As `x[from..to][by..]`.
#[inline]
#[track_caller]
pub fn advanced(from: usize, to: usize, by: usize) -> usize {
    let len = to - from;
    assert!(
        by <= len,
        "range start index {by} out of range for slice of length {len}"
    );
    from + by
}

/// Whether a condition holds, whose type is that of the value.
#[inline]
pub fn keeps<T>(value: &T, condition: impl FnOnce(&T) -> bool) -> bool {
    condition(value)
}
