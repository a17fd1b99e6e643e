//! The types of numbers.

use std::fmt;

use ndarray::{ArcArray, IxDyn};
use num_complex::Complex;
use serde::{Deserialize, Serialize};

/// The type of the entries of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DType {
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `i64`: indices, labels; no derivative.
    I64,
    /// `bool`: masks; no derivative.
    Bool,
    /// `Complex<f64>`
    Complex,
}

impl DType {
    /// The bytes of one entry.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            DType::F32 => 4,
            DType::F64 | DType::I64 => 8,
            DType::Bool => 1,
            DType::Complex => 16,
        }
    }

    /// Whether such numbers have derivatives.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, DType::F32 | DType::F64 | DType::Complex)
    }

    /// The name in messages and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::I64 => "i64",
            DType::Bool => "bool",
            DType::Complex => "complex",
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The entries of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    F32(ArcArray<f32, IxDyn>),
    F64(ArcArray<f64, IxDyn>),
    I64(ArcArray<i64, IxDyn>),
    Bool(ArcArray<bool, IxDyn>),
    Complex(ArcArray<Complex<f64>, IxDyn>),
}

mod sealed {
    use super::Data;
    use ndarray::{ArcArray, IxDyn};

    pub trait Sealed: Sized {
        fn data(x: ArcArray<Self, IxDyn>) -> Data;
        fn of(data: &Data) -> Option<&ArcArray<Self, IxDyn>>;
        fn of_mut(data: &mut Data) -> Option<&mut ArcArray<Self, IxDyn>>;
        fn array(data: Data) -> Option<ArcArray<Self, IxDyn>>;
        fn to_f64(self) -> f64;
        fn to_i64(self) -> i64;
        fn same_bits(&self, other: &Self) -> bool;
    }
}

/// A Rust type that the entries of a [`Value`](super::Value) can have: `f32`, `f64`, `i64`, `bool`, `Complex<f64>`.
pub trait Element: sealed::Sealed + Copy + Default + PartialEq + Send + Sync + 'static {
    /// Its name at run time.
    const DTYPE: DType;
}

macro_rules! elements {
    ($($t:ty, $variant:ident, $x:ident => $float:expr, $integer:expr, $bits:expr;)+) => {$(
        impl sealed::Sealed for $t {
            #[inline]
            fn data(x: ArcArray<Self, IxDyn>) -> Data {
                Data::$variant(x)
            }
            #[inline]
            fn of(data: &Data) -> Option<&ArcArray<Self, IxDyn>> {
                match data {
                    Data::$variant(x) => Some(x),
                    _ => None,
                }
            }
            #[inline]
            fn of_mut(data: &mut Data) -> Option<&mut ArcArray<Self, IxDyn>> {
                match data {
                    Data::$variant(x) => Some(x),
                    _ => None,
                }
            }
            #[inline]
            fn array(data: Data) -> Option<ArcArray<Self, IxDyn>> {
                match data {
                    Data::$variant(x) => Some(x),
                    _ => None,
                }
            }
            #[inline]
            fn to_f64(self) -> f64 {
                let $x = self;
                $float
            }
            #[inline]
            fn to_i64(self) -> i64 {
                let $x = self;
                $integer
            }
            #[inline]
            fn same_bits(&self, other: &Self) -> bool {
                let bits = |$x: &$t| $bits;
                bits(self) == bits(other)
            }
        }
        impl Element for $t {
            const DTYPE: DType = DType::$variant;
        }
    )+};
}

elements! {
    f32, F32, x => f64::from(x), x as i64, x.to_bits();
    f64, F64, x => x, x as i64, x.to_bits();
    i64, I64, x => x as f64, x, *x;
    bool, Bool, x => f64::from(u8::from(x)), i64::from(x), *x;
    Complex<f64>, Complex, x => x.re, x.re as i64, (x.re.to_bits(), x.im.to_bits());
}
