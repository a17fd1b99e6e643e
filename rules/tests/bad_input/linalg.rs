//! Matrices: shapes, and what has no factors or no solution.

use coenzyme_rules::linalg::{Error, Pattern};
use ndarray::{Array2, array};

use super::{augmented, bits, forward, numbers, panic_of, returned};

#[test]
fn matrices_that_do_not_fit_are_named() {
    let pattern = Pattern::new(3, vec![0, 2], vec![0, 2]);
    panics! { linalg:
        matmul(a = numbers((2, 3)), b = numbers((2, 3))) "matmul: [2, 3] times [2, 3]";
        matvec(a = numbers((2, 3)), x = numbers(2)) "matvec: [2, 3] times [2]";
        dot(x = numbers(3), y = numbers(2)) "dot: [3] with [2]";
        batch_matmul(a = numbers((2, 3, 4)), b = numbers((3, 4, 1))) "batch_matmul: [2, 3, 4] times [3, 4, 1]";
        batch_matmul(a = numbers((2, 3, 4)), b = numbers((2, 3, 1))) "batch_matmul: [2, 3, 4] times [2, 3, 1]";
        sparse_matvec(values = numbers(1), x = numbers(3); &pattern)
            "sparse_matvec: [1] values of 2 entries, of shape (1, 3), times [3]";
        solve_triangular(t = numbers((2, 2)), b = numbers(3); true)
            "solve_triangular: a matrix of shape [2, 2] and a right-hand side of shape [3]";
        solve_triangular(t = numbers((2, 3)), b = numbers(2); true) "solve_triangular: a matrix of shape [2, 3] is not square";
        solve(a = numbers((2, 2)), b = numbers(3)) "solve: a matrix of shape [2, 2] and a right-hand side of shape [3]";
        solve(a = numbers((2, 3)), b = numbers(2)) "solve: a matrix of shape [2, 3] is not square";
        inverse(a = numbers((2, 3))) "inverse: a matrix of shape [2, 3] is not square";
        det(a = numbers((2, 3))) "det: a matrix of shape [2, 3] is not square";
        logdet(a = numbers((2, 3))) "logdet: a matrix of shape [2, 3] is not square";
        cholesky(a = numbers((2, 3))) "cholesky: a matrix of shape [2, 3] is not square";
        eigh(a = numbers((2, 3))) "eigh: a matrix of shape [2, 3] is not square";
        expm(a = numbers((2, 3))) "expm: a matrix of shape [2, 3] is not square";
        matrix_power(a = numbers((2, 3)); 2) "matrix_power: a matrix of shape [2, 3] is not square";
        slogdet(a = numbers((2, 3))) "slogdet: a matrix of shape [2, 3] is not square";
        logdet_positive(a = numbers((2, 3))) "logdet_positive: a matrix of shape [2, 3] is not square";
        lstsq(a = numbers((2, 3)), b = numbers(2)) "lstsq: a matrix of shape [2, 3] has more columns than rows";
        lstsq(a = numbers((3, 2)), b = numbers(2)) "lstsq: a matrix of shape [3, 2] and a right-hand side of shape [2]";
        sylvester(a = numbers((2, 2)), b = numbers((3, 3)), c = numbers((2, 2)))
            "sylvester: matrices of shape [2, 2] and [3, 3] and a right-hand side of shape [2, 2]";
        sylvester(a = numbers((2, 1)), b = numbers((3, 3)), c = numbers((2, 3)))
            "sylvester: a matrix of shape [2, 1] is not square";
        lyapunov(a = numbers((2, 3)), q = numbers((2, 2))) "lyapunov: a matrix of shape [2, 3] is not square";
        lyapunov(a = numbers((2, 2)), q = numbers((3, 3)))
            "lyapunov: a matrix of shape [2, 2] and a right-hand side of shape [3, 3]";
        solve_banded(bands = numbers((2, 3)), b = numbers(3); [1, 1])
            "solve_banded: bands of shape [2, 3] for 1 diagonals below and 1 above, and a right-hand side of shape [3]";
        solve_banded(bands = numbers((3, 3)), b = numbers(2); [1, 1])
            "solve_banded: bands of shape [3, 3] for 1 diagonals below and 1 above, and a right-hand side of shape [2]";
        sparse_solve(values = numbers(3), b = numbers(2); &pattern)
            "sparse_solve: [3] values of 2 entries of a square matrix, of shape (1, 3)";
    }
}

