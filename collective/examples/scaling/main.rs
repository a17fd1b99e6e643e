//! How far a tensor-parallel training step scales, before a machine is bought: on a cluster that is not there, up to ten thousand ranks.
//! Draws `target/scaling.svg`.
//!
//! `cargo run -p coenzyme-collective --example scaling`

use std::fmt::Write;

use coenzyme_collective::shards::{Cluster, Collective, Link};

/// Width of the layers, and how many there are.
const WIDTH: f64 = 12288.0;
const LAYERS: usize = 4;
/// Operations a second, and the network, of one rank.
const SPEED: f64 = 2e14;
const LINK: Link = Link {
    bandwidth: 2.5e11,
    latency: 3e-6,
};

/// Seconds of a step: two products in each layer, forwards, and twice as much backwards; a sum of the outputs forwards, and a sum of the
/// cotangents of the inputs backwards. Rank 0 has a hundredth more to do than the others.
fn step(ranks: usize, samples: f64) -> f64 {
    let mut cluster = Cluster::new(ranks, LINK, SPEED);
    let product = 2.0 * samples * WIDTH * 4.0 * WIDTH / ranks as f64;
    let bytes = (samples * WIDTH * 8.0) as usize;
    for pass in [2.0, 4.0] {
        for _ in 0..LAYERS {
            cluster.compute(|rank| pass * product * if rank == 0 { 1.01 } else { 1.0 });
            cluster.collective(Collective::AllReduce, bytes);
        }
    }
    cluster.seconds()
}

fn main() {
    let ranks: Vec<usize> = (0..=40)
        .map(|i| 10_f64.powf(f64::from(i) / 10.0).round() as usize)
        .collect();
    let mut curves = Vec::new();
    for samples in [512.0, 4096.0, 32768.0] {
        let serial = step(1, samples);
        let speedups: Vec<f64> = ranks.iter().map(|n| serial / step(*n, samples)).collect();
        let (best, most) = ranks
            .iter()
            .zip(&speedups)
            .fold((1, 1.0), |best, (n, speedup)| {
                if *speedup > best.1 {
                    (*n, *speedup)
                } else {
                    best
                }
            });
        println!(
            "{samples:6} samples: {serial:8.3} s on one rank, at best {most:5.1} times faster, on {best} ranks"
        );
        // more ranks than are worth it exist, and two are nearly twice as fast
        assert!(best < 10_000 && speedups[3] > 1.5);
        curves.push((samples, speedups));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/scaling.svg");
    std::fs::write(path, picture(&ranks, &curves)).expect("a file in target");
    println!("target/scaling.svg");
}

/// Speed-up over ranks, both logarithmic.
fn picture(ranks: &[usize], curves: &[(f64, Vec<f64>)]) -> String {
    let place = |n: f64, speedup: f64| (60.0 + 130.0 * n.log10(), 440.0 - 130.0 * speedup.log10());
    let mut svg = String::from(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 660 500' font-family='sans-serif' font-size='13'>\n\
         <rect width='660' height='500' fill='white'/>\n",
    );
    let mut put = |text: std::fmt::Arguments| svg.write_fmt(text).expect("a string grows");
    for power in 0..=4 {
        let (x, y) = place(10_f64.powi(power), 1.0);
        put(format_args!(
            "<path d='M{x} 40 V{y}' stroke='#ddd'/><text x='{x}' y='{}'>{}</text>\n",
            y + 20.0,
            10_u32.pow(power as u32)
        ));
    }
    for power in 0..=3 {
        let (x, y) = place(1.0, 10_f64.powi(power));
        put(format_args!(
            "<path d='M{x} {y} H600' stroke='#ddd'/><text x='{}' y='{y}'>{}</text>\n",
            x - 40.0,
            10_u32.pow(power as u32)
        ));
    }
    put(format_args!(
        "<text x='260' y='485'>ranks</text><text x='60' y='28'>times faster than one rank (the line: as many times as ranks)</text>\n"
    ));
    let ((x, y), (to_x, to_y)) = (place(1.0, 1.0), place(1000.0, 1000.0));
    put(format_args!(
        "<path d='M{x} {y} L{to_x} {to_y}' stroke='#999' stroke-dasharray='4'/>\n"
    ));
    let colors = ["#1b6ca8", "#c0392b", "#27864a"];
    for (at, ((samples, speedups), color)) in curves.iter().zip(colors).enumerate() {
        // a curve ends where one rank alone is faster
        let points = ranks.iter().zip(speedups).filter(|(_, s)| **s >= 1.0);
        let path: String = points
            .map(|(n, s)| place(*n as f64, *s))
            .map(|(x, y)| format!("{x:.1},{y:.1} "))
            .collect();
        put(format_args!(
            "<polyline points='{path}' fill='none' stroke='{color}' stroke-width='2'/>\n\
             <text x='80' y='{}' fill='{color}'>{samples} samples</text>\n",
            70 + 20 * at
        ));
    }
    svg + "</svg>\n"
}
