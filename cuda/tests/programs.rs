//! Functions as strangers write them: each agrees on the device with the host, in value and partials.

mod on;
mod strange_functions;

use coenzyme::prelude::*;
use coenzyme_cuda::{DeviceArray, Result, map2};
use ndarray::Array1;
use on::{device, up};
use strange_functions::*;

const NUMBERS: [f64; 14] = [
    -7.3,
    -2.6,
    -1.5,
    -1.0,
    -0.6,
    -0.0,
    0.0,
    0.25,
    0.9,
    1.5,
    2.5,
    3.1,
    6.4,
    f64::NAN,
];

/// The same to roundings, or both no number.
fn near(found: f64, expected: f64) -> bool {
    let error = (found - expected).abs();
    found == expected
        || error <= 2e-13 * expected.abs().max(1e-2)
        || (found.is_nan() && expected.is_nan())
}

macro_rules! programs {
    ($($f:ident)*) => {mod program {$(
        mod $f {
            use crate::*;

            #[test]
            fn is_the_same_on_a_device() {
                if device().is_none() {
                    return;
                }
                let points: Vec<_> =
                    NUMBERS.iter().flat_map(|x| NUMBERS.map(|y| (*x, y))).collect();
                let x = up(&points.iter().map(|p| p.0).collect::<Array1<_>>());
                let y = up(&points.iter().map(|p| p.1).collect::<Array1<_>>());
                let (mut dx, mut dy) = (Tangent::zero_like(&x), Tangent::zero_like(&y));
                let mut args = (
                    Duplicated(&x, &mut dx),
                    Duplicated(&y, &mut dy),
                    Const(Inactive($f {})),
                );
                let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f64>>>>::new(map2 {});
                let augmented = thunk.augmented(&mut args).unwrap();
                thunk.reverse([up(&Array1::ones(points.len()))], augmented.tape, &mut args);
                let values = augmented.primal.unwrap().to_host().unwrap();
                let (dx, dy) = (dx.to_host().unwrap(), dy.to_host().unwrap());
                let mut differs = Vec::new();
                for (i, (x, y)) in points.into_iter().enumerate() {
                    let (value, found) = ($f(x, y), [values[i], dx[i], dy[i]]);
                    let (in_x, in_y) = gradient!($f, x, y);
                    // where nothing has a derivative, nothing is promised of it
                    let regular = value.is_finite() && in_x.is_finite() && in_y.is_finite();
                    let slopes = near(found[1], in_x) && near(found[2], in_y);
                    if !near(found[0], value) || (regular && !slopes) {
                        differs.push((x, y, found, [value, in_x, in_y]));
                    }
                }
                assert!(differs.is_empty(), "x, y, device, host: {differs:?}");
            }
        }
    )*}};
}

each_strange_function!(programs);
