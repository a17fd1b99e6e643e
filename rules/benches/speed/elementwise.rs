//! Elementwise functions of 10⁶ numbers.

use std::hint::black_box;

use coenzyme::Duplicated;
use coenzyme_rules::array;
use ndarray::{Array2, Zip};

use crate::gradient;
use crate::measure::{Bench, Race, samples};

const SHAPE: (usize, usize) = (1000, 1000);

pub(crate) fn run(bench: &Bench) {
    let (x, y) = (samples(1, SHAPE), samples(2, SHAPE));
    let both = Race {
        shapes: &[SHAPE, SHAPE],
        seed: samples(3, SHAPE),
        limit: 1.1,
    };
    bench.against_hand(
        "mul",
        &both,
        |d, dz| {
            let [dx, dy] = d else { return };
            gradient!(
                array::mul {},
                Duplicated<Array2<f64>>,
                dz,
                (Duplicated(&*x, &mut **dx), Duplicated(&*y, &mut **dy))
            );
        },
        |d, dz| {
            let [dx, dy] = d else { return };
            black_box(&x * &y);
            Zip::from(dx)
                .and(&y)
                .and(&dz)
                .for_each(|dx, &y, &dz| *dx += y * dz);
            Zip::from(dy)
                .and(&x)
                .and(&dz)
                .for_each(|dy, &x, &dz| *dy += x * dz);
        },
    );
    bench.against_hand(
        "add",
        &both,
        |d, dz| {
            let [dx, dy] = d else { return };
            gradient!(
                array::add {},
                Duplicated<Array2<f64>>,
                dz,
                (Duplicated(&*x, &mut **dx), Duplicated(&*y, &mut **dy))
            );
        },
        |d, dz| {
            let [dx, dy] = d else { return };
            black_box(&x + &y);
            *dx += &dz;
            *dy += &dz;
        },
    );
    let one = Race {
        shapes: &[SHAPE],
        seed: samples(3, SHAPE),
        limit: 1.1,
    };
    macro_rules! one {
        ($($f:ident: $value:expr, |$x:ident, $y:ident| $partial:expr;)+) => {$(
            bench.against_hand(
                stringify!($f),
                &one,
                |d, dy| gradient!(
                    array::$f {},
                    Duplicated<Array2<f64>>,
                    dy,
                    (Duplicated(&*x, &mut *d[0]),)
                ),
                |d, dy| {
                    let y = x.mapv($value);
                    Zip::from(&mut d[0])
                        .and(&x)
                        .and(&y)
                        .and(&dy)
                        .for_each(|dx, &$x, &$y, &dy| *dx += $partial * dy);
                    black_box(&y);
                },
            );
        )+};
    }
    one! {
        exp: f64::exp, |_x, y| y;
        tanh: f64::tanh, |_x, y| 1.0 - y * y;
        sin: f64::sin, |x, _y| x.cos();
        abs: f64::abs, |x, _y| x.signum();
    }
}
