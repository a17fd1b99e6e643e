//! The values that a name has in the rounds of a loop, side by side on the tape.

use std::any::Any;
use std::ops::Range;

use super::Slot;
use crate::tangent::Tangent;
use crate::tape::{Tape, words};

/// The values of a name in all rounds of a loop, by the numbers of the rounds. Those that are words stand on the tape.
///
/// It owns nothing: what has to be dropped is in the optimizer's way.
#[derive(Debug)]
pub struct Column<'o, W, T> {
    words: W,
    others: &'o mut [Option<T>],
}

/// Room on the tape for columns.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn room(tape: &mut Tape, words: usize) -> &mut [u64] {
    tape.room(words)
}

/// The columns that were put on the tape last.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn last(tape: &Tape, words: usize) -> &[u64] {
    tape.last(words)
}

/// Takes columns off the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn cut(tape: &mut Tape, words: usize) {
    tape.cut(words);
}

/// Puts runs of `rounds` entries of memory on the tape, as far as there are so many. Where runs overlap, entries go there once.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn keep<T: Any + Send + Clone, const N: usize>(
    tape: &mut Tape,
    memory: &[T],
    firsts: [usize; N],
    rounds: usize,
) {
    for part in apart(memory.len(), firsts, rounds) {
        let part = &memory[part];
        match words::width::<T>() {
            0 => tape.push(part.to_vec()),
            n => {
                let room = tape.room(part.len() * n).chunks_exact_mut(n);
                let entries = room.zip(part);
                entries.for_each(|(words, value)| words::write(value, words));
            }
        }
    }
}

/// Takes off the tape what [`keep`] put there.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn restore<T: Any + Send + Clone, const N: usize>(
    tape: &mut Tape,
    memory: &mut [T],
    firsts: [usize; N],
    rounds: usize,
) {
    for part in apart(memory.len(), firsts, rounds).into_iter().rev() {
        let part = &mut memory[part];
        match words::width::<T>() {
            0 => part.clone_from_slice(&tape.pop::<Vec<T>>()),
            n => {
                let words = part.len() * n;
                let entries = part.iter_mut().zip(tape.last(words).chunks_exact(n));
                entries.for_each(|(value, words)| *value = words::read(words));
                tape.cut(words);
            }
        }
    }
}

/// Puts all that memory holds on the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn keep_all<M: Tangent<Owned = M> + Any + Send + Clone>(tape: &mut Tape, memory: &M) {
    match M::HOLDS_WORDS {
        true => Tangent::keep_words(memory, tape),
        false => tape.push(memory.clone()),
    }
}

/// Takes off the tape what [`keep_all`] put there.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn restore_all<M: Tangent<Owned = M> + Any + Send + Clone>(tape: &mut Tape, memory: &mut M) {
    match M::HOLDS_WORDS {
        true => Tangent::restore_words(memory, tape),
        false => *memory = tape.pop(),
    }
}

/// Runs of entries in the order of memory, each without those of the runs before it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn apart<const N: usize>(len: usize, mut firsts: [usize; N], rounds: usize) -> [Range<usize>; N] {
    firsts.sort_unstable();
    let mut from = 0;
    firsts.map(|first| {
        let run = inside(len, first, rounds);
        let own = run.start.max(from).min(run.end)..run.end;
        from = from.max(own.end);
        own
    })
}

/// The part of a range that is inside memory: the loop that reads the rest may not run.
fn inside(len: usize, first: usize, rounds: usize) -> Range<usize> {
    let first = first.min(len);
    first..first.saturating_add(rounds).min(len)
}

impl<T: Any + Send> Slot<T> {
    /// The words of a value; none if it is not stored as words.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn width(&self) -> usize {
        words::width::<T>()
    }

    /// Room for the values of a column that are not words.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn others(&self, rounds: usize) -> Vec<Option<T>> {
        match self.width() {
            0 => std::iter::repeat_with(|| None).take(rounds).collect(),
            _ => Vec::new(),
        }
    }

    /// The first of the columns that there is room for, and the room for the others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn column<'t, 'o>(
        &self,
        room: &'t mut [u64],
        rounds: usize,
        others: &'o mut [Option<T>],
    ) -> (Column<'o, &'t mut [u64], T>, &'t mut [u64]) {
        let (words, rest) = room.split_at_mut(rounds * self.width());
        (Column { words, others }, rest)
    }

    /// Puts the values of a column that are not words on the tape.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn keep(&self, tape: &mut Tape, others: Vec<Option<T>>) {
        if self.width() == 0 {
            tape.push(others);
        }
    }

    /// What [`keep`](Self::keep) put on the tape.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn kept(&self, tape: &mut Tape) -> Vec<Option<T>> {
        match self.width() {
            0 => tape.pop(),
            _ => Vec::new(),
        }
    }

    /// The first of the columns that stand on the tape, and the others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn filled<'t, 'o>(
        &self,
        columns: &'t [u64],
        rounds: usize,
        others: &'o mut [Option<T>],
    ) -> (Column<'o, &'t [u64], T>, &'t [u64]) {
        let (words, rest) = columns.split_at(rounds * self.width());
        (Column { words, others }, rest)
    }
}

impl<T: Any> Column<'_, &mut [u64], T> {
    /// Puts the value of a round in its place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn put(&mut self, round: usize, value: T) {
        match words::width::<T>() {
            0 => self.others[round] = Some(value),
            1 => words::write(&value, std::slice::from_mut(&mut self.words[round])),
            n => words::write(&value, &mut self.words[round * n..][..n]),
        }
    }
}

impl<T: Any> Column<'_, &[u64], T> {
    /// The value of a round, which is asked for once.
    ///
    /// # Panics
    /// If the round had none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[track_caller]
    pub fn get(&mut self, round: usize) -> T {
        match words::width::<T>() {
            0 => self.others[round].take().expect("the round has a value"),
            1 => words::read(std::slice::from_ref(&self.words[round])),
            n => words::read(&self.words[round * n..][..n]),
        }
    }
}
