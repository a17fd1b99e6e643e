//! Least squares, matrix equations, banded and sparse systems, powers and log-determinants, judged in every mix.

use coenzyme::{Duplicated, Thunk};
use coenzyme_rules::linalg::*;
use coenzyme_testutils::{Arg, View, by_ref, input, test_rule, value};
use ndarray::{Array, Array1, Array2, Dimension, IntoDimension, array};

/// An array of this shape, of numbers drawn between −1 and 1.
fn drawn<I: IntoDimension<Dim: 'static>>(shape: I) -> Arg<View<f64, I::Dim>> {
    input(Array::zeros(shape.into_dimension())).within(-1.0..1.0)
}

/// A fixed array of numbers between −1 and 1.
fn fixed<D: Dimension, I: IntoDimension<Dim = D>>(shape: I) -> Array<f64, D> {
    let mut k = 0.0;
    Array::from_shape_simple_fn(shape.into_dimension(), || {
        k += 1.0_f64;
        (k * k * 0.7 + 0.3).sin()
    })
}

/// A regular matrix.
fn regular(n: usize) -> Array2<f64> {
    fixed((n, n)) + Array2::<f64>::eye(n) * 2.0
}

fn close<D: Dimension>(x: &Array<f64, D>, y: &Array<f64, D>) {
    let far = x
        .iter()
        .zip(y)
        .any(|(x, y)| (x - y).abs() > 1e-10 * (1.0 + y.abs()));
    assert!(x.shape() == y.shape() && !far, "{x} is not {y}");
}

test_rule! {
    lstsq;
    a: input(fixed((m.0, m.1)) + Array2::<f64>::eye(m.0).slice_move(ndarray::s![.., ..m.1])), b: drawn((m.0, 2));
    ret: [Const, Duplicated];
    name = least_squares, widths = [1, 2], sizes = m in [(1, 1), (3, 3), (5, 2), (3, 0)]
}

test_rule! {
    lstsq;
    a: input(fixed((4, 2))), b: drawn(4);
    ret: [Const, Duplicated];
    name = least_squares_of_a_vector, widths = [1, 3]
}

#[test]
fn least_squares_have_an_orthogonal_residual() {
    let (a, b) = (fixed((7, 3)), fixed((7, 2)));
    let x = lstsq(&a, &b).expect("independent columns");
    close(&a.t().dot(&(&b - &a.dot(&x))), &Array2::zeros((3, 2)));
}

test_rule! {
    sylvester;
    a: input(regular(n.0)), b: input(regular(n.1)), c: drawn(n);
    ret: [Const, Duplicated];
    name = sylvester_equations, widths = [1, 2], sizes = n in [(3, 2), (1, 1), (0, 2)]
}

test_rule! {
    lyapunov;
    a: input(regular(n)), q: drawn((n, n));
    ret: [Const, Duplicated];
    name = lyapunov_equations, widths = [1, 2], sizes = n in [0, 1, 3]
}

/// Also with complex eigenvalues, and larger than any block.
#[test]
fn matrix_equations_are_satisfied() {
    for n in [1, 2, 3, 10, 40] {
        let (a, b, c) = (
            fixed((n, n)),
            fixed((n + 1, n + 1)) + Array2::<f64>::eye(n + 1) * 9.0,
            fixed((n, n + 1)),
        );
        let x = sylvester(&a, &b, &c).expect("no common eigenvalue");
        close(&(a.dot(&x) + x.dot(&b)), &c);
        let (a, q) = (regular(n) + Array2::<f64>::eye(n) * 9.0, fixed((n, n)));
        let x = lyapunov(&a, &q).expect("no eigenvalues of sum 0");
        close(&(a.dot(&x) + x.dot(&a.t())), &q);
    }
}

/// The bands of a regular matrix.
fn bands(n: usize, [below, above]: [usize; 2]) -> Array2<f64> {
    let mut bands = fixed((below + above + 1, n));
    bands.row_mut(above).mapv_inplace(|d| d + 2.5);
    bands
}

