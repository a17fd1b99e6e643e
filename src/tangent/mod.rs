//! Tangent spaces: what a type must offer so that its values can carry derivatives.
//!
//! A shadow has the type and the shape of its primal. The floats in it are the derivative; integers, flags and strings
//! are carried along so that the shadow keeps its primal's shape (an enum its variant, a vector its length), and no
//! operation here reads or changes them.
//!
//! | file | types |
//! |---|---|
//! | `scalar.rs` | `f32`, `f64`, [`Dual`](crate::Dual) |
//! | `inactive.rs` | integers, `bool`, `char`, strings, unit, `PhantomData`, [`Inactive`] |
//! | `container.rs` | `[T]`, `[T; N]`, `Vec`, `Box`, `Option`, tuples |
//! | `array.rs` | `ndarray` arrays (feature `ndarray`) |
//! | `complex.rs` | `num_complex::Complex` (feature `complex`) |
//!
//! Structs and enums get theirs by `#[derive(Tangent)]`; a hand-written one is completed by [`value_type!`](crate::value_type).

#[cfg(feature = "ndarray")]
mod array;
#[cfg(feature = "complex")]
mod complex;
mod container;
mod holds;
mod inactive;
mod range;
mod scalar;
mod value_type;

#[doc(hidden)]
pub use container::{all_words, keep_as_one, read_part, restore_as_one, write_part};
pub use holds::{ByReference, ByValue, Holds, HoldsMut, Memory, Value};
pub use inactive::Inactive;

use std::any::Any;

use crate::error::Incongruent;
use crate::tape::Tape;

/// Entries of arrays that are registers rather than memory.
pub(crate) const SHORT: usize = 16;

/// The vector-space operations of a type whose values carry derivatives.
///
/// `f64` is the exchange format of [`inner`](Self::inner), [`scale`](Self::scale) and the flat form: `f32` is widened,
/// a complex number is two reals, a [`Dual`](crate::Dual) number is its value and its derivative.
///
/// As those of `Rc`, the operations are associated functions, not methods: `use coenzyme::Tangent`, which every `#[derive(Tangent)]`
/// needs, leaves a method `scale` or `inner` of your own to you, also behind a `Box`.
///
/// ```
/// use coenzyme::Tangent;
///
/// let x = (vec![1.0, 2.0], 7_usize);
/// let mut dx = Tangent::zero_like(&x);
/// assert_eq!(dx, (vec![0.0, 0.0], 7));
/// Tangent::accumulate(&mut dx, &(vec![0.5, 0.25], 7));
/// Tangent::scale(&mut dx, 2.0);
/// assert_eq!(Tangent::to_flat(&dx), [1.0, 0.5]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tangent space",
    label = "derivatives of this type are not known",
    note = "write `#[derive(Tangent)]` on the type, or wrap the value in `Inactive` if it carries no derivative"
)]
pub trait Tangent {
    /// An owned value of the same shape: `Self` for owned types, `Vec<T>` for `[T]`, an owned array for an array reference.
    type Owned: Tangent<Target = Self::Target>;
    /// The memory behind the type, by which shadows of different containers are compared: `[T]` for `Vec<T>` and `[T; N]`,
    /// `Self` for most types.
    type Target: Tangent + ?Sized;

    /// Whether all values of the type have one shape, so that a container of them need not look at each to tell whether it
    /// is congruent to another. `false` is always right.
    const ONE_SHAPE: bool = false;

    /// How many words of the tape hold a value; none if it is not stored as words.
    #[doc(hidden)]
    const WORDS: usize = 0;

    /// Whether what is assigned to entries leaves the shape as it is: they have one shape, or there are none.
    #[doc(hidden)]
    const LENGTH_IS_SHAPE: bool = Self::ONE_SHAPE || Self::WORDS > 0;

    /// The memory behind `self`.
    fn target(this: &Self) -> &Self::Target;

    /// Writes the value to its words.
    #[doc(hidden)]
    #[inline]
    fn write_words(_: &Self, _: &mut [u64]) {
        unreachable!("the type is not stored as words")
    }

    /// Reads a value from its words.
    #[doc(hidden)]
    #[inline]
    fn read_words(_: &[u64]) -> Self::Owned {
        unreachable!("the type is not stored as words")
    }

    /// Whether what the value holds goes to a tape without storage of its own: as words, or as those of its parts.
    #[doc(hidden)]
    const HOLDS_WORDS: bool = Self::WORDS > 0;

    /// Puts what the value holds on a tape.
    #[doc(hidden)]
    #[inline]
    fn keep_words(this: &Self, tape: &mut Tape) {
        Tangent::write_words(this, tape.more(Self::WORDS));
    }

    /// Gives the value back what [`keep_words`](Self::keep_words) put on the tape.
    #[doc(hidden)]
    #[inline]
    fn restore_words(this: &mut Self, tape: &mut Tape)
    where
        Self: Tangent<Owned = Self> + Sized,
    {
        *this = Self::read_words(tape.less(Self::WORDS));
    }

    /// Whether a length says what shape a value has, as that of a vector of numbers does.
    #[doc(hidden)]
    const SHAPE_IS_A_LENGTH: bool = false;

    /// The length that says what shape the value has.
    #[doc(hidden)]
    #[inline]
    fn length_of_shape(_: &Self) -> usize {
        unreachable!("the shape of the type is no length")
    }

    /// A zero whose shape a length says.
    #[doc(hidden)]
    #[inline]
    fn of_shape_length(_: usize) -> Self::Owned {
        unreachable!("the shape of the type is no length")
    }

