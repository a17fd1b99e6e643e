//! Programs as users of `nalgebra` write them, forward and reverse against differences.

use coenzyme::nalgebra::{
    DMatrix, DVector, Isometry3, Matrix2, Matrix3, Matrix4, Point3, Translation3, UnitQuaternion,
    Vector2, Vector3,
};
use coenzyme::prelude::*;
use coenzyme_testutils::{input, test_rule};

/// The end of an arm of three links, of lengths `l`, by angles.
#[differentiable]
fn end_of_arm(angles: &[f64], l: &[f64]) -> Vector3<f64> {
    let mut pose = Isometry3::identity();
    for i in 0..angles.len() {
        let turn = UnitQuaternion::from_euler_angles(0.1, 0.2, angles[i]);
        let link = Translation3::new(l[i], 0.0, 0.0);
        let joint = Isometry3::from_parts(link, turn);
        pose = pose * joint;
    }
    pose.translation.vector
}

#[differentiable]
fn distance_to_target(angles: &[f64], l: &[f64]) -> f64 {
    let target = Vector3::new(0.5, 1.0, 0.2);
    let miss = end_of_arm(angles, l) - target;
    miss.norm_squared()
}

/// The reprojection of a point by a camera with a focal length.
#[differentiable]
fn reprojection(camera: &[f64], point: &[f64]) -> f64 {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(camera[0], camera[1], camera[2]));
    let p = Point3::new(point[0], point[1], point[2]);
    let seen = turn * p + Vector3::new(camera[3], camera[4], camera[5]);
    let image = Vector2::new(camera[6] * seen.x / seen.z, camera[6] * seen.y / seen.z);
    (image - Vector2::new(0.1, -0.2)).norm_squared()
}

/// One step of Kalman's filter, and the likelihood of what is measured.
#[differentiable]
fn likelihood(q: f64, r: f64, z: &[f64]) -> f64 {
    let f = Matrix2::new(1.0, 0.1, 0.0, 1.0);
    let h = Vector2::new(1.0, 0.0);
    let mut x = Vector2::new(0.0, 1.0);
    let mut p = Matrix2::identity();
    let mut sum = 0.0;
    for i in 0..z.len() {
        x = f * x;
        p = f * p * f.transpose() + Matrix2::new(q, 0.0, 0.0, q);
        let s = h.dot(&(p * h)) + r;
        let k = p * h / s;
        let y = z[i] - h.dot(&x);
        x += k * y;
        p = p - k * h.transpose() * p;
        sum += 0.5 * (y * y / s + s.ln());
    }
    sum
}

/// Ridge regression: the error on the last row of weights that fit the others.
#[differentiable]
fn held_out(data: &[f64], ridge: f64) -> f64 {
    let x = DMatrix::from_row_slice(4, 2, &data[..8]);
    let y = DVector::from_column_slice(&data[8..12]);
    let mut normal = x.tr_mul(&x);
    for i in 0..2 {
        normal[(i, i)] += ridge;
    }
    let right = x.tr_mul(&y);
    let w = normal.cholesky().unwrap().solve(&right);
    let miss = &x * &w - &y;
    miss.norm_squared() + ridge * w.dot(&w)
}

/// A rigid body: its energy after steps of its gyration.
#[differentiable]
fn gyration(omega: &[f64]) -> f64 {
    let inertia = Matrix3::new(1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.5);
    let inverse = inertia.try_inverse().unwrap();
    let mut w = Vector3::new(omega[0], omega[1], omega[2]);
    for _ in 0..5 {
        let torque = w.cross(&(inertia * w));
        w -= inverse * torque * 0.05;
    }
    let m = Matrix4::new(
        w.x, 0.0, 1.0, 0.0, 0.0, w.y, 0.0, 0.0, 0.0, 0.0, w.z, 1.0, 1.0, 0.0, 0.0, 1.0,
    );
    w.dot(&(inertia * w)) + m.determinant()
}

test_rule! { distance_to_target; angles: input(3), l: input(3); ret: [Const, Active]; name = arm, widths = [2] }
test_rule! { reprojection; camera: input(7), point: input(3).within(1.0..2.0); ret: [Const, Active]; name = camera, widths = [2] }
test_rule! { gyration; omega: input(3); ret: [Const, Active]; name = body, widths = [2] }

#[test]
fn kalman_and_ridge_agree_with_differences() {
    let z = [0.3, -0.2, 0.5];
    crate::assert_agrees(
        &[0.3, 0.7],
        |x| likelihood(x[0], x[1], &z),
        |x| {
            let (q, r, _) = gradient!(likelihood, x[0], x[1], &z);
            vec![q, r]
        },
    );
    let data = [
        0.4, 1.2, -0.3, 0.8, 0.9, -1.1, 0.2, 0.6, 1.0, 0.3, -0.7, 0.5,
    ];
    crate::assert_agrees(
        &data,
        |x| held_out(x, 0.3),
        |x| gradient!(held_out, x, 0.3).0,
    );
}

/// A vector and a matrix turned into a vector.
#[differentiable]
fn turned(x: &DVector<f64>, turn: UnitQuaternion<f64>, by: Vector3<f64>) -> DVector<f64> {
    let v = turn * Vector3::new(x[0], x[1], x[2]) + by * x[0];
    DVector::from_column_slice(&[v.x * v.y, v.z])
}

#[test]
fn jacobians_of_vectors_and_rotations() {
    let p: [f64; 10] = [0.4, -1.0, 0.7, 0.1, 0.2, -0.3, 0.9, 1.0, -0.5, 0.8];
    let parts = |p: &[f64]| {
        let q = coenzyme::nalgebra::Quaternion::new(p[6], p[3], p[4], p[5]);
        let x = DVector::from_column_slice(&p[..3]);
        let turn = coenzyme::nalgebra::Unit::new_unchecked(q);
        (x, turn, Vector3::new(p[7], p[8], p[9]))
    };
    let (x, turn, by) = parts(&p);
    let j = coenzyme::jacobian!(turned, &x, turn, by);
    assert_eq!((j.rows(), j.columns()), (2, 10));
    let value = |p: &[f64]| {
        let (x, turn, by) = parts(p);
        turned(&x, turn, by)
    };
    for k in 0..10 {
        let moved = |by: f64| {
            let mut p = p;
            p[k] += by;
            value(&p)
        };
        let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        for i in 0..2 {
            let entry = j[(i, k)];
            assert!(
                (entry - slope[i]).abs() < 1e-8,
                "({i}, {k}): {entry}, {}",
                slope[i]
            );
        }
    }
    let (dx, _, dby) = coenzyme::vjp!(
        turned,
        &x,
        turn,
        by,
        &DVector::from_column_slice(&[0.0, 1.0])
    );
    assert_eq!(dx.as_slice(), &j.row(1)[..3]);
    assert_eq!(dby.as_slice(), &j.row(1)[7..]);
}
