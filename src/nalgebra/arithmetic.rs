//! `+ − · /` of vectors and matrices, and their multiples by numbers.

use ::nalgebra::{Const, Dyn, OMatrix, Point, Quaternion, RealField, SMatrix};

use crate::operators;
use crate::ops::{self, Additive, Pair};
use crate::real::Real;
use crate::tangent::Tangent;

/// Types that are added entry by entry.
macro_rules! sums {
    ($([$($g:tt)*] $t:ty;)*) => {$(
        impl<$($g)*> Additive for $t {}

        impl<$($g)*> Pair<ops::add, $t> for $t {
            type Out = $t;

            const READS: bool = false;

            #[inline]
            fn value(&self, other: &$t) -> $t {
                self.clone() + other.clone()
            }
            #[inline]
            fn tangent(&self, _: &$t, da: Option<&$t>, db: Option<&$t>) -> $t {
                let mut sum = da.map_or_else(|| Tangent::zero_like(self), Clone::clone);
                db.into_iter().for_each(|db| Tangent::accumulate(&mut sum, db));
                sum
            }
            #[inline]
            fn pull_left(_: &$t, _: &$t, dout: &$t, da: &mut $t) {
                Tangent::accumulate(da, dout);
            }
            #[inline]
            fn pull_right(_: &$t, _: &$t, dout: &$t, db: &mut $t) {
                Tangent::accumulate(db, dout);
            }
        }

        impl<$($g)*> Pair<ops::sub, $t> for $t {
            type Out = $t;

            const READS: bool = false;

            #[inline]
            fn value(&self, other: &$t) -> $t {
                self.clone() - other.clone()
            }
            #[inline]
            fn tangent(&self, _: &$t, da: Option<&$t>, db: Option<&$t>) -> $t {
                let mut sum = da.map_or_else(|| Tangent::zero_like(self), Clone::clone);
                db.into_iter().for_each(|db| Tangent::accumulate(&mut sum, &-db.clone()));
                sum
            }
            #[inline]
            fn pull_left(_: &$t, _: &$t, dout: &$t, da: &mut $t) {
                Tangent::accumulate(da, dout);
            }
            #[inline]
            fn pull_right(_: &$t, _: &$t, dout: &$t, db: &mut $t) {
                Tangent::accumulate(db, &-dout.clone());
            }
        }
    )*};
}

sums! {
    [T: Real, const R: usize, const C: usize] SMatrix<T, R, C>;
    [T: Real] OMatrix<T, Dyn, Dyn>;
    [T: Real, const C: usize] OMatrix<T, Dyn, Const<C>>;
    [T: Real, const R: usize] OMatrix<T, Const<R>, Dyn>;
    [T: Real + RealField] Quaternion<T>;
}

/// Types that are multiplied and divided by numbers.
macro_rules! multiples {
    ($([$($g:tt)*] $t:ty;)*) => {$(
        multiples!(@by [T: Real $($g)*] $t, T);
        operators! {
            [T: Real $($g)*] ($t) mul (T);
            [T: Real $($g)*] ($t) div (T);
        }
    )*};
    (@by [$($g:tt)*] $t:ty, $k:ty) => {
        impl<$($g)*> Pair<ops::mul, $k> for $t {
            type Out = $t;

            const READS: bool = true;

            #[inline]
            fn value(&self, k: &$k) -> $t {
                self.clone() * *k
            }
            #[inline]
            fn tangent(&self, k: &$k, da: Option<&$t>, dk: Option<&$k>) -> $t {
                let mut sum = da.map_or_else(|| Tangent::zero_like(self), |da| da.clone() * *k);
                dk.into_iter().for_each(|dk| Tangent::accumulate(&mut sum, &(self.clone() * *dk)));
                sum
            }
            #[inline]
            fn pull_left(_: &$t, k: &$k, dout: &$t, da: &mut $t) {
                Tangent::accumulate(da, &(dout.clone() * *k));
            }
            #[inline]
            fn pull_right(a: &$t, _: &$k, dout: &$t, dk: &mut $k) {
                *dk += crate::foreign::inner(a, dout);
            }
        }

        impl<$($g)*> Pair<ops::div, $k> for $t {
            type Out = $t;

            const READS: bool = true;

            #[inline]
            fn value(&self, k: &$k) -> $t {
                self.clone() / *k
            }
            #[inline]
            fn tangent(&self, k: &$k, da: Option<&$t>, dk: Option<&$k>) -> $t {
                let mut sum = da.map_or_else(|| Tangent::zero_like(self), |da| da.clone() / *k);
                dk.into_iter().for_each(|dk| Tangent::accumulate(&mut sum, &(self.clone() * (-*dk / (*k * *k)))));
                sum
            }
            #[inline]
            fn pull_left(_: &$t, k: &$k, dout: &$t, da: &mut $t) {
                Tangent::accumulate(da, &(dout.clone() / *k));
            }
            #[inline]
            fn pull_right(a: &$t, k: &$k, dout: &$t, dk: &mut $k) {
                *dk -= crate::foreign::inner(a, dout) / (*k * *k);
            }
        }
    };
}

multiples! {
    [, const R: usize, const C: usize] SMatrix<T, R, C>;
    [] OMatrix<T, Dyn, Dyn>;
    [, const C: usize] OMatrix<T, Dyn, Const<C>>;
    [, const R: usize] OMatrix<T, Const<R>, Dyn>;
    [, const D: usize] Point<T, D>;
    [+ RealField] Quaternion<T>;
}

/// A number on the left: the product is the same.
macro_rules! number_on_the_left {
    ($t:ty) => {
        number_on_the_left! { $t:
            [const R: usize, const C: usize] SMatrix<$t, R, C>;
            [] OMatrix<$t, Dyn, Dyn>;
            [const C: usize] OMatrix<$t, Dyn, Const<C>>;
            [const R: usize] OMatrix<$t, Const<R>, Dyn>;
            [const D: usize] Point<$t, D>;
            [] Quaternion<$t>;
        }
    };
    ($t:ty: $([$($g:tt)*] $m:ty;)*) => {$(
        impl<$($g)*> Pair<ops::mul, $m> for $t {
            type Out = $m;

            const READS: bool = true;

            #[inline]
            fn value(&self, m: &$m) -> $m {
                m.clone() * *self
            }
            #[inline]
            fn tangent(&self, m: &$m, dk: Option<&$t>, dm: Option<&$m>) -> $m {
                Pair::<ops::mul, $t>::tangent(m, self, dm, dk)
            }
            #[inline]
            fn pull_left(k: &$t, m: &$m, dout: &$m, dk: &mut $t) {
                <$m as Pair<ops::mul, $t>>::pull_right(m, k, dout, dk);
            }
            #[inline]
            fn pull_right(k: &$t, m: &$m, dout: &$m, dm: &mut $m) {
                <$m as Pair<ops::mul, $t>>::pull_left(m, k, dout, dm);
            }
        }

        operators! { number: [$($g)*] ($t) mul ($m); }
    )*};
}

number_on_the_left!(f32);
number_on_the_left!(f64);
