//! One Rust function on host and device.

use coenzyme::prelude::*;
use coenzyme_cuda::rules::sum;
use coenzyme_cuda::{DeviceArray, DeviceFunction, Error, map, map1, map2, map3};
use coenzyme_testutils::{by_ref, test_rule, value};
use ndarray::{Array, Array1, Array2, Dimension, arr0, array};

use crate::device_functions::{g1, langmuir, odd, passed_on, square, various};
use crate::on::{device, up};

/// `Σ (f(x, k, n) − y)²`
#[differentiable]
fn loss(p: &DeviceArray<f64>, k: f64, n: f64) -> coenzyme_cuda::Result<f64> {
    let load = map3(p, k, n, Inactive(langmuir {}))?;
    let squares = map1(&load, Inactive(square {}))?;
    let total = sum(&squares)?;
    Ok(total)
}

#[track_caller]
fn close<D: Dimension>(found: &Array<f64, D>, expected: &Array<f64, D>, tolerance: f64) {
    assert_eq!(found.shape(), expected.shape());
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs();
        assert!(error <= tolerance, "entry {i}: {found} is not {expected}");
    }
}

#[test]
fn g1_an_expression_and_its_derivatives_are_one_kernel_each() {
    let Some(device) = device() else { return };
    let x = up(&array![0.0, 0.5, 1.0, 2.0]);
    let y = up(&array![1.0, -1.0, 0.25, 3.0]);
    let (mut dx, mut dy) = (Tangent::zero_like(&x), Tangent::zero_like(&y));
    let mut args = (
        Duplicated(&x, &mut dx),
        Duplicated(&y, &mut dy),
        Const(Inactive(g1 {})),
    );
    let thunk = Thunk::<_, Duplicated<coenzyme_cuda::Result<DeviceArray<f64>>>>::new(map2 {});
    let before = device.counts();
    let augmented = thunk.augmented(&mut args).unwrap();
    let f = augmented.primal.unwrap();
    let ones = up(&array![1.0, 1.0, 1.0, 1.0]);
    thunk.reverse([ones], augmented.tape, &mut args);
    let counts = device.counts();
    if std::env::var("COENZYME_DEVICE").is_err() {
        // other tests use the device too: at least these two
        assert!(counts.launches >= before.launches + 2);
    }
    let value = array![1.0, 0.358065290667, 0.615283400426, 0.300555655008];
    let in_x = array![
        0.841470984808,
        -1.620271767879,
        -0.488354923088,
        0.067857452505
    ];
    let in_y = array![0.0, 0.270151152934, 0.968912421711, -1.979984993201];
    close(&f.to_host().unwrap(), &value, 1e-12);
    close(&dx.to_host().unwrap(), &in_x, 1e-12);
    close(&dy.to_host().unwrap(), &in_y, 1e-12);
}

/// Value and partials of a function of two numbers, on the device and on the host.
macro_rules! as_on_the_host {
    ($f:ident, $x:expr, $y:expr, $near:expr) => {{
        let (x, y) = ($x, $y);
        let (px, py) = (up(&x), up(&y));
        let (mut dx, mut dy) = (Tangent::zero_like(&px), Tangent::zero_like(&py));
        let mut args = (
            Duplicated(&px, &mut dx),
            Duplicated(&py, &mut dy),
            Const(Inactive($f {})),
        );
        let thunk = Thunk::<_, Duplicated<coenzyme_cuda::Result<DeviceArray<f64>>>>::new(map2 {});
        let augmented = thunk.augmented(&mut args).unwrap();
        thunk.reverse([up(&Array1::ones(x.len()))], augmented.tape, &mut args);
        let host = |i: usize| gradient!($f, x[i], y[i]);
        let of = |f: &dyn Fn(usize) -> f64| Array1::from_shape_fn(x.len(), f);
        let value = augmented.primal.unwrap().to_host().unwrap();
        close(&value, &of(&|i| $f(x[i], y[i])), $near);
        close(&dx.to_host().unwrap(), &of(&|i| host(i).0), 1e-12);
        close(&dy.to_host().unwrap(), &of(&|i| host(i).1), 1e-12);
    }};
}

#[test]
fn the_device_computes_and_differentiates_as_the_host_does() {
    if device().is_none() {
        return;
    }
    let x = Array1::from_shape_fn(200, |i| -3.0 + 0.0305 * i as f64);
    as_on_the_host!(various, x.clone(), x.mapv(|x| (2.0 * x).cos()), 1e-14);
    let x = Array1::from_shape_fn(200, |i| 0.011 * i as f64);
    as_on_the_host!(odd, x.clone(), x.mapv(|x| (5.0 * x).sin().abs()), 1e-13);
    let doubled = map!(passed_on, &up(&x)).unwrap();
    close(&doubled.to_host().unwrap(), &x.mapv(passed_on), 1e-15);
}

