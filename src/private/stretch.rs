//! A stretch of the tape for the values of a loop.

use std::any::Any;

use super::Slot;
use crate::tape::Tape;

/// A stretch of the tape for `N` values of each round of a loop, if each is one word. Otherwise it is empty, and the values are put
/// on the tape one by one.
#[derive(Debug)]
pub struct Stretch<const N: usize> {
    start: usize,
    /// Where the values of this round begin.
    at: usize,
    in_words: bool,
}

impl<const N: usize> Stretch<N> {
    /// Makes room for all rounds.
    #[inline]
    pub fn begin(tape: &mut Tape, rounds: usize, words: [usize; N]) -> Self {
        let in_words = words == [1; N];
        let start = if in_words { tape.room(rounds * N) } else { 0 };
        Self {
            start,
            at: start,
            in_words,
        }
    }

    /// The stretch at the end of the tape, after its last round.
    #[inline]
    pub fn end(tape: &Tape, rounds: usize, words: [usize; N]) -> Self {
        let in_words = words == [1; N];
        let at = if in_words { tape.words() } else { 0 };
        Self {
            start: at.wrapping_sub(rounds * N),
            at,
            in_words,
        }
    }

    /// On to the next round.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) {
        self.at += N;
    }

    /// Back to the round before.
    #[inline]
    pub fn back(&mut self) {
        self.at = self.at.wrapping_sub(N);
    }

    /// Takes the stretch off the tape.
    #[inline]
    pub fn close(self, tape: &mut Tape) {
        if self.in_words {
            tape.cut(self.start);
        }
    }
}

impl<T: Any + Send> Slot<T> {
    /// The words of a value in a stretch: one of an `f64`, none of what is not put there.
    #[inline]
    pub fn words(&self) -> usize {
        Tape::is_word::<T>().into()
    }

    /// Puts value `i` of the round in its place.
    #[inline]
    pub fn put<const N: usize>(&self, tape: &mut Tape, stretch: &Stretch<N>, i: usize, value: T) {
        if stretch.in_words {
            tape.put(stretch.at + i, value);
        } else {
            tape.push(value);
        }
    }

    /// Value `i` of the round; those that are not in the stretch come off in the order of their numbers, the last first.
    #[inline]
    pub fn take<const N: usize>(&self, tape: &mut Tape, stretch: &Stretch<N>, i: usize) -> T {
        if stretch.in_words {
            tape.get(stretch.at + i)
        } else {
            tape.pop()
        }
    }
}
