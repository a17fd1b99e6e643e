//! Products, solutions, factorizations.

use std::sync::Arc;

use coenzyme_rules::linalg::*;
use ndarray::{Array1, Array2, Array3, ArrayD};
use smallvec::smallvec;

use super::outlines::{alike, classified, order, read, scalar, several, shaped};
use crate::call::{Attrs, Operation, Outline, Signature};
use crate::erase::{Any, Cube, Flag, Matrix, Vector};
use crate::error::OpError;
use crate::operation;
use crate::value::{DType, Shape, Spec};

fn square(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    match order(&x[0]) {
        Some(n) => Ok(Outline::shaped(x, [n, n]).costing((n as f64).powi(3))),
        None => Err(s.misfit(x, a, "the matrix is not square")),
    }
}

fn square_to_number(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let cubes = square(s, x, a)?.flops;
    Ok(scalar(s, x, a)?.costing(cubes))
}

/// As many rows as the matrix has rows, in a vector or a matrix.
fn right_hand_side(rows: usize, b: &Spec) -> bool {
    matches!(b.shape[..], [m] | [m, _] if m == rows)
}

/// `A·X = B` for a square `A`.
fn solution(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let fits = order(&x[0]).is_some_and(|n| right_hand_side(n, &x[1]));
    shaped(s, x, a, fits.then(|| x[1].shape.clone()))
}

/// Products, by the library's own outlines.
fn products() -> Vec<Arc<dyn Operation>> {
    vec![
        operation!("core::matmul" = matmul[a: Matrix<T>, b: Matrix<T>] -> Array2<T>, for [f64 f32 second],
            |s, x, a| classified::<matmul, 2>(s, x, a, ())),
        operation!("core::matvec" = matvec[a: Matrix<T>, x: Vector<T>] -> Array1<T>, for [f64 f32 second],
            |s, x, a| classified::<matvec, 2>(s, x, a, ())),
        operation!("core::dot" = dot[x: Vector<T>, y: Vector<T>] -> T, for [f64 f32 second],
            |s, x, a| classified::<dot, 2>(s, x, a, ())),
        operation!("core::outer" = outer[x: Vector<T>, y: Vector<T>] -> Array2<T>, for [f64 f32 second],
            |s, x, a| classified::<outer, 2>(s, x, a, ())),
        operation!("core::batch_matmul" = batch_matmul[a: Cube<T>, b: Cube<T>] -> Array3<T>, for [f64 f32 second],
            |s, x, a| classified::<batch_matmul, 2>(s, x, a, ())),
        operation!("core::kron" = kron[a: Matrix<T>, b: Matrix<T>] -> Array2<T>, for [f64 f32 second], |s, x, a| {
            let lengths = x[0].shape.iter().zip(&x[1].shape);
            let shape: Shape = lengths.map(|(m, n)| m.saturating_mul(*n)).collect();
            let fits = Spec::f64(&shape).is_possible();
            shaped(s, x, a, fits.then_some(shape))
        }),
    ]
}

