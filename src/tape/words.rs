//! Types that are stored as words.

use std::any::{Any, TypeId};

/// The types: how many words, and how to make them.
macro_rules! words {
    ($($t:ty: $value:ident => [$($word:expr),+], $($name:ident),+ => $make:expr;)*) => {
        /// The words of a value of this type; none if it is not stored as words.
        #[inline]
        pub(crate) fn width<T: Any>() -> usize {
            $(if TypeId::of::<T>() == TypeId::of::<$t>() {
                return [$(stringify!($name)),+].len();
            })*
            0
        }

        /// Writes a value to its words.
        #[inline]
        pub(crate) fn write<T: Any>(value: &T, to: &mut [u64]) {
            $(if let Some($value) = same::<T, $t>(value) {
                to.copy_from_slice(&[$($word),+]);
            })*
        }

        /// Reads a value from its words.
        ///
        /// # Panics
        /// If these are not the words of a `T`.
        #[inline]
        pub(crate) fn read<T: Any>(from: &[u64]) -> T {
            $(if TypeId::of::<T>() == TypeId::of::<$t>()
                && let &[$($name),+] = from
            {
                return into::<$t, T>($make);
            })*
            panic!("a value is read from as many words as it is written to")
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
