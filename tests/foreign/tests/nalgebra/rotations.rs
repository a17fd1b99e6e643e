//! Quaternions, rotations and isometries.

use coenzyme::nalgebra::{
    Isometry3, Point3, Quaternion, Rotation2, Rotation3, Translation3, Unit, UnitQuaternion,
    UnitVector3, Vector2, Vector3,
};
use coenzyme::prelude::*;
use coenzyme_testutils::{test_rule, value};

macro_rules! rules {
    ($(fn $name:ident($($x:ident: $t:ty = $at:expr),+) -> $out:ty $body:block)*) => {$(
        mod $name {
            use super::*;

            #[differentiable]
            fn f($($x: $t),+) -> $out $body

            test_rule! {
                f;
            $($x: value($at)),+;
            ret: [Const, Active];
                widths = [2]
            }
        }
    )*};
}

fn q() -> UnitQuaternion<f64> {
    UnitQuaternion::from_euler_angles(0.3, -0.8, 1.2)
}

fn p() -> UnitQuaternion<f64> {
    UnitQuaternion::from_euler_angles(-1.1, 0.2, 0.4)
}

fn r() -> Rotation3<f64> {
    Rotation3::from_euler_angles(0.3, -0.8, 1.2)
}

fn v() -> Vector3<f64> {
    Vector3::new(0.7, -1.2, 2.1)
}

fn pose() -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::new(0.3, 0.1, -0.6), q())
}

rules! {
    fn quaternions(p: Quaternion<f64> = Quaternion::new(0.2, 0.5, -1.0, 0.3), q: Quaternion<f64> = Quaternion::new(1.2, 0.1, 0.4, -0.3)) -> Quaternion<f64> {
        p * q + q * 0.5 - p
    }
    fn rotations_in_turn(p: UnitQuaternion<f64> = p(), q: UnitQuaternion<f64> = q()) -> UnitQuaternion<f64> {
        p * q.inverse()
    }
    fn rotated_vector(q: UnitQuaternion<f64> = q(), v: Vector3<f64> = v()) -> Vector3<f64> {
        q * v
    }
    fn rotated_back(q: UnitQuaternion<f64> = q(), v: Vector3<f64> = v()) -> Vector3<f64> {
        q.inverse_transform_vector(&v)
    }
    fn rotated_point(q: UnitQuaternion<f64> = q(), x: Point3<f64> = Point3::new(0.1, 0.2, 0.3)) -> Point3<f64> {
        let y = q.transform_point(&x);
        q.inverse_transform_point(&(q * y))
    }
    fn matrices(r: Rotation3<f64> = r(), s: Rotation3<f64> = r().inverse()) -> Rotation3<f64> {
        r * s.inverse() * r
    }
    fn turned_by_matrix(r: Rotation3<f64> = r(), v: Vector3<f64> = v()) -> Vector3<f64> {
        r * v + r.inverse_transform_vector(&v)
    }
    fn turned_point(r: Rotation3<f64> = r(), x: Point3<f64> = Point3::new(0.1, 0.2, 0.3)) -> Point3<f64> {
        r * x
    }
    fn in_the_plane(angle: f64 = 0.7, v: Vector2<f64> = Vector2::new(0.3, 1.1)) -> Vector2<f64> {
        Rotation2::new(angle) * v
    }
    fn euler(roll: f64 = 0.3, pitch: f64 = -0.4, yaw: f64 = 2.0) -> UnitQuaternion<f64> {
        UnitQuaternion::from_euler_angles(roll, pitch, yaw)
    }
    fn euler_matrix(roll: f64 = 0.3, pitch: f64 = -0.4, yaw: f64 = 2.0) -> Rotation3<f64> {
        Rotation3::from_euler_angles(roll, pitch, yaw)
    }
    fn about_axis(axis: UnitVector3<f64> = Unit::new_normalize(v()), angle: f64 = 0.9) -> UnitQuaternion<f64> {
        UnitQuaternion::from_axis_angle(&axis, angle)
    }
    fn matrix_about_axis(axis: UnitVector3<f64> = Unit::new_normalize(v()), angle: f64 = 0.9) -> Rotation3<f64> {
        Rotation3::from_axis_angle(&axis, angle)
    }
    fn exponential(v: Vector3<f64> = v()) -> UnitQuaternion<f64> {
        UnitQuaternion::from_scaled_axis(v)
    }
    fn exponential_near_the_identity(v: Vector3<f64> = Vector3::new(1e-4, 2e-4, -3e-4)) -> UnitQuaternion<f64> {
        UnitQuaternion::new(v)
    }
    fn exponential_matrix(v: Vector3<f64> = v()) -> Rotation3<f64> {
        Rotation3::new(v)
    }
    fn normalized(w: f64 = 0.3, i: f64 = -0.2, j: f64 = 1.4, k: f64 = 0.6) -> UnitQuaternion<f64> {
        let q = Quaternion::new(w, i, j, k);
        UnitQuaternion::from_quaternion(q)
    }
    fn as_matrix(q: UnitQuaternion<f64> = q()) -> Rotation3<f64> {
        q.to_rotation_matrix()
    }
    fn angles(q: UnitQuaternion<f64> = q()) -> Vector3<f64> {
        q.scaled_axis() * q.angle()
    }
    fn components(q: UnitQuaternion<f64> = q()) -> f64 {
        let inner = q.into_inner();
        inner.coords.x * inner.coords.w + inner.norm()
    }
    fn posed_point(i: Isometry3<f64> = pose(), x: Point3<f64> = Point3::new(0.1, 0.2, 0.3)) -> Point3<f64> {
        i * x
    }
    fn posed_vector(i: Isometry3<f64> = pose(), v: Vector3<f64> = v()) -> Vector3<f64> {
        i * v - i.transform_vector(&v) * 3.0
    }
    fn poses(i: Isometry3<f64> = pose(), j: Isometry3<f64> = pose()) -> Isometry3<f64> {
        i * j
    }
    fn inverse_pose(i: Isometry3<f64> = pose()) -> Isometry3<f64> {
        i.inverse()
    }
    fn pose_of_parts(x: f64 = 0.3, q: UnitQuaternion<f64> = q()) -> Isometry3<f64> {
        let t = Translation3::new(x, x * x, 1.0);
        Isometry3::from_parts(t, q)
    }
}
