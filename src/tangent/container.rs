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
    fn target(this: &Self) -> &[T] {
        this
    }
    fn zero_like(this: &Self) -> Vec<T> {
        this.iter().map(T::zero_like).collect()
    }
    #[inline]
    fn zero_out(this: &mut Self) {
        this.iter_mut().for_each(T::zero_out);
    }
    #[inline]
    fn accumulate(this: &mut Self, other: &[T]) {
        assert_eq!(
            this.len(),
            other.len(),
            "accumulate: slices of different lengths"
        );
        this.iter_mut()
            .zip(other)
            .for_each(|(a, b)| Tangent::accumulate(a, b));
    }
    fn scale(this: &mut Self, by: f64) {
        this.iter_mut().for_each(|a| Tangent::scale(a, by));
    }
    fn inner(this: &Self, other: &[T]) -> f64 {
        assert_eq!(
            this.len(),
            other.len(),
            "inner: slices of different lengths"
        );
        this.iter()
            .zip(other)
            .map(|(a, b)| Tangent::inner(a, b))
            .sum()
    }
    fn see_integers(this: &mut Self, see: &mut dyn FnMut(&mut dyn Any)) {
        this.iter_mut().for_each(|x| Tangent::see_integers(x, see));
    }
    #[inline]
    fn copy_inactive(this: &mut Self, from: &[T]) {
        this.iter_mut()
            .zip(from)
            .for_each(|(a, b)| Tangent::copy_inactive(a, b));
    }
    fn flatten_into(this: &Self, out: &mut Vec<f64>) {
        this.iter().for_each(|a| Tangent::flatten_into(a, out));
    }
    fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
        this.iter_mut()
            .for_each(|a| Tangent::unflatten_from(a, from));
    }
    #[inline]
    fn congruent(this: &Self, other: &[T]) -> Result<(), Incongruent> {
        if this.len() != other.len() {
            return Err(Incongruent::new(&[this.len()], &[other.len()]));
        }
        if T::ONE_SHAPE {
            return Ok(());
        }
        this.iter()
            .zip(other)
            .try_for_each(|(a, b)| Tangent::congruent(a, b))
    }
}