#[test]
fn drivers_take_device_arrays() {
    if device().is_none() {
        return;
    }
    let p = array![0.5, 1.0, 2.0];
    let (value, (dp, dk, dn)) = {
        let p = up(&p);
        let gradient = gradient!(loss, &p, 1.5, 2.0).unwrap();
        (loss(&p, 1.5, 2.0).unwrap(), gradient)
    };
    let host = |p: f64, k: f64, n: f64| langmuir(p, k, n).powi(2);
    let expected: f64 = p.iter().map(|p| host(*p, 1.5, 2.0)).sum();
    assert!((value - expected).abs() < 1e-14);
    let slope = |f: &dyn Fn(f64) -> f64| (f(1e-6) - f(-1e-6)) / 2e-6;
    let in_k = slope(&|h| p.iter().map(|p| host(*p, 1.5 + h, 2.0)).sum());
    let in_n = slope(&|h| p.iter().map(|p| host(*p, 1.5, 2.0 + h)).sum());
    assert!((dk - in_k).abs() < 1e-8 && (dn - in_n).abs() < 1e-8);
    let dp = dp.to_host().unwrap();
    for (p, dp) in p.iter().zip(&dp) {
        assert!((dp - slope(&|h| host(p + h, 1.5, 2.0))).abs() < 1e-8);
    }
}

#[test]
fn leading_axes_are_repeated() {
    if device().is_none() {
        return;
    }
    let x = Array2::from_shape_fn((3, 4), |(i, j)| 1.0 + i as f64 + 0.1 * j as f64);
    let k = array![1.0, 2.0, 3.0, 4.0];
    let load = map!(langmuir, &up(&x), &up(&k), &up(&arr0(2.0))).unwrap();
    let expected = Array2::from_shape_fn((3, 4), |(i, j)| langmuir(x[[i, j]], k[j], 2.0));
    close(&load.to_host().unwrap(), &expected, 1e-15);
}

#[test]
fn what_does_not_fit_is_an_error() {
    if device().is_none() {
        return;
    }
    let (x, y) = (up(&array![1.0, 2.0]), up(&array![1.0, 2.0, 3.0]));
    let error = map!(g1, &x, &y).unwrap_err();
    let text = "map: expected the last axes of [2], which are repeated along the others, found [3]";
    assert_eq!(error.to_string(), text);
    assert!(matches!(map!(g1, 1.0, 2.0), Err(Error::Shape { .. })));
    let other = crate::on::emulated()
        .unwrap()
        .array(&array![1.0, 2.0])
        .unwrap();
    assert!(matches!(
        map!(g1, &x, &other),
        Err(Error::MixedDevices { .. })
    ));
}

#[test]
fn g10_reverse_does_not_wait() {
    let Ok(device) = crate::on::emulated() else {
        return println!("skipped: no C++ compiler");
    };
    let x = device.array(&array![1.0, 2.0, 3.0]).unwrap();
    let k = device.array(&arr0(1.5)).unwrap();
    let (mut dx, mut dk) = (Tangent::zero_like(&x), Tangent::zero_like(&k));
    let mut args = (
        Duplicated(&x, &mut dx),
        Duplicated(&k, &mut dk),
        Const(2.0),
        Const(Inactive(langmuir {})),
    );
    let thunk = Thunk::<_, Duplicated<coenzyme_cuda::Result<DeviceArray<f64>>>>::new(map3 {});
    let augmented = thunk.augmented(&mut args).unwrap();
    let seed = device.array(&array![1.0, 1.0, 1.0]).unwrap();
    let before = device.counts().synchronizations;
    thunk.reverse([seed], augmented.tape, &mut args);
    assert_eq!(device.counts().synchronizations, before);
    assert!(dk.to_host().unwrap()[()] > 0.0);

    // a number on the host is brought there: once, for all of them
    let mut args = (
        Const(&x),
        Active(1.5),
        Active(2.0),
        Const(Inactive(langmuir {})),
    );
    let augmented = thunk_of_numbers().augmented(&mut args).unwrap();
    let seed = device.array(&array![1.0, 1.0, 1.0]).unwrap();
    let before = device.counts().synchronizations;
    let (_, [in_k], [in_n], _) = thunk_of_numbers().reverse([seed], augmented.tape, &mut args);
    assert_eq!(device.counts().synchronizations, before + 1);
    assert_eq!(in_k, dk.to_host().unwrap()[()]);
    assert!(in_n > 0.0);
}

fn thunk_of_numbers() -> Thunk<map3, Duplicated<coenzyme_cuda::Result<DeviceArray<f64>>>> {
    Thunk::new(map3 {})
}

#[test]
fn printed_kernels_are_as_they_were() {
    let definition = various::definition();
    let text = map::source(&definition, 2, "double").text;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/various.cu");
    if std::env::var_os("SNAPSHOTS").is_some_and(|v| v == "overwrite") {
        std::fs::write(path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(text, kept, "SNAPSHOTS=overwrite accepts the new text");
}

fn points(n: usize) -> DeviceArray<f64> {
    up(&Array1::from_shape_fn(n, |i| {
        0.2 + (0.37 * i as f64).sin().powi(2)
    }))
}

test_rule! {
    map2;
    x: by_ref(points(n)), y: by_ref(points(n)), f: value(Inactive(g1 {})) [Const];
    ret: [Const, Duplicated];
    name = map_of_two_arrays, sizes = n in [0, 1, 33]
}

test_rule! {
    map3;
    p: by_ref(points(n)) [Duplicated], k: value(1.5), q: by_ref(points(1).reshaped(()).unwrap()), f: value(Inactive(langmuir {})) [Const];
    ret: [Const, Duplicated];
    name = map_of_an_array_a_number_and_a_scalar, widths = [1, 3], sizes = n in [0, 1, 32]
}
