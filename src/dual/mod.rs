//! Dual numbers: a value together with one tangent.
//!
//! A rule that is generic over [`Real`] runs on them, so forward-over-reverse needs no code of its own. Types
//! nest (`Dual<Dual<f64>>`), and each level has its own type, so that perturbations of different levels cannot be
//! confused.

mod float;
mod number;

use crate::error::Incongruent;
use crate::real::Real;
use crate::tangent::{Tangent, read_part, write_part};

/// `value + tangent·ε` with `ε² = 0`.
///
/// Comparisons look at the value alone, as the branches of the primal program do.
///
/// ```
/// use coenzyme::Dual;
/// use num_traits::Float;
///
/// let x = Dual::new(2.0, 1.0);
/// let y = x * x.sin();
/// assert_eq!(y.tangent, 2.0_f64.sin() + 2.0 * 2.0_f64.cos());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Dual<T> {
    /// The value.
    pub value: T,
    /// The derivative carried along.
    pub tangent: T,
}

impl<T: Real> Dual<T> {
    /// `value + tangent·ε`.
    #[inline]
    pub fn new(value: T, tangent: T) -> Self {
        Self { value, tangent }
    }

    /// A number that does not vary.
    #[inline]
    pub fn constant(value: T) -> Self {
        Self {
            value,
            tangent: T::zero(),
        }
    }

    /// The number with respect to which the derivative is taken.
    #[inline]
    pub fn variable(value: T) -> Self {
        Self {
            value,
            tangent: T::one(),
        }
    }
}

/// The derivative of a function of one number, at `x`.
///
/// Nested calls differentiate with respect to different variables: the inner function sees `Dual<Dual<f64>>`.
///
/// ```
/// use coenzyme::{Dual, derivative};
/// use num_traits::Float;
///
/// assert_eq!(derivative(|x| x * x * x, 2.0), 12.0);
/// // d/dx [x · d/dy (x + y)] = 1, not 2
/// let outer = |x: Dual<f64>| x * derivative(|y| Dual::constant(x) + y, x);
/// assert_eq!(derivative(outer, 5.0), 1.0);
/// ```
pub fn derivative<T: Real>(f: impl FnOnce(Dual<T>) -> Dual<T>, x: T) -> T {
    f(Dual::variable(x)).tangent
}

impl<T: Real> Tangent for Dual<T> {
    type Owned = Self;
    type Target = Self;

    const ONE_SHAPE: bool = true;
    const WORDS: usize = 2 * T::WORDS;

    #[inline]
    fn write_words(this: &Self, mut to: &mut [u64]) {
        write_part(&this.value, &mut to);
        write_part(&this.tangent, &mut to);
    }
    #[inline]
    fn read_words(mut from: &[u64]) -> Self {
        Self::new(read_part::<T>(&mut from), read_part::<T>(&mut from))
    }

    #[inline]
    fn target(this: &Self) -> &Self {
        this
    }
    #[inline]
    fn zero_like(_: &Self) -> Self {
        Self::constant(T::zero())
    }
    #[inline]
    fn empty_sum(this: &Self) -> Self {
        Self::new(
            Tangent::empty_sum(&this.value),
            Tangent::empty_sum(&this.tangent),
        )
    }
    #[inline]
    fn zero_out(this: &mut Self) {
        *this = Self::constant(T::zero());
    }
    #[inline]
    fn accumulate(this: &mut Self, other: &Self) {
        Tangent::accumulate(&mut this.value, &other.value);
        Tangent::accumulate(&mut this.tangent, &other.tangent);
    }
    fn scale(this: &mut Self, by: f64) {
        Tangent::scale(&mut this.value, by);
        Tangent::scale(&mut this.tangent, by);
    }
    fn inner(this: &Self, other: &Self) -> f64 {
        Tangent::inner(&this.value, &other.value) + Tangent::inner(&this.tangent, &other.tangent)
    }
    fn flatten_into(this: &Self, out: &mut Vec<f64>) {
        Tangent::flatten_into(&this.value, out);
        Tangent::flatten_into(&this.tangent, out);
    }
    fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
        Tangent::unflatten_from(&mut this.value, from);
        Tangent::unflatten_from(&mut this.tangent, from);
    }
    #[inline]
    fn congruent(_: &Self, _: &Self) -> Result<(), Incongruent> {
        Ok(())
    }
}

impl<T: Real> Real for Dual<T> {
    #[inline]
    fn lit(x: f64) -> Self {
        Self::constant(T::lit(x))
    }
    #[inline]
    fn to_plain(self) -> f64 {
        self.value.to_plain()
    }
    #[inline]
    fn vanishes(self) -> bool {
        self.value.vanishes() && self.tangent.vanishes()
    }
}
