//! Arrays without their entries.

use std::fmt;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::DType;

/// The lengths of the axes; up to four need no allocation.
pub type Shape = SmallVec<[usize; 4]>;

/// The type and the shape of an array.
///
/// ```
/// use coenzyme_operations::{DType, Spec};
///
/// let spec = Spec::f64(&[2, 3]);
/// assert_eq!((spec.to_string(), spec.bytes()), ("f64[2, 3]".to_string(), 48));
/// assert_eq!(Spec::new(DType::I64, &[]).entries(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spec {
    /// The type of its numbers.
    pub dtype: DType,
    /// The lengths of its axes; a number has none.
    pub shape: Shape,
}

impl Spec {
    /// Of a type and a shape.
    #[must_use]
    pub fn new(dtype: DType, shape: &[usize]) -> Self {
        Self {
            dtype,
            shape: Shape::from_slice(shape),
        }
    }

    /// Of numbers of type `f64`.
    #[must_use]
    pub fn f64(shape: &[usize]) -> Self {
        Self::new(DType::F64, shape)
    }

    /// Of numbers of type `f32`.
    #[must_use]
    pub fn f32(shape: &[usize]) -> Self {
        Self::new(DType::F32, shape)
    }

    /// The number of axes.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.shape.iter().fold(1, |n, m| n.saturating_mul(*m))
    }

    /// The bytes of its entries.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries().saturating_mul(self.dtype.bytes())
    }

    /// Whether an array of it can exist: each axis below 2³², fewer than 2⁴⁸ entries also without the axes of length 0.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        let lengths = self.shape.iter().map(|n| (*n).max(1) as u128);
        self.rank() <= 64
            && self.shape.iter().all(|n| *n < 1 << 32)
            && lengths.fold(1_u128, |n, m| n.saturating_mul(m)) < 1 << 48
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.dtype, &self.shape[..])
    }
}

/// As it is written to files.
#[derive(Serialize, Deserialize)]
struct Written {
    dtype: DType,
    shape: Vec<u64>,
}

impl Serialize for Spec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shape = self.shape.iter().map(|n| *n as u64).collect();
        let dtype = self.dtype;
        Written { dtype, shape }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Spec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { dtype, shape } = Written::deserialize(deserializer)?;
        let shape = shape
            .iter()
            .map(|n| usize::try_from(*n).unwrap_or(usize::MAX));
        let spec = Self {
            dtype,
            shape: shape.collect(),
        };
        match spec.is_possible() {
            true => Ok(spec),
            false => Err(serde::de::Error::custom(format_args!(
                "no array has the shape {:?}",
                spec.shape
            ))),
        }
    }
}
