//! Operators and methods of complex numbers, as functions of the real plane.
//!
//! The cotangent of `z = x + i·y` is `∂L/∂x + i·∂L/∂y`. So a function that is differentiable in the complex sense, with
//! `dw = w'·dz`, pulls a cotangent back by `z̄ += w̄·conj(w')`: the product has `ā += w̄·conj(b)`.

use num_complex::Complex;

use super::{LikeNumbers, Operand};
use super::{add, cos, cosh, div, exp, ln, mul, powi, sin, sinh, sqrt, sub, tan, tanh};
use crate::activity::{Annotation, ForwardArg, ReverseArg};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::real::Real;
use crate::rule::{
    AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Lanes, Outcome, ReverseReturn,
    ReverseRule, Saved,
};
use crate::tangent::{Memory, Tangent};

/// Operators of two complex numbers: `name(a, b, w) => (∂w/∂a, ∂w/∂b)`.
macro_rules! binary {
    ($($op:ident($a:ident, $b:ident, $w:ident) => $partials:expr;)*) => {$(
        impl<T: Real> Operand<$op, (Complex<T>,)> for Complex<T> {
            type Output = Self;
            type Partials = (Self, Self);

            #[inline]
            fn partials(self, ($b,): (Self,), $w: Self) -> (Self, Self) {
                let $a = self;
                $partials
            }
            #[inline]
            fn pushforward((da, db): &(Self, Self), a: Self, (b,): (Self,)) -> Self {
                *da * a + *db * b
            }
            #[inline]
            fn pullback((da, db): &(Self, Self), w: &Self) -> (Self, (Self,)) {
                (*w * da.conj(), (*w * db.conj(),))
            }
        }

        impl<T: Real> LikeNumbers<$op, (Complex<T>,)> for Complex<T> {}
    )*};
}

/// The same with a real number on one side.
macro_rules! with_real {
    ($($op:ident),*) => {$(
        impl<T: Real> Operand<$op, (T,)> for Complex<T> {
            type Output = Self;
            type Partials = <Self as Operand<$op, (Self,)>>::Partials;

            #[inline]
            fn partials(self, (b,): (T,), w: Self) -> Self::Partials {
                Operand::<$op, (Self,)>::partials(self, (real(b),), w)
            }
            #[inline]
            fn pushforward(partials: &Self::Partials, a: Self, (b,): (T,)) -> Self {
                <Self as Operand<$op, (Self,)>>::pushforward(partials, a, (real(b),))
            }
            #[inline]
            fn pullback(partials: &Self::Partials, w: &Self) -> (Self, (T,)) {
                let (a, (b,)) = <Self as Operand<$op, (Self,)>>::pullback(partials, w);
                (a, (b.re,))
            }
        }

        impl<T: Real> LikeNumbers<$op, (T,)> for Complex<T> {}

        real_on_the_left!($op: f32, f64);
    )*};
}

macro_rules! real_on_the_left {
    ($op:ident: $($t:ty),*) => {$(
        impl Operand<$op, (Complex<$t>,)> for $t {
            type Output = Complex<$t>;
            type Partials = <Complex<$t> as Operand<$op, (Complex<$t>,)>>::Partials;

            #[inline]
            fn partials(self, b: (Complex<$t>,), w: Complex<$t>) -> Self::Partials {
                Operand::<$op, (Complex<$t>,)>::partials(real(self), b, w)
            }
            #[inline]
            fn pushforward(partials: &Self::Partials, a: $t, b: (Complex<$t>,)) -> Complex<$t> {
                <Complex<$t> as Operand<$op, (Complex<$t>,)>>::pushforward(partials, real(a), b)
            }
            #[inline]
            fn pullback(partials: &Self::Partials, w: &Complex<$t>) -> ($t, (Complex<$t>,)) {
                let (a, b) = <Complex<$t> as Operand<$op, (Complex<$t>,)>>::pullback(partials, w);
                (a.re, b)
            }
        }

        impl LikeNumbers<$op, (Complex<$t>,)> for $t {}
    )*};
}

#[inline]
fn real<T: Real>(x: T) -> Complex<T> {
    Complex::new(x, T::zero())
}

binary! {
    mul(a, b, _w) => (b, a);
    div(a, b, _w) => { let r = b.inv(); (r, -(a * r * r)) };
}

with_real!(add, sub, mul, div);

/// Functions that are differentiable in the complex sense: `name(z, w, rest) => w'`.
macro_rules! holomorphic {
    ($($op:ident($z:ident, $w:ident $(, $n:ident: $rest:ty)?) => $derivative:expr;)*) => {$(
        impl<T: Real> Operand<$op, ($($rest,)?)> for Complex<T> {
            type Output = Self;
            type Partials = Self;

            #[inline]
            fn partials(self, ($($n,)?): ($($rest,)?), $w: Self) -> Self {
                let $z = self;
                $derivative
            }
            #[inline]
            fn pushforward(derivative: &Self, dz: Self, _: ($($rest,)?)) -> Self {
                *derivative * dz
            }
            #[inline]
            fn pullback(derivative: &Self, w: &Self) -> (Self, ($($rest,)?)) {
                (*w * derivative.conj(), <($($rest,)?)>::default())
            }
        }

        impl<T: Real> LikeNumbers<$op, ($($rest,)?)> for Complex<T> {}
    )*};
}

