//! Operators, methods and parts of vectors and matrices. Each function has the rules of what it calls, so a mix of its
//! activities is one of theirs.

use coenzyme::nalgebra::{
    DMatrix, DVector, Matrix2, Matrix2x3, Matrix3, Matrix3x2, Point3, RowVector3, SMatrix, Vector2,
    Vector3, Vector4,
};
use coenzyme::prelude::*;
use coenzyme_testutils::{by_ref, input, test_rule, value};

/// Functions of values, each tested in every mix of activities.
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

/// The same, of references.
macro_rules! lent {
    ($(fn $name:ident($($x:ident: $t:ty = $at:expr),+) -> $out:ty $body:block)*) => {$(
        mod $name {
            use super::*;

            #[differentiable]
            fn f($($x: &$t),+) -> $out $body

            test_rule! {
                f;
            $($x: by_ref($at)),+;
            ret: [Const, Duplicated];
                widths = [2]
            }
        }
    )*};
}

fn a() -> Vector3<f64> {
    Vector3::new(0.7, -1.2, 2.1)
}

fn b() -> Vector3<f64> {
    Vector3::new(-0.4, 0.9, 1.3)
}

fn m() -> Matrix3<f64> {
    Matrix3::new(0.3, 1.2, -0.7, 2.0, 0.1, 0.5, -1.1, 0.4, 0.9)
}

fn long() -> DVector<f64> {
    DVector::from_vec(vec![0.4, -1.3, 0.8])
}

fn wide() -> DMatrix<f64> {
    DMatrix::from_row_slice(2, 3, &[0.5, 1.1, -0.6, 2.2, -0.3, 0.7])
}

rules! {
    fn sum_of_three(a: Vector3<f64> = a(), b: Vector3<f64> = b(), k: f64 = 0.7) -> Vector3<f64> {
        a * k + b / k - a * 2.0
    }
    fn number_on_the_left(k: f64 = -0.3, m: Matrix2x3<f64> = Matrix2x3::new(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)) -> Matrix2x3<f64> {
        k * -m
    }
    fn product(m: Matrix2x3<f64> = Matrix2x3::new(0.1, 0.2, -0.3, 0.4, 1.5, 0.6), v: Vector3<f64> = a()) -> Vector2<f64> {
        m * v
    }
    fn product_of_references(m: Matrix3<f64> = m(), n: Matrix3x2<f64> = Matrix3x2::new(0.1, 0.2, -0.3, 0.4, 1.5, 0.6)) -> Matrix3x2<f64> {
        &m * &n
    }
    fn tr_mul(m: Matrix3<f64> = m(), v: Vector3<f64> = b()) -> Vector3<f64> {
        m.tr_mul(&v)
    }
    fn dot(a: Vector3<f64> = a(), b: Vector3<f64> = b()) -> f64 {
        a.dot(&b)
    }
    fn cross(a: Vector3<f64> = a(), b: Vector3<f64> = b()) -> Vector3<f64> {
        a.cross(&b)
    }
    fn perp(a: Vector2<f64> = Vector2::new(0.2, 0.9), b: Vector2<f64> = Vector2::new(-0.7, 1.1)) -> f64 {
        a.perp(&b)
    }
    fn entry_by_entry(a: Vector3<f64> = a(), b: Vector3<f64> = b()) -> Vector3<f64> {
        let quotient = a.component_div(&b);
        quotient.component_mul(&b) + quotient
    }
    fn norms(a: Vector3<f64> = a()) -> f64 {
        a.norm() + a.norm_squared() * a.magnitude() - a.magnitude_squared()
    }
    fn normalize(a: Vector3<f64> = a()) -> Vector3<f64> {
        a.normalize()
    }
    fn sums(m: Matrix3<f64> = m()) -> f64 {
        m.sum() + m.trace() * 2.0 - m.mean()
    }
    fn transpose(m: Matrix2x3<f64> = Matrix2x3::new(0.1, 0.2, -0.3, 0.4, 1.5, 0.6)) -> Matrix3x2<f64> {
        m.transpose()
    }
    fn rows_and_columns(m: Matrix3<f64> = m()) -> Vector3<f64> {
        let row: RowVector3<f64> = m.row(1).into_owned();
        let d: Vector3<f64> = m.diagonal();
        m.column(2) * row.dot(&row) + d
    }
    fn fixed_parts(m: Matrix3<f64> = m()) -> Matrix2<f64> {
        let top = m.fixed_rows::<2>(0);
        let block = m.fixed_view::<2, 2>(1, 1);
        block * 2.0 + top * m.fixed_columns::<2>(1)
    }
    fn first_components(v: Vector4<f64> = Vector4::new(0.3, -0.1, 2.0, 1.5)) -> Vector3<f64> {
        let p = v.xy();
        v.xyz() * p.norm()
    }
    fn entries(m: Matrix3<f64> = m(), v: Vector3<f64> = a()) -> f64 {
        let mut sum = v.x * v.y + v.z;
        for i in 0..3 {
            for j in 0..m.ncols() {
                sum += m[(i, j)] * m[(j, i)] * v[j];
            }
        }
        sum
    }
    fn made_of_numbers(x: f64 = 0.3, y: f64 = -1.4) -> Vector3<f64> {
        let v = Vector3::new(x, y, x * y);
        let m = Matrix3::new(x, 0.0, 1.0, y, x, 2.0, 0.0, y * y, x);
        let w = Vector2::repeat(x);
        m * v + v * w.norm()
    }
    fn written(x: f64 = 0.3, v: Vector3<f64> = a()) -> Matrix3<f64> {
        let mut m = Matrix3::zeros();
        let mut u = v;
        u.x *= x;
        u += v * 0.5;
        for i in 0..3 {
            m[(i, 0)] = u[i] * x;
            m[(0, i)] += v[i];
        }
        m *= x;
        m
    }
    fn points(p: Point3<f64> = Point3::new(0.1, 0.2, 0.3), q: Point3<f64> = Point3::new(1.1, -0.2, 0.7), v: Vector3<f64> = a()) -> Point3<f64> {
        let d = q - p;
        let moved = p + v * d.norm();
        moved - d
    }
    fn moved_point(p: Point3<f64> = Point3::new(0.1, 0.2, 0.3), m: Matrix3<f64> = m(), k: f64 = 0.6) -> Point3<f64> {
        let q = Point3::new(k * p.x, p.y, p.coords.z);
        m * (q * k)
    }
}

