//! Lists of what an iterator gives, which own their entries: what is on the tape outlives the memory that the iterator went through.
//!
//! ```text
//! Listing::new(map.iter()).list()                // (&K, &V): a list of pairs
//! Listing::new(text.lines()).list()              // &str: a list of `String`s
//! Listing::new(numbers.into_iter()).list()       // by value
//! ```
//!
//! Which list it is, the method finds by the entries: pairs of references have it by value, references behind `&`, all others behind `&mut`.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::marker::PhantomData;

/// A list that gives its entries as the iterator gave them.
pub trait List {
    /// An entry.
    type Entry<'a>
    where
        Self: 'a;

    /// How many entries there are.
    fn count(&self) -> usize;

    /// Entry number `k`.
    fn entry(&self, k: usize) -> Self::Entry<'_>;
}

/// What a pattern binds of entry `k`.
#[inline]
pub fn part_listed<'a, L: List, U>(
    list: &'a L,
    k: usize,
    part: impl FnOnce(L::Entry<'a>) -> U,
) -> U {
    part(list.entry(k))
}

/// What a pattern binds of an entry by reference.
#[inline]
pub fn part_lent<'a, E, U>(entry: &'a E, part: impl FnOnce(&'a E) -> U) -> U {
    part(entry)
}

/// An iterator whose entries will be kept.
#[derive(Debug)]
pub struct Listing<I>(RefCell<Option<I>>);

impl<I: Iterator> Listing<I> {
    /// What gives the entries.
    pub fn new(entries: impl IntoIterator<IntoIter = I>) -> Self {
        Self(RefCell::new(Some(entries.into_iter())))
    }

    fn entries(&self) -> I {
        self.0.take().expect("a list is made once")
    }
}

/// Entries by reference; `O` are their copies.
#[derive(Debug)]
pub struct ReferenceList<T: ?Sized, O>(Vec<O>, PhantomData<fn(&T)>);

/// Pairs of references; `A` and `B` are copies of what they lead to.
#[derive(Debug)]
pub struct PairList<K: ?Sized, V: ?Sized, A, B>(Vec<(A, B)>, PhantomData<fn(&K, &V)>);

impl<T: ?Sized, O: Clone> Clone for ReferenceList<T, O> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

impl<K: ?Sized, V: ?Sized, A: Clone, B: Clone> Clone for PairList<K, V, A, B> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

impl<K: ?Sized, V: ?Sized, A: Borrow<K>, B: Borrow<V>> List for PairList<K, V, A, B> {
    type Entry<'a>
        = (&'a K, &'a V)
    where
        Self: 'a;

    fn count(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn entry(&self, k: usize) -> (&K, &V) {
        let (key, value) = &self.0[k];
        (key.borrow(), value.borrow())
    }
}

impl<T: ?Sized, O: Borrow<T>> List for ReferenceList<T, O> {
    type Entry<'a>
        = &'a T
    where
        Self: 'a;

    fn count(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn entry(&self, k: usize) -> &T {
        self.0[k].borrow()
    }
}

impl<T: Clone> List for Vec<T> {
    type Entry<'a>
        = T
    where
        Self: 'a;

    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn entry(&self, k: usize) -> T {
        self[k].clone()
    }
}

/// Of iterators over a map.
pub trait KeepsPairs {
    /// The list.
    type List: List;

    /// Copies of the entries.
    fn list(self) -> Self::List;
}

impl<'a, I, K, V> KeepsPairs for Listing<I>
where
    I: Iterator<Item = (&'a K, &'a V)>,
    K: ToOwned + ?Sized + 'a,
    V: ToOwned + ?Sized + 'a,
{
    type List = PairList<K, V, K::Owned, V::Owned>;

    fn list(self) -> Self::List {
        let copies = self.entries().map(|(k, v)| (k.to_owned(), v.to_owned()));
        PairList(copies.collect(), PhantomData)
    }
}

/// Of iterators over what is lent.
pub trait KeepsReferences {
    /// The list.
    type List: List;

    /// Copies of the entries.
    fn list(self) -> Self::List;
}

impl<'a, I, T> KeepsReferences for &Listing<I>
where
    I: Iterator<Item = &'a T>,
    T: ToOwned + ?Sized + 'a,
{
    type List = ReferenceList<T, T::Owned>;

    fn list(self) -> Self::List {
        let copies = self.entries().map(ToOwned::to_owned);
        ReferenceList(copies.collect(), PhantomData)
    }
}

/// Of any other iterators.
pub trait KeepsValues {
    /// An entry.
    type Entry;

    /// The entries.
    fn list(self) -> Vec<Self::Entry>;
}

impl<I: Iterator<Item: Clone>> KeepsValues for &mut Listing<I> {
    type Entry = I::Item;

    fn list(self) -> Vec<I::Item> {
        self.entries().collect()
    }
}

/// Part of an entry, which an operation takes for a number.
#[derive(Debug)]
pub struct ListedPart<T>(pub T);

/// Of parts that are references.
pub trait Behind {
    /// What the reference leads to.
    type Number;

    /// A copy of it.
    fn number(self) -> Self::Number;
}

impl<T: Clone> Behind for ListedPart<&T> {
    type Number = T;

    #[inline]
    fn number(self) -> T {
        self.0.clone()
    }
}

/// Of any other parts: found where [`Behind`] is not.
pub trait Itself {
    /// The type of the part.
    type Number;

    /// A copy of it.
    fn number(&self) -> Self::Number;
}

impl<T: Clone> Itself for ListedPart<T> {
    type Number = T;

    #[inline]
    fn number(&self) -> T {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{
        Behind as _, Itself as _, KeepsPairs as _, KeepsReferences as _, KeepsValues as _,
    };
    use super::{List, ListedPart, Listing, part_lent, part_listed};

    #[test]
    fn entries_are_given_as_the_iterator_gave_them() {
        let map = BTreeMap::from([("a".to_owned(), 0.5), ("b".to_owned(), 1.5)]);
        let pairs = Listing::new(&map).list();
        let keys = Listing::new(map.keys().rev()).list();
        let lines = Listing::new("one\ntwo".lines()).list();
        let numbers = Listing::new(map.into_values().enumerate()).list();
        let (key, value): (&String, &f64) = pairs.entry(1);
        assert_eq!((pairs.count(), &key[..], *value), (2, "b", 1.5));
        assert_eq!(keys.entry(0), "b");
        assert_eq!(part_listed(&lines, 1, |line: &str| line.len()), 3);
        assert_eq!(part_listed(&numbers, 1, |(i, v)| v * i as f64), 1.5);
        let clone = (pairs.clone(), keys.clone());
        assert_eq!((clone.0.count(), clone.1.entry(1)), (2, &"a".to_owned()));
    }

    #[test]
    fn a_part_is_a_number_or_leads_to_one() {
        let numbers = [0.5, 1.5];
        let entry = &numbers[1];
        assert_eq!(part_lent(&entry, |v| **v), 1.5);
        let sum: f64 = ListedPart(entry).number() + ListedPart(0.5).number();
        assert_eq!(sum, 2.0);
    }
}