/// Functions of one matrix.
fn of_one() -> Vec<Arc<dyn Operation>> {
    vec![
        operation!("core::det" = det[a: Matrix<T>] -> T, for [f64 f32 second], |s, x, a| classified::<det, 1>(s, x, a, ())),
        operation!("core::expm" = expm[a: Matrix<T>] -> Array2<T>, for [f64 f32 second], square),
        operation!("core::logdet" = logdet[a: Matrix<T>] -> Result<T, Error>, for [f64 f32 second],
            |s, x, a| classified::<logdet, 1>(s, x, a, ())),
        operation!("core::slogdet" = slogdet[a: Matrix<T>] -> Result<(T, T), Error>, for [f64 f32 second], |s, x, a| {
            square(s, x, a)?;
            several(s, x, a, Some([Shape::new(), Shape::new()]))
        }),
        operation!("core::logdet_positive" = logdet_positive[a: Matrix<T>] -> Result<T, Error>, for [f64 f32 second],
            square_to_number),
        operation!("core::matrix_power" = matrix_power[a: Matrix<T>; k: usize] -> Array2<T>, for [f64 f32 second], square),
        operation!("core::inverse" = inverse[a: Matrix<T>] -> Result<Array2<T>, Error>, for [f64 f32 second],
            |s, x, a| classified::<inverse, 1>(s, x, a, ())),
        operation!("core::cholesky" = cholesky[a: Matrix<T>] -> Result<Array2<T>, Error>, for [f64 f32 second],
            |s, x, a| classified::<cholesky, 1>(s, x, a, ())),
        operation!("core::pinv" = pinv[a: Matrix<T>] -> Result<Array2<T>, Error>, for [f64 f32 second],
            |_, x, _| Ok(Outline::shaped(x, x[0].shape.iter().rev().copied()))),
        operation!("core::qr" = qr[a: Matrix<T>] -> Result<(Array2<T>, Array2<T>), Error>, for [f64 f32 second], |s, x, a| {
            let shapes = match x[0].shape[..] {
                [m, n] if m >= n => Some([smallvec![m, n], smallvec![n, n]]),
                _ => None,
            };
            several(s, x, a, shapes)
        }),
        operation!("core::lu" = lu[a: Matrix<T>] -> Result<(Vec<usize>, Array2<T>, Array2<T>), Error>, for [f64 f32 second],
        |s, x, a| {
            let (m, n) = (x[0].shape[0], x[0].shape[1]);
            let k = m.min(n);
            let mut outline = several(s, x, a, Some([smallvec![m], smallvec![m, k], smallvec![k, n]]))?;
            outline.outputs[0].dtype = DType::I64;
            Ok(outline)
        }),
        operation!("core::svd" = svd[a: Matrix<T>] -> Result<(Array2<T>, Array1<T>, Array2<T>), Error>, for [f64 f32 second],
        |s, x, a| {
            let (m, n) = (x[0].shape[0], x[0].shape[1]);
            let k = m.min(n);
            several(s, x, a, Some([smallvec![m, k], smallvec![k], smallvec![n, k]]))
        }),
        operation!("core::singular_values" = singular_values[a: Matrix<T>] -> Result<Array1<T>, Error>, for [f64 f32 second],
            |_, x, _| Ok(Outline::shaped(x, x[0].shape.iter().min().copied()))),
        operation!("core::eigh" = eigh[a: Matrix<T>] -> Result<(Array1<T>, Array2<T>), Error>, for [f64 f32 second], |s, x, a| {
            square(s, x, a)?;
            let n = x[0].shape[0];
            several(s, x, a, Some([smallvec![n], smallvec![n, n]]))
        }),
    ]
}

/// Systems of equations.
fn solutions() -> Vec<Arc<dyn Operation>> {
    vec![
        operation!("core::solve" = solve[a: Matrix<T>, b: Any<T>] -> Result<ArrayD<T>, Error>, for [f64 f32 second],
            |s, x, a| classified::<solve, 2>(s, x, a, ())),
        operation!("core::solve_triangular" = solve_triangular[t: Matrix<T>, b: Any<T>; lower: Flag] -> ArrayD<T>,
            for [f64 f32 second], solution),
        operation!("core::solve_banded" = solve_banded[bands: Matrix<T>, b: Any<T>; below_above: [usize; 2]]
        -> Result<ArrayD<T>, Error>, for [f64 f32 second], |s, x, a| {
            let [below, above] = read::<[usize; 2]>(s, x, a, "below_above")?;
            let (rows, n) = (x[0].shape[0], x[0].shape[1]);
            let fits = rows == below + above + 1 && right_hand_side(n, &x[1]);
            shaped(s, x, a, fits.then(|| x[1].shape.clone()))
        }),
        operation!("core::lstsq" = lstsq[a: Matrix<T>, b: Any<T>] -> Result<ArrayD<T>, Error>, for [f64 f32 second], |s, x, a| {
            let (m, n) = (x[0].shape[0], x[0].shape[1]);
            let fits = m >= n && right_hand_side(m, &x[1]);
            let shape = std::iter::once(n).chain(x[1].shape.get(1).copied());
            shaped(s, x, a, fits.then(|| shape.collect()))
        }),
        operation!("core::sylvester" = sylvester[a: Matrix<T>, b: Matrix<T>, c: Matrix<T>] -> Result<Array2<T>, Error>,
        for [f64 f32 second], |s, x, a| {
            let fits = match (order(&x[0]), order(&x[1])) {
                (Some(m), Some(n)) => x[2].shape[..] == [m, n],
                _ => false,
            };
            shaped(s, x, a, fits.then(|| x[2].shape.clone()))
        }),
        operation!("core::lyapunov" = lyapunov[a: Matrix<T>, q: Matrix<T>] -> Result<Array2<T>, Error>, for [f64 f32 second],
        |s, x, a| {
            square(s, x, a)?;
            alike(s, x, a)
        }),
    ]
}

pub(super) fn all() -> Vec<Arc<dyn Operation>> {
    [products(), of_one(), solutions()].concat()
}
