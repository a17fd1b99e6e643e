//! Iterators that give the same elements in the same order whenever a derivative goes through them again.

use std::collections::{binary_heap, btree_map, btree_set, linked_list, vec_deque};
use std::iter::{Chain, Cloned, Copied, Enumerate, Rev, Skip, StepBy, Take, Zip};
use std::{array, slice, str, vec};

/// Of iterators whose source alone says their order: not those of a `HashMap`, where it is another for each map.
#[diagnostic::on_unimplemented(
    message = "a derivative goes through these entries twice, and `{Self}` may give them in another order",
    label = "two of these with the same entries differ in their order",
    note = "take a `BTreeMap` or a `BTreeSet`; or collect the entries first, in a function marked `#[inactive]` that returns a `Vec`"
)]
pub trait InOrder: Iterator {}

macro_rules! in_order {
    ($([$($generics:tt)*] $of:ty;)*) => { $(impl<$($generics)*> InOrder for $of where Self: Iterator {})* };
}

in_order! {
    ['a, K, V] btree_map::Iter<'a, K, V>;
    ['a, K, V] btree_map::Keys<'a, K, V>;
    ['a, K, V] btree_map::Range<'a, K, V>;
    ['a, K, V] btree_map::Values<'a, K, V>;
    [K, V] btree_map::IntoIter<K, V>;
    [K, V] btree_map::IntoKeys<K, V>;
    [K, V] btree_map::IntoValues<K, V>;
    ['a, T] btree_set::Iter<'a, T>;
    ['a, T] btree_set::Range<'a, T>;
    [T] btree_set::IntoIter<T>;
    ['a, T] binary_heap::Iter<'a, T>;
    [T] binary_heap::IntoIter<T>;
    ['a, T] linked_list::Iter<'a, T>;
    [T] linked_list::IntoIter<T>;
    ['a, T] vec_deque::Iter<'a, T>;
    [T] vec_deque::IntoIter<T>;
    ['a, T] slice::Iter<'a, T>;
    [T] vec::IntoIter<T>;
    [T, const N: usize] array::IntoIter<T, N>;
    ['a] str::Bytes<'a>;
    ['a] str::CharIndices<'a>;
    ['a] str::Chars<'a>;
    ['a] str::Lines<'a>;
    ['a] str::SplitAsciiWhitespace<'a>;
    ['a] str::SplitWhitespace<'a>;
    ['a] str::Split<'a, char>;
    ['a, 'p] str::Split<'a, &'p str>;
    ['a, 'p] str::Split<'a, &'p [char]>;
    ['a, const N: usize] str::Split<'a, [char; N]>;
    ['a] str::SplitTerminator<'a, char>;
    ['a, 'p] str::SplitTerminator<'a, &'p str>;
    [I: InOrder] Cloned<I>;
    [I: InOrder] Copied<I>;
    [I: InOrder] Enumerate<I>;
    [I: InOrder] Rev<I>;
    [I: InOrder] Skip<I>;
    [I: InOrder] StepBy<I>;
    [I: InOrder] Take<I>;
    [A: InOrder, B: InOrder] Chain<A, B>;
    [A: InOrder, B: InOrder] Zip<A, B>;
}
