//! What a derivative reads again of the call it belongs to.

/// What a partial derivative reads: the first operand `x`, the second operand `y`, the value `out`, or what the value left
/// behind (`residual`).
///
/// What is not read is not on the tape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// The entries of the first operand; its shape is always there.
    pub x: bool,
    /// The entries of the second operand; its shape is always there.
    pub y: bool,
    /// The value.
    pub out: bool,
    /// What the computation of the value leaves for the derivative: a factorization, a permutation.
    pub residual: bool,
}

impl Reads {
    /// Nothing: the partial is constant.
    pub const NOTHING: Self = Self {
        x: false,
        y: false,
        out: false,
        residual: false,
    };
    /// The first operand.
    pub const X: Self = Self {
        x: true,
        ..Self::NOTHING
    };
    /// The second operand.
    pub const Y: Self = Self {
        y: true,
        ..Self::NOTHING
    };
    /// The value.
    pub const OUT: Self = Self {
        out: true,
        ..Self::NOTHING
    };
    /// What the value left behind.
    pub const RESIDUAL: Self = Self {
        residual: true,
        ..Self::NOTHING
    };

    /// What either reads.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            x: self.x || other.x,
            y: self.y || other.y,
            out: self.out || other.out,
            residual: self.residual || other.residual,
        }
    }

    /// All of it if `wanted`, otherwise nothing.
    #[must_use]
    pub const fn when(self, wanted: bool) -> Self {
        if wanted { self } else { Self::NOTHING }
    }

    /// Whether the value must be computed.
    pub const fn needs_value(self) -> bool {
        self.out || self.residual
    }
}