lent! {
    fn long_sums(a: DVector<f64> = long(), b: DVector<f64> = long() * 2.0) -> DVector<f64> {
        let k = a[0];
        a * k + b / k - a * 2.0
    }
    fn long_product(m: DMatrix<f64> = wide(), x: DVector<f64> = long()) -> DVector<f64> {
        let y = m * x;
        let z = m.transpose() * &y - m.tr_mul(&y) * 0.5;
        z * y.dot(&y)
    }
    fn long_matrices(m: DMatrix<f64> = wide(), n: DMatrix<f64> = wide()) -> DMatrix<f64> {
        let p = m.component_mul(n);
        &p + m * 2.0 - p.component_div(n)
    }
    fn long_parts(m: DMatrix<f64> = wide()) -> DVector<f64> {
        let c = m.column(1);
        let part = m.view((0, 1), (2, 2));
        let columns = m.columns(0, 2);
        &part * &c + &columns * &c
    }
}

#[differentiable]
fn from_slices(x: &[f64]) -> f64 {
    let m = DMatrix::from_row_slice(2, 3, x);
    let v = Vector3::from_row_slice(&x[..3]);
    let w = DVector::from_column_slice(&x[3..6]);
    let q = SMatrix::from_diagonal(&v);
    let u = q * v;
    let y = &m * &w;
    u.norm() + y.norm_squared()
}

test_rule! {
    from_slices;
    x: input(6);
    ret: [Const, Active];
    name = made_of_slices
}

/// What is written entry by entry, and changed as a whole.
#[differentiable]
fn written_entries(x: &DVector<f64>) -> f64 {
    let mut y = DVector::zeros(x.len());
    for i in 0..x.len() {
        y[i] = x[i] * x[(i + 1) % 3];
    }
    y += x;
    y *= x[0];
    y.norm()
}

#[test]
fn long_vectors_are_written() {
    crate::assert_agrees(
        &[0.4, -1.3, 0.8],
        |x| written_entries(&DVector::from_column_slice(x)),
        |x| {
            gradient!(written_entries, &DVector::from_column_slice(x))
                .0
                .as_slice()
                .to_vec()
        },
    );
}

#[test]
fn the_norm_has_derivative_zero_at_the_origin() {
    #[differentiable]
    fn norm(a: Vector3<f64>) -> f64 {
        a.norm()
    }
    assert_eq!(gradient!(norm, Vector3::zeros()), (Vector3::zeros(),));
}
