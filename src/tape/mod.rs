//! The tape of generated derivatives: what the primal leaves for the reverse pass, last in, first out.

mod pool;
mod stacks;
pub(crate) mod words;

use std::any::{Any, TypeId};
use std::mem::ManuallyDrop;

use crate::tangent::Tangent;
use stacks::Stacks;

/// How many words a tape holds in place.
const HELD: usize = 8;

/// In front of the number of words that a tape on a tape has: it is not here, it has storage of its own.
const APART: usize = usize::MAX;

/// A stack of values of any type.
///
/// Numbers and flags are words, and so is what a call left, if it is a few words. The first are held in place, where the
/// optimizer can keep them in registers; the others go to one contiguous vector. Values of any other type stand side by side
/// with those of their type. All this storage comes from a pool of the thread and goes back to it, so that a gradient that runs
/// again does not allocate. Values come off in the reverse of the order in which they were put on, with the same types;
/// generated code guarantees both.
///
/// ```
/// use coenzyme::Tape;
///
/// let mut tape = Tape::new();
/// tape.push(1.5);
/// tape.push(vec![1, 2]);
/// assert_eq!(tape.bytes(), 8 + size_of::<Vec<i32>>());
/// assert_eq!(tape.pop::<Vec<i32>>(), [1, 2]);
/// assert_eq!(tape.pop::<f64>(), 1.5);
/// ```
#[derive(Debug, Default)]
pub struct Tape {
    /// The first words.
    held: [u64; HELD],
    holds: usize,
    /// The others, up to `top`; while there are any, nothing is put to the first.
    words: ManuallyDrop<Vec<u64>>,
    top: usize,
    stacks: ManuallyDrop<Stacks>,
    /// How many values are on the stacks.
    others: usize,
}

/// How much is on a tape.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    holds: usize,
    top: usize,
    others: usize,
}

impl Tape {
    /// An empty tape. Nothing is allocated for the first few numbers.
    #[inline]
    pub const fn new() -> Self {
        Self {
            held: [0; HELD],
            holds: 0,
            words: ManuallyDrop::new(Vec::new()),
            top: 0,
            stacks: ManuallyDrop::new(Stacks::new()),
            others: 0,
        }
    }

    /// Whether nothing is on the tape.
    pub fn is_empty(&self) -> bool {
        self.holds == 0 && self.top == 0 && self.others == 0
    }

    /// The bytes of the values on the tape, and of those on tapes that are values. What else they own is not counted, such as
    /// the entries of a `Vec`.
    pub fn bytes(&self) -> usize {
        (self.holds + self.top) * size_of::<u64>() + self.stacks.bytes()
    }

    /// Puts a value on the tape.
    #[inline]
    pub fn push<T: Any + Send>(&mut self, value: T) {
        let n = words::width::<T>();
        match n {
            0 => self.push_other(value),
            n => words::write(&value, self.more(n)),
        }
    }

    /// Room for the words of a value.
    #[inline]
    pub(crate) fn more(&mut self, n: usize) -> &mut [u64] {
        if self.top == 0 && self.holds + n <= HELD {
            self.holds += n;
            return &mut self.held[self.holds - n..self.holds];
        }
        self.room(n)
    }

    /// The words of the last value, which is taken off.
    #[inline]
    #[track_caller]
    pub(crate) fn less(&mut self, n: usize) -> &[u64] {
        if self.top > 0 {
            self.top = self.top.checked_sub(n).expect(RUN_OUT);
            return &self.words[self.top..self.top + n];
        }
        self.holds = self.holds.checked_sub(n).expect(RUN_OUT);
        &self.held[self.holds..self.holds + n]
    }

    /// As [`push`](Self::push), of a value that may say how it is words.
    #[inline]
    pub(crate) fn push_active<T: Tangent + Any + Send>(&mut self, value: T) {
        match T::WORDS {
            0 => self.push(value),
            n => Tangent::write_words(&value, self.more(n)),
        }
    }

    /// As [`push_active`](Self::push_active), of a copy of a value that says how it is words.
    #[inline]
    pub(crate) fn push_words<T: Tangent + Any + Send>(&mut self, value: &T) {
        Tangent::write_words(value, self.more(T::WORDS));
    }

    /// Takes off what [`push_active`](Self::push_active) put on.
    #[inline]
    #[track_caller]
    pub(crate) fn pop_active<T: Tangent<Owned = T> + Any + Send>(&mut self) -> T {
        match T::WORDS {
            0 => self.pop(),
            n => T::read_words(self.less(n)),
        }
    }

    /// Takes the last value off the tape.
    ///
    /// # Panics
    /// If the last value is not a `T`.
    #[inline]
    #[track_caller]
    pub fn pop<T: Any + Send>(&mut self) -> T {
        let n = words::width::<T>();
        match n {
            0 => self.pop_other(),
            n => words::read(self.less(n)),
        }
    }

