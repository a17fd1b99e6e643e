//! Operators on references whose right operand is a vector, an array or a slice.

use std::ops::{Add, Mul, Sub};

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Matrix {
    columns: usize,
    data: Vec<f64>,
}

#[differentiable]
impl Mul<&Vec<f64>> for &Matrix {
    type Output = Vec<f64>;
    fn mul(self, x: &Vec<f64>) -> Vec<f64> {
        let rows = self.data.chunks(self.columns);
        rows.map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum())
            .collect()
    }
}

/// Another meaning than that of a vector.
#[differentiable]
impl Mul<&[f64]> for &Matrix {
    type Output = f64;
    fn mul(self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += self.data[i] * x[i] * x[i];
        }
        sum
    }
}

#[differentiable]
impl Sub<Vec<f64>> for &Matrix {
    type Output = Matrix;
    fn sub(self, x: Vec<f64>) -> Matrix {
        let data = self.data.iter().zip(x).map(|(a, b)| a - b * b).collect();
        Matrix {
            columns: self.columns,
            data,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Diagonal {
    data: [f64; 2],
}

#[differentiable]
impl Mul<&[f64; 2]> for &Diagonal {
    type Output = [f64; 2];
    fn mul(self, x: &[f64; 2]) -> [f64; 2] {
        [self.data[0] * x[0], self.data[1] * x[1]]
    }
}

#[differentiable]
impl Add<&[f64; 2]> for Diagonal {
    type Output = Diagonal;
    fn add(self, x: &[f64; 2]) -> Diagonal {
        let [a, b] = self.data;
        Diagonal {
            data: [a + x[0] * b, b + x[1]],
        }
    }
}

#[differentiable]
fn applied(m: &Matrix, v: &Vec<f64>) -> Vec<f64> {
    m * v
}

#[differentiable]
fn of_vectors(x: &[f64]) -> f64 {
    let m = Matrix {
        columns: 2,
        data: x.to_vec(),
    };
    let v = vec![x[0] * x[1], x[2]];
    let y = &m * &v;
    let z = applied(&m, &y);
    z[0] + 2.0 * z[1] * y[1]
}

#[differentiable]
fn of_slices(x: &[f64]) -> f64 {
    let m = Matrix {
        columns: 2,
        data: x.to_vec(),
    };
    let moved = &m - x.to_vec();
    (&m * x) * (&moved * &x[1..])
}

#[differentiable]
fn of_arrays(x: f64, y: f64) -> f64 {
    let d = Diagonal { data: [x, y] };
    let v = [x * y, y];
    let w = &d * &v;
    let e = d + &w;
    e.data[0] * e.data[1]
}

judge! {
    of_vectors(&any(4));
    of_slices(&any(4));
    of_arrays(0.3, 0.7);
}
