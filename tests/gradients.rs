//! `gradient!` of arguments of every kind of memory.

use coenzyme::prelude::*;

/// The determinant of a 2 × 2 matrix.
#[differentiable]
fn determinant(a: &[[f64; 2]; 2]) -> f64 {
    a[0][0] * a[1][1] - a[0][1] * a[1][0]
}

/// Doubles `y` and returns the sum of what was there, squared.
#[differentiable]
fn doubled(y: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for y in y.iter_mut() {
        sum += *y * *y;
        *y *= 2.0;
    }
    sum
}

#[allow(clippy::ptr_arg)]
#[differentiable]
fn ragged(rows: &Vec<Vec<f64>>) -> f64 {
    let mut sum = 0.0;
    for row in rows.iter() {
        for x in row.iter() {
            sum += x * x;
        }
    }
    sum
}

#[test]
fn gradient_has_the_shape_of_its_argument() {
    assert_eq!(
        gradient!(determinant, &[[1.0, 2.0], [3.0, 4.0]]),
        ([[4.0, -3.0], [-2.0, 1.0]],)
    );
    let rows = vec![vec![1.0], vec![], vec![2.0, 3.0]];
    assert_eq!(
        gradient!(ragged, &rows),
        (vec![vec![2.0], vec![], vec![4.0, 6.0]],)
    );
}

#[test]
fn gradient_of_changed_memory_is_that_of_its_old_contents() {
    let mut y = [1.0, -3.0];
    assert_eq!(gradient!(doubled, &mut y), ([2.0, -6.0],));
    assert_eq!(y, [2.0, -6.0]);
    assert_eq!(gradient!(doubled, &mut y[1..]), (vec![-12.0],));
}

#[differentiable]
fn lits(x: f64, n: usize, y: f32, k: u8) -> f64 {
    x.powi(n as i32) * y as f64 * k as f64
}
#[differentiable]
fn fixed<const N: usize>(x: &[f64; N], y: f64) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * v * y;
    }
    s
}
#[test]
fn literals_have_the_types_of_their_parameters() {
    assert_eq!(
        gradient!(lits, 2.0, 3, Const(1.0), Const(2)).0.sqrt(),
        24f64.sqrt()
    );
    assert_eq!(gradient!(fixed::<2>, &[1.0, 2.0], -1.0).1.abs(), 5.0);
    assert_eq!(
        gradient!(fixed::<2>, &[1.0, 2.0], Const(-1.0)).0,
        [-2.0, -4.0]
    );
    let x = 2.0;
    assert_eq!(gradient!(lits, x, 3, 1.0, Const(2)).2, 16.0f32);
}
