use coenzyme::prelude::*;

struct File;

#[inactive]
fn write(file: File, x: f64) {
    let _ = (file, x);
}

#[differentiable]
fn squared(x: f64) -> f64 {
    write(File, x);
    x * x
}

struct Settings {
    rounds: usize,
}

#[differentiable]
fn repeated(settings: &Settings, x: f64) -> f64 {
    let mut y = x;
    for _ in 0..settings.rounds {
        y = y * x;
    }
    y
}

#[derive(Tangent)]
struct Bounds {
    lower: f64,
    upper: f64,
}

#[differentiable]
fn middle(bounds: Bounds) -> f64 {
    (bounds.lower + bounds.upper) / 2.0
}

fn main() {}
