//! What functions of nothing are: a value that their documentation gives, and no panic.

use coenzyme::Inactive;
use coenzyme_rules::linalg::{Error, Pattern};
use ndarray::{Array, Array1, arr0};
use num_complex::Complex;

fn v() -> Array1<f64> {
    Array1::zeros(0)
}

/// Zeros, of which there may be none.
fn z<S: ndarray::ShapeBuilder>(shape: S) -> Array<f64, S::Dim> {
    Array::zeros(shape)
}

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

#[test]
fn of_arrays() {
    gives! { array:
        exp(&v()) v();
        mul(&z((0, 3)), &z(3)) z((0, 3));
        mul(&z((2, 0)), &z((2, 1))) z((2, 0));
        scale(&v(), 2.0) v();
        sum(&v()) 0.0;
        sum_axis(&z((0, 2)), 0) z(2);
        sum_axis(&z((0, 2)), 1) v();
        sum_axes(&z((0, 2)), &[0], true) z((1, 2)).into_dyn();
        mean(&v()) NAN;
        mean_axis(&z((0, 2)), 0) Array1::from_elem(2, NAN);
        var(&v()) NAN;
        std_dev(&v()) NAN;
        var_ddof(&v(), 1) NAN;
        std_ddof(&v(), 1) NAN;
        max(&v()) -INF;
        max_shared(&v()) -INF;
        min(&v()) INF;
        prod(&v()) 1.0;
        norm(&v()) 0.0;
        norm_l1(&v()) 0.0;
        norm_max(&v()) 0.0;
        norm_p(&v(), Inactive(3.0)) 0.0;
        logsumexp(&v()) -INF;
        softmax(&z((2, 0)), 1) z((2, 0));
        log_softmax(&z((2, 0)), 1) z((2, 0));
        cumsum(&v(), 0) v();
        cumprod(&v(), 0) v();
        sort(&v(), 0) v();
        argsort(&v(), 0) Array1::<usize>::zeros(0);
        argmax(&z((0, 2)), 1) Array1::<usize>::zeros(0);
        reshape(&z((2, 0)), [0, 3]) z((0, 3));
        flatten(&z((2, 0))) v();
        broadcast_to(&z((1, 0)), [3, 0]) z((3, 0));
        transpose(&z((2, 0))) z((0, 2));
        permute(&z((2, 0)), &[1, 0]) z((0, 2));
        flip(&v(), 0) v();
        roll(&v(), 3, 0) v();
        pad(&v(), &[[1, 1]]) z(2);
        repeat(&v(), 3, 0) v();
        repeat(&z(2), 0, 0) v();
        insert_axis(&v(), 0) z((1, 0));
        clip(&v(), -1.0, 1.0) v();
        slice_axis(&z((2, 2)), 1, 1..1) z((2, 0));
        gather(&z((3, 2)), 0, &[]) z((0, 2));
        scatter_add(&z((3, 2)), &z((0, 2)), 0, &[]) z((3, 2));
        split(&v(), 0, 2) vec![v(), v()];
        diagonal(&z((0, 3))) v();
        from_diagonal(&v()) z((0, 0));
        trace(&z((0, 0))) 0.0;
        lower_triangle(&z((0, 2))) z((0, 2));
        choose(&v(), &v(), &Array1::from_elem(0, true)) v();
        concatenate(vec![&z((0, 2)), &z((1, 2))], 0) z((1, 2));
        stack(vec![&v(), &v()], 0) z((2, 0));
        einsum(&z((2, 0)), &z((0, 3)), "ij,jk->ik") z((2, 3)).into_dyn();
        einsum_one(&z((0, 0)), "ii->") arr0(0.0).into_dyn();
    }
}

