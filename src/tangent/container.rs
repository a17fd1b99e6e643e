//! Tangent spaces of slices, arrays, vectors, boxes, options and tuples.

use std::any::Any;

use super::{Growing, SHORT, Tangent};
use crate::error::Incongruent;
use crate::tape::Tape;

/// `[T]`: as many copies of the space of `T` as there are entries. Operations on two slices panic if the lengths differ.
impl<T: Tangent<Owned = T>> Tangent for [T] {
    type Owned = Vec<T>;
    type Target = [T];

    #[inline]
    fn target(&self) -> &[T] {
        self
    }
    fn zero_like(&self) -> Vec<T> {
        self.iter().map(T::zero_like).collect()
    }
    #[inline]
    fn zero_out(&mut self) {
        self.iter_mut().for_each(T::zero_out);
    }
    #[inline]
    fn accumulate(&mut self, other: &[T]) {
        assert_eq!(
            self.len(),
            other.len(),
            "accumulate: slices of different lengths"
        );
        self.iter_mut()
            .zip(other)
            .for_each(|(a, b)| a.accumulate(b));
    }
    fn scale(&mut self, by: f64) {
        self.iter_mut().for_each(|a| a.scale(by));
    }
    fn inner(&self, other: &[T]) -> f64 {
        assert_eq!(
            self.len(),
            other.len(),
            "inner: slices of different lengths"
        );
        self.iter().zip(other).map(|(a, b)| a.inner(b)).sum()
    }
    fn see_integers(&mut self, see: &mut dyn FnMut(&mut dyn Any)) {
        self.iter_mut().for_each(|x| x.see_integers(see));
    }
    fn flatten_into(&self, out: &mut Vec<f64>) {
        self.iter().for_each(|a| a.flatten_into(out));
    }
    fn unflatten_from(&mut self, from: &mut &[f64]) {
        self.iter_mut().for_each(|a| a.unflatten_from(from));
    }
    #[inline]
    fn congruent(&self, other: &[T]) -> Result<(), Incongruent> {
        if self.len() != other.len() {
            return Err(Incongruent::new(&[self.len()], &[other.len()]));
        }
        if T::ONE_SHAPE {
            return Ok(());
        }
        self.iter().zip(other).try_for_each(|(a, b)| a.congruent(b))
    }
}

/// Everything but `zero_like` and `accumulate`, through the slice or the value that the container derefs to.
macro_rules! through {
    ($target:ty, accumulate) => {
        #[inline]
        fn accumulate(&mut self, other: &Self) {
            <$target>::accumulate(self, other);
        }
        through!($target);
    };
    ($target:ty) => {
        type Target = $target;

        #[inline]
        fn target(&self) -> &$target {
            self
        }
        #[inline]
        fn zero_out(&mut self) {
            <$target>::zero_out(self);
        }
        fn scale(&mut self, by: f64) {
            <$target>::scale(self, by);
        }
        fn inner(&self, other: &Self) -> f64 {
            <$target>::inner(self, other)
        }
        fn flatten_into(&self, out: &mut Vec<f64>) {
            <$target>::flatten_into(self, out);
        }
        fn unflatten_from(&mut self, from: &mut &[f64]) {
            <$target>::unflatten_from(self, from);
        }
        #[inline]
        fn congruent(&self, other: &Self) -> Result<(), Incongruent> {
            <$target>::congruent(self, other)
        }
    };
}

/// Sums of what has its length at run time.
macro_rules! sums_of_any_length {
    () => {
        /// An empty one is the zero of every length: a local of generated code begins with it.
        ///
        /// # Panics
        /// If neither is empty and the lengths differ.
        #[inline]
        fn accumulate(&mut self, other: &Self) {
            if other.is_empty() {
                return;
            }
            if self.is_empty() {
                *self = other.zero_like();
            }
            (**self).accumulate(other);
        }
        #[inline]
        fn absorb(&mut self, other: &mut Self) {
            match self.is_empty() {
                true => std::mem::swap(self, other),
                false => self.accumulate(other),
            }
        }
    };
}

/// The words of a zero.
const BLANK: [u64; 64] = [0; 64];

