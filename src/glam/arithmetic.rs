//! Operators: `+ −` of one type, multiples, products.

use ::glam::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Mat2, Mat3, Mat4, Quat, Vec2, Vec3, Vec4,
};

use super::space::Numbers;
use crate::operators;
use crate::ops::{self, Additive, Pair};
use crate::tangent::Tangent;

/// A function that is linear in both operands: its value and its transposes.
macro_rules! bilinear {
    ($($op:ty: ($a:ty, $b:ty) -> $out:ty {
        |$x:ident, $y:ident| $value:expr; left: |$ly:ident, $ld:ident| $left:expr; right: |$rx:ident, $rd:ident| $right:expr;
    })*) => {$(
        impl Pair<$op, $b> for $a {
            type Out = $out;

            const READS: bool = true;

            #[inline]
            fn value(&self, other: &$b) -> $out {
                let ($x, $y) = (*self, *other);
                $value
            }
            #[inline]
            fn tangent(&self, other: &$b, da: Option<&$a>, db: Option<&$b>) -> $out {
                let of = |$x: $a, $y: $b| -> $out { $value };
                let mut sum = crate::__private::Blank::blank();
                da.into_iter().for_each(|da| <$out>::accumulate(&mut sum, &of(*da, *other)));
                db.into_iter().for_each(|db| <$out>::accumulate(&mut sum, &of(*self, *db)));
                sum
            }
            #[inline]
            fn pull_left(_: &$a, $ly: &$b, $ld: &$out, da: &mut $a) {
                let ($ly, $ld) = (*$ly, *$ld);
                Tangent::accumulate(da, &$left);
            }
            #[inline]
            fn pull_right($rx: &$a, _: &$b, $rd: &$out, db: &mut $b) {
                let ($rx, $rd) = (*$rx, *$rd);
                Tangent::accumulate(db, &$right);
            }
        }
    )*};
}
pub(super) use bilinear;

macro_rules! sums {
    ($($v:ty),*) => {$(
        impl Additive for $v {}

        sums!(@op $v, add, +, 1.0);
        sums!(@op $v, sub, -, -1.0);
    )*};
    (@op $v:ty, $op:ident, $sign:tt, $by:literal) => {
        impl Pair<ops::$op, $v> for $v {
            type Out = $v;

            const READS: bool = false;

            #[inline]
            fn value(&self, other: &$v) -> $v {
                *self $sign *other
            }
            #[inline]
            fn tangent(&self, _: &$v, da: Option<&$v>, db: Option<&$v>) -> $v {
                let mut sum = db.map_or_else(|| Tangent::zero_like(self), |db| *db);
                Tangent::scale(&mut sum, $by);
                da.into_iter().for_each(|da| Tangent::accumulate(&mut sum, da));
                sum
            }
            #[inline]
            fn pull_left(_: &$v, _: &$v, dout: &$v, da: &mut $v) {
                Tangent::accumulate(da, dout);
            }
            #[inline]
            fn pull_right(_: &$v, _: &$v, dout: &$v, db: &mut $v) {
                let mut part = *dout;
                Tangent::scale(&mut part, $by);
                Tangent::accumulate(db, &part);
            }
        }
    };
}

sums!(
    DVec2, DVec3, DVec4, DMat2, DMat3, DMat4, DQuat, Vec2, Vec3, Vec4, Mat2, Mat3, Mat4, Quat
);

/// Multiples by numbers on either side.
macro_rules! multiples {
    ($($t:ty: $($v:ty),*;)*) => {$($(
        bilinear! {
            ops::mul: ($v, $t) -> $v { |a, k| a * k; left: |k, d| d * k; right: |a, d| a.inner_product(d); }
        }
        operators! { [] ($v) mul ($t); }
    )*)*};
}

multiples! {
    f64: DVec2, DVec3, DVec4, DMat2, DMat3, DMat4, DQuat;
    f32: Vec2, Vec3, Vec4, Mat2, Mat3, Mat4, Quat;
}

macro_rules! numbers_on_the_left {
    ($($t:ty: $($v:ty),*;)*) => {$($(
        bilinear! {
            ops::mul: ($t, $v) -> $v { |k, a| k * a; left: |a, d| a.inner_product(d); right: |k, d| d * k; }
        }
        operators! { number: [] ($t) mul ($v); }
    )*)*};
}

numbers_on_the_left! {
    f64: DVec2, DVec3, DVec4, DMat2, DMat3, DMat4;
    f32: Vec2, Vec3, Vec4, Mat2, Mat3, Mat4;
}

/// `a / k` and, of vectors, `a / b` component by component.
macro_rules! quotients {
    ($($a:ty, $b:ty: |$x:ident, $d:ident| $pull:expr;)*) => {$(
        impl Pair<ops::div, $b> for $a {
            type Out = $a;

            const READS: bool = true;

            #[inline]
            fn value(&self, b: &$b) -> $a {
                *self / *b
            }
            #[inline]
            fn tangent(&self, b: &$b, da: Option<&$a>, db: Option<&$b>) -> $a {
                let mut sum = da.map_or_else(|| Tangent::zero_like(self), |da| *da / *b);
                if let Some(db) = db {
                    Tangent::accumulate(&mut sum, &(-(*self * *db) / *b / *b));
                }
                sum
            }
            #[inline]
            fn pull_left(_: &$a, b: &$b, dout: &$a, da: &mut $a) {
                Tangent::accumulate(da, &(*dout / *b));
            }
            #[inline]
            fn pull_right(a: &$a, b: &$b, dout: &$a, db: &mut $b) {
                let ($x, $d) = (*a, *dout / *b / *b);
                Tangent::accumulate(db, &-$pull);
            }
        }
        operators! { [] ($a) div ($b); }
    )*};
}

