//! Rows of four other systems' capabilities, by their names, with their numbers. G1 and G10 are in `maps.rs`.

// the numbers of other systems, as they print them
#![allow(clippy::approx_constant)]

use coenzyme::AsDuplicatedNoNeed;
use coenzyme::prelude::*;
use coenzyme_cuda::rules::*;
use coenzyme_cuda::{DeviceArray, Error, Result, map};
use coenzyme_testutils::{by_ref, test_rule, value};
use ndarray::{Array, Array1, Array2, Array3, Array4, Dimension, Ix3, Ix4, array};

use crate::device_functions::langmuir;
use crate::on::{device, up};

/// Within `tolerance`, relative or absolute.
fn close<D: Dimension>(found: &DeviceArray<f64, D>, expected: &Array<f64, D>, tolerance: f64) {
    let found = found.to_host().unwrap();
    assert_eq!(found.shape(), expected.shape());
    for (found, expected) in found.iter().zip(expected) {
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error <= tolerance, "{found} is not {expected}");
    }
}

/// The cotangent of one array under a function of it, for the cotangent `dy` of the value.
macro_rules! pull {
    ($f:ident, $x:expr, $dy:expr $(, $attr:expr)*) => {{
        let x = $x;
        let mut dx = Tangent::zero_like(&x);
        let mut args = (Duplicated(&x, &mut dx), $(Const($attr),)*);
        let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f64, _>>>>::new($f {});
        let augmented = thunk.augmented(&mut args).unwrap();
        thunk.reverse([$dy], augmented.tape, &mut args);
        (augmented.primal.unwrap(), dx)
    }};
}

#[test]
fn g2_reductions() {
    if device().is_none() {
        return;
    }
    let n = 1 << 20;
    let x = up(&Array1::from_shape_fn(n, |i| (i + 1) as f64));
    assert_eq!(sum(&x).unwrap(), 549756338176.0);
    // Σ i² is beyond 2⁵³: in double precision to a few roundings
    let squares = map!(crate::device_functions::square, &x).unwrap();
    let expected = 384307717958270976_u64 as f64;
    assert!((sum(&squares).unwrap() / expected - 1.0).abs() < 1e-15);
    // the same bits each time
    assert_eq!(
        sum(&squares).unwrap().to_bits(),
        sum(&squares).unwrap().to_bits()
    );

    let x = up(&array![1.0, 2.0, 3.0]);
    let (y, dx) = pull!(softmax, x.clone(), up(&array![1.0, 0.0, 0.0]), 0_usize);
    close(
        &y,
        &array![0.090030573170, 0.244728471055, 0.665240955775],
        1e-12,
    );
    close(
        &dx,
        &array![0.081925069065, -0.022033044520, -0.059892024545],
        1e-12,
    );
    let lse = logsumexp_axis(&x, 0).unwrap().to_host().unwrap()[()];
    assert!((lse - 3.407605964444).abs() < 1e-12);
}

#[test]
fn g3_products_of_matrices() {
    if device().is_none() {
        return;
    }
    let (a, b) = (
        array![[1.0, 2.0], [3.0, 4.0]],
        array![[5.0, 6.0], [7.0, 8.0]],
    );
    let (pa, pb) = (up(&a), up(&b));
    let (mut da, mut db) = (Tangent::zero_like(&pa), Tangent::zero_like(&pb));
    let mut args = (Duplicated(&pa, &mut da), Duplicated(&pb, &mut db));
    let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f64, _>>>>::new(matmul {});
    let augmented = thunk.augmented(&mut args).unwrap();
    thunk.reverse([up(&Array2::eye(2))], augmented.tape, &mut args);
    close(
        &augmented.primal.unwrap(),
        &array![[19.0, 22.0], [43.0, 50.0]],
        0.0,
    );
    close(&da, &b.t().to_owned(), 0.0);
    close(&db, &a.t().to_owned(), 0.0);

    let a = Array2::from_shape_fn((64, 32), |(i, j)| ((i * 32 + j) as f64).sin());
    let b = Array2::from_shape_fn((32, 48), |(i, j)| ((i * 48 + j) as f64).cos());
    close(&matmul(&up(&a), &up(&b)).unwrap(), &a.dot(&b), 1e-13);
    let refused = matmul(&up(&a), &up(&a)).unwrap_err().to_string();
    let text = "matmul: expected [32, 32] to multiply [64, 32] with, found [64, 32]";
    assert_eq!(refused, text);
}

