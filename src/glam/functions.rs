//! Methods of vectors, matrices and quaternions.

use ::glam::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Mat2, Mat3, Mat4, Quat, Vec2, Vec3, Vec4,
};

use super::arithmetic::bilinear;
use super::space::Numbers;
use crate::foreign::markers;
use crate::ops::{Pair, Single};
use crate::tangent::Tangent;
use crate::{pair_rules, single_rules};

markers! {
    /// `a.cross(b)`.
    cross;
    /// `a.perp_dot(b)`.
    perp_dot;
    /// `a.distance(b)`: derivative 0 where both are the same.
    distance;
    /// `a.distance_squared(b)`.
    distance_squared;
    /// `v.extend(z)`.
    extend;
    /// `m.transform_point3(p)`.
    transform_point;
    /// `m.transform_vector3(v)`.
    transform_vector;
    /// `a.length()`: derivative 0 at the origin.
    length;
    /// `a.length_squared()`.
    length_squared;
    /// `a.normalize()`: NaN at the origin, as in the primal.
    normalize;
    /// `a.element_sum()`.
    element_sum;
    /// `v.truncate()`.
    truncate;
    /// `m.transpose()`.
    transpose;
    /// `m.determinant()`.
    determinant;
    /// `m.inverse()`, and `q.inverse()` of a unit quaternion, which is its conjugate.
    inverse;
}

pair_rules!(
    cross,
    perp_dot,
    distance,
    distance_squared,
    extend,
    transform_point,
    transform_vector
);
single_rules! {
    length: ();
    length_squared: ();
    normalize: ();
    element_sum: ();
    truncate: ();
    transpose: ();
    determinant: ();
    inverse: ();
}

/// A function of one value, where what both directions share is the value itself.
macro_rules! functions {
    ($($op:ident: $a:ty => $out:ty {
        |$x:ident| $value:expr; |$px:ident, $py:ident, $pd:ident| $push:expr; |$bx:ident, $by:ident, $bd:ident| $pull:expr;
    })*) => {$(
        impl Single<$op> for $a {
            type Out = $out;
            type Kept = $out;

            const READS: bool = true;

            #[inline]
            fn value(&self, (): &()) -> ($out, $out) {
                let $x = *self;
                let value = $value;
                (value, value)
            }
            #[inline]
            #[allow(unused_variables)]
            fn tangent(&self, (): &(), kept: &$out, da: &$a) -> $out {
                let ($px, $py, $pd) = (*self, *kept, *da);
                $push
            }
            #[inline]
            #[allow(unused_variables)]
            fn pull(a: &$a, (): &(), kept: &$out, dout: &$out, da: &mut $a) {
                let ($bx, $by, $bd) = (*a, *kept, *dout);
                Tangent::accumulate(da, &$pull);
            }
        }
    )*};
}

macro_rules! norms {
    ($($t:ty: $($v:ident)*;)*) => {$($(
        functions! {
            length: $v => $t {
                |a| a.length();
                |a, y, da| if y == 0.0 { 0.0 } else { a.inner_product(da) / y };
                |a, y, d| if y == 0.0 { a * 0.0 } else { a * (d / y) };
            }
            length_squared: $v => $t {
                |a| a.length_squared(); |a, y, da| 2.0 * a.inner_product(da); |a, y, d| a * (2.0 * d);
            }
            normalize: $v => $v {
                |a| a.normalize();
                |a, y, da| (da - y * y.inner_product(da)) / a.length();
                |a, y, d| (d - y * y.inner_product(d)) / a.length();
            }
        }
    )*)*};
}

norms! {
    f64: DVec2 DVec3 DVec4 DQuat;
    f32: Vec2 Vec3 Vec4 Quat;
}

macro_rules! vectors {
    ($($t:ty: $($v:ident)*;)*) => {$($(
        functions! {
            element_sum: $v => $t { |a| a.element_sum(); |a, y, da| da.element_sum(); |a, y, d| $v::splat(d); }
        }

        impl Pair<distance, $v> for $v {
            type Out = $t;

            const READS: bool = true;

            fn value(&self, b: &$v) -> $t {
                self.distance(*b)
            }
            fn tangent(&self, b: &$v, da: Option<&$v>, db: Option<&$v>) -> $t {
                if da.is_none() && db.is_none() {
                    return 0.0;
                }
                let moved = da.map_or($v::ZERO, |da| *da) - db.map_or($v::ZERO, |db| *db);
                (*self - *b).normalize_or_zero().dot(moved)
            }
            fn pull_left(a: &$v, b: &$v, dout: &$t, da: &mut $v) {
                *da += (*a - *b).normalize_or_zero() * *dout;
            }
            fn pull_right(a: &$v, b: &$v, dout: &$t, db: &mut $v) {
                *db -= (*a - *b).normalize_or_zero() * *dout;
            }
        }

        impl Pair<distance_squared, $v> for $v {
            type Out = $t;

            const READS: bool = true;

            fn value(&self, b: &$v) -> $t {
                self.distance_squared(*b)
            }
            fn tangent(&self, b: &$v, da: Option<&$v>, db: Option<&$v>) -> $t {
                if da.is_none() && db.is_none() {
                    return 0.0;
                }
                let moved = da.map_or($v::ZERO, |da| *da) - db.map_or($v::ZERO, |db| *db);
                2.0 * (*self - *b).dot(moved)
            }
            fn pull_left(a: &$v, b: &$v, dout: &$t, da: &mut $v) {
                *da += (*a - *b) * (2.0 * *dout);
            }
            fn pull_right(a: &$v, b: &$v, dout: &$t, db: &mut $v) {
                *db -= (*a - *b) * (2.0 * *dout);
            }
        }
    )*)*};
}

