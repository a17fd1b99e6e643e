//! A derivative with its error bar.

use std::fmt;

/// An entry below this fraction of the largest in its column cannot show that a rule is wrong.
const NEGLIGIBLE: f64 = 1e-6;

/// A bar that is a larger part of its value is wide.
const WIDE: f64 = 1e-8;

/// Why an estimate cannot judge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// The slopes from the left and from the right disagree at every small step.
    Kink,
    /// No three neighbouring steps agree: too few are alive, or the primal is noisy.
    NoPlateau,
    /// The primal is infinite or NaN at the point itself.
    NotFinite,
    /// There is a value, but its bar is wider than the precision a verdict needs.
    TooWide {
        /// The distance from the estimate that would still be accepted.
        limit: f64,
        /// The widest such distance that would mean anything.
        needed: f64,
    },
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Kink => f.write_str("the primal has a kink here: one-sided slopes disagree"),
            Doubt::NoPlateau => f.write_str("no three neighbouring steps agree"),
            Doubt::NotFinite => f.write_str("the primal is not finite at the point itself"),
            Doubt::TooWide { limit, needed } => {
                write!(
                    f,
                    "differences know this derivative to ±{limit:.1e} only, and a verdict needs ±{needed:.1e}"
                )
            }
        }
    }
}

/// Where on the ladder an estimate was taken; for messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plateau {
    /// The widest step that agreed.
    pub widest: f64,
    /// The narrowest step that agreed.
    pub narrowest: f64,
    /// The order of the extrapolation: 2, 4 or 6.
    pub order: u32,
    /// The noise of the primal that the narrow steps show, in units of its last place.
    pub noise: f64,
}

impl fmt::Display for Plateau {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (widest, narrowest) = (self.widest.log2(), self.narrowest.log2());
        let Plateau { order, noise, .. } = self;
        write!(
            f,
            "plateau h=2^{widest:.0}..2^{narrowest:.0} (order {order}), noise {noise:.1} ulp"
        )
    }
}

/// A derivative as the differences see it: a value, and how far from it the truth may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The derivative; NaN if there is none.
    pub value: f64,
    /// The error of `value` is below this, in all but about one of 6000 hard cases.
    pub bar: f64,
    /// `Σ|Jᵢₖ·vₖ|`: what rounding in any summation of the value is relative to.
    pub terms: f64,
    /// The largest derivative beside this one, in the same column: a value far below it need not be
    /// known to as many digits.
    pub scale: f64,
    /// How much of `value` is the slope of a staircase, which stands still between its steps: of a function that rounds, or of one
    /// that has lost its digits.
    pub stairs: f64,
    /// The primal did not change in one bit, at any step near the point.
    pub flat: bool,
    /// Why the estimate cannot judge, if it cannot.
    pub doubt: Option<Doubt>,
    /// Where the estimate was taken; `None` if there was nothing to choose.
    pub plateau: Option<Plateau>,
}

impl Estimate {
    /// The estimate that knows nothing.
    pub const fn unknown(doubt: Doubt) -> Self {
        Estimate {
            value: f64::NAN,
            bar: f64::INFINITY,
            terms: 0.0,
            scale: 0.0,
            stairs: 0.0,
            flat: false,
            doubt: Some(doubt),
            plateau: None,
        }
    }

    /// A reference known without differences, such as a dual-number evaluation: no bar.
    pub const fn exact(value: f64) -> Self {
        Estimate {
            value,
            bar: 0.0,
            terms: value.abs(),
            scale: value.abs(),
            stairs: 0.0,
            flat: false,
            doubt: None,
            plateau: None,
        }
    }

