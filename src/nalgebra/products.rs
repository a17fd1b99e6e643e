//! Products: of matrices, of vectors, entry by entry.
//!
//! Source: Giles 2008, *Collected matrix derivative results for forward and reverse mode algorithmic differentiation*,
//! doi:10.1007/978-3-540-68942-3_4, section 2.2.

use ::nalgebra::{Const, Dyn, OMatrix, SMatrix, Vector2, Vector3};

use super::space::Shapeless;
use crate::foreign::markers;
use crate::ops::{self, Pair, dot};
use crate::real::Real;
use crate::tangent::Tangent;
use crate::{operators, pair_rules};

markers! {
    /// `a.tr_mul(&b)`, which is `aᵀ·b`.
    tr_mul;
    /// `a.cross(&b)` of vectors with three entries.
    cross;
    /// `a.perp(&b)` of vectors with two entries.
    perp;
    /// `a.component_mul(&b)`.
    component_mul;
    /// `a.component_div(&b)`.
    component_div;
}

pair_rules!(tr_mul, cross, perp, component_mul, component_div);

/// A bilinear function: its value, and both transposes. An operand that is not kept is blank, and then its partner's
/// derivative is not asked for.
macro_rules! bilinear {
    ($([$($g:tt)*] $op:ty: ($a:ty, $b:ty) -> $out:ty {
        |$x:ident, $y:ident| $value:expr; zero: |$zx:ident, $zy:ident| $zero:expr;
        left: |$ly:ident, $ld:ident| $left:expr; right: |$rx:ident, $rd:ident| $right:expr;
    })*) => {$(
        impl<$($g)*> Pair<$op, $b> for $a {
            type Out = $out;

            const READS: bool = true;

            #[inline]
            fn value(&self, other: &$b) -> $out {
                let ($x, $y) = (self, other);
                $value
            }
            #[inline]
            fn tangent(&self, other: &$b, da: Option<&$a>, db: Option<&$b>) -> $out {
                let of = |$x: &$a, $y: &$b| -> $out { $value };
                let (da, db) = (da.filter(|da| !da.is_shapeless()), db.filter(|db| !db.is_shapeless()));
                match (da, db) {
                    (Some(da), Some(db)) => {
                        let mut sum = of(da, other);
                        Tangent::accumulate(&mut sum, &of(self, db));
                        sum
                    }
                    (Some(da), None) => of(da, other),
                    (None, Some(db)) => of(self, db),
                    (None, None) => {
                        let ($zx, $zy) = (self, other);
                        $zero
                    }
                }
            }
            #[inline]
            fn pull_left(_: &$a, $ly: &$b, $ld: &$out, da: &mut $a) {
                if !$ly.is_shapeless() && !$ld.is_shapeless() {
                    Tangent::accumulate(da, &$left);
                }
            }
            #[inline]
            fn pull_right($rx: &$a, _: &$b, $rd: &$out, db: &mut $b) {
                if !$rx.is_shapeless() && !$rd.is_shapeless() {
                    Tangent::accumulate(db, &$right);
                }
            }
        }
    )*};
}

/// `a·b` and `aᵀ·b`.
macro_rules! products {
    ($([$($g:tt)*] ($a:ty, $at:ty) * ($b:ty) -> $out:ty;)*) => {$(
        bilinear! {
            [T: Real $($g)*] ops::mul: ($a, $b) -> $out {
                |a, b| a * b; zero: |a, b| Tangent::zero_like(&(a * b));
                left: |b, d| d * b.transpose(); right: |a, d| a.tr_mul(d);
            }
            [T: Real $($g)*] tr_mul: ($at, $b) -> $out {
                |a, b| a.tr_mul(b); zero: |a, b| Tangent::zero_like(&a.tr_mul(b));
                left: |b, d| b * d.transpose(); right: |a, d| a * d;
            }
        }
        operators! { [T: Real $($g)*] ($a) mul ($b); }
    )*};
}