impl<T: Tangent<Owned = T>> Tangent for Vec<T> {
    type Owned = Vec<T>;

    const LENGTH_IS_SHAPE: bool = T::ONE_SHAPE || T::WORDS > 0;
    const HOLDS_WORDS: bool = T::WORDS > 0;
    const SHAPE_IS_A_LENGTH: bool = 0 < T::WORDS && T::WORDS <= BLANK.len();

    #[inline]
    fn length_of_shape(&self) -> usize {
        self.len()
    }
    #[inline]
    fn of_shape_length(n: usize) -> Vec<T> {
        (0..n).map(|_| T::read_words(&BLANK[..T::WORDS])).collect()
    }

    #[inline]
    fn keep_words(&self, tape: &mut Tape) {
        let to = tape.more(T::WORDS * self.len()).chunks_exact_mut(T::WORDS);
        self.iter().zip(to).for_each(|(x, to)| x.write_words(to));
        tape.push(self.len());
    }
    #[inline]
    fn restore_words(&mut self, tape: &mut Tape) {
        let n: usize = tape.pop();
        let from = tape.less(T::WORDS * n).chunks_exact(T::WORDS);
        if self.len() == n {
            return self
                .iter_mut()
                .zip(from)
                .for_each(|(x, from)| *x = T::read_words(from));
        }
        self.clear();
        self.extend(from.map(T::read_words));
    }

    /// That of an empty vector has its room: what is pushed to both does not grow one of them step by step.
    fn zero_like(&self) -> Vec<T> {
        match self.is_empty() {
            true => Vec::with_capacity(self.capacity()),
            false => self.as_slice().zero_like(),
        }
    }
    sums_of_any_length!();
    fn see_integers(&mut self, see: &mut dyn FnMut(&mut dyn Any)) {
        see(&mut Growing);
    }
    through!([T]);
}

impl<T: Tangent<Owned = T>, const N: usize> Tangent for [T; N] {
    type Owned = [T; N];

    const ONE_SHAPE: bool = T::ONE_SHAPE;
    const WORDS: usize = N * T::WORDS;
    const HOLDS_WORDS: bool = T::HOLDS_WORDS;

    #[inline]
    fn keep_words(&self, tape: &mut Tape) {
        if !keep_as_one(self, tape) {
            self.iter().for_each(|x| x.keep_words(tape));
        }
    }
    #[inline]
    fn restore_words(&mut self, tape: &mut Tape) {
        if !restore_as_one(self, tape) {
            self.iter_mut().rev().for_each(|x| x.restore_words(tape));
        }
    }

    #[inline]
    fn write_words(&self, to: &mut [u64]) {
        // of a known length, the words are copied without a call
        let parts = to[..N * T::WORDS].chunks_exact_mut(T::WORDS);
        self.iter().zip(parts).for_each(|(x, to)| x.write_words(to));
    }
    #[inline]
    fn read_words(from: &[u64]) -> [T; N] {
        std::array::from_fn(|i| T::read_words(&from[i * T::WORDS..][..T::WORDS]))
    }
    #[inline]
    fn zero_like(&self) -> [T; N] {
        std::array::from_fn(|i| self[i].zero_like())
    }
    #[inline]
    fn empty_sum(&self) -> [T; N] {
        match N <= SHORT {
            true => std::array::from_fn(|i| self[i].empty_sum()),
            false => self.zero_like(),
        }
    }
    fn see_integers(&mut self, see: &mut dyn FnMut(&mut dyn Any)) {
        self.iter_mut().for_each(|x| x.see_integers(see));
    }
    #[inline]
    fn absorb(&mut self, other: &mut Self) {
        self.iter_mut().zip(other).for_each(|(a, b)| a.absorb(b));
    }
    through!([T], accumulate);
}

impl<T: Tangent<Owned = T>> Tangent for Box<T> {
    type Owned = Box<T>;

    fn zero_like(&self) -> Box<T> {
        Box::new((**self).zero_like())
    }
    #[inline]
    fn absorb(&mut self, other: &mut Self) {
        (**self).absorb(other);
    }
    fn see_integers(&mut self, see: &mut dyn FnMut(&mut dyn Any)) {
        (**self).see_integers(see);
    }
    through!(T, accumulate);
}

