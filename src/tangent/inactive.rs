//! Types without a derivative: their tangent space is a point.

use std::any::Any;
use std::marker::PhantomData;

use super::Tangent;
use crate::error::Incongruent;
use crate::tape::Tape;

/// Marks a value of any type as having no derivative.
///
/// A field or an argument of a type that has no tangent space (a random generator, a file, a map from names) can take
/// part in differentiated code behind this wrapper.
///
/// ```
/// use coenzyme::{Inactive, Tangent};
///
/// #[derive(Clone)]
/// struct Labels(Vec<String>);
///
/// let x = (2.0, Inactive(Labels(vec!["a".into()])));
/// assert_eq!(x.to_flat(), [2.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Inactive<T>(pub T);

/// The body of a tangent space of dimension zero.
macro_rules! point {
    ($owned:ty, $target:ty) => {
        type Owned = $owned;
        type Target = $target;

        const ONE_SHAPE: bool = true;

        #[inline]
        fn target(&self) -> &$target {
            self
        }
        #[inline]
        fn zero_out(&mut self) {}
        #[inline]
        fn accumulate(&mut self, _: &Self) {}
        #[inline]
        fn scale(&mut self, _: f64) {}
        #[inline]
        fn inner(&self, _: &Self) -> f64 {
            0.0
        }
        fn flatten_into(&self, _: &mut Vec<f64>) {}
        fn unflatten_from(&mut self, _: &mut &[f64]) {}
        #[inline]
        fn congruent(&self, _: &Self) -> Result<(), Incongruent> {
            Ok(())
        }
    };
}

macro_rules! inactive {
    ($($t:ty),*) => {$(
        impl Tangent for $t {
            point!($t, $t);

            const HOLDS_WORDS: bool = true;

            #[inline]
            fn keep_words(&self, tape: &mut Tape) {
                tape.push(<$t>::clone(self));
            }
            #[inline]
            fn restore_words(&mut self, tape: &mut Tape) {
                *self = tape.pop();
            }

            #[inline]
            fn zero_like(&self) -> $t {
                <$t>::clone(self)
            }
            fn see_integers(&mut self, see: &mut dyn FnMut(&mut dyn Any)) {
                see(self);
            }
        }
    )*};
}

inactive!(
    (),
    bool,
    char,
    i8,
    i16,
    i32,
    i64,
    i128,
    isize,
    u8,
    u16,
    u32,
    u64,
    u128,
    usize,
    &'static str
);
inactive!(
    std::ops::Range<usize>,
    std::ops::RangeInclusive<usize>,
    std::cmp::Ordering,
    std::time::Duration,
    std::num::NonZeroUsize,
    std::num::NonZeroU8,
    std::num::NonZeroU16,
    std::num::NonZeroU32,
    std::num::NonZeroU64
);

impl Tangent for String {
    point!(String, str);

    fn zero_like(&self) -> String {
        self.clone()
    }
}

impl Tangent for str {
    point!(String, str);

    fn zero_like(&self) -> String {
        self.to_owned()
    }
}

/// What stands for a type holds no value of it.
impl<T: ?Sized> Tangent for PhantomData<T> {
    point!(Self, Self);

    #[inline]
    fn zero_like(&self) -> Self {
        PhantomData
    }
}

crate::value_type!([T: ?Sized] PhantomData<T>);

impl<T: Clone> Tangent for Inactive<T> {
    point!(Self, Self);

    #[inline]
    fn zero_like(&self) -> Self {
        self.clone()
    }
}
