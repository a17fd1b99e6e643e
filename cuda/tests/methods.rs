//! Every method of numbers that a device has, and its slopes, beside those of the host. One kernel serves many: the first number says which.

use coenzyme::prelude::*;
use coenzyme_cuda::{DeviceArray, Result, map2, map3};
use ndarray::Array1;

use crate::on::{device, up};

#[differentiable(device)]
fn of_one(which: f64, x: f64) -> f64 {
    match which as usize {
        0 => x.recip(),
        1 => x.sqrt(),
        2 => x.cbrt(),
        3 => x.exp(),
        4 => x.exp2(),
        5 => x.exp_m1(),
        6 => x.ln(),
        7 => x.ln_1p(),
        8 => x.log2(),
        9 => x.log10(),
        10 => x.sin(),
        11 => x.cos(),
        12 => x.tan(),
        13 => x.asin(),
        14 => x.acos(),
        15 => x.atan(),
        16 => x.sinh(),
        17 => x.cosh(),
        18 => x.tanh(),
        19 => x.asinh(),
        20 => x.acosh(),
        21 => x.atanh(),
        22 => x.abs(),
        23 => x.signum(),
        24 => x.fract(),
        25 => x.floor(),
        26 => x.ceil(),
        27 => x.round(),
        28 => x.trunc(),
        29 => x.to_radians(),
        30 => x.to_degrees(),
        31 => x.powi(3),
        32 => x.powi(-2),
        33 => x.powi(0),
        34 => x.clamp(-0.5, 0.25),
        35 => ((x as i64).pow(3) + (x as i64).abs().min(7)) as f64,
        _ => {
            if x.is_nan() {
                1.0
            } else {
                x
            }
        }
    }
}

/// Numbers on both sides of every branch; a method is asked for those where it has a value.
const NUMBERS: [f64; 15] = [
    -30.0, -2.5, -1.5, -1.0, -0.7, -0.3, -0.0, 0.0, 1e-9, 0.3, 0.5, 1.0, 1.5, 2.5, 40.0,
];

#[differentiable(device)]
fn of_two(which: f64, x: f64, y: f64) -> f64 {
    match which as usize {
        0 => x.hypot(y),
        1 => x.atan2(y),
        2 => x.max(y),
        3 => x.min(y),
        4 => x.powf(y),
        5 => x.copysign(y),
        6 => x % y,
        7 => x.mul_add(y, x),
        8 => f64::max(x, 0.5) - f64::min(y, 0.5),
        _ => 2.0_f64.powf(y) * x.powf(1.5),
    }
}

/// The same to roundings, the same infinity, or both no number.
#[track_caller]
fn same(what: &str, found: f64, expected: f64) {
    let near = (found - expected).abs() <= 1e-13 * expected.abs().max(1e-3);
    assert!(
        found == expected || near || (found.is_nan() && expected.is_nan()),
        "{what}: {found} on the device, {expected} on the host"
    );
}

type Mapped = Duplicated<Result<DeviceArray<f64>>>;

#[test]
fn methods_of_one_number_are_those_of_the_host() {
    if device().is_none() {
        return;
    }
    let all = (0..37).flat_map(|which| NUMBERS.map(|x| (f64::from(which), x)));
    let points: Vec<_> = all
        .filter(|(which, x)| !of_one(*which, *x).is_nan())
        .collect();
    let column =
        |of: &dyn Fn(&(f64, f64)) -> f64| up(&points.iter().map(of).collect::<Array1<_>>());
    let (which, x) = (column(&|p| p.0), column(&|p| p.1));
    let mut dx = Tangent::zero_like(&x);
    let f = Const(Inactive(of_one {}));
    let mut args = (Const(&which), Duplicated(&x, &mut dx), f);
    let thunk = Thunk::<_, Mapped>::new(map2 {});
    let augmented = thunk.augmented(&mut args).unwrap();
    thunk.reverse([up(&Array1::ones(points.len()))], augmented.tape, &mut args);
    let y = augmented.primal.unwrap().to_host().unwrap();
    let dx = dx.to_host().unwrap();
    for (i, (which, x)) in points.into_iter().enumerate() {
        let at = format!("method {which} at {x}");
        same(&at, y[i], of_one(which, x));
        same(
            &format!("slope of {at}"),
            dx[i],
            gradient!(of_one, Const(which), x).1,
        );
    }
}

#[test]
fn methods_of_two_numbers_are_those_of_the_host() {
    if device().is_none() {
        return;
    }
    let pairs = || NUMBERS.into_iter().flat_map(|x| NUMBERS.map(|y| (x, y)));
    let all = (0..10).flat_map(|which| pairs().map(move |(x, y)| (f64::from(which), x, y)));
    let points: Vec<_> = all
        .filter(|(which, x, y)| of_two(*which, *x, *y).is_finite())
        .collect();
    let column =
        |of: &dyn Fn(&(f64, f64, f64)) -> f64| up(&points.iter().map(of).collect::<Array1<_>>());
    let (which, x, y) = (column(&|p| p.0), column(&|p| p.1), column(&|p| p.2));
    let (mut dx, mut dy) = (Tangent::zero_like(&x), Tangent::zero_like(&y));
    let f = Const(Inactive(of_two {}));
    let mut args = (
        Const(&which),
        Duplicated(&x, &mut dx),
        Duplicated(&y, &mut dy),
        f,
    );
    let thunk = Thunk::<_, Mapped>::new(map3 {});
    let augmented = thunk.augmented(&mut args).unwrap();
    thunk.reverse([up(&Array1::ones(points.len()))], augmented.tape, &mut args);
    let value = augmented.primal.unwrap().to_host().unwrap();
    let (dx, dy) = (dx.to_host().unwrap(), dy.to_host().unwrap());
    for (i, (which, x, y)) in points.into_iter().enumerate() {
        let at = format!("method {which} at {x}, {y}");
        let (_, in_x, in_y) = gradient!(of_two, Const(which), x, y);
        same(&at, value[i], of_two(which, x, y));
        same(&format!("slope in x of {at}"), dx[i], in_x);
        same(&format!("slope in y of {at}"), dy[i], in_y);
    }
}
