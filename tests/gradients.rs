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
