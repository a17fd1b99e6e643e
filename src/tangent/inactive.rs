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
/// assert_eq!(Tangent::to_flat(&x), [2.0]);
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
        fn target(this: &Self) -> &$target {
            this
        }
        #[inline]
        fn zero_out(_: &mut Self) {}
        #[inline]
        fn accumulate(_: &mut Self, _: &Self) {}
        #[inline]
        fn scale(_: &mut Self, _: f64) {}
        #[inline]
        fn inner(_: &Self, _: &Self) -> f64 {
            0.0
        }
        fn flatten_into(_: &Self, _: &mut Vec<f64>) {}
        fn unflatten_from(_: &mut Self, _: &mut &[f64]) {}
        #[inline]
        fn congruent(_: &Self, _: &Self) -> Result<(), Incongruent> {
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
            fn keep_words(this: &Self, tape: &mut Tape) {
                tape.push(<$t>::clone(this));
            }
            #[inline]
            fn restore_words(this: &mut Self, tape: &mut Tape) {
                *this = tape.pop();
            }

            #[inline]
            fn zero_like(this: &Self) -> $t {
                <$t>::clone(this)
            }
            #[inline]
            fn copy_inactive(this: &mut Self, from: &Self) {
                this.clone_from(from);
            }
            fn see_integers(this: &mut Self, see: &mut dyn FnMut(&mut dyn Any)) {
                see(this);
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

    fn zero_like(this: &Self) -> String {
        this.clone()
    }
    fn copy_inactive(this: &mut Self, from: &Self) {
        this.clone_from(from);
    }
}

impl Tangent for str {
    point!(String, str);

    fn zero_like(this: &Self) -> String {
        this.to_owned()
    }
}

/// What stands for a type holds no value of it.
impl<T: ?Sized> Tangent for PhantomData<T> {
    point!(Self, Self);

    #[inline]
    fn zero_like(_: &Self) -> Self {
        PhantomData
    }
}

crate::value_type!([T: ?Sized] PhantomData<T>);

impl<T: Clone> Tangent for Inactive<T> {
    point!(Self, Self);

    #[inline]
    fn zero_like(this: &Self) -> Self {
        this.clone()
    }
}