test_rule! {
    solve_banded;
    bands: input(bands(n.0, [n.1, n.2])), b: drawn((n.0, 2)), below_above: value([n.1, n.2]) [Const];
    ret: [Const, Duplicated];
    name = banded_systems, widths = [1, 2],
    sizes = n in [(4, 1, 1), (0, 1, 1), (1, 2, 1), (4, 2, 0)]
}

/// The matrix with these bands.
fn dense(bands: &Array2<f64>, [below, above]: [usize; 2]) -> Array2<f64> {
    let n = bands.ncols();
    Array2::from_shape_fn((n, n), |(i, j)| {
        if i <= j + below && j <= i + above {
            bands[(above + i - j, j)]
        } else {
            0.0
        }
    })
}

#[test]
fn banded_systems_are_solved_with_exchanged_rows() {
    for (n, band) in [
        (1, [0, 0]),
        (6, [1, 1]),
        (9, [2, 3]),
        (9, [3, 0]),
        (4, [6, 5]),
    ] {
        let mut bands = fixed((band[0] + band[1] + 1, n));
        if band[1] > 0 {
            bands.row_mut(band[1]).mapv_inplace(|d| d * 0.1);
        }
        let b = fixed((n, 2));
        let x = solve_banded(&bands, &b, band).expect("regular");
        close(&dense(&bands, band).dot(&x), &b);
    }
}

/// Row starts and columns of a mesh of five nodes.
fn mesh() -> Pattern {
    Pattern::new(
        5,
        vec![0, 3, 5, 8, 10, 13],
        vec![0, 4, 2, 1, 3, 2, 0, 4, 3, 1, 4, 0, 2],
    )
}

test_rule! {
    sparse_solve;
    values: input(array![4.0, 1.0, 0.5, 3.0, -1.0, -3.5, 1.0, 0.7, 5.0, 0.4, 2.5, -0.6, 0.3]),
    b: drawn((5, 2)), pattern: by_ref(mesh()) [Const];
    ret: [Const, Duplicated];
    name = sparse_systems, widths = [1, 2]
}

fn chain(n: usize) -> Pattern {
    Pattern::new(n, (0..=n).collect(), (0..n).rev().collect())
}

test_rule! {
    sparse_solve;
    values: input(Array1::from_elem(n, 1.7)), b: drawn(n), pattern: by_ref(chain(n)) [Const];
    ret: [Const, Duplicated];
    name = permuted_systems, widths = [1], sizes = n in [0, 1, 4]
}

/// A mesh of 20 × 20 nodes, numbered at random: the solution is that of the product.
#[test]
fn sparse_solutions_are_those_of_the_product() {
    let m = 20;
    let name = |i: usize, j: usize| (i * m + j) * 7919 % (m * m);
    let mut entries = Vec::new();
    for i in 0..m {
        for j in 0..m {
            entries.push((name(i, j), name(i, j), 4.5));
            if i > 0 {
                entries.push((name(i, j), name(i - 1, j), -1.0));
                entries.push((name(i - 1, j), name(i, j), -0.5));
            }
            if j > 0 {
                entries.push((name(i, j), name(i, j - 1), -1.0));
                entries.push((name(i, j - 1), name(i, j), -1.5));
            }
        }
    }
    entries.sort_by_key(|e| (e.0, e.1));
    let starts = (0..=m * m)
        .map(|i| entries.partition_point(|e| e.0 < i))
        .collect();
    let pattern = Pattern::new(m * m, starts, entries.iter().map(|e| e.1).collect());
    let values: Array1<f64> = entries.iter().map(|e| e.2).collect();
    let b = fixed(m * m);
    let x = sparse_solve(&values, &b, &pattern).expect("regular");
    close(&sparse_matvec(&values, &x, &pattern), &b);
}

test_rule! {
    matrix_power;
    a: drawn((3, 3)), k: value(k) [Const];
    ret: [Const, Duplicated];
    name = powers, widths = [1, 2], sizes = k in [1_usize, 2, 6]
}

