//! Constructors: `DVec3::new(x, y, z)`, `DQuat::from_rotation_z(angle)`.
//!
//! A function `Type::name` has the marker `Type_name`, which differentiated code finds by the type.

use ::glam::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Mat2, Mat3, Mat4, Quat, Vec2, Vec3, Vec4,
};

use crate::constructors::found;
use crate::foreign::{Components, Formula, append, entries, formulas, pull, push};
use crate::ops::Single;
use crate::real::Real;
use crate::single_rules;
use crate::tangent::Tangent;

/// The matrix of a quaternion that is taken for a unit, column after column, as `glam` computes it.
fn matrix<T: Real>([x, y, z, w]: [T; 4]) -> [T; 9] {
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let one = T::one();
    [
        one - (y * y2 + z * z2),
        x * y2 + w * z2,
        x * z2 - w * y2,
        x * y2 - w * z2,
        one - (x * x2 + z * z2),
        y * z2 + w * x2,
        x * z2 + w * y2,
        y * z2 - w * x2,
        one - (x * x2 + y * y2),
    ]
}

/// `(axis·sin θ/2, cos θ/2)`.
fn about<T: Real>([x, y, z]: [T; 3], angle: T) -> [T; 4] {
    let (sin, cos) = (angle * T::lit(0.5)).sin_cos();
    [x * sin, y * sin, z * sin, cos]
}

/// The axis with this number.
fn axis<T: Real>(i: usize) -> [T; 3] {
    std::array::from_fn(|j| if i == j { T::one() } else { T::zero() })
}

/// A matrix in the plane, or about an axis in space.
fn turn<T: Real>(angle: T) -> [T; 4] {
    let (sin, cos) = angle.sin_cos();
    [cos, sin, -sin, cos]
}

/// Functions of one argument whose entries are those of the result.
macro_rules! copies {
    ($($name:ident: $from:ty => $out:ty { |$a:ident| $value:expr; |$da:ident, $d:ident| $pull:expr; })*) => {$(
        #[doc = "The constructor of this name."]
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        single_rules! { $name: (); }

        impl Single<$name> for $from {
            type Out = $out;
            type Kept = ();

            const READS: bool = false;

            #[inline]
            fn value(&self, (): &()) -> ($out, ()) {
                let $a = self;
                ($value, ())
            }
            #[inline]
            fn tangent(&self, (): &(), (): &(), $a: &Self) -> $out {
                $value
            }
            #[inline]
            fn pull(_: &Self, (): &(), (): &(), $d: &$out, $da: &mut Self) {
                $pull;
            }
        }
    )*};
}

