//! The tape of generated derivatives: what the primal leaves for the reverse pass, last in, first out.

use std::any::{Any, TypeId};
use std::cell::RefCell;

thread_local! {
    /// The storage of tapes that are done, for the next ones: a gradient that runs again does not allocate.
    static POOL: RefCell<Vec<Storage>> = const { RefCell::new(Vec::new()) };
}

/// The two stacks of a tape, empty.
type Storage = (Vec<u64>, Vec<Boxed>);

/// How many tapes' storage a thread keeps.
const POOLED: usize = 8;

/// A stack of values of any type.
///
/// Numbers and flags go to one contiguous vector of words, everything else behind a pointer. The vector comes from a pool of
/// the thread and goes back to it, so that a gradient that runs again does not allocate. Values come off in the reverse
/// of the order in which they were put on, with the same types; generated code guarantees both. A wrong type panics.
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
    words: Vec<u64>,
    boxes: Vec<Boxed>,
}

/// A value that is not a few words.
#[derive(Debug)]
struct Boxed {
    value: Box<dyn Any + Send>,
    bytes: usize,
}

/// Types that are stored as words: how many, and how to make them.
macro_rules! words {
    ($($t:ty: $value:ident => [$($word:expr),+], $($name:ident),+ => $make:expr;)*) => {
        impl Tape {
            /// Puts a value on the tape.
            #[inline]
            pub fn push<T: Any + Send>(&mut self, value: T) {
                $(if let Some($value) = same::<T, $t>(&value) {
                    self.push_words([$($word),+]);
                    return;
                })*
                self.push_boxed(value);
            }

            /// Takes the last value off the tape.
            ///
            /// # Panics
            /// If the last value is not a `T`.
            #[inline]
            #[track_caller]
            pub fn pop<T: Any + Send>(&mut self) -> T {
                $(if TypeId::of::<T>() == TypeId::of::<$t>() {
                    let [$($name),+] = self.pop_words();
                    return into::<$t, T>($make);
                })*
                self.pop_boxed()
            }
        }
    };
}

words! {
    f64: x => [x.to_bits()], a => f64::from_bits(a);
    f32: x => [u64::from(x.to_bits())], a => f32::from_bits(a as u32);
    usize: x => [*x as u64], a => a as usize;
    bool: x => [u64::from(*x)], a => a != 0;
    i32: x => [*x as u64], a => a as i32;
    i64: x => [*x as u64], a => a as i64;
    u32: x => [u64::from(*x)], a => a as u32;
    u64: x => [*x], a => a;
    [f64; 2]: x => [x[0].to_bits(), x[1].to_bits()], a, b => [f64::from_bits(a), f64::from_bits(b)];
    [f64; 3]: x => [x[0].to_bits(), x[1].to_bits(), x[2].to_bits()], a, b, c =>
        [f64::from_bits(a), f64::from_bits(b), f64::from_bits(c)];
    [f64; 4]: x => [x[0].to_bits(), x[1].to_bits(), x[2].to_bits(), x[3].to_bits()], a, b, c, d =>
        [f64::from_bits(a), f64::from_bits(b), f64::from_bits(c), f64::from_bits(d)];
    (f64, f64): x => [x.0.to_bits(), x.1.to_bits()], a, b => (f64::from_bits(a), f64::from_bits(b));
    (f64, f64, f64): x => [x.0.to_bits(), x.1.to_bits(), x.2.to_bits()], a, b, c =>
        (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
    (f64, f64, f64, f64): x => [x.0.to_bits(), x.1.to_bits(), x.2.to_bits(), x.3.to_bits()], a, b, c, d =>
        (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c), f64::from_bits(d));
    crate::Dual<f64>: x => [x.value.to_bits(), x.tangent.to_bits()], a, b =>
        crate::Dual::new(f64::from_bits(a), f64::from_bits(b));
}

/// `value` as an `S`, if that is what it is.
#[inline]
fn same<T: Any, S: Any>(value: &T) -> Option<&S> {
    (value as &dyn Any).downcast_ref()
}

/// `value` as a `T`, which is an `S`.
#[inline]
fn into<S: Any, T: Any>(value: S) -> T {
    let mut value = Some(value);
    let value = (&mut value as &mut dyn Any).downcast_mut::<Option<T>>();
    value.and_then(Option::take).expect("S and T are one type")
}

impl Tape {
    /// An empty tape. Nothing is allocated before the first value.
    #[inline]
    pub const fn new() -> Self {
        Self {
            words: Vec::new(),
            boxes: Vec::new(),
        }
    }

