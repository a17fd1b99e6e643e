//! What a rule is told about the call it differentiates.

/// What a forward rule is told.
///
/// ```
/// use coenzyme::ForwardConfig;
///
/// let config = ForwardConfig::new(false).with_strong_zero(true);
/// assert!(!config.needs_primal());
/// assert!(config.reverse().strong_zero());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForwardConfig {
    needs_primal: bool,
    strong_zero: bool,
}

impl ForwardConfig {
    /// The configuration of a top-level call.
    #[inline]
    pub const fn new(needs_primal: bool) -> Self {
        Self {
            needs_primal,
            strong_zero: false,
        }
    }

    /// Whether the value of the primal is needed. Its mutations always are.
    #[inline]
    pub const fn needs_primal(&self) -> bool {
        self.needs_primal
    }

    /// Whether a zero tangent must give a zero tangent even where the partial is infinite or NaN.
    #[inline]
    pub const fn strong_zero(&self) -> bool {
        self.strong_zero
    }

    /// The same with another [`needs_primal`](Self::needs_primal).
    #[inline]
    #[must_use]
    pub const fn with_needs_primal(self, needs_primal: bool) -> Self {
        Self {
            needs_primal,
            ..self
        }
    }

    /// The same with another [`strong_zero`](Self::strong_zero).
    #[inline]
    #[must_use]
    pub const fn with_strong_zero(self, strong_zero: bool) -> Self {
        Self {
            strong_zero,
            ..self
        }
    }

    /// The configuration for differentiating in reverse mode inside a rule: nothing is overwritten.
    #[inline]
    pub const fn reverse(&self) -> ReverseConfig {
        ReverseConfig::new(self.needs_primal).with_strong_zero(self.strong_zero)
    }
}

/// What a reverse rule is told, the same in both of its halves.
///
/// ```
/// use coenzyme::ReverseConfig;
///
/// let config = ReverseConfig::new(true).with_overwritten(1, true);
/// assert!(config.needs_primal() && !config.overwritten(0) && config.overwritten(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReverseConfig {
    needs_primal: bool,
    overwritten: u64,
    strong_zero: bool,
    keeps_costly: bool,
    inside: bool,
}

impl ReverseConfig {
    /// The configuration of a top-level call: nothing is overwritten between the halves.
    #[inline]
    pub const fn new(needs_primal: bool) -> Self {
        Self {
            needs_primal,
            overwritten: 0,
            strong_zero: false,
            keeps_costly: false,
            inside: false,
        }
    }

    /// Whether the value of the primal is needed. Its mutations always are.
    #[inline]
    pub const fn needs_primal(&self) -> bool {
        self.needs_primal
    }

    /// Whether the memory of argument `index` may change between the two halves, so that what `reverse` reads of it must
    /// be on the tape. By-value arguments never change.
    #[inline]
    pub const fn overwritten(&self, index: usize) -> bool {
        index >= 64 || self.overwritten >> index & 1 == 1
    }

    /// Whether a zero cotangent must give zero cotangents even where the partial is infinite or NaN.
    #[inline]
    pub const fn strong_zero(&self) -> bool {
        self.strong_zero
    }

    /// The same with another [`needs_primal`](Self::needs_primal).
    #[inline]
    #[must_use]
    pub const fn with_needs_primal(self, needs_primal: bool) -> Self {
        Self {
            needs_primal,
            ..self
        }
    }

    /// The same with argument `index` declared overwritten or not. An argument past the 64th always counts as overwritten.
    #[inline]
    #[must_use]
    pub const fn with_overwritten(self, index: usize, overwritten: bool) -> Self {
        let bit = if index < 64 { 1 << index } else { 0 };
        let rest = self.overwritten & !bit;
        Self {
            overwritten: if overwritten { rest | bit } else { rest },
            ..self
        }
    }

    /// The same with every argument declared overwritten.
    #[inline]
    #[must_use]
    pub const fn with_all_overwritten(self) -> Self {
        Self {
            overwritten: u64::MAX,
            ..self
        }
    }

    /// The same with no argument declared overwritten.
    #[inline]
    #[must_use]
    pub const fn with_none_overwritten(self) -> Self {
        Self {
            overwritten: 0,
            ..self
        }
    }

    /// The same with another [`strong_zero`](Self::strong_zero).
    #[inline]
    #[must_use]
    pub const fn with_strong_zero(self, strong_zero: bool) -> Self {
        Self {
            strong_zero,
            ..self
        }
    }

    /// Whether generated code keeps the results of elementary functions even outside of its loops: the halves of a call in a loop are
    /// too far apart for the optimizer to see that both compute the same.
    #[doc(hidden)]
    #[inline]
    pub const fn keeps_costly(&self) -> bool {
        self.keeps_costly
    }

    /// The same with another [`keeps_costly`](Self::keeps_costly).
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub const fn with_keeps_costly(self, keeps_costly: bool) -> Self {
        Self {
            keeps_costly,
            ..self
        }
    }

    /// Whether generated code calls, which goes on adding to the cotangents that it gets.
    #[doc(hidden)]
    #[inline]
    pub const fn inside(&self) -> bool {
        self.inside
    }

    /// The same inside generated code.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub const fn with_inside(self) -> Self {
        Self {
            inside: true,
            ..self
        }
    }

    /// The configuration for differentiating in forward mode inside a rule.
    #[inline]
    pub const fn forward(&self) -> ForwardConfig {
        ForwardConfig::new(self.needs_primal).with_strong_zero(self.strong_zero)
    }
}

/// `partial · seed`, and zero for a zero seed if `strong_zero`: the product by which every rule that can meet an infinite
/// partial passes a derivative on.
///
/// ```
/// assert!(coenzyme::scaled(f64::INFINITY, 0.0, false).is_nan());
/// assert_eq!(coenzyme::scaled(f64::INFINITY, 0.0, true), 0.0);
/// ```
#[inline]
pub fn scaled<T: crate::Real>(partial: T, seed: T, strong_zero: bool) -> T {
    if strong_zero && seed.vanishes() {
        T::zero()
    } else {
        partial * seed
    }
}
