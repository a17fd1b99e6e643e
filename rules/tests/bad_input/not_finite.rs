//! NaN and infinities: they are an error where a function has errors, and otherwise go where arithmetic takes them.

use coenzyme::Inactive;
use coenzyme_rules::linalg::Error;
use ndarray::{Array2, array};

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

#[test]
fn reductions() {
    let (nan, inf) = (array![1.0, NAN, 3.0], array![1.0, INF, 3.0]);
    gives! { array:
        sum(&nan) NAN;
        sum(&array![INF, -INF]) NAN;
        mean(&nan) NAN;
        var(&nan) NAN;
        var(&inf) NAN;
        std_dev(&nan) NAN;
        max(&nan) 3.0;
        min(&nan) 1.0;
        max(&array![NAN, NAN]) -INF;
        prod(&nan) NAN;
        prod(&array![0.0, INF]) NAN;
        norm(&nan) NAN;
        norm(&inf) INF;
        norm_l1(&nan) NAN;
        norm_l1(&inf) INF;
        norm_max(&inf) INF;
        norm_p(&inf, Inactive(3.0)) INF;
        logsumexp(&nan) NAN;
        logsumexp(&inf) INF;
        logsumexp(&array![-INF, -INF]) -INF;
        softmax(&array![0.0, -INF], 0) array![1.0, 0.0];
        log_softmax(&array![0.0, -INF], 0) array![0.0, -INF];
        softmax(&nan, 0) array![NAN, NAN, NAN];
        cumsum(&nan, 0) array![1.0, NAN, NAN];
        cumprod(&nan, 0) array![1.0, NAN, NAN];
        clip(&array![NAN, INF, -INF], -1.0, 1.0) array![NAN, 1.0, -1.0];
    }
}

#[test]
fn matrices() {
    let bad = |x| array![[1.0, 2.0], [x, 5.0]];
    for x in [NAN, INF, -INF] {
        let a: Array2<f64> = bad(x);
        let b = array![1.0, 1.0];
        macro_rules! errors {
            ($($f:ident($($x:expr),+);)+) => {$(
                let got = coenzyme_rules::linalg::$f($($x),+);
                assert!(got.is_err(), "{} with {x}: {got:?}", stringify!($f));
            )+};
        }
        errors! {
            solve(&a, &b);
            inverse(&a);
            logdet(&a);
            slogdet(&a);
            lu(&a);
            cholesky(&a);
            logdet_positive(&a);
            eigh(&a);
            qr(&a);
            svd(&a);
            singular_values(&a);
            pinv(&a);
            lstsq(&a, &b);
            lyapunov(&a, &Array2::eye(2));
            sylvester(&a, &Array2::eye(2), &Array2::eye(2));
            solve_banded(&array![[1.0, x]], &b, [0, 0]);
        }
    }
    gives! { linalg:
        matmul(&array![[NAN]], &array![[0.0]]) array![[NAN]];
        dot(&array![INF, 1.0], &array![0.0, 1.0]) NAN;
        det(&bad(NAN)) NAN;
        solve_triangular(&array![[1.0, 0.0], [0.0, 0.0]], &array![1.0, 1.0], true) array![1.0, INF];
        solve_triangular(&array![[NAN]], &array![1.0], true) array![NAN];
        solve(&Array2::eye(1), &array![NAN]) Ok::<_, Error>(array![NAN]);
    }
    assert!(
        coenzyme_rules::linalg::expm(&bad(NAN))
            .iter()
            .all(|x| x.is_nan())
    );
    assert!(
        coenzyme_rules::linalg::expm(&bad(INF))
            .iter()
            .any(|x| !x.is_finite())
    );
}

#[test]
fn networks() {
    gives! { nn:
        layer_norm(&array![1.0, NAN], &array![1.0, 1.0], &array![0.0, 0.0], Inactive(1e-5)) array![NAN, NAN];
        rms_norm(&array![1.0, NAN], &array![1.0, 1.0], Inactive(1e-5)) array![NAN, NAN];
        softmax_cross_entropy(&array![[0.0, -INF]], &[0]) 0.0;
        softmax_cross_entropy(&array![[0.0, -INF]], &[1]) INF;
        mean_squared_error(&array![NAN], &array![0.0]) NAN;
        bce_with_logits(&array![INF], &array![1.0]) NAN;
        relu(&array![NAN, INF, -INF]) array![NAN, INF, 0.0];
    }
}