products! {
    [, const M: usize, const K: usize, const N: usize] (SMatrix<T, M, K>, SMatrix<T, K, M>) * (SMatrix<T, K, N>) -> SMatrix<T, M, N>;
    [] (OMatrix<T, Dyn, Dyn>, OMatrix<T, Dyn, Dyn>) * (OMatrix<T, Dyn, Dyn>) -> OMatrix<T, Dyn, Dyn>;
    [, const N: usize] (OMatrix<T, Dyn, Dyn>, OMatrix<T, Dyn, Dyn>) * (OMatrix<T, Dyn, Const<N>>) -> OMatrix<T, Dyn, Const<N>>;
    [, const M: usize] (OMatrix<T, Const<M>, Dyn>, OMatrix<T, Dyn, Const<M>>) * (OMatrix<T, Dyn, Dyn>) -> OMatrix<T, Const<M>, Dyn>;
    [, const M: usize, const N: usize] (OMatrix<T, Const<M>, Dyn>, OMatrix<T, Dyn, Const<M>>) * (OMatrix<T, Dyn, Const<N>>) -> SMatrix<T, M, N>;
    [, const K: usize] (OMatrix<T, Dyn, Const<K>>, OMatrix<T, Const<K>, Dyn>) * (OMatrix<T, Const<K>, Dyn>) -> OMatrix<T, Dyn, Dyn>;
    [, const K: usize, const N: usize] (OMatrix<T, Dyn, Const<K>>, OMatrix<T, Const<K>, Dyn>) * (SMatrix<T, K, N>) -> OMatrix<T, Dyn, Const<N>>;
    [, const M: usize, const K: usize] (SMatrix<T, M, K>, SMatrix<T, K, M>) * (OMatrix<T, Const<K>, Dyn>) -> OMatrix<T, Const<M>, Dyn>;
}

/// What every two matrices of one shape have.
macro_rules! entrywise {
    ($([$($g:tt)*] $m:ty;)*) => {
        bilinear! {$(
            [T: Real $($g)*] dot: ($m, $m) -> T {
                |a, b| a.dot(b); zero: |_a, _b| T::zero();
                left: |b, d| b.clone() * *d; right: |a, d| a.clone() * *d;
            }
            [T: Real $($g)*] component_mul: ($m, $m) -> $m {
                |a, b| a.component_mul(b); zero: |a, _b| Tangent::zero_like(a);
                left: |b, d| d.component_mul(b); right: |a, d| d.component_mul(a);
            }
        )*}
        $(
            impl<T: Real $($g)*> Pair<component_div, $m> for $m {
                type Out = $m;

                const READS: bool = true;

                fn value(&self, b: &$m) -> $m {
                    self.component_div(b)
                }
                fn tangent(&self, b: &$m, da: Option<&$m>, db: Option<&$m>) -> $m {
                    let mut sum = da.map_or_else(|| Tangent::zero_like(self), |da| da.component_div(b));
                    if let Some(db) = db {
                        sum -= self.component_mul(db).component_div(&b.component_mul(b));
                    }
                    sum
                }
                fn pull_left(_: &$m, b: &$m, dout: &$m, da: &mut $m) {
                    Tangent::accumulate(da, &dout.component_div(b));
                }
                fn pull_right(a: &$m, b: &$m, dout: &$m, db: &mut $m) {
                    Tangent::accumulate(db, &-dout.component_mul(a).component_div(&b.component_mul(b)));
                }
            }
        )*
    };
}

entrywise! {
    [, const R: usize, const C: usize] SMatrix<T, R, C>;
    [] OMatrix<T, Dyn, Dyn>;
    [, const C: usize] OMatrix<T, Dyn, Const<C>>;
    [, const R: usize] OMatrix<T, Const<R>, Dyn>;
}

bilinear! {
    [T: Real] cross: (Vector3<T>, Vector3<T>) -> Vector3<T> {
        |a, b| a.cross(b); zero: |_a, _b| Vector3::zeros();
        left: |b, d| b.cross(d); right: |a, d| d.cross(a);
    }
    [T: Real] perp: (Vector2<T>, Vector2<T>) -> T {
        |a, b| a.perp(b); zero: |_a, _b| T::zero();
        left: |b, d| Vector2::new(b.y, -b.x) * *d; right: |a, d| Vector2::new(-a.y, a.x) * *d;
    }
}
