//! Arrays in code that `#[differentiable]` refuses.

use coenzyme::differentiable;
use coenzyme::ndarray::{Array2, s};

#[differentiable]
fn chosen(a: &mut Array2<f64>, first: bool) {
    let mut row = if first { a.row_mut(0) } else { a.row_mut(1) };
    row *= 2.0;
}

#[differentiable]
fn stored(a: &mut Array2<f64>, k: f64) {
    let row = a.row_mut(0);
    let mut rows = vec![row];
    rows[0] *= k;
}

#[differentiable]
fn collected(a: &mut Array2<f64>, k: f64) {
    let mut rows: Vec<_> = a.rows_mut().into_iter().collect();
    rows[0] *= k;
}

#[differentiable]
fn transposed(a: &mut Array2<f64>, k: f64) {
    let mut t = a.view_mut().reversed_axes();
    t.row_mut(0).fill(k);
}

#[differentiable]
fn moved(a: &mut Array2<f64>, k: f64) {
    let part = a.slice_mut(s![.., 1..]);
    let mut t = part.permuted_axes([1, 0]);
    t *= k;
}

#[differentiable]
fn pointed_elsewhere(a: &mut Array2<f64>, k: f64) {
    let mut row = a.row_mut(0);
    row *= k;
    row = a.row_mut(1);
    row += k;
}

fn main() {}