/// Rows of three, divided by their lengths.
#[allow(unsafe_code)]
pub(crate) fn normalize() -> Inactive<Kernels> {
    // SAFETY: the kernels take what `user` passes, and stay below `n`
    let kernels = unsafe {
        Kernels::new(
            "normalize",
            include_str!("kernels/normalize.cu"),
            "normalize",
        )
    };
    let kernels = kernels.tangent("normalize_jvp").cotangent("normalize_vjp");
    Inactive(kernels.keeps(|n| n / 3))
}

#[test]
fn g4_kernels_of_a_user() {
    if device().is_none() {
        return;
    }
    let x = up(&array![[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]);
    let seed = array![[5.0, 6.0, 7.0], [0.0, 0.0, 0.0]];
    let (y, dx) = pull!(user, x.clone(), up(&seed), normalize());
    let unit = array![0.267261241912, 0.534522483825, 0.801783725737];
    close(&y.row(0).unwrap(), &unit, 1e-12);
    let expected = array![
        [0.610882838657, 0.152720709664, -0.305441419328],
        [0.0, 0.0, 0.0]
    ];
    close(&dx, &expected, 1e-12);
    let dx = up(&seed);
    let args = (Duplicated(&x, &dx), Const(normalize()));
    let (dy,) = autodiff(Forward, &user {}, AsDuplicatedNoNeed, args).unwrap();
    close(&dy, &expected, 1e-12);
}

test_rule! {
    user;
    x: by_ref(up(&Array1::from_shape_fn(n, |i| 1.0 + (i as f64).sin() / 2.0))), kernels: value(normalize()) [Const];
    ret: [Const, Duplicated];
    name = g4_in_every_mix, widths = [2], sizes = n in [0, 3, 33]
}

#[test]
#[allow(unsafe_code)]
fn kernels_that_are_missing_or_do_not_compile_are_errors() {
    if device().is_none() {
        return;
    }
    let x = up(&array![1.0]);
    // SAFETY: it does nothing
    let nothing = || unsafe {
        let text = "extern \"C\" __global__ void nothing(Int n, const double* x, double* y) { EACH(i, n) y[i] = x[i]; }";
        Kernels::new("nothing", text, "nothing")
    };
    let mut dx = Tangent::zero_like(&x);
    let mut args = (Duplicated(&x, &mut dx), Const(Inactive(nothing())));
    let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f64>>>>::new(user {});
    let error = thunk.augmented(&mut args).map(|_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "not found: a kernel of the cotangent of `nothing`"
    );
    // SAFETY: it does not compile
    let wrong = unsafe {
        Kernels::new(
            "wrong",
            "\nextern \"C\" __global__ void wrong() { return 1 }",
            "wrong",
        )
    };
    match user(&x, Inactive(wrong)) {
        Err(Error::Compile { function, log }) => {
            assert_eq!(function, "wrong");
            // the line of the text, not of what is before it
            assert!(log.contains("wrong:2") || log.contains("wrong(2)"), "{log}");
        }
        other => panic!("{other:?}"),
    }
    // a device goes on after a text that it refused
    assert!(sum(&x).is_ok());
}

#[allow(unsafe_code)]
pub(crate) fn elliptic() -> Inactive<Kernels> {
    let name = "drjit_b457ffb74bef12bc";
    // SAFETY: the kernels take what `user` passes, and stay below `n`
    let kernels = unsafe { Kernels::new("elliptic", include_str!("kernels/elliptic.cu"), name) };
    let kernels = kernels.ptx(include_str!("kernels/elliptic.ptx"));
    let kernels = kernels.tangent("elliptic_jvp").cotangent("elliptic_vjp");
    Inactive(kernels.keeps(|n| n))
}

#[test]
fn g5_d22_a_kernel_in_ptx_gives_value_and_derivative_at_once() {
    if device().is_none() {
        return;
    }
    let rows = [0.0_f32, 50.0, 99.0];
    let m = up(&Array1::from_iter(rows.map(|r| r * (0.9 / 99.0))));
    let (mut dm, seed) = (Tangent::zero_like(&m), up(&array![1.0_f32, 1.0, 2.0]));
    let mut args = (Duplicated(&m, &mut dm), Const(elliptic()));
    let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f32>>>>::new(user {});
    let augmented = thunk.augmented(&mut args).unwrap();
    thunk.reverse([seed], augmented.tape, &mut args);
    let near = |found: Array1<f32>, expected: [f32; 3]| {
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found / expected - 1.0).abs() < 1e-3,
                "{found} is not {expected}"
            );
        }
    };
    let value = augmented.primal.unwrap().to_host().unwrap();
    near(value, [1.570796, 1.816515, 2.579399]);
    near(
        dm.to_host().unwrap(),
        [0.3932406, 0.7690685, 2.0 * 4.724051],
    );
}