impl<T: Tangent<Owned = T>> Tangent for Box<[T]> {
    type Owned = Box<[T]>;

    const LENGTH_IS_SHAPE: bool = T::ONE_SHAPE || T::WORDS > 0;

    fn zero_like(&self) -> Box<[T]> {
        (**self).zero_like().into_boxed_slice()
    }
    fn see_integers(&mut self, see: &mut dyn FnMut(&mut dyn Any)) {
        see(&mut Growing);
    }
    sums_of_any_length!();
    through!([T]);
}

/// `Some` has the space of its content, `None` the point. In a sum `None` is the zero of any shape, since a field that is `None` may be
/// assigned a `Some`, whose cotangent then comes to where there was none.
impl<T: Tangent<Owned = T>> Tangent for Option<T> {
    type Owned = Option<T>;
    type Target = Option<T>;

    fn target(&self) -> &Self {
        self
    }
    fn zero_like(&self) -> Self {
        self.as_ref().map(T::zero_like)
    }
    fn zero_out(&mut self) {
        self.iter_mut().for_each(T::zero_out);
    }
    fn accumulate(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Some(sum), Some(other)) => sum.accumulate(other),
            (none, Some(other)) => {
                let sum = none.insert(other.zero_like());
                sum.accumulate(other);
            }
            (_, None) => {}
        }
    }
    fn absorb(&mut self, other: &mut Self) {
        match (&mut *self, &mut *other) {
            (Some(sum), Some(other)) => sum.absorb(other),
            (None, Some(_)) => std::mem::swap(self, other),
            (_, None) => {}
        }
    }
    fn scale(&mut self, by: f64) {
        self.iter_mut().for_each(|a| a.scale(by));
    }
    fn inner(&self, other: &Self) -> f64 {
        assert_eq!(
            self.is_some(),
            other.is_some(),
            "inner: options of different variants"
        );
        self.iter().zip(other).map(|(a, b)| a.inner(b)).sum()
    }
    fn flatten_into(&self, out: &mut Vec<f64>) {
        self.iter().for_each(|a| a.flatten_into(out));
    }
    fn unflatten_from(&mut self, from: &mut &[f64]) {
        self.iter_mut().for_each(|a| a.unflatten_from(from));
    }
    fn congruent(&self, other: &Self) -> Result<(), Incongruent> {
        match (self, other) {
            (Some(a), Some(b)) => a.congruent(b),
            (None, None) => Ok(()),
            (Some(_), None) => Err(Incongruent::variants("Some", "None")),
            (None, Some(_)) => Err(Incongruent::variants("None", "Some")),
        }
    }
}

/// The words of all parts; none if a part is not stored as words.
pub const fn all_words(parts: &[usize]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < parts.len() {
        if parts[i] == 0 {
            return 0;
        }
        sum += parts[i];
        i += 1;
    }
    sum
}

/// Puts a value on the tape, if it is words.
#[inline]
pub fn keep_as_one<T: Tangent>(value: &T, tape: &mut Tape) -> bool {
    if T::WORDS > 0 {
        value.write_words(tape.more(T::WORDS));
    }
    T::WORDS > 0
}

/// Takes it off again.
#[inline]
pub fn restore_as_one<T: Tangent<Owned = T>>(value: &mut T, tape: &mut Tape) -> bool {
    if T::WORDS > 0 {
        *value = T::read_words(tape.less(T::WORDS));
    }
    T::WORDS > 0
}

/// Writes a part to the first words.
#[inline]
pub fn write_part<T: Tangent>(part: &T, to: &mut &mut [u64]) {
    let (own, rest) = std::mem::take(to).split_at_mut(T::WORDS);
    part.write_words(own);
    *to = rest;
}

/// Reads a part from the first words.
#[inline]
pub fn read_part<T: Tangent>(from: &mut &[u64]) -> T::Owned {
    let (own, rest) = from.split_at(T::WORDS);
    *from = rest;
    T::read_words(own)
}

