//! The numbers that a device array holds.

use std::fmt::Debug;

use coenzyme::Tangent;

use crate::rules::class::Value;

mod sealed {
    pub trait Sealed {}
}

/// A type that lies in memory as the device has it: `f32`, `f64`, `i32`, `bool`.
pub trait Element:
    sealed::Sealed + Copy + Debug + Default + PartialEq + Send + Sync + 'static
{
    /// Its name in CUDA C++.
    const NAME: &'static str;

    /// Whether values carry derivatives.
    const ACTIVE: bool;

    /// The bytes of these values.
    #[doc(hidden)]
    fn bytes(values: &[Self]) -> Vec<u8>;

    /// The values of these bytes.
    #[doc(hidden)]
    fn values(bytes: &[u8]) -> Vec<Self>;

    /// The value in the exchange format of tangent spaces; 0 for what carries no derivative.
    #[doc(hidden)]
    fn wide(self) -> f64;

    /// The value from the exchange format.
    #[doc(hidden)]
    fn narrow(wide: f64) -> Self;

    /// The value as the word of an [argument](crate::launch::Arguments).
    #[doc(hidden)]
    fn word(self) -> u64 {
        let mut word = [0; 8];
        let bytes = Self::bytes(&[self]);
        word[..bytes.len()].copy_from_slice(&bytes);
        u64::from_ne_bytes(word)
    }
}

/// A number on the device: `f32`, `f64`.
pub trait Float: Element + coenzyme::Real + Tangent<Owned = Self, Target = Self> + Value {}

macro_rules! elements {
    ($($t:ty: $name:literal $active:literal, $x:ident => $wide:expr, $w:ident => $narrow:expr;)*) => {$(
        impl sealed::Sealed for $t {}
        impl Element for $t {
            const NAME: &'static str = $name;
            const ACTIVE: bool = $active;

            fn bytes(values: &[$t]) -> Vec<u8> {
                values.iter().flat_map(|v| v.to_ne_bytes()).collect()
            }
            fn values(bytes: &[u8]) -> Vec<$t> {
                let (chunks, _) = bytes.as_chunks::<{ size_of::<$t>() }>();
                chunks.iter().map(|chunk| <$t>::from_ne_bytes(*chunk)).collect()
            }
            fn wide(self) -> f64 {
                let $x = self;
                $wide
            }
            fn narrow($w: f64) -> $t {
                $narrow
            }
        }
    )*};
}

elements! {
    f64: "double" true, x => x, w => w;
    f32: "float" true, x => f64::from(x), w => w as f32;
    i32: "int" false, _x => 0.0, _w => 0;
}

impl sealed::Sealed for bool {}
impl Element for bool {
    const NAME: &'static str = "bool";
    const ACTIVE: bool = false;

    fn bytes(values: &[bool]) -> Vec<u8> {
        values.iter().map(|v| u8::from(*v)).collect()
    }
    fn values(bytes: &[u8]) -> Vec<bool> {
        bytes.iter().map(|b| *b != 0).collect()
    }
    fn wide(self) -> f64 {
        0.0
    }
    fn narrow(_: f64) -> bool {
        false
    }
}

impl Float for f64 {}
impl Float for f32 {}
