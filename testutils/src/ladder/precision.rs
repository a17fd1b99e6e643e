//! The precision in which a primal computes.

/// The precision in which a primal computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// `f64`.
    #[default]
    Double,
    /// `f32`, passed through the `f64` of the flat vectors.
    Single,
}

impl Precision {
    /// The spacing of numbers near one.
    pub const fn epsilon(self) -> f64 {
        match self {
            Precision::Double => f64::EPSILON,
            Precision::Single => f32::EPSILON as f64,
        }
    }

    /// The number of this precision nearest to `x`.
    pub(crate) const fn round(self, x: f64) -> f64 {
        match self {
            Precision::Double => x,
            Precision::Single => x as f32 as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_to_the_nearest_of_the_precision() {
        assert_eq!(Precision::Double.round(0.1), 0.1);
        assert_eq!(Precision::Single.round(0.1), f64::from(0.1_f32));
        assert_eq!(
            Precision::Single.round(1.0 + Precision::Double.epsilon()),
            1.0
        );
    }
}
