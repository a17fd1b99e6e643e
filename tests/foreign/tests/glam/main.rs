//! Feature `glam`: rules in every mix of activities, through the code that users write, and programs.

use coenzyme::glam::{DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Quat, Vec3};
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

fn a() -> DVec3 {
    DVec3::new(0.7, -1.2, 2.1)
}

fn b() -> DVec3 {
    DVec3::new(-0.4, 0.9, 1.3)
}

fn m() -> DMat3 {
    DMat3::from_cols_array(&[0.3, 1.2, -0.7, 2.0, 0.1, 0.5, -1.1, 0.4, 0.9])
}

fn q() -> DQuat {
    DQuat::from_axis_angle(a().normalize(), 0.8)
}

rules! {
    fn sums(a: DVec3 = a(), b: DVec3 = b(), k: f64 = 0.7) -> DVec3 {
        a * k + b / k - 2.0 * a
    }
    fn entrywise(a: DVec3 = a(), b: DVec3 = b()) -> DVec3 {
        a * b - a / b
    }
    fn inner_products(a: DVec3 = a(), b: DVec3 = b()) -> f64 {
        a.dot(b) * a.distance(b) + a.distance_squared(b)
    }
    fn cross(a: DVec3 = a(), b: DVec3 = b()) -> DVec3 {
        a.cross(b)
    }
    fn lengths(a: DVec3 = a()) -> DVec3 {
        a.normalize() * a.length() + a * a.length_squared()
    }
    fn matrix(m: DMat3 = m(), v: DVec3 = a()) -> DVec3 {
        let n = m * m.transpose() - m * 0.5;
        n * v
    }
    fn inverse(m: DMat3 = m()) -> DMat3 {
        m.inverse() * m.determinant()
    }
    fn rotated(q: DQuat = q(), v: DVec3 = b()) -> DVec3 {
        q * v
    }
    fn quaternions(p: DQuat = q(), q: DQuat = DQuat::from_xyzw(0.1, 0.4, -0.2, 0.9)) -> DQuat {
        p * q.inverse()
    }
    fn turns(angle: f64 = 0.4, axis: DVec3 = a().normalize()) -> DQuat {
        DQuat::from_axis_angle(axis, angle) * DQuat::from_rotation_x(angle)
    }
    fn matrices_of_turns(q: DQuat = q(), angle: f64 = 0.4) -> DMat3 {
        DMat3::from_quat(q) * DMat3::from_rotation_z(angle)
    }
    fn posed(q: DQuat = q(), t: DVec3 = a(), p: DVec3 = b()) -> DVec3 {
        let pose = DMat4::from_rotation_translation(q, t);
        pose.transform_point3(p) + pose.transform_vector3(p)
    }
    fn plane(angle: f64 = 0.4, v: DVec2 = DVec2::new(0.3, 1.1)) -> f64 {
        let w = DMat2::from_angle(angle) * v;
        w.perp_dot(v) + w.x * v.y
    }
    fn longer(v: DVec3 = a(), z: f64 = 0.3) -> DVec4 {
        let w: DVec4 = v.extend(z);
        w * w.truncate().length()
    }
    fn made(x: f64 = 0.3, y: f64 = -0.8) -> DMat3 {
        let v = DVec3::new(x, y, x * y);
        let c = DVec3::splat(x);
        DMat3::from_cols(v, c, v) * DMat3::from_diagonal(v)
    }
}

/// Two boids: the second follows the first.
#[differentiable]
fn chase(start: DVec3, speed: f64) -> f64 {
    let mut p = start;
    let mut v = DVec3::ZERO;
    for i in 0..10 {
        let target = DVec3::new(1.0 + 0.1 * i as f64, 0.5, 0.0);
        let pull = target - p;
        v += pull.normalize() * (0.1 * speed);
        p += v * 0.1;
        p.y *= 0.99;
    }
    p.length_squared()
}

#[test]
fn a_program_agrees_with_differences() {
    let (x, speed, h) = (DVec3::new(0.1, -0.3, 0.2), 1.3, 1e-5);
    let (dx, ds) = gradient!(chase, x, speed);
    let slope = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
    assert!((ds - slope(&|h| chase(x, speed + h))).abs() < 1e-8);
    for (axis, found) in [(DVec3::X, dx.x), (DVec3::Y, dx.y), (DVec3::Z, dx.z)] {
        assert!((found - slope(&|h| chase(x + axis * h, speed))).abs() < 1e-8);
    }
}

#[differentiable]
fn narrow(q: Quat, v: Vec3, angle: f32) -> f32 {
    let turned = q * v + Quat::from_rotation_y(angle) * v;
    turned.dot(v) * 2.0
}

#[differentiable]
fn wide(q: DQuat, v: DVec3, angle: f64) -> f64 {
    let turned = q * v + DQuat::from_rotation_y(angle) * v;
    turned.dot(v) * 2.0
}

#[test]
fn single_precision_agrees_with_double() {
    let (dq, dv, da) = gradient!(narrow, q().as_quat(), a().as_vec3(), 0.4);
    let (wide_q, wide_v, wide_a) = gradient!(wide, q(), a(), 0.4);
    assert!((dq.as_dquat() - wide_q).length() < 1e-4, "{dq} {wide_q}");
    assert!((dv.as_dvec3() - wide_v).length() < 1e-4, "{dv} {wide_v}");
    assert!((f64::from(da) - wide_a).abs() < 1e-4);
}