#[test]
fn matrices_without_factors_are_errors() {
    let (singular, inf) = (array![[1.0, 2.0], [2.0, 4.0]], f64::INFINITY);
    let not_finite = array![[1.0, 2.0], [f64::NAN, 4.0]];
    fails! { linalg:
        solve(a = singular.clone(), b = numbers(2)) Error::Singular { column: 1 };
        solve(a = not_finite.clone(), b = numbers((2, 2))) Error::Singular { column: 1 };
        inverse(a = singular.clone()) Error::Singular { column: 1 };
        inverse(a = Array2::from_elem((1, 1), inf)) Error::Singular { column: 0 };
        logdet(a = singular.clone()) Error::Singular { column: 1 };
        logdet(a = array![[0.0, 1.0], [1.0, 0.0]]) Error::NegativeDeterminant;
        lu(a = singular.clone()) Error::Singular { column: 1 };
        lu(a = array![[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]]) Error::Singular { column: 0 };
        lu(a = not_finite.clone()) Error::Singular { column: 1 };
        cholesky(a = array![[1.0, 2.0], [2.0, 1.0]]) Error::NotPositiveDefinite { column: 1 };
        cholesky(a = array![[0.0]]) Error::NotPositiveDefinite { column: 0 };
        cholesky(a = array![[f64::NAN]]) Error::NotPositiveDefinite { column: 0 };
        eigh(a = array![[inf]]) Error::NoConvergence;
        eigh(a = not_finite.clone()) Error::NoConvergence;
        qr(a = array![[1.0, 2.0], [0.0, 0.0]]) Error::Singular { column: 1 };
        qr(a = array![[f64::NAN]]) Error::Singular { column: 0 };
        svd(a = not_finite.clone()) Error::NoConvergence;
        singular_values(a = array![[inf, 1.0]]) Error::NoConvergence;
        pinv(a = not_finite.clone()) Error::NoConvergence;
        slogdet(a = singular.clone()) Error::Singular { column: 1 };
        logdet_positive(a = array![[1.0, 2.0], [2.0, 1.0]]) Error::NotPositiveDefinite { column: 1 };
        lstsq(a = array![[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]], b = numbers((3, 2))) Error::Singular { column: 1 };
        sylvester(a = array![[1.0, 0.0], [0.0, 2.0]], b = array![[-2.0]], c = numbers((2, 1))) Error::Singular { column: 0 };
        sylvester(a = not_finite.clone(), b = array![[1.0]], c = numbers((2, 1))) Error::NoConvergence;
        lyapunov(a = array![[1.0, 0.0], [0.0, -1.0]], q = numbers((2, 2))) Error::Singular { column: 1 };
        lyapunov(a = not_finite.clone(), q = numbers((2, 2))) Error::NoConvergence;
        solve_banded(bands = array![[1.0, 0.0]], b = numbers(2); [0, 0]) Error::Singular { column: 1 };
        sparse_solve(values = numbers(2), b = numbers(2); &Pattern::new(2, vec![0, 1, 2], vec![0, 0])) Error::Singular { column: 1 };
    }
}

/// Patterns are made once, from lists.
#[test]
fn patterns_that_are_none_are_named() {
    for (columns, starts, indices, message) in [
        (2, vec![0, 3], vec![0, 1], "row starts [0, 3] of 2 entries"),
        (
            2,
            vec![0, 2, 1],
            vec![0, 1],
            "row starts [0, 2, 1] of 2 entries",
        ),
        (
            2,
            vec![0, 1],
            vec![2],
            "column 2 of a pattern with 2 columns",
        ),
    ] {
        assert_eq!(
            panic_of("pattern", || Pattern::new(columns, starts, indices)),
            message
        );
    }
}
