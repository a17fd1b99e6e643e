//! Every rule of linear algebra, judged in every mix, in every layout of memory.

mod judge;

use coenzyme_rules::linalg::Pattern;
use coenzyme_testutils::{Overrides, by_ref, input, value};
use judge::{definite, entries_of, full_rank, regular};
use ndarray::array;

judge! { linalg:
    matmul(a: input(entries_of(at)), b: input(entries_of((at.1, 2)))) Duplicated { sizes = at in [(3, 4), (1, 1), (2, 0), (0, 2)] };
    matvec(a: input(entries_of(at)), x: input(entries_of(at.1))) Duplicated { sizes = at in [(3, 4), (1, 1), (2, 0), (0, 2)] };
    dot(x: input(entries_of(n)), y: input(entries_of(n))) Active { sizes = n in [0, 1, 4] };
    outer(x: input(entries_of(n)), y: input(entries_of(3))) Duplicated { sizes = n in [0, 1, 2] };
    batch_matmul(a: input(entries_of((n, 2, 3))), b: input(entries_of((n, 3, 2)))) Duplicated { sizes = n in [0, 1, 2] };
    batch_matmul as batch_matmul_shared(a: input(entries_of((3, 2, 2))), b: input(entries_of((1, 2, 2)))) Duplicated;
    kron(a: input(entries_of((2, n))), b: input(entries_of((n, 2)))) Duplicated { sizes = n in [0, 1, 2] };
    sparse_matvec(values: input(entries_of(5)), x: input(entries_of(4)),
        pattern: by_ref(Pattern::new(4, vec![0, 2, 2, 5], vec![1, 3, 0, 1, 1])) [Const]) Duplicated;
    sparse_matvec as sparse_matvec_of_nothing(values: input(entries_of(0)), x: input(entries_of(2)),
        pattern: by_ref(Pattern::new(2, vec![0], vec![])) [Const]) Duplicated;

    solve_triangular(t: input(regular(n)), b: input(entries_of((n, 2))), lower: value(true) [Const]) Duplicated { sizes = n in [0, 1, 3] };
    solve_triangular as solve_upper_triangular(t: input(regular(3)), b: input(entries_of(3)), lower: value(false) [Const]) Duplicated;
    solve(a: input(regular(n)), b: input(entries_of((n, 2)))) Duplicated { sizes = n in [0, 1, 3] };
    solve as solve_for_a_vector(a: input(regular(3)), b: input(entries_of(3))) Duplicated;
    inverse(a: input(regular(n))) Duplicated { sizes = n in [0, 1, 3] };
    inverse as inverse_with_pivots(a: input(array![[0.0, 2.0, 1.0], [1.5, 0.3, 0.2], [0.1, 0.4, -3.0]])) Duplicated;
    det(a: input(regular(n))) Active { sizes = n in [0, 1, 3] };
    det as det_of_rank_one_less(a: input(array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])) Active;
    det as det_of_rank_two_less(a: input(array![[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, 6.0, 9.0]])) Active {
        overrides = Overrides::none().allow_vacuous("all minors vanish") };
    logdet(a: input(regular(n))) Active { sizes = n in [0, 1, 3] };
    logdet as logdet_with_pivots(a: input(array![[0.0, 2.0, 1.0], [1.5, 0.3, 0.2], [0.1, 0.4, -3.0]])) Active;
    lu(a: input(full_rank(shape))) Duplicated { sizes = shape in [(3, 2), (2, 3), (3, 3), (1, 1), (2, 0), (0, 2)] };
    lu as lu_with_pivots(a: input(array![[0.0, 2.0, 1.0], [1.5, 0.3, 0.2], [0.1, 0.4, -3.0]])) Duplicated;
    lu as lu_of_a_tall_matrix_with_pivots(a: input(array![[0.1, 0.4], [0.5, 0.3], [-0.3, 2.0], [2.0, 1.0]])) Duplicated;
    cholesky(a: input(definite(n))) Duplicated { sizes = n in [0, 1, 3] };
    eigh(a: input(definite(n))) Duplicated { sizes = n in [0, 1, 3] };
    qr(a: input(full_rank(shape))) Duplicated { sizes = shape in [(3, 2), (2, 3), (1, 1), (2, 0)] };
    qr as qr_of_a_square_matrix(a: input(regular(3))) Duplicated;
    svd(a: input(full_rank(shape))) Duplicated { sizes = shape in [(3, 2), (2, 2), (2, 3), (1, 1), (2, 0)] };
    singular_values(a: input(full_rank(shape))) Duplicated { sizes = shape in [(3, 2), (2, 2), (2, 3), (1, 1), (2, 0)] };
    pinv(a: input(full_rank(shape))) Duplicated { sizes = shape in [(3, 2), (2, 2), (2, 3), (1, 1), (2, 0)] };
    expm(a: input(entries_of((n, n)))) Duplicated { sizes = n in [0, 1, 3] };
    // Squared twice.
    expm as expm_of_a_large_matrix(a: input(array![[-9.0, 4.0], [1.0, -12.0]])) Duplicated;
}