    /// Whether nothing is on the tape.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.boxes.is_empty()
    }

    /// The bytes of the values on the tape, and of those on tapes that are values. What else they own is not counted, such as
    /// the entries of a `Vec`.
    pub fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>() + self.boxes.iter().map(|b| b.bytes).sum::<usize>()
    }

    /// Whether a value is stored as one word at a place of its own.
    #[inline]
    pub(crate) fn is_word<T: Any>() -> bool {
        TypeId::of::<T>() == TypeId::of::<f64>()
    }

    /// The words on the tape.
    #[inline]
    pub(crate) fn words(&self) -> usize {
        self.words.len()
    }

    /// Puts as many zeros on the tape; they begin there.
    #[inline]
    pub(crate) fn room(&mut self, words: usize) -> usize {
        let start = self.words.len();
        if self.words.capacity() - start < words {
            self.grow();
        }
        self.words.resize(start + words, 0);
        start
    }

    /// Writes a word of the tape.
    #[inline]
    pub(crate) fn put<T: Any>(&mut self, word: usize, value: T) {
        if let Some(value) = same::<T, f64>(&value) {
            self.words[word] = value.to_bits();
        }
    }

    /// Reads a word of the tape.
    #[inline]
    pub(crate) fn get<T: Any>(&self, word: usize) -> T {
        into(f64::from_bits(self.words[word]))
    }

    /// Takes the words from there on off the tape.
    #[inline]
    pub(crate) fn cut(&mut self, words: usize) {
        self.words.truncate(words);
    }

    #[inline]
    fn push_words<const N: usize>(&mut self, words: [u64; N]) {
        if self.words.capacity() - self.words.len() < N {
            self.grow();
        }
        self.words.extend_from_slice(&words);
    }

    /// Makes room for words.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.reuse();
        self.words.reserve(1024);
    }

    /// An empty tape takes the storage of an earlier one.
    fn reuse(&mut self) {
        if self.words.capacity() > 0 || self.boxes.capacity() > 0 {
            return;
        }
        if let Ok(Some(storage)) = POOL.try_with(|pool| pool.borrow_mut().pop()) {
            (self.words, self.boxes) = storage;
        }
    }

    fn push_boxed<T: Any + Send>(&mut self, value: T) {
        if self.boxes.len() == self.boxes.capacity() {
            self.reuse();
        }
        // the tape of a call
        let inside = same::<T, Tape>(&value).map_or(0, Tape::bytes);
        self.boxes.push(Boxed {
            value: Box::new(value),
            bytes: size_of::<T>() + inside,
        });
    }

    #[inline]
    #[track_caller]
    fn pop_words<const N: usize>(&mut self) -> [u64; N] {
        let rest = self
            .words
            .len()
            .checked_sub(N)
            .expect("the tape has run out of words");
        let words = std::array::from_fn(|i| self.words[rest + i]);
        self.words.truncate(rest);
        words
    }

    #[track_caller]
    fn pop_boxed<T: Any + Send>(&mut self) -> T {
        let last = self.boxes.pop().expect("the tape has run out of values");
        match last.value.downcast() {
            Ok(value) => *value,
            Err(_) => panic!(
                "the last value on the tape is not a {}",
                std::any::type_name::<T>()
            ),
        }
    }
}

impl Drop for Tape {
    #[inline]
    fn drop(&mut self) {
        if self.words.capacity() > 0 || self.boxes.capacity() > 0 {
            let mut words = std::mem::take(&mut self.words);
            let mut boxes = std::mem::take(&mut self.boxes);
            words.clear();
            // a value may be a tape itself, which goes to the pool now
            boxes.clear();
            // at the end of a thread there is no pool, and the storage is freed
            let _ = POOL.try_with(|pool| {
                let mut pool = pool.borrow_mut();
                if pool.len() < POOLED {
                    pool.push((words, boxes));
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tape;

    #[test]
    fn values_come_off_in_reverse_order() {
        let mut tape = Tape::new();
        tape.push(1.0);
        tape.push(2_usize);
        tape.push(true);
        tape.push("text");
        tape.push([1.0, 2.0, 3.0]);
        tape.push(-3_i32);
        tape.push(crate::Dual::new(1.0, 2.0));
        let dual: crate::Dual<f64> = tape.pop();
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
    fn the_bytes_of_a_tape_on_a_tape_are_counted() {
        let mut inner = Tape::new();
        inner.push([1.0, 2.0]);
        let mut outer = Tape::new();
        outer.push(inner);
        assert_eq!(outer.bytes(), size_of::<Tape>() + 16);
    }

    #[test]
    #[should_panic(expected = "run out")]
    fn an_empty_tape_has_no_value() {
        Tape::new().pop::<f64>();
    }

    #[test]
    #[should_panic(expected = "is not a")]
    fn another_type_is_refused() {
        let mut tape = Tape::new();
        tape.push("text");
        tape.pop::<String>();
    }
}