quotients! {
    DVec2, f64: |a, d| a.dot(d);
    DVec3, f64: |a, d| a.dot(d);
    DVec4, f64: |a, d| a.dot(d);
    Vec2, f32: |a, d| a.dot(d);
    Vec3, f32: |a, d| a.dot(d);
    Vec4, f32: |a, d| a.dot(d);
    DVec2, DVec2: |a, d| a * d;
    DVec3, DVec3: |a, d| a * d;
    DVec4, DVec4: |a, d| a * d;
    Vec2, Vec2: |a, d| a * d;
    Vec3, Vec3: |a, d| a * d;
    Vec4, Vec4: |a, d| a * d;
}

/// Products of vectors component by component, of matrices and vectors, of matrices.
macro_rules! products {
    ($($t:ident $m:ident $v:ident: |$d:ident, $b:ident| $outer:expr;)*) => {$(
        bilinear! {
            ops::mul: ($v, $v) -> $v { |a, b| a * b; left: |b, d| b * d; right: |a, d| a * d; }
            ops::dot: ($v, $v) -> $t { |a, b| a.dot(b); left: |b, d| b * d; right: |a, d| a * d; }
            ops::mul: ($m, $v) -> $v { |m, v| m * v; left: |$b, $d| $outer; right: |m, d| m.transpose() * d; }
            ops::mul: ($m, $m) -> $m { |a, b| a * b; left: |b, d| d * b.transpose(); right: |a, d| a.transpose() * d; }
        }
        operators! {
            [] ($v) mul ($v);
            [] ($m) mul ($v);
            [] ($m) mul ($m);
        }
    )*};
}

products! {
    f64 DMat2 DVec2: |d, v| DMat2::from_cols(d * v.x, d * v.y);
    f64 DMat3 DVec3: |d, v| DMat3::from_cols(d * v.x, d * v.y, d * v.z);
    f64 DMat4 DVec4: |d, v| DMat4::from_cols(d * v.x, d * v.y, d * v.z, d * v.w);
    f32 Mat2 Vec2: |d, v| Mat2::from_cols(d * v.x, d * v.y);
    f32 Mat3 Vec3: |d, v| Mat3::from_cols(d * v.x, d * v.y, d * v.z);
    f32 Mat4 Vec4: |d, v| Mat4::from_cols(d * v.x, d * v.y, d * v.z, d * v.w);
}

/// Hamilton's product, and `v·(w² − b²) + 2b·(v·b) + 2w·(b × v)` of a quaternion `(b, w)` and a vector, which is what `glam` computes
/// whether the quaternion is a unit or not.
macro_rules! quaternions {
    ($($q:ident $v:ident;)*) => {$(
        bilinear! {
            ops::mul: ($q, $q) -> $q {
                |p, q| p * q;
                left: |q, d| d * q.conjugate(); right: |p, d| p.conjugate() * d;
            }
        }

        impl Pair<ops::mul, $v> for $q {
            type Out = $v;

            const READS: bool = true;

            #[inline]
            fn value(&self, v: &$v) -> $v {
                *self * *v
            }
            fn tangent(&self, v: &$v, dq: Option<&$q>, dv: Option<&$v>) -> $v {
                let (b, w) = ($v::new(self.x, self.y, self.z), self.w);
                let turned = |v: $v| v * (w * w - b.dot(b)) + b * (2.0 * v.dot(b)) + b.cross(v) * (2.0 * w);
                let mut sum = dv.map_or($v::ZERO, |dv| turned(*dv));
                if let Some(dq) = dq {
                    let (v, db, dw) = (*v, $v::new(dq.x, dq.y, dq.z), dq.w);
                    sum += v * (2.0 * (w * dw - b.dot(db))) + (db * v.dot(b) + b * v.dot(db)) * 2.0;
                    sum += (b.cross(v) * dw + db.cross(v) * w) * 2.0;
                }
                sum
            }
            fn pull_left(q: &$q, v: &$v, d: &$v, dq: &mut $q) {
                let (v, d, b, w) = (*v, *d, $v::new(q.x, q.y, q.z), q.w);
                let of_w = 2.0 * (w * d.dot(v) + d.dot(b.cross(v)));
                let of_b = (d * v.dot(b) + v * d.dot(b) - b * d.dot(v) + v.cross(d) * w) * 2.0;
                Tangent::accumulate(dq, &$q::from_xyzw(of_b.x, of_b.y, of_b.z, of_w));
            }
            fn pull_right(q: &$q, _: &$v, d: &$v, dv: &mut $v) {
                let (d, b, w) = (*d, $v::new(q.x, q.y, q.z), q.w);
                *dv += d * (w * w - b.dot(b)) + b * (2.0 * d.dot(b)) + d.cross(b) * (2.0 * w);
            }
        }

        operators! {
            [] ($q) mul ($q);
            [] ($q) mul ($v);
        }
    )*};
}

quaternions! {
    DQuat DVec3;
    Quat Vec3;
}