    /// Puts words on the tape, of any value yet.
    #[inline]
    pub(crate) fn room(&mut self, words: usize) -> &mut [u64] {
        let from = self.top;
        let fits = |free: &[u64]| free.len() >= words;
        if !self.words.get(from..).is_some_and(fits) {
            return self.more_room(words);
        }
        self.top = from + words;
        &mut self.words[from..][..words]
    }

    /// What is on the tape now.
    #[inline]
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            holds: self.holds,
            top: self.top,
            others: self.others,
        }
    }

    /// Takes off what was put on since, if it is words; otherwise takes off nothing.
    #[inline]
    pub(crate) fn rewind_words(&mut self, mark: Mark) -> bool {
        let words = self.others == mark.others;
        if words {
            (self.holds, self.top) = (mark.holds, mark.top);
        }
        words
    }

    /// Takes off what was put on since.
    #[inline]
    pub(crate) fn rewind(&mut self, mark: Mark) {
        (self.holds, self.top) = (mark.holds, mark.top);
        if self.others > mark.others {
            self.rewind_others(mark.others);
        }
    }

    #[cold]
    #[inline(never)]
    fn rewind_others(&mut self, others: usize) {
        self.stacks.truncate(others);
        self.others = others;
    }

    /// The last words on the tape, which stand together.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[track_caller]
    pub(crate) fn last(&self, words: usize) -> &[u64] {
        let from = self.top.checked_sub(words).expect(RUN_OUT);
        &self.words[from..self.top]
    }

    /// Takes words off the tape.
    #[inline]
    pub(crate) fn cut(&mut self, words: usize) {
        self.top -= words;
    }

    /// [`room`](Self::room) where there is not enough yet.
    #[cold]
    #[inline(never)]
    fn more_room(&mut self, words: usize) -> &mut [u64] {
        if !self.has_storage() {
            self.reuse();
        }
        let (from, top) = (self.top, self.top + words);
        if self.words.len() < top {
            let len = top.max(2 * self.words.len()).max(1024);
            self.words.resize(len, 0);
        }
        self.top = top;
        &mut self.words[from..top]
    }

    /// Takes the storage of an earlier tape.
    #[cold]
    #[inline(never)]
    fn reuse(&mut self) {
        if let Some((words, stacks)) = pool::take() {
            (*self.words, *self.stacks) = (words, stacks);
        }
    }

    /// Leaves the storage to a later tape.
    #[cold]
    #[inline(never)]
    fn recycle(&mut self) {
        let (words, mut stacks) = (
            std::mem::take(&mut *self.words),
            std::mem::take(&mut *self.stacks),
        );
        // a value may be a tape itself, which goes to the pool now
        stacks.clear();
        pool::give((words, stacks));
    }

    #[inline]
    fn has_storage(&self) -> bool {
        self.words.capacity() > 0 || self.stacks.has_storage()
    }

    #[inline]
    fn push_other<T: Any + Send>(&mut self, value: T) {
        if is_unit::<T>() {
            return;
        }
        match words::cast::<T, Tape>(value) {
            Ok(tape) => self.push_tape(tape),
            Err(value) => self.push_apart(value),
        }
    }

    #[inline]
    #[track_caller]
    fn pop_other<T: Any + Send>(&mut self) -> T {
        if is_unit::<T>() {
            return words::into(());
        }
        if TypeId::of::<T>() == TypeId::of::<Tape>() {
            return words::into(self.pop_tape());
        }
        self.pop_apart()
    }

    /// Puts a value on the stack of its type.
    #[inline]
    fn push_apart<T: Any + Send>(&mut self, value: T) {
        if !self.has_storage() {
            self.reuse();
        }
        self.others += 1;
        self.stacks.push(value);
    }

    #[inline]
    #[track_caller]
    fn pop_apart<T: Any + Send>(&mut self) -> T {
        let value = self.stacks.pop().expect(RUN_OUT);
        self.others -= 1;
        value
    }

    /// Puts the words of a tape on this one, with their number.
    #[inline]
    fn push_tape(&mut self, tape: Tape) {
        if tape.has_storage() {
            self.push_apart(tape);
            return self.push(APART);
        }
        for word in &tape.held[..tape.holds] {
            self.push(*word);
        }
        self.push(tape.holds);
    }

    #[inline]
    #[track_caller]
    fn pop_tape(&mut self) -> Tape {
        let holds: usize = self.pop();
        if holds == APART {
            return self.pop_apart();
        }
        let mut tape = Tape::new();
        for word in tape.held[..holds].iter_mut().rev() {
            *word = self.pop();
        }
        tape.holds = holds;
        tape
    }
}

/// The tape of many rules, which takes no room.
#[inline]
fn is_unit<T: Any>() -> bool {
    TypeId::of::<T>() == TypeId::of::<()>()
}

const RUN_OUT: &str = "the tape has run out of values";