macro_rules! constructors {
    ($t:ident: $v2:ident $v3:ident $v4:ident $q:ident $m2:ident $m3:ident $m4:ident;
        $v2_new:ident $v3_new:ident $v4_new:ident $q_new:ident
        $q_axis:ident $q_x:ident $q_y:ident $q_z:ident
        $m3_q:ident $m3_axis:ident $m2_angle:ident $m3_z:ident $m4_move:ident $m4_scale:ident $m4_parts:ident
        $v2_splat:ident $v3_splat:ident $v4_splat:ident $v2_array:ident $v3_array:ident $v4_array:ident
        $v2_slice:ident $v3_slice:ident $v4_slice:ident $m2_diagonal:ident $m3_diagonal:ident
        $m2_cols:ident $m3_cols:ident
    ) => {
        entries! { [] $t;
            #[doc = "`Vec2::new(x, y)`."]
            $v2_new(x X 0, y Y 1) -> $v2: $v2::new;
            #[doc = "`Vec3::new(x, y, z)`."]
            $v3_new(x X 0, y Y 1, z Z 2) -> $v3: $v3::new;
            #[doc = "`Vec4::new(x, y, z, w)`."]
            $v4_new(x X 0, y Y 1, z Z 2, w V 3) -> $v4: $v4::new;
            #[doc = "`Quat::from_xyzw(x, y, z, w)`."]
            $q_new(x X 0, y Y 1, z Z 2, w V 3) -> $q: $q::from_xyzw;
        }
        formulas! { [] $t;
            #[doc = "`Quat::from_axis_angle(axis, angle)`."]
            $q_axis(axis A: $v3, angle B: $t) -> $q [4, 4] {
                $q::from_axis_angle(axis, angle); |[x, y, z, angle]| about([x, y, z], angle)
            }
            #[doc = "`Quat::from_rotation_x(angle)`."]
            $q_x(angle A: $t) -> $q [1, 4] { $q::from_rotation_x(angle); |[angle]| about(axis(0), angle) }
            #[doc = "`Quat::from_rotation_y(angle)`."]
            $q_y(angle A: $t) -> $q [1, 4] { $q::from_rotation_y(angle); |[angle]| about(axis(1), angle) }
            #[doc = "`Quat::from_rotation_z(angle)`."]
            $q_z(angle A: $t) -> $q [1, 4] { $q::from_rotation_z(angle); |[angle]| about(axis(2), angle) }
            #[doc = "`Mat3::from_quat(q)`."]
            $m3_q(q A: $q) -> $m3 [4, 9] { $m3::from_quat(q); |q| matrix(q) }
            #[doc = "`Mat3::from_axis_angle(axis, angle)`."]
            $m3_axis(axis A: $v3, angle B: $t) -> $m3 [4, 9] {
                $m3::from_axis_angle(axis, angle); |[x, y, z, angle]| {
                    let (sin, cos) = angle.sin_cos();
                    let rest = T::one() - cos;
                    [
                        x * x * rest + cos, x * y * rest + z * sin, x * z * rest - y * sin,
                        x * y * rest - z * sin, y * y * rest + cos, y * z * rest + x * sin,
                        x * z * rest + y * sin, y * z * rest - x * sin, z * z * rest + cos,
                    ]
                }
            }
            #[doc = "`Mat2::from_angle(angle)`."]
            $m2_angle(angle A: $t) -> $m2 [1, 4] { $m2::from_angle(angle); |[angle]| turn(angle) }
            #[doc = "`Mat3::from_rotation_z(angle)`."]
            $m3_z(angle A: $t) -> $m3 [1, 9] {
                $m3::from_rotation_z(angle); |[angle]| {
                    let ([a, b, c, d], zero) = (turn(angle), T::zero());
                    [a, b, zero, c, d, zero, zero, zero, T::one()]
                }
            }
            #[doc = "`Mat4::from_translation(v)`."]
            $m4_move(v A: $v3) -> $m4 [3, 16] {
                $m4::from_translation(v); |[x, y, z]| {
                    let (o, l) = (T::zero(), T::one());
                    [l, o, o, o, o, l, o, o, o, o, l, o, x, y, z, l]
                }
            }
            #[doc = "`Mat4::from_scale(v)`."]
            $m4_scale(v A: $v3) -> $m4 [3, 16] {
                $m4::from_scale(v); |[x, y, z]| {
                    let (o, l) = (T::zero(), T::one());
                    [x, o, o, o, o, y, o, o, o, o, z, o, o, o, o, l]
                }
            }
            #[doc = "`Mat4::from_rotation_translation(q, v)`."]
            $m4_parts(q A: $q, v B: $v3) -> $m4 [7, 16] {
                $m4::from_rotation_translation(q, v); |[i, j, k, w, x, y, z]| {
                    let (o, l) = (T::zero(), T::one());
                    let m = matrix([i, j, k, w]);
                    [m[0], m[1], m[2], o, m[3], m[4], m[5], o, m[6], m[7], m[8], o, x, y, z, l]
                }
            }
            #[doc = "`Mat2::from_cols(x, y)`."]
            $m2_cols(x A: $v2, y B: $v2) -> $m2 [4, 4] { $m2::from_cols(x, y); |all| all }
            #[doc = "`Mat3::from_cols(x, y, z)`."]
            $m3_cols(x A: $v3, y B: $v3, z C: $v3) -> $m3 [9, 9] { $m3::from_cols(x, y, z); |all| all }
        }
        copies! {
            $v2_splat: $t => $v2 { |a| $v2::splat(*a); |da, d| *da += d.element_sum(); }
            $v3_splat: $t => $v3 { |a| $v3::splat(*a); |da, d| *da += d.element_sum(); }
            $v4_splat: $t => $v4 { |a| $v4::splat(*a); |da, d| *da += d.element_sum(); }
            $v2_array: [$t] => $v2 { |a| $v2::from_slice(a); |da, d| Tangent::accumulate(da, &d.to_array()); }
            $v3_array: [$t] => $v3 { |a| $v3::from_slice(a); |da, d| Tangent::accumulate(da, &d.to_array()); }
            $v4_array: [$t] => $v4 { |a| $v4::from_slice(a); |da, d| Tangent::accumulate(da, &d.to_array()); }
            $v2_slice: [$t] => $v2 { |a| $v2::from_slice(a); |da, d| Tangent::accumulate(&mut da[..2], &d.to_array()); }
            $v3_slice: [$t] => $v3 { |a| $v3::from_slice(a); |da, d| Tangent::accumulate(&mut da[..3], &d.to_array()); }
            $v4_slice: [$t] => $v4 { |a| $v4::from_slice(a); |da, d| Tangent::accumulate(&mut da[..4], &d.to_array()); }
            $m2_diagonal: $v2 => $m2 { |a| $m2::from_diagonal(*a); |da, d| *da += $v2::new(d.x_axis.x, d.y_axis.y); }
            $m3_diagonal: $v3 => $m3 { |a| $m3::from_diagonal(*a); |da, d| *da += $v3::new(d.x_axis.x, d.y_axis.y, d.z_axis.z); }
        }
        found! {
            New: $v2 => $v2_new, $v3 => $v3_new, $v4 => $v4_new;
            Splat: $v2 => $v2_splat, $v3 => $v3_splat, $v4 => $v4_splat;
            FromArray: $v2 => $v2_array, $v3 => $v3_array, $v4 => $v4_array;
            FromSlice: $v2 => $v2_slice, $v3 => $v3_slice, $v4 => $v4_slice;
            FromXyzw: $q => $q_new;
            FromAxisAngle: $q => $q_axis, $m3 => $m3_axis;
            FromRotationX: $q => $q_x;
            FromRotationY: $q => $q_y;
            FromRotationZ: $q => $q_z, $m3 => $m3_z;
            FromQuat: $m3 => $m3_q;
            FromAngle: $m2 => $m2_angle;
            FromTranslation: $m4 => $m4_move;
            FromScale: $m4 => $m4_scale;
            FromRotationTranslation: $m4 => $m4_parts;
            FromDiagonal: $m2 => $m2_diagonal, $m3 => $m3_diagonal;
            FromCols: $m2 => $m2_cols, $m3 => $m3_cols;
        }
    };
}