/// The parts of a tuple from the last to the first.
macro_rules! restore_parts {
    ($tuple:ident, $tape:ident, $i:tt $($rest:tt)*) => {
        restore_parts!($tuple, $tape, $($rest)*);
        $tuple.$i.restore_words($tape);
    };
    ($tuple:ident, $tape:ident,) => {};
}

macro_rules! tuple {
    ($($t:ident $i:tt),+) => {
        impl<$($t: Tangent<Owned = $t>),+> Tangent for ($($t,)+) {
            type Owned = Self;
            type Target = Self;

            const ONE_SHAPE: bool = true $(&& $t::ONE_SHAPE)+;
            const WORDS: usize = all_words(&[$($t::WORDS),+]);
            const HOLDS_WORDS: bool = true $(&& $t::HOLDS_WORDS)+;

            #[inline]
            fn keep_words(&self, tape: &mut Tape) {
                if !keep_as_one(self, tape) {
                    $(self.$i.keep_words(tape);)+
                }
            }
            #[inline]
            fn restore_words(&mut self, tape: &mut Tape) {
                // last in, first out
                if !restore_as_one(self, tape) {
                    restore_parts!(self, tape, $($i)+);
                }
            }
            #[inline]
            fn write_words(&self, mut to: &mut [u64]) {
                $(write_part(&self.$i, &mut to);)+
            }
            #[inline]
            fn read_words(mut from: &[u64]) -> Self {
                ($(read_part::<$t>(&mut from),)+)
            }
            #[inline]
            fn target(&self) -> &Self {
                self
            }
            #[inline]
            fn zero_like(&self) -> Self {
                ($(self.$i.zero_like(),)+)
            }
            #[inline]
            fn empty_sum(&self) -> Self {
                ($(self.$i.empty_sum(),)+)
            }
            #[inline]
            fn zero_out(&mut self) {
                $(self.$i.zero_out();)+
            }
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                $(self.$i.accumulate(&other.$i);)+
            }
            #[inline]
            fn absorb(&mut self, other: &mut Self) {
                $(self.$i.absorb(&mut other.$i);)+
            }
            fn scale(&mut self, by: f64) {
                $(self.$i.scale(by);)+
            }
            fn see_integers(&mut self, see: &mut dyn FnMut(&mut dyn Any)) {
                $(self.$i.see_integers(see);)+
            }
            fn inner(&self, other: &Self) -> f64 {
                0.0 $(+ self.$i.inner(&other.$i))+
            }
            fn flatten_into(&self, out: &mut Vec<f64>) {
                $(self.$i.flatten_into(out);)+
            }
            fn unflatten_from(&mut self, from: &mut &[f64]) {
                $(self.$i.unflatten_from(from);)+
            }
            fn congruent(&self, other: &Self) -> Result<(), Incongruent> {
                $(self.$i.congruent(&other.$i)?;)+
                Ok(())
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);

#[cfg(test)]
mod tests {
    use super::Tangent;

    #[test]
    fn an_empty_sum_takes_the_memory_of_what_it_absorbs() {
        let mut other = (vec![1.0, 2.0], Some(vec![3.0]), [vec![4.0]]);
        let memory = other.0.as_ptr();
        let mut sum = (Vec::new(), None, [Vec::new()]);
        sum.absorb(&mut other);
        assert_eq!(sum, (vec![1.0, 2.0], Some(vec![3.0]), [vec![4.0]]));
        assert_eq!(sum.0.as_ptr(), memory);
    }

    #[test]
    fn what_is_not_empty_is_added_to() {
        let mut sum = (
            vec![1.0, 2.0],
            Some(vec![3.0]),
            Box::new(vec![4.0]),
            [0.5; 2],
        );
        let mut other = (
            vec![10.0, 20.0],
            Some(vec![30.0]),
            Box::new(vec![40.0]),
            [1.0; 2],
        );
        sum.absorb(&mut other);
        let expected = (
            vec![11.0, 22.0],
            Some(vec![33.0]),
            Box::new(vec![44.0]),
            [1.5; 2],
        );
        assert_eq!(sum, expected);
        sum.absorb(&mut (Vec::new(), None, Box::default(), [0.0; 2]));
        assert_eq!(sum, expected);
    }
}
