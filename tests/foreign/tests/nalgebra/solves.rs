//! Inverses, determinants, systems.

use coenzyme::nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use coenzyme::prelude::*;
use coenzyme_testutils::{by_ref, test_rule, value};

fn m() -> Matrix3<f64> {
    Matrix3::new(0.3, 1.2, -0.7, 2.0, 0.1, 0.5, -1.1, 0.4, 0.9)
}

fn spd() -> Matrix3<f64> {
    m() * m().transpose() + Matrix3::identity()
}

fn dynamic(m: Matrix3<f64>) -> DMatrix<f64> {
    DMatrix::from_column_slice(3, 3, m.as_slice())
}

macro_rules! rules {
    ($($make:ident $ret:ident: fn $name:ident($($x:ident: $t:ty = $at:expr),+) -> $out:ty $body:block)*) => {$(
        mod $name {
            use super::*;

            #[differentiable]
            fn f($($x: $t),+) -> $out $body

            test_rule! {
                f;
            $($x: $make($at)),+;
            ret: [Const, $ret];
                widths = [2]
            }
        }
    )*};
}

rules! {
    value Active: fn inverse(m: Matrix3<f64> = m()) -> Option<Matrix3<f64>> {
        let i = m.try_inverse()?;
        Some(i * 2.0)
    }
    value Active: fn determinant(m: Matrix3<f64> = m()) -> f64 {
        m.determinant()
    }
    value Active: fn determinant_of_a_singular_matrix(m: Matrix3<f64> = Matrix3::new(1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 0.5, 0.1, 0.7)) -> f64 {
        m.determinant()
    }
    value Active: fn solution(m: Matrix3<f64> = m(), b: Vector3<f64> = Vector3::new(0.7, -1.2, 2.1)) -> Option<Vector3<f64>> {
        let x = m.lu().solve(&b)?;
        Some(x)
    }
    value Active: fn by_cholesky(m: Matrix3<f64> = spd(), b: Vector3<f64> = Vector3::new(0.7, -1.2, 2.1)) -> f64 {
        let c = m.cholesky().unwrap();
        let x = c.solve(&b);
        x.dot(&b) + c.ln_determinant() * c.determinant()
    }
    value Active: fn cholesky_factor(m: Matrix3<f64> = spd()) -> Option<Matrix3<f64>> {
        let c = m.cholesky()?;
        Some(c.l())
    }
    by_ref Duplicated: fn long_solution(m: &DMatrix<f64> = dynamic(m()), b: &DVector<f64> = DVector::from_vec(vec![0.7, -1.2, 2.1])) -> DVector<f64> {
        m.clone().lu().solve(b).unwrap()
    }
    by_ref Duplicated: fn long_inverse(m: &DMatrix<f64> = dynamic(m())) -> DMatrix<f64> {
        let k = m.determinant();
        m.clone().try_inverse().unwrap() * k
    }
}

/// One factorization, used several times.
#[differentiable]
fn factored_once(m: &DMatrix<f64>, b: &DVector<f64>) -> f64 {
    let lu = m.clone().lu();
    let x = lu.solve(b).unwrap();
    let y = lu.solve(&x).expect("invertible");
    y.dot(&x) * lu.determinant()
}

/// The logarithm of a normal density.
#[differentiable]
fn log_likelihood(m: &DMatrix<f64>, r: &DVector<f64>) -> f64 {
    let c = m.clone().cholesky().unwrap();
    let i = c.inverse();
    -0.5 * (c.ln_determinant() + r.dot(&c.solve(r))) + i[(1, 0)]
}

#[test]
fn factors_are_used_several_times() {
    let b = DVector::from_vec(vec![0.7, -1.2, 2.1]);
    crate::assert_agrees(
        m().as_slice(),
        |m| factored_once(&DMatrix::from_column_slice(3, 3, m), &b),
        |m| {
            gradient!(factored_once, &DMatrix::from_column_slice(3, 3, m), &b)
                .0
                .as_slice()
                .to_vec()
        },
    );
    crate::assert_agrees(
        spd().as_slice(),
        |m| log_likelihood(&DMatrix::from_column_slice(3, 3, m), &b),
        |m| {
            gradient!(log_likelihood, &DMatrix::from_column_slice(3, 3, m), &b)
                .0
                .as_slice()
                .to_vec()
        },
    );
}

#[test]
fn a_singular_matrix_is_an_error_in_both_modes() {
    assert_eq!(gradient!(traced, &DMatrix::from_element(2, 2, 1.0)), None);

    #[differentiable]
    fn traced(m: &DMatrix<f64>) -> Option<f64> {
        let i = m.clone().try_inverse()?;
        Some(i.trace())
    }
}
