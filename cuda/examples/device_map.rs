//! An ensemble of Lorenz systems (Lorenz 1963), whose parameter ρ is found from where they are after a short time.
//!
//! One Rust function integrates one system, on the host and on the device. The device runs all systems in one kernel, and the gradient of the
//! misfit in ρ in two. Runs anywhere: 10⁶ systems on a card, 2 000 in its emulation, and says which. Draws `target/device_map.svg`.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;

use coenzyme::prelude::*;
use coenzyme_cuda::rules::{sum, uniform};
use coenzyme_cuda::{Device, DeviceArray, map, map2, map4};

const STEPS: usize = 50;
const STEP: f64 = 0.01;

/// Where a system that starts at `(x, y, z)` is after half a unit of time: its `x`, by Heun's method.
#[differentiable(device)]
fn end(x: f64, y: f64, z: f64, rho: f64) -> f64 {
    let mut s = [x, y, z];
    for _ in 0..STEPS {
        let dx = 10.0 * (s[1] - s[0]);
        let dy = s[0] * (rho - s[2]) - s[1];
        let dz = s[0] * s[1] - 8.0 / 3.0 * s[2];
        let t = [s[0] + STEP * dx, s[1] + STEP * dy, s[2] + STEP * dz];
        s[0] += 0.5 * STEP * (dx + 10.0 * (t[1] - t[0]));
        s[1] += 0.5 * STEP * (dy + t[0] * (rho - t[2]) - t[1]);
        s[2] += 0.5 * STEP * (dz + t[0] * t[1] - 8.0 / 3.0 * t[2]);
    }
    s[0]
}

#[differentiable(device)]
fn squared_difference(a: f64, b: f64) -> f64 {
    (a - b) * (a - b)
}

#[differentiable(device)]
fn spread(u: f64) -> f64 {
    16.0 * u - 8.0
}

/// The mean squared distance between where the systems are seen and where ρ leads them.
#[differentiable]
fn misfit(
    x: &DeviceArray<f64>,
    y: &DeviceArray<f64>,
    seen: &DeviceArray<f64>,
    count: f64,
    rho: f64,
) -> coenzyme_cuda::Result<f64> {
    let ends = map4(x, y, 20.0, rho, Inactive(end {}))?;
    let squares = map2(&ends, seen, Inactive(squared_difference {}))?;
    let total = sum(&squares)?;
    Ok(total / count)
}

fn main() -> Result<(), Box<dyn Error>> {
    let (device, systems) = match (Device::cuda(0), Device::emulated()) {
        (Ok(card), _) => (card, 1_000_000),
        (Err(none), Ok(emulation)) => {
            println!("no card ({none}): emulated");
            (emulation, 2_000)
        }
        (Err(_), Err(none)) => {
            println!("skipped: {none}");
            return Ok(());
        }
    };
    println!("{systems} systems on {}", device.name());
    let x = map!(spread, &uniform::<f64, _>(&device, systems, 1, 0)?)?;
    let y = map!(spread, &uniform::<f64, _>(&device, systems, 1, 1)?)?;
    let truth = 28.0;
    let seen = map!(end, &x, &y, 20.0, truth)?;

    // Newton's method for the slope of the misfit, which is found by the gradient
    let slope = |rho: f64| -> coenzyme_cuda::Result<f64> {
        let count = Const(systems as f64);
        let (_, _, _, _, slope) =
            gradient!(misfit, Const(&x), Const(&y), Const(&seen), count, rho)?;
        Ok(slope)
    };
    let mut rho = 20.0;
    for turn in 0..20 {
        let here = slope(rho)?;
        let curvature = (slope(rho + 1e-4)? - slope(rho - 1e-4)?) / 2e-4;
        println!("{turn:3}  rho {rho:.12}  slope {here:.3e}");
        if here.abs() < 1e-10 {
            break;
        }
        // far away the curvature may be that of a hill
        rho -= (here / curvature.abs()).clamp(-3.0, 3.0);
    }
    assert!((rho - truth).abs() < 1e-8, "{rho}");

    // the slope is that of differences
    let count = systems as f64;
    let value = |rho: f64| misfit(&x, &y, &seen, count, rho);
    let differences = (value(25.0 + 1e-5)? - value(25.0 - 1e-5)?) / 2e-5;
    assert!((slope(25.0)? / differences - 1.0).abs() < 1e-6);

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/device_map.svg");
    fs::write(path, picture(&x, &y, &seen)?)?;
    println!("target/device_map.svg: starts on the left, ends on the right");
    Ok(())
}

/// Up to 500 systems: a line from the `x` where each starts to the `x` where it ends, by the sign of the end.
fn picture(
    x: &DeviceArray<f64>,
    y: &DeviceArray<f64>,
    seen: &DeviceArray<f64>,
) -> Result<String, Box<dyn Error>> {
    let (x, y, ends) = (x.to_host()?, y.to_host()?, seen.to_host()?);
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 420\" font-family=\"sans-serif\">",
    );
    svg += "<rect width=\"640\" height=\"420\" fill=\"white\"/>";
    svg += "<text x=\"20\" y=\"24\">x at time 0, and at time 0.5, of Lorenz systems</text>";
    let height = |x: f64| 220.0 - 8.0 * x;
    for ((x, y), end) in x.iter().zip(&y).zip(&ends).take(500) {
        let colour = if *end > 0.0 { "#c0392b" } else { "#2c5aa0" };
        let bend = height(x + 0.5 * (y - x));
        write!(
            svg,
            "<path d=\"M60 {:.1} Q250 {bend:.1} 580 {:.1}\" fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0.25\"/>",
            height(*x),
            height(*end)
        )?;
    }
    Ok(svg + "</svg>")
}
