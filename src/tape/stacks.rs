//! The values of a tape that are not words: those of each type side by side.

use std::any::{Any, TypeId};
use std::fmt::Debug;

use super::{Tape, words::same};

/// Stacks of more types are not kept for later tapes.
const KEPT: usize = 16;

/// A stack for each type.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    stacks: Vec<Stack>,
    /// On which of them each value is, from the first.
    order: Vec<u32>,
}

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
    fn take_off(&mut self);
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

    fn take_off(&mut self) {
        self.pop();
    }
}

impl Debug for dyn Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} values", self.len())
    }
}

impl Stacks {
    pub(super) const fn new() -> Self {
        Self {
            stacks: Vec::new(),
            order: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.stacks.iter().map(|stack| stack.values.bytes()).sum()
    }

    #[inline]
    pub(super) fn push<T: Any + Send>(&mut self, value: T) {
        let (index, stack) = self.of();
        stack.push(value);
        self.order.push(index as u32);
    }

    /// The last value, if it is of this type.
    #[inline]
    pub(super) fn pop<T: Any + Send>(&mut self) -> Option<T> {
        let last = self.order.pop()?;
        let values: &mut dyn Any = &mut *self.stacks[last as usize].values;
        values.downcast_mut::<Vec<T>>()?.pop()
    }

    /// Drops the last values, but for so many.
    pub(super) fn truncate(&mut self, values: usize) {
        for index in self.order.drain(values..).rev() {
            self.stacks[index as usize].values.take_off();
        }
    }

    /// Whether anything is allocated.
    #[inline]
    pub(super) fn has_storage(&self) -> bool {
        self.stacks.capacity() > 0
    }

    /// The values of a type, and the number of their stack.
    #[inline]
    fn of<T: Any + Send>(&mut self) -> (usize, &mut Vec<T>) {
        let of = TypeId::of::<T>();
        let known = self.stacks.iter().position(|stack| stack.of == of);
        let index = known.unwrap_or_else(|| self.begin::<T>());
        let values: &mut dyn Any = &mut *self.stacks[index].values;
        (
            index,
            values.downcast_mut().expect("a stack is found by its type"),
        )
    }

    /// Drops the values and keeps their room.
    pub(super) fn clear(&mut self) {
        self.order.clear();
        match self.stacks.len() {
            0..=KEPT => self
                .stacks
                .iter_mut()
                .for_each(|stack| stack.values.clear()),
            _ => self.stacks.clear(),
        }
    }

    #[cold]
    #[inline(never)]
    fn begin<T: Any + Send>(&mut self) -> usize {
        self.stacks.push(Stack {
            of: TypeId::of::<T>(),
            values: Box::new(Vec::<T>::new()),
        });
        self.stacks.len() - 1
    }
}