    /// A zero of the same shape. Inactive parts are copied.
    ///
    /// A type whose memory can run out panics here, as `Vec` does; a rule that wants to return an error instead allocates
    /// the shadows itself.
    fn zero_like(this: &Self) -> Self::Owned;

    /// What a sum begins with: as [`zero_like`](Self::zero_like), but −0 for floats. `-0.0 + x` is `x` for every `x`, and so
    /// the addition disappears; `0.0 + x` is not, and stays.
    #[doc(hidden)]
    #[inline]
    fn empty_sum(this: &Self) -> Self::Owned {
        Tangent::zero_like(this)
    }

    /// Sets every float to zero, in the same memory.
    fn zero_out(this: &mut Self);

    /// `self += other`.
    ///
    /// # Panics
    /// If the shapes differ.
    fn accumulate(this: &mut Self, other: &Self);

    /// As [`accumulate`](Self::accumulate), unless `never`: without a branch where that is cheaper.
    #[doc(hidden)]
    #[inline]
    fn accumulate_unless(this: &mut Self, other: &Self, never: bool) {
        if !never {
            Tangent::accumulate(this, other);
        }
    }

    /// Whether every float is zero: of a dual number, in value and tangent.
    #[doc(hidden)]
    #[inline]
    fn is_origin(this: &Self) -> bool {
        // the inner product of what is not zero may underflow, but needs no memory
        Tangent::inner(this, this) == 0.0 && Tangent::to_flat(this).iter().all(|x| *x == 0.0)
    }

    /// Whether the value is zero, and zeros are strong.
    #[doc(hidden)]
    #[inline]
    fn is_strong_zero(this: &Self, strong: bool) -> bool {
        strong && Tangent::is_origin(this)
    }

    /// As [`accumulate`](Self::accumulate), of what is not read again: where a sum is still empty, it is moved there.
    #[doc(hidden)]
    #[inline]
    fn absorb(this: &mut Self, other: &mut Self) {
        Tangent::accumulate(this, other);
    }

    /// Copies what has no derivative from a value of this shape: what an `Index` of the type's own chooses by. A cotangent that began as the zero of a
    /// type, before there was a value, has none.
    #[doc(hidden)]
    #[inline]
    fn copy_inactive(_: &mut Self, _from: &Self) {}

    /// `self *= by`.
    fn scale(this: &mut Self, by: f64);

    /// The real inner product `Σᵢ selfᵢ·otherᵢ` over all floats; for complex numbers `Re(conj(self)·other)`.
    ///
    /// # Panics
    /// If the shapes differ.
    fn inner(this: &Self, other: &Self) -> f64;

    /// Appends every float, in a fixed order.
    fn flatten_into(this: &Self, out: &mut Vec<f64>);

    /// Reads the floats back in the order of [`flatten_into`](Self::flatten_into), and advances `from` past them.
    ///
    /// # Panics
    /// If `from` is too short.
    fn unflatten_from(this: &mut Self, from: &mut &[f64]);

    /// Whether `other` has the shape of `self` (length, variant, dimensions), so that it can be its shadow.
    ///
    /// # Errors
    /// Names both shapes where they first differ.
    fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent>;

    /// Shows the integers and flags to `see`, which may replace them, and [`Growing`] in place of memory, whose length they may be. Private fields of
    /// a type that is not private stay unseen: they have the values that its own functions give them.
    #[doc(hidden)]
    fn see_integers(_: &mut Self, _see: &mut dyn FnMut(&mut dyn Any)) {}

    /// Every float in order: see [`flatten_into`](Self::flatten_into).
    fn to_flat(this: &Self) -> Vec<f64> {
        let mut out = Vec::new();
        Tangent::flatten_into(this, &mut out);
        out
    }

    /// Replaces every float by those of `from`.
    ///
    /// # Panics
    /// If `from` has not as many entries as `self` has floats.
    #[track_caller]
    fn unflatten(this: &mut Self, from: &[f64]) {
        let mut rest = from;
        Tangent::unflatten_from(this, &mut rest);
        assert!(
            rest.is_empty(),
            "unflatten: {} of {} entries are left over",
            rest.len(),
            from.len()
        );
    }
}

/// Stands for memory of any length among the parts that [`Tangent::see_integers`] shows.
#[doc(hidden)]
#[derive(Debug)]
pub struct Growing;

/// A zero of the shape of `x`, ready to be a shadow.
///
/// ```
/// assert_eq!(coenzyme::make_zero(&[1.0, 2.0][..]), vec![0.0, 0.0]);
/// ```
pub fn make_zero<T: Tangent + ?Sized>(x: &T) -> T::Owned {
    Tangent::zero_like(x)
}

/// Sets every float of a shadow to zero, in the same memory, so that it can be used again.
///
/// ```
/// let mut dx = (2.0, vec![4.5]);
/// coenzyme::remake_zero(&mut dx);
/// assert_eq!(dx, (0.0, vec![0.0]));
/// ```
pub fn remake_zero<T: Tangent + ?Sized>(shadow: &mut T) {
    Tangent::zero_out(shadow);
}

/// Takes the next `n` floats off the front of a flat form.
///
/// # Panics
/// If fewer are left.
#[inline]
#[track_caller]
pub(crate) fn take<'a>(from: &mut &'a [f64], n: usize) -> &'a [f64] {
    assert!(
        n <= from.len(),
        "unflatten: {n} entries wanted, {} left",
        from.len()
    );
    let (head, tail) = from.split_at(n);
    *from = tail;
    head
}