#[test]
fn g6_gather_and_scatter_add_are_each_others_transposes() {
    let Some(device) = device() else { return };
    let index = Index::new(device, &[0, 0, 2], 4).unwrap();
    let x = up(&array![10.0, 20.0, 30.0, 40.0]);
    let (y, dx) = pull!(gather, x, up(&array![1.0, 2.0, 3.0]), &index);
    close(&y, &array![10.0, 10.0, 30.0], 0.0);
    close(&dx, &array![3.0, 0.0, 3.0, 0.0], 0.0);
    let x = up(&array![1.0, 2.0, 3.0]);
    close(
        &scatter_add_atomic(&x, &index).unwrap(),
        &array![3.0, 0.0, 3.0, 0.0],
        0.0,
    );
    let (y, dx) = pull!(scatter_add, x, up(&array![5.0, 6.0, 7.0, 8.0]), &index);
    close(&y, &array![3.0, 0.0, 3.0, 0.0], 0.0);
    close(&dx, &array![5.0, 5.0, 7.0], 0.0);
    let error = Index::new(device, &[0, 4], 4).unwrap_err();
    assert_eq!(error, Error::Index { index: 4, len: 4 });
    let negative = Index::from_array(&up(&array![0_i32, -1]), 4).unwrap_err();
    assert_eq!(negative, Error::Index { index: -1, len: 4 });
}

#[test]
fn g7_the_cotangent_of_a_prefix_sum_is_summed_from_the_end() {
    if device().is_none() {
        return;
    }
    let x = up(&array![1.0, 2.0, 3.0, 4.0]);
    let (y, dx) = pull!(prefix_sum, x, up(&Array1::ones(4)), 0_usize);
    close(&y, &array![1.0, 3.0, 6.0, 10.0], 0.0);
    close(&dx, &array![4.0, 3.0, 2.0, 1.0], 0.0);
}

/// A convolution of one image with filters `(1, o, c·2·2)`, zeros around.
#[differentiable]
fn convolution(
    x: &DeviceArray<f64, Ix4>,
    filters: &DeviceArray<f64, Ix3>,
) -> Result<DeviceArray<f64, Ix3>> {
    let columns = image_to_columns(x, 2, 2, 1, 1)?;
    let y = batched_matmul(filters, &columns)?;
    Ok(y)
}

