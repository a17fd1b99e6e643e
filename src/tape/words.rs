//! Types that are stored as words.
//!
//! A debug build asks for the type where the program runs, in one function for all types: what the optimizer would decide for each was an eighth
//! of the code of small functions.

use std::any::{Any, TypeId};

/// The types: how many words, and how to make them.
macro_rules! words {
    ($($t:ty: $value:ident => [$($word:expr),+], $($name:ident),+ => $make:expr;)*) => {
        /// The words of a value of a type; none if it is not stored as words.
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn width_of(ty: TypeId) -> usize {
            $(if ty == TypeId::of::<$t>() {
                return [$(stringify!($name)),+].len();
            })*
            0
        }

        /// Writes a value to its words.
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn write_any(value: &dyn Any, to: &mut [u64]) {
            $(if let Some($value) = value.downcast_ref::<$t>() {
                to.copy_from_slice(&[$($word),+]);
            })*
        }

        /// Reads a value from its words into an `Option`, if that is one of its type.
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn read_any(to: &mut dyn Any, from: &[u64]) {
            $(if let (Some(to), &[$($name),+]) = (to.downcast_mut::<Option<$t>>(), from) {
                *to = Some($make);
            })*
        }
    };
}

/// The words of a value of this type; none if it is not stored as words.
#[inline]
pub(crate) fn width<T: Any>() -> usize {
    width_of(TypeId::of::<T>())
}

/// Writes a value to its words.
#[inline]
pub(crate) fn write<T: Any>(value: &T, to: &mut [u64]) {
    write_any(value, to);
}

/// Reads a value from its words.
///
/// # Panics
/// If these are not the words of a `T`.
#[inline]
pub(crate) fn read<T: Any>(from: &[u64]) -> T {
    let mut value = None;
    read_any(&mut value, from);
    value.expect("a value is read from as many words as it is written to")
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
    // where a search found something, and what
    Option<usize>: x => [u64::from(x.is_some()), x.unwrap_or(0) as u64], a, b => (a != 0).then_some(b as usize);
    Option<f64>: x => [u64::from(x.is_some()), x.unwrap_or(0.0).to_bits()], a, b => (a != 0).then_some(f64::from_bits(b));
    (usize, usize): x => [x.0 as u64, x.1 as u64], a, b => (a as usize, b as usize);
    crate::Dual<f64>: x => [x.value.to_bits(), x.tangent.to_bits()], a, b =>
        crate::Dual::new(f64::from_bits(a), f64::from_bits(b));
}

/// `value` as an `S`, if that is what it is.
#[inline]
pub(super) fn same<T: Any, S: Any>(value: &T) -> Option<&S> {
    (value as &dyn Any).downcast_ref()
}

/// `value` as a `T`, which is an `S`.
#[inline]
pub(super) fn into<S: Any, T: Any>(value: S) -> T {
    cast(value).unwrap_or_else(|_| unreachable!("S and T are one type"))
}

/// `value` as a `T`, if that is what it is.
#[inline]
pub(super) fn cast<S: Any, T: Any>(value: S) -> Result<T, S> {
    let mut value = Some(value);
    let same = (&mut value as &mut dyn Any).downcast_mut::<Option<T>>();
    match same.and_then(Option::take) {
        Some(same) => Ok(same),
        None => Err(value.expect("it was not taken")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual;

    /// Each value comes back from as many words as its type has, to the last bit.
    fn come_back<T: Any + PartialEq + std::fmt::Debug>(width: usize, values: &[T]) {
        assert_eq!(super::width::<T>(), width);
        for value in values {
            let mut words = vec![u64::MAX; width];
            write(value, &mut words);
            assert_eq!(&read::<T>(&words), value);
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let [a, b, c, d] = [f64::MIN_POSITIVE, -1.0 / 3.0, f64::MAX, f64::NEG_INFINITY];
        come_back(1, &[a, b, c, d]);
        come_back(1, &[f32::MIN_POSITIVE, -1.0 / 3.0, f32::INFINITY]);
        come_back(1, &[0, 7, usize::MAX]);
        come_back(1, &[true, false]);
        come_back(1, &[i32::MIN, -1, i32::MAX]);
        come_back(1, &[i64::MIN, -1, i64::MAX]);
        come_back(1, &[0, u32::MAX]);
        come_back(1, &[0, u64::MAX]);
        come_back(2, &[[a, b]]);
        come_back(3, &[[a, b, c]]);
        come_back(4, &[[a, b, c, d]]);
        come_back(2, &[(a, b)]);
        come_back(3, &[(a, b, c)]);
        come_back(4, &[(a, b, c, d)]);
        come_back(2, &[None, Some(0), Some(usize::MAX)]);
        come_back(2, &[None, Some(0.0), Some(b)]);
        come_back(2, &[(3_usize, usize::MAX)]);
        come_back(2, &[Dual::new(a, b)]);
    }

    #[test]
    fn zeros_keep_their_sign() {
        let mut words = [0];
        write(&-0.0, &mut words);
        assert!(read::<f64>(&words).is_sign_negative());
    }

    #[test]
    fn other_types_have_no_words() {
        assert_eq!(width::<String>(), 0);
        assert_eq!(width::<[f64; 5]>(), 0);
    }

    #[test]
    #[should_panic = "as many words as it is written to"]
    fn of_other_words_nothing_is_read() {
        read::<[f64; 2]>(&[1, 2, 3]);
    }
}