constructors! { f64: DVec2 DVec3 DVec4 DQuat DMat2 DMat3 DMat4;
    DVec2_new DVec3_new DVec4_new DQuat_from_xyzw
    DQuat_from_axis_angle DQuat_from_rotation_x DQuat_from_rotation_y DQuat_from_rotation_z
    DMat3_from_quat DMat3_from_axis_angle DMat2_from_angle DMat3_from_rotation_z DMat4_from_translation DMat4_from_scale DMat4_from_rotation_translation
    DVec2_splat DVec3_splat DVec4_splat DVec2_from_array DVec3_from_array DVec4_from_array
    DVec2_from_slice DVec3_from_slice DVec4_from_slice DMat2_from_diagonal DMat3_from_diagonal
    DMat2_from_cols DMat3_from_cols
}

constructors! { f32: Vec2 Vec3 Vec4 Quat Mat2 Mat3 Mat4;
    Vec2_new Vec3_new Vec4_new Quat_from_xyzw
    Quat_from_axis_angle Quat_from_rotation_x Quat_from_rotation_y Quat_from_rotation_z
    Mat3_from_quat Mat3_from_axis_angle Mat2_from_angle Mat3_from_rotation_z Mat4_from_translation Mat4_from_scale Mat4_from_rotation_translation
    Vec2_splat Vec3_splat Vec4_splat Vec2_from_array Vec3_from_array Vec4_from_array
    Vec2_from_slice Vec3_from_slice Vec4_from_slice Mat2_from_diagonal Mat3_from_diagonal
    Mat2_from_cols Mat3_from_cols
}
