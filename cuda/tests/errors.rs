//! What the world does to a program: no card, no memory, a kernel that fails. Always a `Result`, and nothing half written.

use coenzyme::prelude::*;
use coenzyme_cuda::emulated::Emulated;
use coenzyme_cuda::rules::{Kernels, concatenate, matmul, prefix_sum, softmax, sum, user};
use coenzyme_cuda::{Device, DeviceArray, Error, Result, map, map2};
use ndarray::{Array1, Array2, arr0, array};

use crate::device_functions::{g1, square};
use crate::on::folder;

/// An emulation with so much memory.
fn with_memory(bytes: usize) -> Option<Device> {
    match Emulated::new() {
        Ok(machine) => Some(Device::new_with_cache(machine.with_memory(bytes), folder())),
        Err(e) => {
            println!("skipped: {e}");
            None
        }
    }
}

#[test]
fn no_card_is_an_error_and_not_a_panic() {
    match Device::cuda(1000) {
        Err(Error::Missing { what }) => assert_eq!(what, "the CUDA driver (libcuda)"),
        Err(Error::NoDevice { ordinal: 1000, .. }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_memory_is_an_error_and_nothing_has_been_written() {
    let Some(device) = with_memory(8 * 7) else {
        return;
    };
    let x = device.array(&array![1.0, 2.0, 3.0]).unwrap();
    let mut y = map!(square, &x).unwrap();
    assert_eq!(device.counts().allocated, 48);
    let full = Error::OutOfMemory { bytes: 24 };
    assert_eq!(map!(square, &x).unwrap_err(), full);
    assert_eq!(softmax(&x, 0).unwrap_err(), full);
    assert_eq!(device.array(&array![0.0, 0.0, 0.0]).unwrap_err(), full);
    // a shared array that is written needs memory of its own
    let shared = y.clone();
    assert_eq!(y.assign(&array![0.0, 0.0, 0.0]).unwrap_err(), full);
    assert_eq!(y.to_host().unwrap(), array![1.0, 4.0, 9.0]);
    drop(shared);
    y.assign(&array![5.0, 6.0, 7.0]).unwrap();
    assert_eq!(
        (x.to_host().unwrap(), y.to_host().unwrap()),
        (array![1.0, 2.0, 3.0], array![5.0, 6.0, 7.0])
    );
    drop(y);
    assert_eq!(device.counts().allocated, 24);
    let huge = device.zeros::<f64, _>(ndarray::Dim([1 << 40, 1 << 40]));
    assert_eq!(huge.unwrap_err(), Error::OutOfMemory { bytes: usize::MAX });
}

/// Whatever the memory is, a call succeeds or fails, and leaves shadows as they were if it fails.
#[test]
fn a_gradient_that_runs_out_of_memory_leaves_the_shadows_alone() {
    let mut refused = 0;
    for bytes in (100..2000).step_by(100) {
        let Some(device) = with_memory(bytes) else {
            return;
        };
        let up = |host: &Array1<f64>| device.array(host);
        let x = array![1.0, 2.0, 3.0, 4.0];
        let (Ok(x), Ok(k)) = (up(&x), device.array(&arr0(1.0))) else {
            continue;
        };
        let (Ok(mut dx), Ok(mut dk)) = (up(&array![1.0, 1.0, 1.0, 1.0]), device.array(&arr0(1.0)))
        else {
            continue;
        };
        let Ok(seed) = up(&Array1::ones(4)) else {
            continue;
        };
        let mut args = (
            Duplicated(&x, &mut dx),
            Duplicated(&k, &mut dk),
            Const(Inactive(g1 {})),
        );
        let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f64>>>>::new(map2 {});
        match thunk.augmented(&mut args) {
            Ok(augmented) => {
                thunk.reverse([seed], augmented.tape, &mut args);
                assert!(dk.to_host().unwrap()[()] != 1.0);
            }
            Err(error) => {
                drop(seed);
                refused += 1;
                assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
                assert_eq!(dx.to_host().unwrap(), Array1::ones(4));
                assert_eq!(dk.to_host().unwrap(), arr0(1.0));
            }
        }
        // all that was reserved has been freed
        drop((x, k, dx, dk));
        assert_eq!(device.counts().allocated, 0);
    }
    assert!(refused > 0);
}

#[test]
#[allow(unsafe_code)]
fn a_kernel_that_fails_takes_the_device_with_it() {
    let Some(device) = with_memory(1 << 20) else {
        return;
    };
    let text = "extern \"C\" __global__ void fails(Int n, const double* x, double* y) { if (x[0] == 0) __trap(); }";
    // SAFETY: it writes nothing
    let kernels = Inactive(unsafe { Kernels::new("fails", text, "fails") });
    let x = device.array(&array![0.0]).unwrap();
    let first = user(&x, kernels).unwrap_err();
    let lost =
        |e: &Error| matches!(e, Error::Lost { reason } if reason == "a kernel called __trap()");
    assert!(lost(&first), "{first}");
    // from now on everything says so, and nothing panics
    assert!(lost(&sum(&x).unwrap_err()));
    assert!(lost(&device.synchronize().unwrap_err()));
    assert!(lost(&device.array(&array![1.0]).unwrap_err()));
    assert!(lost(&x.to_host().unwrap_err()));
    let mut shadow = x.clone();
    Tangent::zero_out(&mut shadow);
}

/// All that a reverse pass needs has been reserved, also for the sums of an argument that is repeated many times.
#[test]
fn a_reverse_pass_reserves_nothing() {
    let n = 1 << 14;
    let bytes = |entries: usize| 8 * entries;
    // x, its value, the repeated argument, both shadows and the seed; two partial sums of each, and numbers
    let Some(device) = with_memory(bytes(3 * n + 3 * n + 64)) else {
        return;
    };
    let x = device.array(&Array2::from_elem((n / 2, 2), 0.5)).unwrap();
    let k = device.array(&array![2.0, 3.0]).unwrap();
    let (mut dx, mut dk) = (Tangent::zero_like(&x), Tangent::zero_like(&k));
    let mut args = (
        Duplicated(&x, &mut dx),
        Duplicated(&k, &mut dk),
        Const(Inactive(g1 {})),
    );
    let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f64, _>>>>::new(map2 {});
    let augmented = thunk.augmented(&mut args).unwrap();
    let seed = x.clone();
    // whatever is left is gone
    let mut rest = Vec::new();
    for entries in (0..=14).rev().map(|power| 1 << power) {
        while let Ok(array) = device.zeros::<f64, _>(ndarray::Ix1(entries)) {
            rest.push(array);
        }
    }
    thunk.reverse([seed], augmented.tape, &mut args);
    assert_eq!(device.synchronize(), Ok(()));
    drop(rest);
    assert!(dk.to_host().unwrap().iter().all(|d| *d != 0.0));
}

/// A damaged file in the cache costs a compilation.
#[cfg(target_os = "linux")]
#[test]
fn kernels_on_the_disk_that_are_damaged_are_compiled_again() {
    let folder = folder().with_file_name(format!("damaged-{}", std::process::id()));
    let mapped = || -> Option<(Array1<f64>, usize)> {
        let machine = Emulated::new().map_err(|e| println!("skipped: {e}")).ok()?;
        let device = Device::new_with_cache(machine, &folder);
        let y = map!(square, &device.array(&array![3.0]).unwrap()).unwrap();
        Some((y.to_host().unwrap(), device.counts().compilations))
    };
    let Some(first) = mapped() else { return };
    assert_eq!(first, (array![9.0], 1));
    assert_eq!(mapped(), Some((array![9.0], 0)));
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        // after the text that the file begins with, the first bytes of a library
        let library = bytes.windows(4).position(|four| four == b"\x7fELF");
        bytes[library.expect("a library")..].fill(0);
        std::fs::write(&path, bytes).unwrap();
    }
    assert_eq!(mapped(), Some((array![9.0], 1)));
    assert_eq!(mapped(), Some((array![9.0], 0)));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Devices are streams of their own: they work at the same time, and give the same bits.
#[test]
fn two_devices_work_at_the_same_time() {
    let (Some(one), Some(other)) = (with_memory(1 << 20), with_memory(1 << 20)) else {
        return;
    };
    let host = Array1::from_shape_fn(1000, |i| (i as f64).sin());
    let work = |device: &Device| {
        let x = device.array(&host).unwrap();
        let sums: Vec<u64> = (0..200)
            .map(|_| sum(&map!(square, &x).unwrap()).unwrap().to_bits())
            .collect();
        let moved = x.to_device(&one).unwrap();
        assert_eq!(moved.device(), &one);
        assert_eq!(moved.to_host().unwrap(), host);
        sums
    };
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(|| work(&one));
        let second = scope.spawn(|| work(&other));
        (first.join().unwrap(), second.join().unwrap())
    });
    assert_eq!(first, second);
    assert_eq!(first, vec![first[0]; 200]);
}

#[test]
fn shapes_and_devices_that_do_not_fit_are_named() {
    let (Some(device), Some(other)) = (with_memory(1 << 20), with_memory(1 << 20)) else {
        return;
    };
    let x = device.array(&array![[1.0, 2.0]]).unwrap();
    let y = device.array(&array![[1.0], [2.0]]).unwrap();
    let z = other.array(&array![[1.0], [2.0]]).unwrap();
    assert!(matches!(matmul(&x, &z), Err(Error::MixedDevices { .. })));
    assert_eq!(
        matmul(&x, &y.to_device(&device).unwrap())
            .unwrap()
            .to_host()
            .unwrap(),
        array![[5.0]]
    );
    let said = |e: Error| e.to_string();
    assert_eq!(
        said(concatenate(&x, &y, 0).unwrap_err()),
        "concatenate: expected [2, 2], found [2, 1]"
    );
    assert_eq!(
        said(prefix_sum(&x, 2).unwrap_err()),
        "prefix_sum: expected an axis below 2, found 2"
    );
    assert_eq!(
        said(x.row(1).unwrap_err()),
        "index 1 is out of bounds for length 1"
    );
    assert_eq!(
        said(y.reshaped(3).unwrap_err()),
        "reshaped: expected a shape of 2 entries, found [3]"
    );
}

/// Several distributions build against a library that refuses to jump from one stack to another.
#[test]
#[cfg(unix)]
#[allow(unsafe_code)] // a text of ours
fn a_fortified_library_does_not_stop_threads_at_a_barrier() {
    use std::os::unix::fs::PermissionsExt;
    const INSIDE: &str = "COENZYME_FORTIFIED";
    const TEXT: &str = r#"extern "C" __global__ void ranks(Int n, const double* x, double* y) {
        const Team<1> team;
        double sum = team.all<Sum>(double(team.rank));
        EACH(i, n) y[i] = x[i] + sum;
    }"#;
    if std::env::var_os(INSIDE).is_some() {
        let device = Device::emulated().unwrap();
        // SAFETY: it takes what the table says, and stays below n
        let kernels = unsafe { Kernels::new("ranks", TEXT, "ranks") };
        let y = user(&device.array(&array![0.5]).unwrap(), Inactive(kernels)).unwrap();
        return assert_eq!(y.to_host().unwrap(), array![496.5]);
    }
    if let Err(none) = Emulated::new() {
        return println!("skipped: {none}");
    }
    let compiler = folder().with_file_name("fortified-c++");
    let named = std::env::var("CXX").unwrap_or("c++".into());
    let script = format!("#!/bin/sh\nexec {named} -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 \"$@\"\n");
    std::fs::write(&compiler, script).unwrap();
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&compiler, mode).unwrap();
    let own = std::thread::current();
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args([own.name().unwrap(), "--exact"])
        .env(INSIDE, "1")
        .env("CXX", compiler)
        // what was compiled before is not asked for
        .env("COENZYME_KERNEL_CACHE", "")
        .status();
    assert!(status.unwrap().success());
}

/// Few columns that are so long are summed in parts.
#[test]
fn long_columns_are_summed_to_the_last_entry() {
    let Some(device) = crate::on::device() else {
        return;
    };
    let n = 70_001;
    let entry = |(i, j): (usize, usize)| (i * (j + 1)) as f64;
    let x = device.array(&Array2::from_shape_fn((n, 2), entry)).unwrap();
    let half = (n * (n - 1) / 2) as f64;
    let sums = coenzyme_cuda::rules::sum_axis(&x, 0).unwrap();
    assert_eq!(sums.to_host(), Ok(array![half, 2.0 * half]));
}
