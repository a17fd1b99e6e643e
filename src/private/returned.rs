//! What a loop goes through that a function without derivative returns: slices and vectors as they are, ranges and other iterators as a
//! list of what they give.

use std::cell::RefCell;
use std::iter::{Rev, StepBy, Take};
use std::ops::{Range, RangeInclusive};

/// What a function returned.
#[derive(Debug)]
pub struct Returned<T>(RefCell<Option<T>>);

impl<T> Returned<T> {
    /// What `value` is will be found out.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn new(value: T) -> Self {
        Self(RefCell::new(Some(value)))
    }

    fn value(&self) -> T {
        self.0.take().expect("a list is made once")
    }
}

/// An iterator that ends, and does nothing but count: all of it may be had before the first round.
#[diagnostic::on_unimplemented(
    message = "a loop with a derivative goes through its entries by their numbers, which the iterator `{Self}` does not have",
    label = "its entries are not known before the first round",
    note = "collect them first, in a function marked `#[inactive]` that returns a `Vec`"
)]
pub trait Counts: Iterator {}

impl<T> Counts for Range<T> where Self: Iterator {}
impl<T> Counts for RangeInclusive<T> where Self: Iterator {}
impl<I: Counts + DoubleEndedIterator> Counts for Rev<I> {}
impl<I: Counts> Counts for StepBy<I> {}
impl<I: Counts> Counts for Take<I> {}

/// Of iterators.
pub trait Iterated {
    /// The iterator.
    type Iterator: Iterator;

    /// What it gives.
    fn list(self) -> Vec<<Self::Iterator as Iterator>::Item>
    where
        Self::Iterator: Counts;

    /// What any iterator gives that is run through in any case, and has no effects.
    fn list_to_the_end(self) -> Vec<<Self::Iterator as Iterator>::Item>;
}

impl<I: Iterator> Iterated for Returned<I> {
    type Iterator = I;

    #[inline]
    fn list(self) -> Vec<I::Item>
    where
        I: Counts,
    {
        self.value().collect()
    }

    #[inline]
    fn list_to_the_end(self) -> Vec<I::Item> {
        self.value().collect()
    }
}

/// Of any other type: found one reference further away.
pub trait NotIterated {
    /// The type.
    type Value;

    /// The value.
    fn list(self) -> Self::Value;
    /// The value.
    fn list_to_the_end(self) -> Self::Value;
}

impl<T> NotIterated for &Returned<T> {
    type Value = T;

    #[inline]
    fn list(self) -> T {
        self.value()
    }

    #[inline]
    fn list_to_the_end(self) -> T {
        self.value()
    }
}