#[test]
fn of_matrices() {
    let none = Pattern::new(0, vec![0], vec![]);
    gives! { linalg:
        matmul(&z((2, 0)), &z((0, 3))) z((2, 3));
        matvec(&z((2, 0)), &v()) z(2);
        dot(&v(), &v()) 0.0;
        outer(&v(), &z(2)) z((0, 2));
        batch_matmul(&z((0, 2, 2)), &z((0, 2, 2))) z((0, 2, 2));
        kron(&z((0, 2)), &z((2, 2))) z((0, 4));
        matrix_power(&z((0, 0)), 3) z((0, 0));
        sparse_matvec(&v(), &v(), &none) v();
        det(&z((0, 0))) 1.0;
        expm(&z((0, 0))) z((0, 0));
        solve_triangular(&z((0, 0)), &v(), true) v();
        solve(&z((0, 0)), &z((0, 2))) Ok::<_, Error>(z((0, 2)));
        inverse(&z((0, 0))) Ok::<_, Error>(z((0, 0)));
        logdet(&z((0, 0))) Ok::<_, Error>(0.0);
        slogdet(&z((0, 0))) Ok::<_, Error>((1.0, 0.0));
        logdet_positive(&z((0, 0))) Ok::<_, Error>(0.0);
        lu(&z((2, 0))) Ok::<_, Error>((vec![0, 1], z((2, 0)), z((0, 0))));
        cholesky(&z((0, 0))) Ok::<_, Error>(z((0, 0)));
        eigh(&z((0, 0))) Ok::<_, Error>((v(), z((0, 0))));
        qr(&z((2, 0))) Ok::<_, Error>((z((2, 0)), z((0, 0))));
        svd(&z((2, 0))) Ok::<_, Error>((z((2, 0)), v(), z((0, 0))));
        singular_values(&z((2, 0))) Ok::<_, Error>(v());
        pinv(&z((2, 0))) Ok::<_, Error>(z((0, 2)));
        lstsq(&z((2, 0)), &z(2)) Ok::<_, Error>(v());
        sylvester(&z((0, 0)), &z((2, 2)), &z((0, 2))) Ok::<_, Error>(z((0, 2)));
        lyapunov(&z((0, 0)), &z((0, 0))) Ok::<_, Error>(z((0, 0)));
        solve_banded(&z((1, 0)), &v(), [0, 0]) Ok::<_, Error>(v());
        sparse_solve(&v(), &v(), &none) Ok::<_, Error>(v());
    }
}

#[test]
fn of_networks() {
    let none: &[usize] = &[];
    gives! { nn:
        dense(&z((2, 0)), &z((0, 3)), &z(3)) z((2, 3));
        dense(&z((0, 2)), &z((2, 3)), &z(3)) z((0, 3));
        attention(&z((0, 2)), &z((3, 2)), &z((3, 1))) z((0, 1));
        layer_norm(&z((0, 2)), &z(2), &z(2), Inactive(1e-5)) z((0, 2));
        layer_norm(&z((2, 0)), &v(), &v(), Inactive(1e-5)) z((2, 0));
        rms_norm(&z((2, 0)), &v(), Inactive(1e-5)) z((2, 0));
        softmax_cross_entropy(&z((0, 3)), none) NAN;
        mean_squared_error(&v(), &v()) NAN;
        mean_absolute_error(&v(), &v()) NAN;
        huber(&v(), &v(), Inactive(1.0)) NAN;
        bce_with_logits(&v(), &v()) NAN;
        kl_divergence(&z((0, 2)), &z((0, 2))) NAN;
        soft_cross_entropy(&z((0, 2)), &z((0, 2))) NAN;
        negative_log_likelihood(&z((0, 2)), none) NAN;
        dropout(&v(), &Array1::from_elem(0, true), Inactive(0.5)) v();
        embedding(&z((2, 3)), none) z((0, 3));
        embedding_padded(&z((2, 3)), none, 0) z((0, 3));
        max_pool2d(&z((0, 1, 2, 2)), [1, 1], [1, 1]) z((0, 1, 2, 2));
        lstm_cell(&z((0, 2)), &z((0, 3)), &z((0, 3)), &z((2, 12)), &z((3, 12)), &z(12)) (z((0, 3)), z((0, 3)));
        gru_cell(&z((0, 2)), &z((0, 3)), &z((2, 9)), &z((3, 9)), &z(9)) z((0, 3));
    }
    gives! { signal:
        conv1d(&z((0, 1, 3)), &z((1, 1, 2)), 1, 0) z((0, 1, 2));
        fft(&([] as [Complex<f64>; 0])) Vec::<Complex<f64>>::new();
    }
}