/// Everything but `zero_like` and `accumulate`, through the slice or the value that the container derefs to.
macro_rules! through {
    ($target:ty, accumulate) => {
        #[inline]
        fn accumulate(this: &mut Self, other: &Self) {
            <$target>::accumulate(this, other);
        }
        through!($target);
    };
    ($target:ty) => {
        type Target = $target;

        #[inline]
        fn target(this: &Self) -> &$target {
            this
        }
        #[inline]
        fn zero_out(this: &mut Self) {
            <$target>::zero_out(this);
        }
        fn scale(this: &mut Self, by: f64) {
            <$target>::scale(this, by);
        }
        #[inline]
        fn copy_inactive(this: &mut Self, from: &Self) {
            <$target>::copy_inactive(this, from);
        }
        fn inner(this: &Self, other: &Self) -> f64 {
            <$target>::inner(this, other)
        }
        fn flatten_into(this: &Self, out: &mut Vec<f64>) {
            <$target>::flatten_into(this, out);
        }
        fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
            <$target>::unflatten_from(this, from);
        }
        #[inline]
        fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent> {
            <$target>::congruent(this, other)
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
        fn accumulate(this: &mut Self, other: &Self) {
            if other.is_empty() {
                return;
            }
            if this.is_empty() {
                *this = Tangent::zero_like(other);
            }
            Tangent::accumulate(&mut **this, other);
        }
        #[inline]
        fn absorb(this: &mut Self, other: &mut Self) {
            match this.is_empty() {
                true => std::mem::swap(this, other),
                false => Tangent::accumulate(this, other),
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
    fn length_of_shape(this: &Self) -> usize {
        this.len()
    }
    #[inline]
    fn of_shape_length(n: usize) -> Vec<T> {
        (0..n).map(|_| T::read_words(&BLANK[..T::WORDS])).collect()
    }

    #[inline]
    fn keep_words(this: &Self, tape: &mut Tape) {
        let to = tape.more(T::WORDS * this.len()).chunks_exact_mut(T::WORDS);
        this.iter()
            .zip(to)
            .for_each(|(x, to)| Tangent::write_words(x, to));
        tape.push(this.len());
    }
    #[inline]
    fn restore_words(this: &mut Self, tape: &mut Tape) {
        let n: usize = tape.pop();
        let from = tape.less(T::WORDS * n).chunks_exact(T::WORDS);
        if this.len() == n {
            return this
                .iter_mut()
                .zip(from)
                .for_each(|(x, from)| *x = T::read_words(from));
        }
        this.clear();
        this.extend(from.map(T::read_words));
    }

    /// That of an empty vector has its room: what is pushed to both does not grow one of them step by step.
    fn zero_like(this: &Self) -> Vec<T> {
        match this.is_empty() {
            true => Vec::with_capacity(this.capacity()),
            false => Tangent::zero_like(this.as_slice()),
        }
    }
    sums_of_any_length!();
    fn see_integers(_: &mut Self, see: &mut dyn FnMut(&mut dyn Any)) {
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
    fn keep_words(this: &Self, tape: &mut Tape) {
        if !keep_as_one(this, tape) {
            this.iter().for_each(|x| Tangent::keep_words(x, tape));
        }
    }
    #[inline]
    fn restore_words(this: &mut Self, tape: &mut Tape) {
        if !restore_as_one(this, tape) {
            this.iter_mut()
                .rev()
                .for_each(|x| Tangent::restore_words(x, tape));
        }
    }

    #[inline]
    fn write_words(this: &Self, to: &mut [u64]) {
        // of a known length, the words are copied without a call
        let parts = to[..N * T::WORDS].chunks_exact_mut(T::WORDS);
        this.iter()
            .zip(parts)
            .for_each(|(x, to)| Tangent::write_words(x, to));
    }
    #[inline]
    fn read_words(from: &[u64]) -> [T; N] {
        std::array::from_fn(|i| T::read_words(&from[i * T::WORDS..][..T::WORDS]))
    }
    #[inline]
    fn zero_like(this: &Self) -> [T; N] {
        std::array::from_fn(|i| Tangent::zero_like(&this[i]))
    }
    #[inline]
    fn empty_sum(this: &Self) -> [T; N] {
        match N <= SHORT {
            true => std::array::from_fn(|i| Tangent::empty_sum(&this[i])),
            false => Tangent::zero_like(this),
        }
    }
    fn see_integers(this: &mut Self, see: &mut dyn FnMut(&mut dyn Any)) {
        this.iter_mut().for_each(|x| Tangent::see_integers(x, see));
    }
    #[inline]
    fn absorb(this: &mut Self, other: &mut Self) {
        this.iter_mut()
            .zip(other)
            .for_each(|(a, b)| Tangent::absorb(a, b));
    }
    through!([T], accumulate);
}

impl<T: Tangent<Owned = T>> Tangent for Box<T> {
    type Owned = Box<T>;

    fn zero_like(this: &Self) -> Box<T> {
        Box::new(Tangent::zero_like(&**this))
    }
    #[inline]
    fn absorb(this: &mut Self, other: &mut Self) {
        Tangent::absorb(&mut **this, other);
    }
    fn see_integers(this: &mut Self, see: &mut dyn FnMut(&mut dyn Any)) {
        Tangent::see_integers(&mut **this, see);
    }
    through!(T, accumulate);
}

impl<T: Tangent<Owned = T>> Tangent for Box<[T]> {
    type Owned = Box<[T]>;

    const LENGTH_IS_SHAPE: bool = T::ONE_SHAPE || T::WORDS > 0;

    fn zero_like(this: &Self) -> Box<[T]> {
        Tangent::zero_like(&**this).into_boxed_slice()
    }
    fn see_integers(_: &mut Self, see: &mut dyn FnMut(&mut dyn Any)) {
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

    fn target(this: &Self) -> &Self {
        this
    }
    fn zero_like(this: &Self) -> Self {
        this.as_ref().map(T::zero_like)
    }
    fn zero_out(this: &mut Self) {
        this.iter_mut().for_each(T::zero_out);
    }
    fn accumulate(this: &mut Self, other: &Self) {
        match (&mut *this, other) {
            (Some(sum), Some(other)) => Tangent::accumulate(sum, other),
            (none, Some(other)) => {
                let sum = none.insert(Tangent::zero_like(other));
                Tangent::accumulate(sum, other);
            }
            (_, None) => {}
        }
    }
    fn absorb(this: &mut Self, other: &mut Self) {
        match (&mut *this, &mut *other) {
            (Some(sum), Some(other)) => Tangent::absorb(sum, other),
            (None, Some(_)) => std::mem::swap(this, other),
            (_, None) => {}
        }
    }
    fn copy_inactive(this: &mut Self, from: &Self) {
        if let (Some(this), Some(from)) = (this, from) {
            Tangent::copy_inactive(this, from);
        }
    }
    fn scale(this: &mut Self, by: f64) {
        this.iter_mut().for_each(|a| Tangent::scale(a, by));
    }
    fn inner(this: &Self, other: &Self) -> f64 {
        assert_eq!(
            this.is_some(),
            other.is_some(),
            "inner: options of different variants"
        );
        this.iter()
            .zip(other)
            .map(|(a, b)| Tangent::inner(a, b))
            .sum()
    }
    fn flatten_into(this: &Self, out: &mut Vec<f64>) {
        this.iter().for_each(|a| Tangent::flatten_into(a, out));
    }
    fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
        this.iter_mut()
            .for_each(|a| Tangent::unflatten_from(a, from));
    }
    fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent> {
        match (this, other) {
            (Some(a), Some(b)) => Tangent::congruent(a, b),
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
        Tangent::write_words(value, tape.more(T::WORDS));
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
    Tangent::write_words(part, own);
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
        Tangent::restore_words(&mut $tuple.$i, $tape);
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
            fn keep_words(this: &Self, tape: &mut Tape) {
                if !keep_as_one(this, tape) {
                    $(Tangent::keep_words(&this.$i, tape);)+
                }
            }
            #[inline]
            fn restore_words(this: &mut Self, tape: &mut Tape) {
                // last in, first out
                if !restore_as_one(this, tape) {
                    restore_parts!(this, tape, $($i)+);
                }
            }
            #[inline]
            fn write_words(this: &Self, mut to: &mut [u64]) {
                $(write_part(&this.$i, &mut to);)+
            }
            #[inline]
            fn read_words(mut from: &[u64]) -> Self {
                ($(read_part::<$t>(&mut from),)+)
            }
            #[inline]
            fn target(this: &Self) -> &Self {
                this
            }
            #[inline]
            fn zero_like(this: &Self) -> Self {
                ($(Tangent::zero_like(&this.$i),)+)
            }
            #[inline]
            fn empty_sum(this: &Self) -> Self {
                ($(Tangent::empty_sum(&this.$i),)+)
            }
            #[inline]
            fn zero_out(this: &mut Self) {
                $(Tangent::zero_out(&mut this.$i);)+
            }
            #[inline]
            fn accumulate(this: &mut Self, other: &Self) {
                $(Tangent::accumulate(&mut this.$i, &other.$i);)+
            }
            #[inline]
            fn absorb(this: &mut Self, other: &mut Self) {
                $(Tangent::absorb(&mut this.$i, &mut other.$i);)+
            }
            #[inline]
            fn copy_inactive(this: &mut Self, from: &Self) {
                $(Tangent::copy_inactive(&mut this.$i, &from.$i);)+
            }
            fn scale(this: &mut Self, by: f64) {
                $(Tangent::scale(&mut this.$i, by);)+
            }
            fn see_integers(this: &mut Self, see: &mut dyn FnMut(&mut dyn Any)) {
                $(Tangent::see_integers(&mut this.$i, see);)+
            }
            fn inner(this: &Self, other: &Self) -> f64 {
                0.0 $(+ Tangent::inner(&this.$i, &other.$i))+
            }
            fn flatten_into(this: &Self, out: &mut Vec<f64>) {
                $(Tangent::flatten_into(&this.$i, out);)+
            }
            fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
                $(Tangent::unflatten_from(&mut this.$i, from);)+
            }
            fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent> {
                $(Tangent::congruent(&this.$i, &other.$i)?;)+
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
        Tangent::absorb(&mut sum, &mut other);
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
        Tangent::absorb(&mut sum, &mut other);
        let expected = (
            vec![11.0, 22.0],
            Some(vec![33.0]),
            Box::new(vec![44.0]),
            [1.5; 2],
        );
        assert_eq!(sum, expected);
        Tangent::absorb(&mut sum, &mut (Vec::new(), None, Box::default(), [0.0; 2]));
        assert_eq!(sum, expected);
    }
}
