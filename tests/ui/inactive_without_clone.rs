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

fn main() {}
