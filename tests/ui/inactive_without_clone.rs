use coenzyme::prelude::*;

struct File;

#[inactive]
fn write(file: File, x: f64) {
    let _ = (file, x);
}

fn main() {}
