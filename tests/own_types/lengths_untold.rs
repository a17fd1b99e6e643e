//! Functions of types with lengths that no argument tells: a path says them, or the type that stands beside the call.

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);

#[differentiable]
impl<const R: usize, const C: usize> Matrix<R, C> {
    fn filled(x: f64) -> Self {
        Matrix([[x * x; C]; R])
    }

    fn from_slice(x: &[f64]) -> Self {
        let mut m = Self::filled(0.0);
        for r in 0..R {
            for c in 0..C {
                m.0[r][c] = x[r * C + c];
            }
        }
        m
    }

    fn scaled(x: &[f64], k: f64) -> Self {
        let mut m = Self::from_slice(x);
        for row in &mut m.0 {
            for x in row {
                *x *= k;
            }
        }
        m
    }

    /// Told by its argument, and of another type.
    fn first_row(m: &Matrix<R, C>) -> Matrix<1, C> {
        Matrix([m.0[0]])
    }

    fn sum(&self) -> f64 {
        self.0.iter().flatten().map(|x| x * x * x).sum()
    }
}

#[derive(Clone, Debug, Tangent)]
struct Layer {
    weights: Matrix<2, 3>,
    bias: Matrix<2, 1>,
}

#[derive(Clone, Debug, Tangent)]
struct Dense<const I: usize, const O: usize> {
    weights: Matrix<O, I>,
    bias: Matrix<O, 1>,
}

#[differentiable]
impl<const I: usize, const O: usize> Dense<I, O> {
    fn load(x: &[f64]) -> Self {
        Dense {
            weights: Matrix::<O, I>::from_slice(x),
            bias: Matrix::<O, 1>::from_slice(&x[I * O..]),
        }
    }
}

#[differentiable]
fn by_path(x: &[f64]) -> f64 {
    let a = Matrix::<3, 2>::from_slice(x);
    let b = Matrix::<2, 2>::scaled(x, x[0]);
    a.sum() * b.0[1][0] + Matrix::<1, 2>::filled(x[1]).0[0][1]
}

#[differentiable]
fn by_local(x: &[f64]) -> f64 {
    let a: Matrix<3, 2> = Matrix::from_slice(x);
    let row: Matrix<1, 2> = Matrix::first_row(&a);
    let b: Matrix<1, 2> = Matrix::filled(x[1]);
    row.sum() * b.0[0][0]
}

#[differentiable]
fn by_field(x: &[f64]) -> f64 {
    let layer = Layer {
        weights: Matrix::from_slice(x),
        bias: Matrix::scaled(&x[1..], x[0]),
    };
    layer.weights.sum() * layer.bias.sum()
}

#[differentiable]
fn of_two(x: &[f64]) -> f64 {
    let dense = Dense::<2, 3>::load(x);
    dense.weights.sum() * dense.bias.sum()
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Vector<T, const N: usize>([T; N]);

#[differentiable]
impl<T: coenzyme::Real, const N: usize> Vector<T, N> {
    fn splat(x: T) -> Self {
        Vector([x * x; N])
    }
}

#[differentiable]
fn of_parameters(x: f64) -> f64 {
    let v = Vector::<f64, 3>::splat(x);
    let w: Vector<f64, 2> = Vector::splat(v.0[1]);
    v.0[2] * w.0[0]
}

judge! {
    by_path(&any(6));
    by_local(&any(6));
    by_field(&any(7));
    of_two(&any(9));
    of_parameters(0.3);
}