#[test]
fn g8_a_convolution_is_a_product_with_columns() {
    if device().is_none() {
        return;
    }
    let entry = |i: usize| (0.7 * i as f64).sin();
    let x = Array4::from_shape_fn((1, 2, 3, 3), |(_, c, i, j)| entry(9 * c + 3 * i + j));
    let w = Array3::from_shape_fn((1, 2, 8), |(_, o, k)| entry(8 * o + k + 20));
    // by its definition, on the host
    let at = |x: &Array4<f64>, c: usize, i: isize, j: isize| match (0..3).contains(&i)
        && (0..3).contains(&j)
    {
        true => x[[0, c, i as usize, j as usize]],
        false => 0.0,
    };
    let host = |x: &Array4<f64>| {
        Array3::from_shape_fn((1, 2, 16), |(_, o, p)| {
            let (i, j) = ((p / 4) as isize - 1, (p % 4) as isize - 1);
            let tap = |k: usize| {
                w[[0, o, k]] * at(x, k / 4, i + (k / 2 % 2) as isize, j + (k % 2) as isize)
            };
            (0..8).map(tap).sum::<f64>()
        })
    };
    let (px, pw) = (up(&x), up(&w));
    let y = convolution(&px, &pw).unwrap();
    close(&y, &host(&x), 1e-14);

    // ⟨ȳ, J·ẋ⟩ = ⟨Jᵀ·ȳ, ẋ⟩, and the map is linear in x
    let dy = Array3::from_shape_fn((1, 2, 16), |(_, o, p)| entry(3 * o + 5 * p + 1));
    let (mut dx, mut dw) = (Tangent::zero_like(&px), Tangent::zero_like(&pw));
    let mut args = (Duplicated(&px, &mut dx), Duplicated(&pw, &mut dw));
    let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f64, Ix3>>>>::new(convolution {});
    let tape = thunk.augmented(&mut args).unwrap().tape;
    thunk.reverse([up(&dy)], tape, &mut args);
    let direction = Array4::from_shape_fn((1, 2, 3, 3), |(_, c, i, j)| entry(c + 2 * i + 7 * j));
    let (left, right) = (
        (&dy * &host(&direction)).sum(),
        (&dx.to_host().unwrap() * &direction).sum(),
    );
    assert!((left - right).abs() < 1e-13, "{left} is not {right}");
    assert!((Tangent::inner(&pw, &dw) - (&dy * &host(&x)).sum()).abs() < 1e-13);
}

#[test]
#[allow(unsafe_code)]
fn g9_what_cannot_be_computed_again_is_kept() {
    if device().is_none() {
        return;
    }
    let text = include_str!("kernels/ticket.cu");
    // SAFETY: the kernels take what `user` passes; tickets are below `n`
    let kernels = unsafe { Kernels::new("ticket", text, "ticket") };
    let kernels = kernels.cotangent("ticket_vjp").keeps(|n| n).keeps(|_| 1);
    let data = Array1::from_shape_fn(128, |i| i as f64);
    let (y, dx) = pull!(user, up(&data), up(&Array1::ones(128)), Inactive(kernels));
    // y_i = data[ticket_i]·(i + 1): whoever got a ticket, gets its cotangent back
    let (y, dx) = (y.to_host().unwrap(), dx.to_host().unwrap());
    let mut weights: Vec<f64> = dx.to_vec();
    weights.sort_by(f64::total_cmp);
    assert_eq!(weights, (1..=128).map(f64::from).collect::<Vec<_>>());
    assert_eq!(y.sum(), (&data * &dx).sum());
}