    /// `Σ coefficient·estimate`, its bar the sum of the bars, its scale the largest of the scales.
    ///
    /// A term with coefficient zero takes no part, so its doubt does not matter. The plateau shown is
    /// that of the widest bar.
    pub fn combine<'a>(terms: impl IntoIterator<Item = (f64, &'a Estimate)>) -> Self {
        let mut sum = Estimate {
            flat: true,
            ..Estimate::exact(0.0)
        };
        let mut widest = -1.0;
        for (coefficient, term) in terms {
            if coefficient == 0.0 {
                continue;
            }
            let bar = coefficient.abs() * term.bar;
            sum.value += coefficient * term.value;
            sum.bar += bar;
            sum.terms += coefficient.abs() * term.terms;
            sum.scale = sum.scale.max(coefficient.abs() * term.scale);
            sum.stairs += coefficient * term.stairs;
            sum.flat &= term.flat;
            sum.doubt = sum.doubt.or(term.doubt);
            if bar > widest {
                (widest, sum.plateau) = (bar, term.plateau);
            }
        }
        sum
    }

    /// The estimate of what is `factor` times as large.
    pub(crate) fn times(self, factor: f64) -> Self {
        Estimate {
            value: self.value * factor,
            bar: self.bar * factor,
            terms: self.terms * factor,
            scale: self.scale * factor,
            stairs: self.stairs * factor,
            ..self
        }
    }

    /// Whether a rule that answers zero would be refused: the value is not zero, and not negligible beside its column. Where it is
    /// not known, it might.
    pub(crate) fn matters(&self) -> bool {
        let known = !self.may_be_zero() && self.value.abs() > NEGLIGIBLE * self.scale;
        known || self.doubt == Some(Doubt::NoPlateau)
    }

    /// Widens the bar to what lies between the derivatives on both sides, and those twice as far: where the function is smooth, they
    /// differ from this to fourth order only.
    pub(crate) fn be_unsure_between(&mut self, others: &[f64]) {
        if let [above, below, far_above, far_below] = others {
            let between = (4.0 * (above + below) - (far_above + far_below)) / 6.0;
            let off = (between - self.value).abs();
            self.bar += if off.is_finite() { off } else { 0.0 };
        }
    }

    /// Whether the bar is wide, and much wider than that of `sharp`.
    pub(crate) fn is_blurred(&self, sharp: &Estimate) -> bool {
        self.bar > 2.0 * sharp.bar && self.bar > WIDE * self.value.abs()
    }

    /// Whether the estimate cannot be told from zero.
    pub fn may_be_zero(&self) -> bool {
        self.value.abs() <= 4.0 * self.bar
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combination_adds_values_bars_and_terms() {
        let a = Estimate {
            bar: 0.1,
            ..Estimate::exact(3.0)
        };
        let b = Estimate {
            bar: 0.2,
            ..Estimate::exact(2.0)
        };
        let sum = Estimate::combine([(1.0, &a), (-1.5, &b)]);
        assert_eq!((sum.value, sum.terms), (0.0, 6.0));
        assert!((sum.bar - 0.4).abs() < 1e-15 && sum.may_be_zero());
    }

    #[test]
    fn what_matters_is_neither_zero_nor_negligible() {
        let beside = |scale, value, bar| Estimate {
            bar,
            scale,
            ..Estimate::exact(value)
        };
        let least = NEGLIGIBLE * 8.0;
        assert!(beside(8.0, -2.0 * least, 0.0).matters());
        assert!(!beside(8.0, least, 0.0).matters());
        assert!(!beside(8.0, 2.0 * least, least).matters());
        assert!(!beside(8.0, 0.0, 0.0).matters());
    }

    #[test]
    fn combination_has_the_widest_plateau_and_the_largest_scale() {
        let about = |order, bar| Estimate {
            bar,
            scale: 8.0,
            flat: true,
            plateau: Some(Plateau {
                widest: 1.0,
                narrowest: 0.5,
                order,
                noise: 0.0,
            }),
            ..Estimate::exact(1.0)
        };
        let order = |terms: &[(f64, &Estimate)]| {
            let sum = Estimate::combine(terms.iter().copied());
            sum.plateau.map(|plateau| plateau.order)
        };
        let (two, four, six) = (about(2, 0.25), about(4, 0.5), about(6, 0.25));
        assert_eq!(order(&[(1.0, &two), (1.0, &four), (1.0, &six)]), Some(4));
        assert_eq!(order(&[(-4.0, &two), (1.0, &four)]), Some(2));
        assert_eq!(
            order(&[(1.0, &two), (1.0, &six)]),
            Some(2),
            "of two, the first"
        );
        assert_eq!(order(&[(1.0, &about(6, 0.0))]), Some(6));
        let sum = Estimate::combine([(0.5, &two), (-4.0, &four)]);
        assert_eq!((sum.scale, sum.flat), (32.0, true));
        assert!(!Estimate::combine([(1.0, &two), (1.0, &Estimate::exact(1.0))]).flat);
    }

    #[test]
    fn zero_is_within_four_bars() {
        let about = |value, bar| Estimate {
            bar,
            ..Estimate::exact(value)
        };
        assert!(about(-2.0, 0.5).may_be_zero() && about(0.0, 0.0).may_be_zero());
        assert!(!about(2.125, 0.5).may_be_zero() && !about(1.0, 0.0625).may_be_zero());
    }

    #[test]
    fn doubt_is_inherited_unless_its_coefficient_is_zero() {
        let unknown = Estimate::unknown(Doubt::Kink);
        let one = Estimate::exact(1.0);
        assert_eq!(
            Estimate::combine([(1.0, &one), (1.0, &unknown)]).doubt,
            Some(Doubt::Kink)
        );
        assert_eq!(
            Estimate::combine([(2.0, &one), (0.0, &unknown)]),
            Estimate {
                plateau: None,
                ..Estimate::exact(2.0)
            }
        );
    }

    #[test]
    fn messages_name_the_reason() {
        let wide = Doubt::TooWide {
            limit: 1e-3,
            needed: 1e-6,
        };
        assert_eq!(
            wide.to_string(),
            "differences know this derivative to ±1.0e-3 only, and a verdict needs ±1.0e-6"
        );
        for (doubt, words) in [
            (Doubt::Kink, "kink"),
            (Doubt::NoPlateau, "no three neighbouring steps agree"),
            (Doubt::NotFinite, "not finite at the point itself"),
        ] {
            assert!(doubt.to_string().contains(words), "{doubt}");
        }
        let plateau = Plateau {
            widest: 0.03125,
            narrowest: 0.5_f64.powi(14),
            order: 2,
            noise: 1.0,
        };
        assert_eq!(
            plateau.to_string(),
            "plateau h=2^-5..2^-14 (order 2), noise 1.0 ulp"
        );
    }
}