/// Storage that a tape has goes to the pool. One that has none has nothing to drop, and the optimizer sees it.
impl Drop for Tape {
    #[inline]
    fn drop(&mut self) {
        if self.has_storage() {
            self.recycle();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tape;
    use crate::Dual;

    #[test]
    fn values_come_off_in_reverse_order() {
        let mut tape = Tape::new();
        tape.push(1.0);
        tape.push(2_usize);
        tape.push(true);
        tape.push("text");
        tape.push([1.0, 2.0, 3.0]);
        tape.push(-3_i32);
        tape.push(Dual::new(1.0, 2.0));
        let dual: Dual<f64> = tape.pop();
        assert_eq!((dual.value, dual.tangent), (1.0, 2.0));
        assert_eq!(tape.pop::<i32>(), -3);
        assert_eq!(tape.pop::<[f64; 3]>(), [1.0, 2.0, 3.0]);
        assert_eq!(tape.pop::<&str>(), "text");
        assert!(tape.pop::<bool>());
        assert_eq!(tape.pop::<usize>(), 2);
        assert_eq!(tape.pop::<f64>(), 1.0);
        assert!(tape.is_empty());
    }

    #[test]
    fn words_beyond_the_first_come_off_in_reverse_order() {
        let mut tape = Tape::new();
        for i in 0..30 {
            tape.push(i);
            tape.push([f64::from(i); 3]);
        }
        tape.room(2).copy_from_slice(&[7, 8]);
        tape.push(true);
        assert_eq!(tape.bytes(), 8 * (30 * 4 + 3));
        assert!(tape.pop::<bool>());
        assert_eq!(tape.last(2), [7, 8]);
        tape.cut(2);
        for i in (0..30).rev() {
            assert_eq!(tape.pop::<[f64; 3]>(), [f64::from(i); 3]);
            assert_eq!(tape.pop::<i32>(), i);
        }
        assert!(tape.is_empty());
    }

    #[test]
    fn the_bytes_of_a_tape_on_a_tape_are_counted() {
        let mut inner = Tape::new();
        inner.push([1.0, 2.0]);
        let mut outer = Tape::new();
        outer.push(inner);
        assert_eq!(outer.bytes(), 2 * 8 + 8, "with their number");
        let mut inner = Tape::new();
        inner.push([1.0, 2.0]);
        inner.push("text");
        outer.push(inner);
        assert_eq!(
            outer.bytes(),
            2 * 8 + 8 + (size_of::<Tape>() + 16 + size_of::<&str>()) + 8
        );
        assert_eq!(outer.pop::<Tape>().pop::<&str>(), "text");
        assert_eq!(outer.pop::<Tape>().pop::<[f64; 2]>(), [1.0, 2.0]);
        assert!(outer.is_empty());
    }

    #[test]
    fn parts_are_words_if_all_of_them_are() {
        type Parts = (f64, [f32; 5], Dual<f64>, ((f64,), [[f64; 2]; 2]));
        let parts: Parts = (
            1.0,
            [2.0, 3.0, 4.0, 5.0, 6.0],
            Dual::new(7.0, 8.0),
            ((9.0,), [[10.0, 11.0], [12.0, 13.0]]),
        );
        let mut tape = Tape::new();
        tape.push_active(parts);
        assert_eq!(tape.bytes(), 13 * 8);
        tape.push_active((1.0, vec![2.0]));
        assert_eq!(tape.bytes(), 13 * 8 + size_of::<(f64, Vec<f64>)>());
        tape.push_active([0.0; 0]);
        assert_eq!(tape.pop_active::<[f64; 0]>(), []);
        assert_eq!(tape.pop_active::<(f64, Vec<f64>)>(), (1.0, vec![2.0]));
        assert_eq!(tape.pop_active::<Parts>(), parts);
        assert!(tape.is_empty());
    }

    #[test]
    #[should_panic(expected = "run out")]
    fn an_empty_tape_has_no_value() {
        Tape::new().pop::<f64>();
    }

    #[test]
    fn what_was_put_on_since_a_mark_is_taken_off_whatever_its_type() {
        let mut tape = Tape::new();
        tape.push(vec![1]);
        tape.push(1.5);
        let mark = tape.mark();
        tape.push("a");
        tape.push(vec![2]);
        tape.push(2.5);
        tape.push(vec![3]);
        tape.rewind(mark);
        tape.push(vec![4]);
        assert_eq!(tape.pop::<Vec<i32>>(), [4]);
        assert_eq!(tape.pop::<f64>(), 1.5);
        assert_eq!(tape.pop::<Vec<i32>>(), [1]);
        assert!(tape.is_empty());
    }

    #[test]
    #[should_panic(expected = "run out")]
    fn another_type_is_refused() {
        let mut tape = Tape::new();
        tape.push("text");
        tape.pop::<String>();
    }
}
