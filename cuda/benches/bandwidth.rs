//! What fraction of a card's own copy bandwidth each rule reaches; products of matrices in operations a second; the cost of a launch.
//!
//! `cargo bench -p coenzyme-cuda` on a machine with a card; elsewhere it is skipped, aloud. `--quick` runs each once, on the emulation too, and
//! times nothing.

use std::time::Instant;

use coenzyme::prelude::*;
use coenzyme_cuda::rules::{matmul, prefix_sum, softmax, standardize, sum, sum_axis, uniform};
use coenzyme_cuda::{Device, DeviceArray, Result, map, map2};

/// Twenty operations of two numbers.
#[differentiable(device)]
fn fused(x: f64, y: f64) -> f64 {
    let a = x * y + 1.0;
    let b = a * a - x;
    let c = b / (1.0 + a * a);
    let d = (c + y).sin() * a;
    let e = d * d + c * b - x * y;
    (e + a) * (d - b) + (1.0 + c * c).sqrt()
}

#[differentiable(device)]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

/// Seconds of one call, the median of several after a warm-up. Waits for the device around them.
fn seconds(device: &Device, times: usize, mut call: impl FnMut() -> Result<()>) -> Result<f64> {
    call()?;
    let mut seconds = Vec::with_capacity(times);
    for _ in 0..times {
        device.synchronize()?;
        let start = Instant::now();
        call()?;
        device.synchronize()?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[times / 2])
}

/// One call of the reverse pass of a map of two arrays.
fn reverse(
    x: &DeviceArray<f32>,
    y: &DeviceArray<f32>,
    shadows: &mut [DeviceArray<f32>; 2],
    seed: &DeviceArray<f32>,
) -> Result<()> {
    let [dx, dy] = shadows;
    let f = Const(Inactive(fused {}));
    let mut args = (Duplicated(x, dx), Duplicated(y, dy), f);
    let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f32>>>>::new(map2 {});
    let augmented = thunk.augmented(&mut args)?;
    thunk.reverse([seed.clone()], augmented.tape, &mut args);
    Ok(())
}

fn run(device: &Device, n: usize, times: usize, quick: bool) -> Result<()> {
    let x: DeviceArray<f32> = uniform(device, n, 1, 0)?;
    let y: DeviceArray<f32> = uniform(device, n, 1, 1)?;
    let seed = x.clone();
    let mut shadows = [Tangent::zero_like(&x), Tangent::zero_like(&y)];
    let bytes = 4.0 * n as f64;
    let rows = x.reshaped((n / 1024, 1024))?;
    let mut own = y.clone();
    let scaling = seconds(device, times, || {
        Tangent::scale(&mut own, 1.0);
        Ok(())
    })?;
    let copy = seconds(device, times, || {
        let mut own = x.clone();
        // a shared array that is written is copied first
        Tangent::scale(&mut own, 1.0);
        Ok(())
    })? - scaling;
    // a read and a write
    let bandwidth = 2.0 * bytes / copy;
    if !quick {
        println!("copying {:32.0} GB/s", bandwidth / 1e9);
    }
    let report = |name: &str, passes: f64, call: &mut dyn FnMut() -> Result<()>| -> Result<()> {
        let seconds = seconds(device, times, call)?;
        if !quick {
            let fraction = passes * bytes / seconds / bandwidth;
            println!(
                "{name:28} {:9.3} ms  {fraction:5.2} of copying",
                seconds * 1e3
            );
        }
        Ok(())
    };
    report("map, a product", 3.0, &mut || {
        map!(product, &x, &y).map(drop)
    })?;
    report("map, 20 operations", 3.0, &mut || {
        map!(fused, &x, &y).map(drop)
    })?;
    // reads x and y, writes y and its shadow; then reads x, y, ȳ, and reads and writes both shadows
    report("its value and reverse", 11.0, &mut || {
        reverse(&x, &y, &mut shadows, &seed)
    })?;
    report("20 operations as 20 maps", 60.0, &mut || {
        let mut z = map!(product, &x, &y)?;
        for _ in 1..20 {
            z = map!(product, &z, &y)?;
        }
        Ok(())
    })?;
    report("sum", 1.0, &mut || sum(&x).map(drop))?;
    report("sum of rows", 1.0, &mut || sum_axis(&rows, 1).map(drop))?;
    report("sum of columns", 1.0, &mut || sum_axis(&rows, 0).map(drop))?;
    report("prefix sums of rows", 2.0, &mut || {
        prefix_sum(&rows, 1).map(drop)
    })?;
    report("softmax of rows", 2.0, &mut || softmax(&rows, 1).map(drop))?;
    report("standardize rows", 2.0, &mut || {
        standardize(&rows, 1, 1e-5).map(drop)
    })?;

    let m = if quick { 32 } else { 8192 };
    let a = uniform::<f32, _>(device, (m, m), 1, 2)?;
    let took = seconds(device, times, || matmul(&a, &a).map(drop))?;
    let one: DeviceArray<f32> = uniform(device, 1, 1, 0)?;
    let launch = seconds(device, times, || {
        (0..1000).try_for_each(|_| map!(product, &one, &one).map(drop))
    })?;
    if !quick {
        println!(
            "matmul {m}³ {:24.1} Tflop/s",
            2.0 * (m as f64).powi(3) / took / 1e12
        );
        println!("one map of one number {:17.2} µs", launch * 1e3);
    }
    Ok(())
}

fn main() -> Result<()> {
    let quick = std::env::args().any(|argument| argument == "--quick");
    match (Device::cuda(0), quick) {
        (Ok(card), false) => {
            println!("{}", card.name());
            run(&card, 1 << 28, 21, false)
        }
        (Ok(card), true) => run(&card, 1 << 14, 1, true),
        (Err(none), false) => {
            println!("skipped: {none}");
            Ok(())
        }
        (Err(_), true) => match Device::emulated() {
            Ok(emulation) => run(&emulation, 1 << 11, 1, true),
            Err(none) => {
                println!("skipped: {none}");
                Ok(())
            }
        },
    }
}
