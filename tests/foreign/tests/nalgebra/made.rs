//! Matrices made of a function of the indices, of rows and of columns; parameters that are handed on to constructors.

use coenzyme::nalgebra::{
    DMatrix, DVector, Matrix2, Matrix3, RowVector2, Unit, UnitQuaternion, Vector3,
};
use coenzyme::prelude::*;
use coenzyme_testutils::{input, test_rule};

#[differentiable]
fn entry_by_entry(x: &[f64]) -> f64 {
    let w = vec![1.0, 2.0, x[0]];
    let v = DVector::from_fn(3, |i, _| w[i] * x[i]);
    let m = Matrix3::from_fn(|r, c| if r == c { 1.0 + x[r] } else { x[c] * w[r] });
    let fixed = DMatrix::from_fn(3, 2, |i, j| 1.0 / (1.0 + (i + 2 * j) as f64));
    let d = DMatrix::from_fn(2, 3, |i, j| x[i] - x[j] * x[i + 1]);
    let u = Vector3::from_fn(|i, _| v[i].sin());
    (m * u).norm() + (fixed * (d * v)).sum()
}

#[differentiable]
fn side_by_side(p: &Vector3<f64>, q: &Vector3<f64>) -> f64 {
    let c = Matrix3::from_columns(&[p.clone(), q.clone(), p.cross(q)]);
    let r = Matrix2::from_rows(&[RowVector2::new(p.x, q.y), RowVector2::new(q.z, p.y)]);
    c.determinant() * r.trace() + c[(0, 1)] * r[(1, 0)]
}

#[differentiable]
fn turned(axis: &Unit<Vector3<f64>>, angle: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(axis, angle)
}

#[differentiable]
fn about_a_normal(x: &[f64]) -> f64 {
    let axis = Unit::new_normalize(Vector3::new(x[0], x[1], 1.0));
    let q = turned(&axis, x[2]);
    (q * Vector3::new(1.0, x[0], 0.5)).x
}

#[differentiable]
fn handed_on(x: &[f64]) -> f64 {
    DVector::from_column_slice(x).norm()
}

test_rule! { entry_by_entry; x: input(3); ret: [Const, Active]; name = entries, widths = [2] }
test_rule! { about_a_normal; x: input(3); ret: [Const, Active]; name = normal, widths = [2] }
test_rule! { handed_on; x: input(3); ret: [Const, Active]; name = handed, widths = [2] }

#[test]
fn rows_and_columns_agree_with_differences() {
    let halves = |x: &[f64]| {
        (
            Vector3::from_column_slice(&x[..3]),
            Vector3::from_column_slice(&x[3..]),
        )
    };
    crate::assert_agrees(
        &[0.3, -0.7, 1.1, 0.4, 0.9, -0.2],
        |x| side_by_side(&halves(x).0, &halves(x).1),
        |x| {
            let (p, q) = gradient!(side_by_side, &halves(x).0, &halves(x).1);
            p.iter().chain(q.iter()).copied().collect()
        },
    );
}
