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

/// A point that is passed by value and by reference.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn area_under(p: &Point) -> f64 {
    p.x * p.y
}

#[differentiable]
fn weighted(p: &Point, k: f64) -> f64 {
    area_under(p) * p.x * k + area_under(p)
}

#[differentiable]
fn first_by_square(x: &[f64]) -> f64 {
    x[0] * x[1] * x[1]
}

#[differentiable]
fn twice(x: &[f64]) -> f64 {
    let mut t = 0.0;
    for i in 0..2 {
        t += first_by_square(x) * x[i];
    }
    t
}

#[test]
fn a_value_in_the_place_of_a_reference_has_the_gradient_of_the_reference() {
    let (p, x) = (Point { x: 2.0, y: 3.0 }, [2.0, 3.0]);
    assert_eq!(gradient!(area_under, p), (Point { x: 3.0, y: 2.0 },));
    assert_eq!(gradient!(weighted, p, 1.5), gradient!(weighted, &p, 1.5));
    assert_eq!(gradient!(first_by_square, x), ([9.0, 12.0],));
    assert_eq!(gradient!(twice, x), gradient!(twice, &x));
    assert_eq!(gradient!(twice, x), ([63.0, 78.0],));
}

#[differentiable]
fn squares(x: Vec<f64>) -> f64 {
    let mut sum = 0.0;
    for v in &x {
        sum += v * v;
    }
    sum
}

#[test]
fn an_owned_vector_has_a_gradient_of_its_own() {
    assert_eq!(gradient!(squares, vec![1.0, -2.0]), (vec![2.0, -4.0],));
    assert_eq!(gradient!(squares, Vec::<f64>::new()), (vec![],));
}

#[cfg(feature = "complex")]
#[test]
fn a_complex_number_has_a_gradient_in_the_plane() {
    use num_complex::Complex;

    #[differentiable]
    fn distance_squared(z: Complex<f64>, w: Complex<f64>) -> f64 {
        (z * z - w).norm_sqr()
    }

    // of |z² − w|² it is 4·conj(z)·(z² − w) in z
    let (z, w) = (Complex::new(1.0, 2.0), Complex::new(0.5, -1.0));
    let miss = z * z - w;
    let expected = (z.conj() * miss * 4.0, miss * -2.0);
    assert_eq!(gradient!(distance_squared, z, w), expected);
}

#[test]
fn sixty_four_lanes_leave_a_driver_at_once() {
    let x = [0.5; 64];
    let units: [[f64; 64]; 64] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    let lanes = units.each_ref().map(|unit| &unit[..]);
    let (slopes,) = autodiff!(Forward, sum_of_cubes, BatchDuplicated(&x[..], lanes));
    assert_eq!(slopes, [0.75; 64]);
}

#[differentiable]
fn sum_of_cubes(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v * v;
    }
    sum
}

#[differentiable]
fn smoothed(x: &[f64], kernel: &[f64; 2], out: &mut [f64]) {
    for i in 0..out.len() {
        let mut sum = 0.0;
        for a in 0..2 {
            sum += x[i + a] * kernel[a];
        }
        out[i] = sum;
    }
}

/// A round is left out where nothing arrives in any lane, not in the first one alone.
#[test]
fn each_lane_has_rounds_of_its_own() {
    let (x, kernel) = ([1.0, 2.0, 4.0], [0.5, -3.0]);
    let mut out = [0.0; 2];
    let mut dx = [[0.0; 3]; 2];
    let mut dout = [[1.0, 0.0], [0.0, 1.0]];
    autodiff!(
        Reverse,
        smoothed,
        BatchDuplicated(&x[..], dx.each_mut().map(|dx| &mut dx[..])),
        Const(&kernel),
        BatchDuplicated(&mut out[..], dout.each_mut().map(|dout| &mut dout[..])),
    );
    assert_eq!(out, [-5.5, -11.0]);
    assert_eq!(dx, [[0.5, -3.0, 0.0], [0.0, 0.5, -3.0]]);
}
