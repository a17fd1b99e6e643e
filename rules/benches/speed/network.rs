//! Pieces of neural networks on 256 rows of 512 numbers. Those of other crates are in `benches/peers`.

use std::hint::black_box;

use coenzyme::{Const, Duplicated, Inactive};
use coenzyme_rules::array::{gelu, softmax};
use coenzyme_rules::nn::layer_norm;
use coenzyme_rules::scalar::erf;
use ndarray::{Array2, Zip};

use crate::gradient;
use crate::measure::{Bench, Race, samples};

const SHAPE: (usize, usize) = (256, 512);

pub(crate) fn run(bench: &Bench) {
    let x = samples(12, SHAPE) * 2.0;
    let one = Race {
        shapes: &[SHAPE],
        seed: samples(13, SHAPE),
        limit: 1.1,
    };
    bench.against_hand(
        "softmax",
        &one,
        |d, dy| {
            gradient!(
                softmax {},
                Duplicated<Array2<f64>>,
                dy,
                (Duplicated(&*x, &mut *d[0]), Const(1_usize))
            );
        },
        |d, dy| {
            let mut y = x.clone();
            for mut y in y.rows_mut() {
                let top = y.fold(f64::NEG_INFINITY, |a, &b| a.max(b));
                y.mapv_inplace(|x| (x - top).exp());
                let sum = y.sum();
                y /= sum;
            }
            for ((mut dx, y), dy) in d[0].rows_mut().into_iter().zip(y.rows()).zip(dy.rows()) {
                let along = y.dot(&dy);
                Zip::from(&mut dx)
                    .and(&y)
                    .and(&dy)
                    .for_each(|dx, &y, &dy| *dx += y * (dy - along));
            }
            black_box(y);
        },
    );
    bench.against_hand(
        "gelu",
        &one,
        |d, dy| {
            gradient!(
                gelu {},
                Duplicated<Array2<f64>>,
                dy,
                (Duplicated(&*x, &mut *d[0]),)
            );
        },
        |d, dy| {
            let phi = |x: f64| 0.5 * (1.0 + erf(x * std::f64::consts::FRAC_1_SQRT_2));
            black_box(x.mapv(|x| x * phi(x)));
            Zip::from(&mut d[0])
                .and(&x)
                .and(&dy)
                .for_each(|dx, &x, &dy| {
                    *dx += dy * (phi(x) + x * 0.398_942_280_401_432_7 * (-0.5 * x * x).exp());
                });
        },
    );
    let (w, b) = (samples(14, (1, SHAPE.1)), samples(15, (1, SHAPE.1)));
    let (w, b) = (w.row(0), b.row(0));
    let three = Race {
        shapes: &[SHAPE, (1, SHAPE.1), (1, SHAPE.1)],
        seed: samples(16, SHAPE),
        limit: 1.1,
    };
    bench.against_hand(
        "layer_norm",
        &three,
        |d, dy| {
            let [dx, dw, db] = d else { return };
            let (mut dw, mut db) = (dw.row_mut(0), db.row_mut(0));
            gradient!(
                layer_norm {},
                Duplicated<Array2<f64>>,
                dy,
                (
                    Duplicated(&*x, &mut **dx),
                    Duplicated(&*w, &mut *dw),
                    Duplicated(&*b, &mut *db),
                    Const(Inactive(1e-5))
                )
            );
        },
        |d, dy| {
            let [dx, dw, db] = d else { return };
            let n = SHAPE.1 as f64;
            let mut xhat = x.clone();
            let mut factors = Vec::new();
            for mut x in xhat.rows_mut() {
                let mean = x.sum() / n;
                x -= mean;
                let factor = (x.dot(&x) / n + 1e-5).sqrt().recip();
                x *= factor;
                factors.push(factor);
            }
            black_box(&xhat * &w + b);
            let (mut dw, mut db) = (dw.row_mut(0), db.row_mut(0));
            for (((mut dx, xhat), dy), factor) in (dx.rows_mut().into_iter())
                .zip(xhat.rows())
                .zip(dy.rows())
                .zip(factors)
            {
                db += &dy;
                Zip::from(&mut dw)
                    .and(&xhat)
                    .and(&dy)
                    .for_each(|dw, &x, &dy| *dw += x * dy);
                let g = &dy * &w;
                let (mean, along) = (g.sum() / n, g.dot(&xhat) / n);
                Zip::from(&mut dx)
                    .and(&xhat)
                    .and(&g)
                    .for_each(|dx, &x, &g| {
                        *dx += factor * (g - mean - x * along);
                    });
            }
        },
    );
}
