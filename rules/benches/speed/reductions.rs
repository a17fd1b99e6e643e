//! Reductions of 10⁶ numbers.

use std::hint::black_box;

use coenzyme::{Active, Const, Duplicated};
use coenzyme_rules::array;
use ndarray::{Array1, Axis, Zip};

use crate::gradient;
use crate::measure::{Bench, Race, samples};

const SHAPE: (usize, usize) = (1000, 1000);

pub(crate) fn run(bench: &Bench) {
    let x = samples(4, SHAPE);
    let whole = Race {
        shapes: &[SHAPE],
        seed: 0.7,
        limit: 1.1,
    };
    macro_rules! whole {
        ($($f:ident: |$y:ident| $value:expr, |$x:ident| $partial:expr;)+) => {$(
            bench.against_hand(
                stringify!($f),
                &whole,
                |d, dy| gradient!(array::$f {}, Active<f64>, dy, (Duplicated(&*x, &mut *d[0]),)),
                |d, dy| {
                    let $y = black_box($value);
                    Zip::from(&mut d[0]).and(&x).for_each(|dx, &$x| *dx += $partial * dy);
                },
            );
        )+};
    }
    let n = x.len() as f64;
    whole! {
        sum: |_y| x.sum(), |_x| 1.0;
        mean: |_y| x.sum() / n, |_x| 1.0 / n;
        norm: |y| x.iter().map(|x| x * x).sum::<f64>().sqrt(), |x| x / y;
        logsumexp: |y| {
            let top = x.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            top + x.iter().map(|x| (x - top).exp()).sum::<f64>().ln()
        }, |x| (x - y).exp();
    }
    let rows = Race {
        shapes: &[SHAPE],
        seed: samples(5, (1, SHAPE.0))
            .into_shape_with_order(SHAPE.0)
            .expect("as many"),
        limit: 1.1,
    };
    bench.against_hand(
        "sum_axis",
        &rows,
        |d, dy| {
            gradient!(
                array::sum_axis {},
                Duplicated<Array1<f64>>,
                dy,
                (Duplicated(&*x, &mut *d[0]), Const(1_usize))
            );
        },
        |d, dy| {
            black_box(x.sum_axis(Axis(1)));
            d[0] += &dy.insert_axis(Axis(1));
        },
    );
}