holomorphic! {
    exp(_z, w) => w;
    ln(z, _w) => z.inv();
    sqrt(_z, w) => (w + w).inv();
    sin(z, _w) => z.cos();
    cos(z, _w) => -z.sin();
    tan(_z, w) => w * w + T::one();
    sinh(z, _w) => z.cosh();
    cosh(z, _w) => z.sinh();
    tanh(_z, w) => -(w * w) + T::one();
    powi(z, _w, n: i32) => z.powi(n - 1) * T::lit(f64::from(n));
}

/// A method of a complex number that is a function of the real plane.
pub trait Planar<Op>: Tangent<Owned = Self> + Sized {
    /// What it returns.
    type Out: Tangent<Owned = Self::Out> + Outcome<Value = Self::Out>;

    /// The value.
    fn value(self) -> Self::Out;

    /// The tangent of the value.
    fn tangent(self, dz: Self) -> Self::Out;

    /// The cotangent of the number.
    fn cotangent(self, dw: &Self::Out) -> Self;
}

macro_rules! planar {
    ($($(#[$doc:meta])* $op:ident($z:ident) -> $out:ty {
        value: $value:expr,
        tangent($dz:ident): $tangent:expr,
        cotangent($dw:ident): $cotangent:expr,
    })*) => {$(
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $op {}

        impl<T: Real> Planar<$op> for Complex<T> {
            type Out = $out;

            #[inline]
            fn value(self) -> $out {
                let $z = self;
                $value
            }
            #[inline]
            #[allow(unused_variables)]
            fn tangent(self, $dz: Self) -> $out {
                let $z = self;
                $tangent
            }
            #[inline]
            #[allow(unused_variables)]
            fn cotangent(self, $dw: &$out) -> Self {
                let ($z, $dw) = (self, *$dw);
                $cotangent
            }
        }

        impl<R, X, const W: usize> ForwardRule<R, (X,), W> for $op
        where
            X: ForwardArg<Number<X>, W> + Annotation<Primal: Memory>,
            Number<X>: Planar<$op> + Copy,
            R: ForwardReturn<W, Out = <Number<X> as Planar<$op>>::Out>,
        {
            #[inline]
            fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> ForwardOutcome<R, W> {
                let z = *x.primal();
                let tangent = |lane| x.tangent(lane).map_or_else(|| Tangent::zero_like(&z), |dz| *dz);
                R::Out::wrap(R::forward(config, || z.value(), |lane| z.tangent(tangent(lane))))
            }
        }

        impl<R, X, const W: usize> ReverseRule<R, (X,), W> for $op
        where
            X: ReverseArg<Number<X>, W> + Annotation<Primal: Memory>,
            Number<X>: Planar<$op> + Copy + Send + 'static,
            R: ReverseReturn<W, Out = <Number<X> as Planar<$op>>::Out>,
        {
            type Tape = Saved<Number<X>>;

            #[inline]
            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (x,): (&mut X,),
            ) -> AugmentedOutcome<R, Self::Tape, W> {
                let z = *x.primal();
                let saved = Saved::new(&z, config.overwritten(0));
                R::Out::wrap(R::augmented(config, z.value(), saved))
            }

            #[inline]
            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                saved: Self::Tape,
                (x,): (&mut X,),
            ) -> (X::Gradient,) {
                (x.accumulate(|lane, z, mut dz| {
                    if let Some(dw) = dret.lane(lane) {
                        dz.add(&saved.get(z).cotangent(dw));
                    }
                }),)
            }
        }
    )*};
}

/// The number that an argument stands for.
type Number<X> = <<X as Annotation>::Primal as Memory>::Target;

planar! {
    /// `conj(z)`.
    conj(z) -> Complex<T> {
        value: z.conj(),
        tangent(dz): dz.conj(),
        cotangent(dw): dw.conj(),
    }
    /// `|z|`: derivative 0 at the origin.
    norm(z) -> T {
        value: z.norm(),
        tangent(dz): if z.norm().is_zero() { T::zero() } else { (z.re * dz.re + z.im * dz.im) / z.norm() },
        cotangent(dw): if z.norm().is_zero() { z } else { z * (dw / z.norm()) },
    }
    /// `|z|²`.
    norm_sqr(z) -> T {
        value: z.norm_sqr(),
        tangent(dz): T::lit(2.0) * (z.re * dz.re + z.im * dz.im),
        cotangent(dw): z * (T::lit(2.0) * dw),
    }
    /// The angle of `z`: NaN at the origin.
    arg(z) -> T {
        value: z.arg(),
        tangent(dz): (z.re * dz.im - z.im * dz.re) / z.norm_sqr(),
        cotangent(dw): Complex::new(-z.im, z.re) * (dw / z.norm_sqr()),
    }
}

/// The rules of a complex number's methods, by the name of the method.
pub trait ComplexMethods {
    #[doc(hidden)]
    #[inline]
    fn rule_of_conj(&self) -> conj {
        conj {}
    }
    #[doc(hidden)]
    #[inline]
    fn rule_of_norm(&self) -> norm {
        norm {}
    }
    #[doc(hidden)]
    #[inline]
    fn rule_of_norm_sqr(&self) -> norm_sqr {
        norm_sqr {}
    }
    #[doc(hidden)]
    #[inline]
    fn rule_of_arg(&self) -> arg {
        arg {}
    }
}

impl<T: Real> ComplexMethods for Complex<T> {}
