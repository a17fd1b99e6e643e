//! Gradient of a factorization over its primal.
use std::time::Instant;

use coenzyme::prelude::*;
use coenzyme_rules::linalg::{cholesky, solve};
use ndarray::Array2;

fn median(mut f: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..61)
        .map(|_| {
            let start = Instant::now();
            f();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    for n in [50, 100, 200, 400] {
        let b = Array2::from_shape_fn((n, n), |(i, j)| {
            ((i * 31 + j * 17) % 101) as f64 / 101.0 - 0.5
        });
        let a = b.dot(&b.t()) + Array2::<f64>::eye(n) * n as f64;
        let primal = median(|| {
            std::hint::black_box(cholesky(&a).expect("positive definite"));
        });
        let mut da = Array2::zeros((n, n));
        let mut dl: Array2<f64> = Array2::ones((n, n));
        dl[(0, 0)] = 2.0;
        let thunk = Thunk::<_, Duplicated<Result<Array2<f64>, _>>>::new(cholesky {});
        let mut seeds = vec![dl.clone(); 61];
        let gradient = median(|| {
            let mut args = (Duplicated(&*a, &mut *da),);
            let augmented = thunk.augmented(&mut args).expect("positive definite");
            thunk.reverse(
                [seeds.pop().expect("one for each run")],
                augmented.tape,
                &mut args,
            );
        });
        println!(
            "cholesky {n}: primal {:.1} us ({:.1} GF/s), gradient {:.1} us, ratio {:.2}",
            primal * 1e6,
            (n * n * n) as f64 / 3e9 / primal,
            gradient * 1e6,
            gradient / primal
        );
        let rhs = b.clone();
        let primal = median(|| {
            std::hint::black_box(solve(&a, &rhs).expect("regular"));
        });
        let mut db = Array2::zeros((n, n));
        let thunk = Thunk::<_, Duplicated<Result<Array2<f64>, _>>>::new(solve {});
        let mut seeds = vec![dl.clone(); 61];
        let gradient = median(|| {
            let mut args = (Duplicated(&*a, &mut *da), Duplicated(&*rhs, &mut *db));
            let augmented = thunk.augmented(&mut args).expect("regular");
            thunk.reverse(
                [seeds.pop().expect("one for each run")],
                augmented.tape,
                &mut args,
            );
        });
        println!(
            "solve {n}: primal {:.1} us ({:.1} GF/s), gradient {:.1} us, ratio {:.2}",
            primal * 1e6,
            (n * n * n) as f64 * 8.0 / 3e9 / primal,
            gradient * 1e6,
            gradient / primal
        );
    }
}