vectors! {
    f64: DVec2 DVec3 DVec4;
    f32: Vec2 Vec3 Vec4;
}

macro_rules! of_number_type {
    ($($t:ident: $v2:ident $v3:ident $v4:ident $m4:ident;)*) => {$(
        bilinear! {
            cross: ($v3, $v3) -> $v3 { |a, b| a.cross(b); left: |b, d| b.cross(d); right: |a, d| d.cross(a); }
            perp_dot: ($v2, $v2) -> $t {
                |a, b| a.perp_dot(b);
                left: |b, d| $v2::new(b.y, -b.x) * d; right: |a, d| $v2::new(-a.y, a.x) * d;
            }
            transform_vector: ($m4, $v3) -> $v3 {
                |m, v| (m * v.extend(0.0)).truncate();
                left: |v, d| $m4::from_cols(d.extend(0.0) * v.x, d.extend(0.0) * v.y, d.extend(0.0) * v.z, $v4::ZERO);
                right: |m, d| (m.transpose() * d.extend(0.0)).truncate();
            }
        }

        /// `A·p + t`, where a projective last row is not looked at.
        impl Pair<transform_point, $v3> for $m4 {
            type Out = $v3;

            const READS: bool = true;

            fn value(&self, p: &$v3) -> $v3 {
                self.transform_point3(*p)
            }
            fn tangent(&self, p: &$v3, dm: Option<&$m4>, dp: Option<&$v3>) -> $v3 {
                let moved = dm.map_or($v3::ZERO, |dm| (*dm * p.extend(1.0)).truncate());
                moved + dp.map_or($v3::ZERO, |dp| (*self * dp.extend(0.0)).truncate())
            }
            fn pull_left(_: &$m4, p: &$v3, dout: &$v3, dm: &mut $m4) {
                let d = dout.extend(0.0);
                *dm += $m4::from_cols(d * p.x, d * p.y, d * p.z, d);
            }
            fn pull_right(m: &$m4, _: &$v3, dout: &$v3, dp: &mut $v3) {
                *dp += (m.transpose() * dout.extend(0.0)).truncate();
            }
        }

        extend! { $v2 $t $v3: z, xy; $v3 $t $v4: w, xyz; }

        functions! {
            truncate: $v3 => $v2 { |a| a.truncate(); |a, y, da| da.truncate(); |a, y, d| d.extend(0.0); }
            truncate: $v4 => $v3 { |a| a.truncate(); |a, y, da| da.truncate(); |a, y, d| d.extend(0.0); }
        }
    )*};
}

macro_rules! extend {
    ($($v:ident $t:ident $out:ident: $last:ident, $rest:ident;)*) => {$(
        impl Pair<extend, $t> for $v {
            type Out = $out;

            const READS: bool = false;

            fn value(&self, last: &$t) -> $out {
                self.extend(*last)
            }
            fn tangent(&self, _: &$t, da: Option<&$v>, dlast: Option<&$t>) -> $out {
                da.map_or($v::ZERO, |da| *da).extend(dlast.map_or(0.0, |d| *d))
            }
            fn pull_left(_: &$v, _: &$t, dout: &$out, da: &mut $v) {
                *da += dout.truncate();
            }
            fn pull_right(_: &$v, _: &$t, dout: &$out, dlast: &mut $t) {
                *dlast += dout.$last;
            }
        }
    )*};
}

of_number_type! {
    f64: DVec2 DVec3 DVec4 DMat4;
    f32: Vec2 Vec3 Vec4 Mat4;
}

/// `d(A⁻¹) = −A⁻¹·dA·A⁻¹`, `d det A = det A · tr(A⁻¹·dA)`: of an invertible matrix.
macro_rules! matrices {
    ($($t:ty: $($m:ident)*;)*) => {$($(
        functions! {
            transpose: $m => $m { |a| a.transpose(); |a, y, da| da.transpose(); |a, y, d| d.transpose(); }
            inverse: $m => $m { |a| a.inverse(); |a, y, da| -(y * da * y); |a, y, d| -(y.transpose() * d * y.transpose()); }
            determinant: $m => $t {
                |a| a.determinant();
                |a, y, da| a.inverse().transpose().inner_product(da) * y;
                |a, y, d| a.inverse().transpose() * (d * y);
            }
        }
    )*)*};
}

matrices! {
    f64: DMat2 DMat3 DMat4;
    f32: Mat2 Mat3 Mat4;
}

functions! {
    inverse: DQuat => DQuat { |q| q.conjugate(); |q, y, dq| dq.conjugate(); |q, y, d| d.conjugate(); }
    inverse: Quat => Quat { |q| q.conjugate(); |q, y, dq| dq.conjugate(); |q, y, d| d.conjugate(); }
}