test_rule! {
    matrix_power;
    a: drawn((n, n)), k: value(3_usize) [Const];
    ret: [Const, Duplicated];
    name = powers_of_small_matrices, widths = [1], sizes = n in [0, 1]
}

/// `Aᵏ` for every small exponent is the product of as many factors; the power 0 is constant.
#[test]
fn powers_are_repeated_products() {
    let a = fixed((3, 3));
    let mut product = Array2::<f64>::eye(3);
    for k in 0..12 {
        close(&matrix_power(&a, k), &product);
        product = product.dot(&a);
    }
    let mut da = Array2::ones((3, 3));
    let thunk = Thunk::<_, Duplicated<Array2<f64>>>::new(matrix_power {});
    let mut args = (Duplicated(&*a, &mut *da), coenzyme::Const(0_usize));
    let tape = thunk.augmented(&mut args).tape;
    thunk.reverse([Array2::ones((3, 3))], tape, &mut args);
    assert_eq!(da, Array2::ones((3, 3)));
}

test_rule! {
    slogdet;
    a: input(a);
    ret: [Const, Duplicated];
    name = determinants,
    sizes = a in [array![[0.0, 2.0, 1.0], [1.5, 0.3, 0.2], [0.1, 0.4, -3.0]], array![[0.0, 2.0], [0.5, 0.3]], array![[-2.0]]]
}

test_rule! {
    logdet_positive;
    a: input(a);
    ret: [Const, Active];
    name = determinants_of_positive_matrices,
    sizes = a in [array![[3.0, 0.5], [-0.2, 2.0]], array![[0.5]], Array2::zeros((0, 0))]
}

#[test]
fn what_has_no_solution_is_an_error() {
    let zeros = |shape: (usize, usize)| Array2::<f64>::zeros(shape);
    let singular = |column| Err(Error::Singular { column });
    assert_eq!(
        lstsq(
            &array![[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]],
            &Array1::<f64>::zeros(3)
        )
        .map(|_| ()),
        singular(1)
    );
    assert_eq!(
        sylvester(
            &array![[1.0, 0.0], [0.0, 2.0]],
            &array![[-2.0]],
            &zeros((2, 1))
        )
        .map(|_| ()),
        singular(0)
    );
    assert_eq!(
        lyapunov(&array![[1.0, 0.0], [0.0, -1.0]], &zeros((2, 2))).map(|_| ()),
        singular(1)
    );
    assert_eq!(
        lyapunov(&array![[f64::NAN, 0.0], [1.0, 0.0]], &zeros((2, 2))).map(|_| ()),
        Err(Error::NoConvergence)
    );
    assert_eq!(
        solve_banded(&array![[1.0, 0.0]], &array![1.0, 1.0], [0, 0]).map(|_| ()),
        singular(1)
    );
    let pattern = Pattern::new(2, vec![0, 1, 2], vec![0, 0]);
    assert!(sparse_solve(&array![1.0, 1.0], &array![1.0, 1.0], &pattern).is_err());
    assert_eq!(
        slogdet(&array![[1.0, 2.0], [2.0, 4.0]]).map(|_| ()),
        singular(1)
    );
    assert_eq!(
        logdet_positive(&array![[1.0, 2.0], [2.0, 1.0]]),
        Err(Error::NotPositiveDefinite { column: 1 })
    );
}

/// A rule that fails leaves the shadows as they were.
#[test]
fn nothing_is_written_where_there_is_no_solution() {
    let (a, b) = (
        array![[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]] * 0.0,
        array![1.0, 2.0, 3.0],
    );
    let (mut da, mut db) = (Array2::ones((3, 2)), Array1::ones(3));
    let thunk = Thunk::<_, Duplicated<Result<Array1<f64>, Error>>>::new(lstsq {});
    let failed = thunk.augmented(&mut (Duplicated(&*a, &mut *da), Duplicated(&*b, &mut *db)));
    assert!(failed.is_err());
    assert_eq!((da, db), (Array2::ones((3, 2)), Array1::ones(3)));
}
