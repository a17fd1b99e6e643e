//! A matrix product beside three of its cost: the value, and a product for each cotangent.

use std::hint::black_box;

use coenzyme::Duplicated;
use coenzyme_rules::linalg::matmul;
use ndarray::Array2;
use ndarray::linalg::general_mat_mul;

use crate::gradient;
use crate::measure::{Bench, Race, samples};

pub(crate) fn run(bench: &Bench) {
    for n in [256, 1024] {
        let (a, b) = (samples(6, (n, n)), samples(7, (n, n)));
        let race = Race {
            shapes: &[(n, n), (n, n)],
            seed: samples(8, (n, n)),
            limit: 1.05,
        };
        bench.against_hand(
            &format!("matmul {n}"),
            &race,
            |d, dc| {
                let [da, db] = d else { return };
                gradient!(
                    matmul {},
                    Duplicated<Array2<f64>>,
                    dc,
                    (Duplicated(&*a, &mut **da), Duplicated(&*b, &mut **db))
                );
            },
            |d, dc| {
                let [da, db] = d else { return };
                black_box(a.dot(&b));
                general_mat_mul(1.0, &dc, &b.t(), 1.0, da);
                general_mat_mul(1.0, &a.t(), &dc, 1.0, db);
            },
        );
    }
}
