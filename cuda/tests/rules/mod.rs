//! Every rule in every mix, against finite differences.

use coenzyme_cuda::rules::*;
use coenzyme_testutils::{by_ref, test_rule};
use ndarray::Array1;

use crate::on::up;

fn vector(n: usize) -> coenzyme_cuda::DeviceArray<f64> {
    up(&Array1::from_shape_fn(n, |i| (0.7 * i as f64).sin()))
}

test_rule! { sum; x: by_ref(vector(n)); ret: [Const, Active]; name = sum_rule, sizes = n in [0, 1, 33] }
