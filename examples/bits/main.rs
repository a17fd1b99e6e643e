//! The bits of values and gradients, to be compared between builds.
//!
//! `cargo run --example bits > debug.txt` prints a line for each number: its name, its bits, its value.
//! `cargo run --release --example bits -- debug.txt` compares with what another build printed, bit by bit;
//! `… -- debug.txt 1e-13` up to a relative difference, for builds that contract `a·b + c` to one rounding.

mod functions;

use std::collections::BTreeMap;
use std::process::ExitCode;

use functions::numbers;

/// Names and numbers that `print` printed.
fn read(text: &str) -> BTreeMap<&str, f64> {
    let number = |line| {
        let mut words = str::split_whitespace(line);
        let (name, bits) = (words.next()?, words.next()?);
        let bits = u64::from_str_radix(bits, 16).ok()?;
        Some((name, f64::from_bits(bits)))
    };
    text.lines().filter_map(number).collect()
}

/// Whether two numbers are the same up to a relative difference; for 0, bit by bit.
fn agree(a: f64, b: f64, tolerance: f64) -> bool {
    a.to_bits() == b.to_bits() || (a - b).abs() <= tolerance * a.abs().max(b.abs())
}

fn main() -> ExitCode {
    let here = numbers();
    let mut words = std::env::args().skip(1);
    let Some(file) = words.next() else {
        for (name, x) in here {
            println!("{name} {:016x} {x:e}", x.to_bits());
        }
        return ExitCode::SUCCESS;
    };
    let tolerance = words.next().map_or(0.0, |t| t.parse().expect("a number"));
    let text = std::fs::read_to_string(&file).expect("a file that this program printed");
    let there = read(&text);
    let differ: Vec<_> = here
        .iter()
        .filter(|(name, x)| {
            !there
                .get(name.as_str())
                .is_some_and(|y| agree(*x, *y, tolerance))
        })
        .collect();
    for (name, x) in &differ {
        let y = there.get(name.as_str());
        eprintln!("{name}: {x:e} here, {y:?} in {file}");
    }
    println!("{} numbers, {} differ", here.len(), differ.len());
    match differ.is_empty() && here.len() == there.len() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
