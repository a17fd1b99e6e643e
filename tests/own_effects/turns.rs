//! Types whose operators count.

use std::cell::Cell;
use std::ops::{Deref, Index, Neg, Not, Rem};

thread_local!(static COUNT: Cell<usize> = const { Cell::new(0) });

pub(crate) fn start() {
    COUNT.set(0);
}

fn tick() -> usize {
    COUNT.set(COUNT.get() + 1);
    COUNT.get()
}

/// A number whose operators count.
#[derive(Clone, Copy)]
pub(crate) struct Turn(pub(crate) usize);

pub(crate) const FIFTH: Turn = Turn(5);

pub(crate) fn turn(i: usize) -> Turn {
    Turn(i)
}

impl Turn {
    pub(crate) fn new(i: usize) -> Self {
        Turn((i + tick()) % 3)
    }
}

impl Rem<usize> for Turn {
    type Output = usize;

    fn rem(self, n: usize) -> usize {
        (self.0 + tick()) % n
    }
}

impl PartialEq<usize> for Turn {
    fn eq(&self, other: &usize) -> bool {
        (self.0 + tick()) % 2 == *other
    }
}

impl Neg for Turn {
    type Output = usize;

    fn neg(self) -> usize {
        (self.0 + tick()) % 3
    }
}

impl Not for Turn {
    type Output = usize;

    fn not(self) -> usize {
        (self.0 + tick()) % 3
    }
}

/// A list whose queries count.
pub(crate) struct Deck {
    top: usize,
}

impl Deck {
    pub(crate) fn len(&self) -> usize {
        (self.top + tick()) % 3
    }
}

const CARDS: [usize; 3] = [0, 1, 2];

impl Index<usize> for Deck {
    type Output = usize;

    fn index(&self, i: usize) -> &usize {
        &CARDS[(self.top + i + tick()) % 3]
    }
}

impl Deref for Deck {
    type Target = usize;

    fn deref(&self) -> &usize {
        &CARDS[(self.top + tick()) % 3]
    }
}

pub(crate) struct Game {
    pub(crate) top: usize,
    pub(crate) turn: Turn,
    pub(crate) deck: Deck,
}

impl Default for Game {
    fn default() -> Self {
        Game {
            top: 1,
            turn: Turn(7),
            deck: Deck { top: 1 },
        }
    }
}
