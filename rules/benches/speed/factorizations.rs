//! Gradients through factorizations beside their primals.

use std::hint::black_box;

use coenzyme::{Duplicated, ReverseConfig, ReverseReturn, Thunk};
use coenzyme_rules::linalg::{Error, cholesky, solve};
use ndarray::{Array1, Array2};

use crate::measure::{Bench, Race, samples};

pub(crate) fn run(bench: &Bench) {
    for n in [50, 200] {
        let b = samples(9, (n, n));
        let a = b.dot(&b.t()) + Array2::<f64>::eye(n) * n as f64;
        let race = Race {
            shapes: &[(n, n), (n, n)],
            seed: samples(10, (n, n)),
            limit: 2.5,
        };
        bench.against(
            &format!("cholesky {n}"),
            &race,
            |d, dl| {
                let mut args = (Duplicated(&*a, &mut *d[0]),);
                let thunk = without_value::<_, Array2<f64>>(cholesky {});
                let augmented = thunk.augmented(&mut args).expect("positive definite");
                thunk.reverse([dl], augmented.tape, &mut args);
            },
            |_, dl| drop((black_box(cholesky(&a)), dl)),
        );
        bench.against(
            &format!("solve {n}"),
            &race,
            |d, dx| {
                let [da, db] = d else { return };
                let mut args = (Duplicated(&*a, &mut **da), Duplicated(&*b, &mut **db));
                let thunk = without_value::<_, Array2<f64>>(solve {});
                let augmented = thunk.augmented(&mut args).expect("regular");
                thunk.reverse([dx], augmented.tape, &mut args);
            },
            |_, dx| drop((black_box(solve(&a, &b)), dx)),
        );
        let right = b.column(0).to_owned();
        let one = Race {
            shapes: &[(n, n), (1, n)],
            seed: samples(11, (1, n))
                .into_shape_with_order(n)
                .expect("as many"),
            limit: 2.5,
        };
        bench.against(
            &format!("solve of one {n}"),
            &one,
            |d, dx| {
                let [da, db] = d else { return };
                let mut db = db.row_mut(0);
                let mut args = (Duplicated(&*a, &mut **da), Duplicated(&*right, &mut *db));
                let thunk = without_value::<_, Array1<f64>>(solve {});
                let augmented = thunk.augmented(&mut args).expect("regular");
                thunk.reverse([dx], augmented.tape, &mut args);
            },
            |_, dx| drop((black_box(solve(&a, &right)), dx)),
        );
    }
}

/// The two halves of the gradient of a factorization.
fn without_value<F, O>(f: F) -> Thunk<F, Duplicated<Result<O, Error>>>
where
    Duplicated<Result<O, Error>>: ReverseReturn<1>,
{
    Thunk::new(f).with_config(ReverseConfig::new(false))
}
