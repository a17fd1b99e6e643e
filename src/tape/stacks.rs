//! The values of a tape that are not words: those of each type side by side.

use std::any::{Any, TypeId};
use std::fmt::Debug;

use super::{Tape, words::same};

/// Stacks of more types are not kept for later tapes.
const KEPT: usize = 16;

/// How many types the lengths of stacks are held of in place.
const FEW: usize = 8;

/// The number of values of each type.
#[derive(Debug)]
pub(super) struct Lengths {
    few: [usize; FEW],
    more: Vec<usize>,
}

/// A stack for each type.
#[derive(Debug, Default)]
pub(super) struct Stacks(Vec<Stack>);

#[derive(Debug)]
struct Stack {
    of: TypeId,
    values: Box<dyn Values>,
}

/// A `Vec<T>`, whatever `T` is.
trait Values: Any + Send {
    fn len(&self) -> usize;
    fn bytes(&self) -> usize;
    fn clear(&mut self);
    fn truncate(&mut self, len: usize);
}

impl<T: Any + Send> Values for Vec<T> {
    fn len(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> usize {
        let inside = |value: &T| same::<T, Tape>(value).map_or(0, Tape::bytes);
        self.iter().map(|v| size_of::<T>() + inside(v)).sum()
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }
}

impl Debug for dyn Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} values", self.len())
    }
}

impl Stacks {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(|stack| stack.values.bytes()).sum()
    }

    /// The number of values of each type.
    #[inline]
    pub(super) fn lengths(&self) -> Lengths {
        let mut few = [0; FEW];
        let mut lengths = self.0.iter().map(|stack| stack.values.len());
        few.iter_mut()
            .zip(&mut lengths)
            .for_each(|(few, n)| *few = n);
        let more = lengths.collect();
        Lengths { few, more }
    }

    /// Drops all but so many values of each type.
    #[inline]
    pub(super) fn truncate(&mut self, lengths: &Lengths) {
        let lengths = lengths.few.iter().chain(&lengths.more);
        let lengths = lengths.chain(std::iter::repeat(&0));
        let stacks = self.0.iter_mut().zip(lengths);
        stacks.for_each(|(stack, length)| stack.values.truncate(*length));
    }

    /// Whether anything is allocated.
    #[inline]
    pub(super) fn has_storage(&self) -> bool {
        self.0.capacity() > 0
    }

    /// The values of a type.
    #[inline]
    pub(super) fn of<T: Any + Send>(&mut self) -> &mut Vec<T> {
        let of = TypeId::of::<T>();
        let known = self.0.iter().position(|stack| stack.of == of);
        let index = known.unwrap_or_else(|| self.begin::<T>());
        let values: &mut dyn Any = &mut *self.0[index].values;
        values.downcast_mut().expect("a stack is found by its type")
    }

    /// Drops the values and keeps their room.
    pub(super) fn clear(&mut self) {
        match self.0.len() {
            0..=KEPT => self.0.iter_mut().for_each(|stack| stack.values.clear()),
            _ => self.0.clear(),
        }
    }

    #[cold]
    #[inline(never)]
    fn begin<T: Any + Send>(&mut self) -> usize {
        self.0.push(Stack {
            of: TypeId::of::<T>(),
            values: Box::new(Vec::<T>::new()),
        });
        self.0.len() - 1
    }
}
