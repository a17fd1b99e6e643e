//! Arithmetic, comparisons and conversions of dual numbers.

use std::cmp::Ordering;
use std::fmt;
use std::iter::{Product, Sum};
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

use num_traits::{FromPrimitive, Num, NumCast, One, ToPrimitive, Zero};

use super::Dual;
use crate::ops::{self, Operand};
use crate::real::Real;

/// The dual of an operation of one operand, from its partial.
#[inline]
pub(super) fn unary<T, Op>(x: Dual<T>, value: T) -> Dual<T>
where
    T: Real + Operand<Op, Output = T>,
{
    let partials = x.value.partials((), value);
    Dual::new(value, T::pushforward(&partials, x.tangent, ()))
}

/// The dual of an operation of two operands, from its partials.
#[inline]
pub(super) fn binary<T, Op>(a: Dual<T>, b: Dual<T>, value: T) -> Dual<T>
where
    T: Real + Operand<Op, (T,), Output = T>,
{
    let partials = a.value.partials((b.value,), value);
    Dual::new(value, T::pushforward(&partials, a.tangent, (b.tangent,)))
}

macro_rules! operator {
    ($($op:ident $trait:ident $assign:ident $assign_fn:ident;)*) => {$(
        impl<T: Real> $trait for Dual<T> {
            type Output = Self;

            #[inline]
            fn $op(self, b: Self) -> Self {
                binary::<T, ops::$op>(self, b, self.value.$op(b.value))
            }
        }

        impl<T: Real> $assign for Dual<T> {
            #[inline]
            fn $assign_fn(&mut self, b: Self) {
                *self = self.$op(b);
            }
        }

        impl<T: Real> $trait<&Self> for Dual<T> {
            type Output = Self;

            #[inline]
            fn $op(self, b: &Self) -> Self {
                self.$op(*b)
            }
        }

        impl<T: Real> $trait<Dual<T>> for &Dual<T> {
            type Output = Dual<T>;

            #[inline]
            fn $op(self, b: Dual<T>) -> Dual<T> {
                (*self).$op(b)
            }
        }

        impl<T: Real> $trait<&Dual<T>> for &Dual<T> {
            type Output = Dual<T>;

            #[inline]
            fn $op(self, b: &Dual<T>) -> Dual<T> {
                (*self).$op(*b)
            }
        }

        impl<T: Real> $assign<&Self> for Dual<T> {
            #[inline]
            fn $assign_fn(&mut self, b: &Self) {
                *self = self.$op(*b);
            }
        }
    )*};
}

operator! {
    add Add AddAssign add_assign;
    sub Sub SubAssign sub_assign;
    mul Mul MulAssign mul_assign;
    div Div DivAssign div_assign;
    rem Rem RemAssign rem_assign;
}

impl<T: Real> Neg for Dual<T> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        unary::<T, ops::neg>(self, -self.value)
    }
}

impl<T: Real> Neg for &Dual<T> {
    type Output = Dual<T>;

    #[inline]
    fn neg(self) -> Dual<T> {
        -*self
    }
}

impl<T: Real> PartialEq for Dual<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Real> PartialOrd for Dual<T> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl<T: Real> fmt::Display for Dual<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} + {}ε", self.value, self.tangent)
    }
}

impl<T: Real> From<T> for Dual<T> {
    #[inline]
    fn from(value: T) -> Self {
        Self::constant(value)
    }
}

impl<T: Real> Zero for Dual<T> {
    #[inline]
    fn zero() -> Self {
        Self::constant(T::zero())
    }
    #[inline]
    fn is_zero(&self) -> bool {
        self.value.is_zero()
    }
}

impl<T: Real> One for Dual<T> {
    #[inline]
    fn one() -> Self {
        Self::constant(T::one())
    }
}

impl<T: Real> Num for Dual<T> {
    type FromStrRadixErr = T::FromStrRadixErr;

    fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
        T::from_str_radix(text, radix).map(Self::constant)
    }
}

impl<T: Real> ToPrimitive for Dual<T> {
    fn to_i64(&self) -> Option<i64> {
        self.value.to_i64()
    }
    fn to_u64(&self) -> Option<u64> {
        self.value.to_u64()
    }
    fn to_f64(&self) -> Option<f64> {
        self.value.to_f64()
    }
}

impl<T: Real> NumCast for Dual<T> {
    fn from<N: ToPrimitive>(n: N) -> Option<Self> {
        <T as NumCast>::from(n).map(Self::constant)
    }
}

impl<T: Real> FromPrimitive for Dual<T> {
    fn from_i64(n: i64) -> Option<Self> {
        T::from_i64(n).map(Self::constant)
    }
    fn from_u64(n: u64) -> Option<Self> {
        T::from_u64(n).map(Self::constant)
    }
    fn from_f64(n: f64) -> Option<Self> {
        T::from_f64(n).map(Self::constant)
    }
}

impl<T: Real> Sum for Dual<T> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::zero(), Add::add)
    }
}

impl<T: Real> Product for Dual<T> {
    fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::one(), Mul::mul)
    }
}

impl<'a, T: Real> Sum<&'a Self> for Dual<T> {
    fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().sum()
    }
}

impl<'a, T: Real> Product<&'a Self> for Dual<T> {
    fn product<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().product()
    }
}

#[cfg(feature = "ndarray")]
impl<T: Real> ndarray::ScalarOperand for Dual<T> {}