#[test]
fn g9_random_numbers_are_drawn_again_by_counter() {
    let Some(device) = device() else { return };
    // known answers of the paper's reference implementation: counter 0, key 0
    let words = random_words(device, 4, 0, 0).unwrap().to_host().unwrap();
    let known = [0x6627e8d5_u32, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8];
    assert_eq!(words.mapv(i32::cast_unsigned).to_vec(), known);
    let one: DeviceArray<f64> = uniform(device, 100_000, 7, 1).unwrap();
    let again: DeviceArray<f64> = uniform(device, 1000, 7, 1).unwrap();
    let (one, again) = (one.to_host().unwrap(), again.to_host().unwrap());
    assert_eq!(one.slice(ndarray::s![..1000]), again);
    assert!(one.iter().all(|u| *u > 0.0 && *u < 1.0));
    // five standard deviations of a mean
    assert!((one.mean().unwrap() - 0.5).abs() < 5.0 * (1.0 / 12.0_f64 / 1e5).sqrt());
    let x: DeviceArray<f64> = normal(device, 100_000, 7, 2).unwrap();
    let x = x.to_host().unwrap();
    assert!(x.mean().unwrap().abs() < 5.0 / 1e5_f64.sqrt());
    assert!((x.var(0.0) - 1.0).abs() < 5.0 * (2.0 / 1e5_f64).sqrt());
    let single: DeviceArray<f32> = uniform(device, 1000, 7, 1).unwrap();
    assert!(
        single
            .to_host()
            .unwrap()
            .iter()
            .all(|u| *u > 0.0 && *u < 1.0)
    );
}

#[test]
fn casts_round_and_their_cotangents_are_cast_back() {
    if device().is_none() {
        return;
    }
    let x = up(&array![1.0, 1.0 + 1e-12, -0.5]);
    let mut dx = up(&array![10.0, 10.0, 10.0]);
    let mut args = (Duplicated(&x, &mut dx),);
    let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f32>>>>::new(to_f32 {});
    let augmented = thunk.augmented(&mut args).unwrap();
    thunk.reverse([up(&array![1.0_f32, 2.0, 0.25])], augmented.tape, &mut args);
    let y = augmented.primal.unwrap().to_host().unwrap();
    assert_eq!(y, array![1.0_f32, 1.0, -0.5]);
    close(&dx, &array![11.0, 12.0, 10.25], 0.0);
    let flags = to_numbers::<bool, f64, _>(&up(&array![true, false])).unwrap();
    close(&flags, &array![1.0, 0.0], 0.0);
}

#[test]
fn d23_arrays_of_a_device_are_used_as_those_of_the_host() {
    if device().is_none() {
        return;
    }
    let (p, k) = (up(&array![1.0, 3.0]), up(&ndarray::arr0(1.0)));
    let load = map!(langmuir, &p, &k, 2.0).unwrap();
    close(&load, &array![1.0, 1.5], 1e-15);
    // the same tangent space: norms, sums, zeros
    let mut twice = load.clone();
    Tangent::accumulate(&mut twice, &load);
    close(&twice, &array![2.0, 3.0], 1e-15);
    close(&load, &array![1.0, 1.5], 1e-15);
    assert_eq!(Tangent::inner(&twice, &load), 6.5);
    Tangent::scale(&mut twice, 0.5);
    assert_eq!(Tangent::to_flat(&twice), [1.0, 1.5]);
}

#[test]
fn m28_a_function_is_compiled_when_it_is_first_mapped() {
    let Ok(device) = crate::on::emulated() else {
        return println!("skipped: no C++ compiler");
    };
    let x = device.array(&array![1.0, 2.0]).unwrap();
    let before = device.counts();
    map!(langmuir, &x, 1.0, 1.0).unwrap();
    // compiled now, or found on the disk where another run has left it
    let first = device.counts();
    assert!(first.compilations - before.compilations <= 1);
    map!(langmuir, &x, 2.0, 3.0).unwrap();
    let second = device.counts();
    assert_eq!(
        second.compilations, first.compilations,
        "other data, the same kernel"
    );
    assert_eq!(second.launches, first.launches + 1);
    // another device finds it on the disk
    let other = crate::on::emulated().unwrap();
    let y = other.array(&array![1.0]).unwrap();
    map!(langmuir, &y, 1.0, 1.0).unwrap();
    assert_eq!(other.counts().compilations, 0);
}
